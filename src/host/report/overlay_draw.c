#include "report/overlay_draw.h"

#include <string.h>

#include "core/check.h"
#include "core/memory.h"

enum {
    GAP_PX = 4,        /* between panels, white */
    FILL_256THS = 112, /* how much of a region's colour covers the picture */
    OBJECT_256THS = 160,
    IGNORED_256THS = 192,
    FADE_256THS = 176,  /* how far right pixels are on their way to white */
    BORDER_SHARE = 300, /* a border is a 300th of the shorter side wide, one pixel at least */
    MAX_SIDE = 65535,
    BACKGROUND = 0 /* the label that is left clear: it has no colour but black */
};

/* No class below 256 has it: their colours are sums of 128, 64 and 32. */
static const uint8_t ignored_rgb[3] = {120, 120, 120};

static uint8_t mix(uint8_t under, uint8_t over, unsigned over_256ths) {
    return (uint8_t)((under * (256 - over_256ths) + over * over_256ths + 128) / 256);
}

/* What a region is drawn with. The palette is dark: scaled up until one channel is full, a colour shines through a
 * picture; half way there the fill keeps colours apart that differ in nothing else. The border is lighter still, so
 * that a line of one pixel stands out, in blue too. */
typedef struct pen {
    uint8_t fill[3], border[3];
} pen;

static pen pen_of(uint16_t label) {
    uint8_t rgb[3];
    dv_class_colour(label, rgb);
    unsigned largest = 1;
    for (int c = 0; c < 3; c++)
        if (rgb[c] > largest) largest = rgb[c];
    pen made;
    for (int c = 0; c < 3; c++) {
        const uint8_t bright = (uint8_t)(rgb[c] * 255U / largest);
        made.fill[c] = mix(rgb[c], bright, 128);
        made.border[c] = mix(bright, 255, 64);
    }
    return made;
}

static size_t border_width(const dv_label_map *map) {
    const size_t side = map->height < map->width ? map->height : map->width;
    const size_t width = (side + BORDER_SHARE / 2) / BORDER_SHARE;
    return width > 0 ? width : 1;
}

/* Whether another label lies within `reach` pixels to the left, right, top or bottom. The rim of the map is none. */
static bool is_border(const dv_label_map *map, size_t x, size_t y, size_t reach) {
    const uint16_t *here = map->labels + y * map->width + x;
    for (size_t step = 1; step <= reach; step++) {
        if (x >= step && here[-(ptrdiff_t)step] != *here) return true;
        if (x + step < map->width && here[step] != *here) return true;
        if (y >= step && here[-(ptrdiff_t)(step * map->width)] != *here) return true;
        if (y + step < map->height && here[step * map->width] != *here) return true;
    }
    return false;
}

/* A target picture of `width` x that of the view, and the panel in it that is drawn. */
static uint8_t *panel_pixel(const dv_picture *target, size_t left, size_t x, size_t y) {
    return target->rgb + (y * target->width + left + x) * 3;
}

static void copy_picture(const dv_picture *picture, dv_picture *target, size_t left) {
    for (size_t y = 0; y < picture->height; y++)
        memcpy(panel_pixel(target, left, 0, y), picture->rgb + y * picture->width * 3, picture->width * 3);
}

static void cover(uint8_t *pixel, const uint8_t *rgb, unsigned share_256ths) {
    for (int c = 0; c < 3; c++) pixel[c] = mix(pixel[c], rgb[c], share_256ths);
}

/* Translucent regions with a bright border over what is there. */
static void draw_regions(const dv_label_map *map, const dv_label_set *ignored, dv_picture *target, size_t left) {
    const size_t reach = border_width(map);
    uint16_t last = BACKGROUND; /* runs of one label are long: its pen is made once a run */
    pen current = pen_of(last);
    for (size_t y = 0; y < map->height; y++)
        for (size_t x = 0; x < map->width; x++) {
            const uint16_t label = map->labels[y * map->width + x];
            uint8_t *pixel = panel_pixel(target, left, x, y);
            if (label != last) current = pen_of(label);
            last = label;
            if (dv_label_set_has(ignored, label)) {
                cover(pixel, ignored_rgb, IGNORED_256THS);
            } else if (label == BACKGROUND) {
                continue;
            } else if (is_border(map, x, y, reach)) {
                cover(pixel, current.border, 256);
            } else {
                cover(pixel, current.fill, FILL_256THS);
            }
        }
}

