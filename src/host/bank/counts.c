#include "bank/counts.h"

#include <string.h>

#include "core/check.h"

_Static_assert(DV_MAX_CLASSES <= INT16_MAX, "classes are mapped to i16");
_Static_assert(DV_MAX_PATCH_SIZE *DV_MAX_PATCH_SIZE <= UINT16_MAX, "a patch's pixels are counted in u16");

void dv_class_map_fill(dv_class_map *map, size_t n_classes, const dv_label_set *ignored, dv_invalid_labels invalid,
                       dv_memory_ignored memory_ignored) {
    const bool background = memory_ignored == DV_MEMORY_BACKGROUND;
    map->n_classes = n_classes ? n_classes : 1;
    for (size_t label = 0; label < DV_N_LABELS; label++) {
        if (dv_label_set_has(ignored, (uint16_t)label) || (background && label == DV_PUBLISHED_VOID))
            map->of[label] = background ? 0 : DV_CLASS_NONE;
        else if (label < n_classes || n_classes == 0)
            map->of[label] = (int16_t)(n_classes ? label : 0);
        else
            map->of[label] = invalid == DV_INVALID_ERROR ? DV_CLASS_INVALID : DV_CLASS_NONE;
    }
}

/* Counts one line of pixels. cells u16 [grid_w, n_classes]: of the patches that the line goes through. */
static dv_status count_line(const dv_class_map *map, const dv_patch_grid *grid, size_t row,
                            const uint16_t *restrict line, uint16_t *restrict cells) {
    const size_t n_classes = map->n_classes, size = grid->patch_size;
    for (size_t patch = 0; patch < grid->grid_w; patch++) {
        uint16_t *cell = cells + patch * n_classes;
        for (size_t column = patch * size; column < (patch + 1) * size; column++) {
            const int class_id = map->of[line[column]];
            if (class_id >= 0)
                cell[class_id]++;
            else if (class_id == DV_CLASS_INVALID)
                return dv_fail(DV_E_DATA, "pixel row %zu, column %zu, label %d: must be below %zu classes or ignored",
                               row, column, line[column], n_classes);
        }
    }
    return DV_OK;
}

dv_status dv_patch_counts(const dv_class_map *map, const dv_patch_grid *grid, const uint16_t *labels,
                          uint16_t *counts) {
    const size_t size = grid->patch_size, width = grid->grid_w * size, n_cells = grid->grid_w * map->n_classes;
    memset(counts, 0, grid->grid_h * n_cells * sizeof *counts);
    for (size_t grid_row = 0; grid_row < grid->grid_h; grid_row++)
        for (size_t row = grid_row * size; row < (grid_row + 1) * size; row++)
            DV_TRY(count_line(map, grid, row, labels + row * width, counts + grid_row * n_cells));
    return DV_OK;
}
