#include "io/mask_set_private.h"

/* The inverse of dv_class_colour for labels 0..255: they have three bits of red, three of green and two of blue, the
 * top ones. Colours beyond those are what smoothing or a lossy format made of them. */
static int32_t voc_label(const uint16_t *rgb, unsigned depth) {
    const unsigned red = rgb[0], green = rgb[1], blue = rgb[2];
    if (depth != 8 || (red & 0x1f) || (green & 0x1f) || (blue & 0x3f)) return -1;
    unsigned label = 0;
    for (unsigned round = 0; round < 3; round++) {
        label |= (red >> (7 - round) & 1U) << 3 * round;
        label |= (green >> (7 - round) & 1U) << (3 * round + 1);
    }
    return (int32_t)(label | (blue >> 7 & 1U) << 2 | (blue >> 6 & 1U) << 5);
}

const dv_png_colours *dv_mask_colours(dv_mask_palette palette) {
    static const dv_png_colours refused = {
        .label_of = dv_png_gray_label,
        .refusal = "a mask must be indexed or gray, colours are no labels; jf --palette voc reads those of PASCAL VOC"};
    static const dv_png_colours voc = {.label_of = voc_label, .refusal = "no colour of the PASCAL VOC palette"};
    return palette == DV_PALETTE_VOC ? &voc : &refused;
}
