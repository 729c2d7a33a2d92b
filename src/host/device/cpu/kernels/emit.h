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

/* Reports those of 16 sums of query q that passed: bit r of `passed` is row at + r of the tile. */
DV_KERNEL_INLINE void dv_emit(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at,
                              uint32_t passed, const int32_t *sums) {
    passed &= dv_visible(block, tile, q, at);
    const dv_hits *hits = &block->hits;
    uint32_t n = hits->counts[q];
    hits->counts[q] = n + (uint32_t)__builtin_popcount(passed);
    if (hits->counts[q] > hits->capacity) return; /* too many: what stands there will be discarded */
    for (; passed; passed &= passed - 1, n++) {
        const uint32_t r = (uint32_t)__builtin_ctz(passed);
        hits->positions[q * hits->stride + n] = tile->first + (uint32_t)at + r;
        hits->sums[q * hits->stride + n] = sums[r];
    }
}

#endif