/* Right pixels become a pale gray: dark colours, and black for a region that was missed, stand out of it. */
static void draw_difference(const dv_overlay_view *view, dv_picture *target) {
    const size_t n_pixels = view->picture->height * view->picture->width;
    for (size_t i = 0; i < n_pixels; i++) {
        const uint8_t *from = view->picture->rgb + i * 3;
        uint8_t *pixel = target->rgb + i * 3;
        if (dv_label_set_has(view->ignored, view->truth->labels[i])) {
            memcpy(pixel, ignored_rgb, 3);
        } else if (view->truth->labels[i] == view->pred->labels[i]) {
            const uint8_t gray = (uint8_t)((from[0] * 77U + from[1] * 150U + from[2] * 29U) / 256);
            memset(pixel, mix(gray, 255, FADE_256THS), 3);
        } else {
            dv_class_colour(view->pred->labels[i], pixel);
        }
    }
}

static dv_status make_target(const dv_picture *picture, size_t n_panels, dv_picture *target) {
    target->height = picture->height;
    target->width = picture->width * n_panels + GAP_PX * (n_panels - 1);
    target->orientation = 1;
    if (target->width > MAX_SIDE)
        return dv_fail(DV_E_DATA, "%zu panels of %zu pixels beside each other: at most %d fit a PNG", n_panels,
                       picture->width, MAX_SIDE);
    DV_TRY(dv_alloc(target->height * target->width, 3, "an overlay", &target->rgb));
    memset(target->rgb, 255, target->height * target->width * 3);
    return DV_OK;
}

static dv_status draw_side_by_side(const dv_overlay_view *view, dv_picture *drawn) {
    DV_TRY(make_target(view->picture, view->truth ? 3 : 2, drawn));
    const size_t step = view->picture->width + GAP_PX;
    size_t left = 0;
    copy_picture(view->picture, drawn, left);
    if (view->truth) {
        left += step;
        copy_picture(view->picture, drawn, left);
        draw_regions(view->truth, view->ignored, drawn, left);
    }
    left += step;
    copy_picture(view->picture, drawn, left);
    draw_regions(view->pred, view->ignored, drawn, left);
    return DV_OK;
}

dv_status dv_overlay_draw(dv_overlay_mode mode, const dv_overlay_view *view, dv_picture *drawn) {
    memset(drawn, 0, sizeof *drawn);
    if (mode == DV_OVERLAY_SIDE_BY_SIDE) return draw_side_by_side(view, drawn);
    if (mode == DV_OVERLAY_DIFFERENCE && !view->truth) return dv_fail(DV_E_ARG, "a difference needs the truth");
    DV_TRY(make_target(view->picture, 1, drawn));
    if (mode == DV_OVERLAY_DIFFERENCE) {
        draw_difference(view, drawn);
    } else {
        copy_picture(view->picture, drawn, 0);
        draw_regions(view->pred, view->ignored, drawn, 0);
    }
    return DV_OK;
}

/* ---- One object ----------------------------------------------------------------------------------------------------
 */

/* Source: Okabe, Ito, Color Universal Design, 2008. */
static const uint8_t found_rgb[3] = {0, 158, 115}, extra_rgb[3] = {213, 94, 0}, missed_rgb[3] = {0, 114, 178},
                     truth_contour_rgb[3] = {255, 255, 255}, pred_contour_rgb[3] = {240, 228, 66};

dv_status dv_overlay_draw_object(const dv_picture *picture, const dv_label_map *truth, const dv_label_map *pred,
                                 dv_picture *drawn) {
    memset(drawn, 0, sizeof *drawn);
    DV_TRY(make_target(picture, 1, drawn));
    copy_picture(picture, drawn, 0);
    const size_t reach = border_width(truth);
    for (size_t y = 0; y < truth->height; y++)
        for (size_t x = 0; x < truth->width; x++) {
            const bool in_truth = truth->labels[y * truth->width + x], in_pred = pred->labels[y * pred->width + x];
            uint8_t *const pixel = panel_pixel(drawn, 0, x, y);
            if (in_pred && is_border(pred, x, y, reach))
                cover(pixel, pred_contour_rgb, 256);
            else if (in_truth && is_border(truth, x, y, reach))
                cover(pixel, truth_contour_rgb, 256);
            else if (in_truth || in_pred)
                cover(pixel, !in_pred ? missed_rgb : in_truth ? found_rgb : extra_rgb, OBJECT_256THS);
        }
    return DV_OK;
}
