/* overlay_sheet.h: many pictures in one, scaled down. */
#ifndef DV_REPORT_OVERLAY_SHEET_H
#define DV_REPORT_OVERLAY_SHEET_H

#include <stddef.h>

#include "denseval/image.h"

/* A picture of the sheet: a PNG and its size. */
typedef struct dv_sheet_item {
    char *path; /* owned by whoever made the item */
    size_t height, width;
} dv_sheet_item;

/* How the sheet is divided. Cells are as large as the largest picture scaled down by `factor`. */
typedef struct dv_sheet_layout {
    size_t columns, rows;
    size_t cell_height, cell_width; /* pixels */
    size_t height, width;           /* pixels of the whole, margins included */
} dv_sheet_layout;

/* columns  0: such that the sheet is the nearest to a square
 * Fails with DV_E_ARG (no items), DV_E_USAGE when the sheet would be larger than a PNG can be. */
DV_MUST_USE dv_status dv_sheet_plan(const dv_sheet_item *items, size_t n_items, size_t columns,
                                    dv_sheet_layout *layout);

/* Each picture is read, scaled down by the smallest whole factor that makes it fit its cell, each pixel the mean of its
 * box, and centred there. *sheet: release with dv_picture_clear; zeroed on failure. */
DV_MUST_USE dv_status dv_sheet_draw(const dv_sheet_item *items, size_t n_items, const dv_sheet_layout *layout,
                                    dv_picture *sheet);

#endif
