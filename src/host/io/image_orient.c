#include "io/image_orient.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

/* The stored pixel that is shown at (x, y). The orientation names where the stored first row and first column lie when
 * shown: 1 top left, 2 top right, 3 bottom right, 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8 left
 * bottom. Source: CIPA DC-008 (Exif 2.32), tag 0x0112. */
static size_t stored_pixel(const dv_picture *stored, size_t x, size_t y) {
    const size_t right = stored->width - 1, bottom = stored->height - 1;
    size_t column = x, row = y;
    switch (stored->orientation) {
    case 2:
        column = right - x;
        break;
    case 3:
        column = right - x, row = bottom - y;
        break;
    case 4:
        row = bottom - y;
        break;
    case 5:
        column = y, row = x;
        break;
    case 6:
        column = y, row = bottom - x;
        break;
    case 7:
        column = right - y, row = bottom - x;
        break;
    case 8:
        column = right - y, row = x;
        break;
    default:
        break;
    }
    return row * stored->width + column;
}

dv_status dv_picture_orient(dv_picture *picture) {
    if (picture->orientation <= 1 || picture->orientation > 8) return DV_OK;
    const bool swaps = picture->orientation >= 5;
    dv_picture turned = {.orientation = 1};
    turned.height = swaps ? picture->width : picture->height;
    turned.width = swaps ? picture->height : picture->width;
    DV_TRY(dv_alloc(turned.height * turned.width, 3, "a turned picture", &turned.rgb));
    uint8_t *target = turned.rgb;
    for (size_t y = 0; y < turned.height; y++)
        for (size_t x = 0; x < turned.width; x++, target += 3) {
            const uint8_t *source = picture->rgb + stored_pixel(picture, x, y) * 3;
            for (int channel = 0; channel < 3; channel++) target[channel] = source[channel];
        }
    dv_picture_clear(picture);
    *picture = turned;
    return DV_OK;
}
