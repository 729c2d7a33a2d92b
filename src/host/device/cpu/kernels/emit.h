/* emit.h: what every kernel does beside the products: thresholds before, and the slow path after a sum passed. */
#ifndef DV_DEVICE_CPU_EMIT_H
#define DV_DEVICE_CPU_EMIT_H

#include "search/scan.h"

/* Inlined everywhere, so that each kernel gets them in its own instruction set. */
#define DV_KERNEL_INLINE static inline __attribute__((always_inline))

/* Thresholds of all queries of a block in one tile. */
DV_KERNEL_INLINE void dv_find_thresholds(const dv_scan_block *block, const dv_code_tile *tile) {
    const double *restrict base = block->base, *restrict slope = block->slope;
    int32_t *restrict thresholds = block->thresholds;
    const double inverse_scale = tile->inverse_scale, slack = tile->slack;
    for (size_t q = 0; q < block->n; q++) thresholds[q] = dv_threshold(base[q], slope[q], inverse_scale, slack);
}

/* Bits of the rows of a group, the first at position `at` of the tile, that query q may see. */
DV_KERNEL_INLINE uint32_t dv_visible(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at) {
    const uint32_t position = tile->first + (uint32_t)at, left = tile->end > position ? tile->end - position : 0;
    uint32_t visible = left < DV_GROUP_ROWS ? (1U << left) - 1 : (1U << DV_GROUP_ROWS) - 1;
    const int32_t hidden = tile->group ? block->hidden[q] : -1;
    if (hidden == -1) return visible;
    for (size_t r = 0; r < DV_GROUP_ROWS; r++) visible &= ~((uint32_t)(tile->group[at + r] == hidden) << r);
    return visible;
}

/* Reports row `at` of the tile with its sum, unless it is hidden or padding. No branch depends on the data, for none
 * could be foretold: what does not count is overwritten by the next, and what has no room goes to the place behind the
 * last. */
DV_KERNEL_INLINE void dv_report(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                                int32_t sum) {
    const dv_hits *hits = &block->hits;
    const uint32_t n = hits->counts[q], position = tile->first + (uint32_t)at;
    const size_t to = q * hits->stride + (n < hits->capacity ? n : hits->capacity);
    hits->positions[to] = position;
    hits->sums[to] = sum;
    bool counts = position < tile->end;
    if (tile->group) counts &= block->hidden[q] == -1 || tile->group[at] != block->hidden[q];
    hits->counts[q] = n + counts;
}

/* Reports those of 16 sums of query q that passed: bit r of `passed` is row at + r of the tile. */
DV_KERNEL_INLINE void dv_emit(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                              uint32_t passed, const int32_t *sums) {
    for (; passed; passed &= passed - 1) {
        const size_t r = (size_t)__builtin_ctz(passed);
        dv_report(block, tile, q, at + r, sums[r]);
    }
}

/* Takes 16 sums of query q into its peaks. */
DV_KERNEL_INLINE void dv_take_peaks(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                                    const int32_t *restrict sums, int32_t *restrict peaks) {
    const uint32_t visible = dv_visible(block, tile, q, at);
    for (size_t r = 0; r < DV_GROUP_ROWS; r++) {
        const int32_t sum = visible >> r & 1 ? sums[r] : INT32_MIN;
        peaks[r] = at == 0 || sum > peaks[r] ? sum : peaks[r];
    }
}

#endif
