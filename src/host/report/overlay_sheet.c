#include "report/overlay_sheet.h"

#include <string.h>

#include "core/check.h"
#include "core/memory.h"

enum {
    MARGIN_PX = 12,
    TARGET_SIDE_PX = 2400, /* of the sheet, where pictures need not become smaller than the next */
    SMALLEST_CELL_PX = 96,
    MAX_SIDE = 65535
};

static size_t divide_up(size_t a, size_t b) {
    return a / b + (a % b != 0);
}

static void lay_out(size_t n_items, size_t columns, size_t height, size_t width, size_t factor,
                    dv_sheet_layout *layout) {
    layout->columns = columns;
    layout->rows = divide_up(n_items, columns);
    layout->cell_height = divide_up(height, factor);
    layout->cell_width = divide_up(width, factor);
    layout->height = MARGIN_PX + layout->rows * (layout->cell_height + MARGIN_PX);
    layout->width = MARGIN_PX + layout->columns * (layout->cell_width + MARGIN_PX);
}

/* The columns whose sheet has its longer side the least longer than the other; the fewer of two that are alike. */
static size_t squarest(size_t n_items, size_t height, size_t width) {
    size_t best = 1;
    double best_ratio = 0.0;
    for (size_t columns = 1; columns <= n_items; columns++) {
        dv_sheet_layout layout;
        lay_out(n_items, columns, height, width, 1, &layout);
        const double ratio = layout.height > layout.width ? (double)layout.width / (double)layout.height
                                                          : (double)layout.height / (double)layout.width;
        if (ratio <= best_ratio) continue;
        best = columns;
        best_ratio = ratio;
    }
    return best;
}

dv_status dv_sheet_plan(const dv_sheet_item *items, size_t n_items, size_t columns, dv_sheet_layout *layout) {
    if (n_items == 0) return dv_fail(DV_E_ARG, "a contact sheet needs a picture");
    size_t height = 1, width = 1;
    for (size_t i = 0; i < n_items; i++) {
        if (items[i].height > height) height = items[i].height;
        if (items[i].width > width) width = items[i].width;
    }
    if (columns == 0) columns = squarest(n_items, height, width);
    if (columns > n_items) columns = n_items;
    const size_t longer = height > width ? height : width;
    for (size_t factor = 1;; factor++) {
        lay_out(n_items, columns, height, width, factor, layout);
        const bool fits = layout->height <= TARGET_SIDE_PX && layout->width <= TARGET_SIDE_PX;
        if (fits || longer / (factor + 1) < SMALLEST_CELL_PX) break;
    }
    if (layout->height > MAX_SIDE || layout->width > MAX_SIDE)
        return dv_fail(DV_E_USAGE,
                       "a contact sheet of %zu pictures would have %zux%zu pixels: at most 65535 a side, "
                       "so choose fewer pictures or other columns",
                       n_items, layout->width, layout->height);
    return DV_OK;
}

/* The mean of the pixels of one box, whatever part of it lies in the picture; halves are rounded up. */
static void mean_of_box(const dv_picture *picture, size_t left, size_t top, size_t factor, uint8_t *rgb) {
    const size_t right = left + factor < picture->width ? left + factor : picture->width;
    const size_t bottom = top + factor < picture->height ? top + factor : picture->height;
    uint64_t sums[3] = {0};
    for (size_t y = top; y < bottom; y++)
        for (size_t x = left; x < right; x++)
            for (size_t c = 0; c < 3; c++) sums[c] += picture->rgb[(y * picture->width + x) * 3 + c];
    const uint64_t n = (right - left) * (bottom - top);
    for (int c = 0; c < 3; c++) rgb[c] = (uint8_t)((sums[c] + n / 2) / n);
}

static void draw_cell(const dv_picture *picture, const dv_sheet_layout *layout, size_t item, dv_picture *sheet) {
    size_t factor = 1;
    while (divide_up(picture->height, factor) > layout->cell_height ||
           divide_up(picture->width, factor) > layout->cell_width)
        factor++;
    const size_t height = divide_up(picture->height, factor), width = divide_up(picture->width, factor);
    const size_t row = item / layout->columns, column = item % layout->columns;
    const size_t top = MARGIN_PX + row * (layout->cell_height + MARGIN_PX) + (layout->cell_height - height) / 2;
    const size_t left = MARGIN_PX + column * (layout->cell_width + MARGIN_PX) + (layout->cell_width - width) / 2;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            mean_of_box(picture, x * factor, y * factor, factor,
                        sheet->rgb + ((top + y) * sheet->width + left + x) * 3);
}

dv_status dv_sheet_draw(const dv_sheet_item *items, size_t n_items, const dv_sheet_layout *layout, dv_picture *sheet) {
    *sheet = (dv_picture){.height = layout->height, .width = layout->width, .orientation = 1};
    DV_TRY(dv_alloc(sheet->height * sheet->width, 3, "a contact sheet", &sheet->rgb));
    memset(sheet->rgb, 255, sheet->height * sheet->width * 3);
    dv_status status = DV_OK;
    for (size_t i = 0; i < n_items && status == DV_OK; i++) {
        dv_picture picture;
        status = dv_picture_read(items[i].path, &picture);
        if (status == DV_OK) draw_cell(&picture, layout, i, sheet);
        dv_picture_clear(&picture);
    }
    if (status != DV_OK) dv_picture_clear(sheet);
    return status;
}
