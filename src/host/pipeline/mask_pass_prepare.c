#include "pipeline/mask_pass_prepare.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

enum { VOID_ID = 255, PIECE = 1 << 14 };
_Static_assert(PIECE <= UINT16_MAX, "pixels of a piece are counted in 16 bits, as wide as the ids: loops stay narrow");

static void to_single(uint16_t *restrict ids, size_t n) {
    for (size_t i = 0; i < n; i++) ids[i] = ids[i] != 0;
}

static uint16_t clear_void(uint16_t *restrict truth, size_t n) {
    uint16_t n_cleared = 0;
    for (size_t i = 0; i < n; i++) {
        const uint16_t is_void = truth[i] == VOID_ID;
        n_cleared = (uint16_t)(n_cleared + is_void);
        truth[i] = is_void ? 0 : truth[i];
    }
    return n_cleared;
}

static uint16_t clear_void_of_both(uint16_t *restrict truth, uint16_t *restrict pred, size_t n) {
    uint16_t n_cleared = 0;
    for (size_t i = 0; i < n; i++) {
        const uint16_t is_void = truth[i] == VOID_ID;
        n_cleared = (uint16_t)(n_cleared + is_void);
        pred[i] = is_void ? 0 : pred[i];
        truth[i] = is_void ? 0 : truth[i];
    }
    return n_cleared;
}

static uint16_t clear_above(uint16_t most, uint16_t *restrict pred, size_t n) {
    uint16_t n_cleared = 0;
    for (size_t i = 0; i < n; i++) {
        const uint16_t is_above = pred[i] > most;
        n_cleared = (uint16_t)(n_cleared + is_above);
        pred[i] = is_above ? 0 : pred[i];
    }
    return n_cleared;
}

static uint64_t prepare_piece(const dv_mask_policy *policy, uint16_t *truth, uint16_t *pred, size_t n) {
    if (policy->single_object) {
        to_single(truth, n);
        to_single(pred, n);
        return 0;
    }
    uint64_t n_ignored = 0;
    if (policy->truth_void == DV_VOID_BACKGROUND) n_ignored += clear_void(truth, n);
    if (policy->truth_void == DV_VOID_IGNORE) n_ignored += clear_void_of_both(truth, pred, n);
    if (policy->most_pred) n_ignored += clear_above(policy->most_pred, pred, n);
    return n_ignored;
}

uint64_t dv_mask_prepare(const dv_mask_policy *policy, uint16_t *truth, uint16_t *pred, size_t n_pixels) {
    uint64_t n_ignored = 0;
    for (size_t i = 0; i < n_pixels; i += PIECE) {
        const size_t n = n_pixels - i < PIECE ? n_pixels - i : PIECE;
        n_ignored += prepare_piece(policy, truth + i, pred + i, n);
    }
    return n_ignored;
}

/* In one pass, without a branch: 0 less 1 is the largest number, so it is not the least one. */
bool dv_mask_is_mixed(const uint16_t *ids, size_t n_pixels) {
    uint16_t most = 0, least_less_1 = UINT16_MAX;
    for (size_t i = 0; i < n_pixels; i++) {
        const uint16_t less_1 = (uint16_t)(ids[i] - 1);
        most = ids[i] > most ? ids[i] : most;
        least_less_1 = less_1 < least_less_1 ? less_1 : least_less_1;
    }
    return most && most != least_less_1 + 1;
}

static size_t nearest(size_t i, size_t n_in, size_t n_out) {
    return (2 * i + 1) * n_in / (2 * n_out);
}

static void sample(const dv_label_map *map, const size_t *columns, size_t height, size_t width, uint16_t *labels) {
    for (size_t y = 0; y < height; y++) {
        const uint16_t *row = map->labels + nearest(y, map->height, height) * map->width;
        for (size_t x = 0; x < width; x++) labels[y * width + x] = row[columns[x]];
    }
}

dv_status dv_mask_resize(dv_label_map *map, size_t height, size_t width) {
    size_t *columns;
    uint16_t *labels = NULL;
    DV_TRY(dv_alloc_unset(width, sizeof *columns, "the columns of a resized mask", &columns));
    const dv_status status = dv_alloc_unset(height * width, sizeof *labels, "a resized mask", &labels);
    if (status == DV_OK) {
        for (size_t x = 0; x < width; x++) columns[x] = nearest(x, map->width, width);
        sample(map, columns, height, width, labels);
        dv_label_map_clear(map);
        *map = (dv_label_map){.height = height, .width = width, .labels = labels};
    }
    free(columns);
    return status;
}
