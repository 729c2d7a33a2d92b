#include "search/topk.h"

#include <string.h>

enum { DIGIT_BITS = 8, N_DIGITS = 256 };

dv_topk dv_topk_begin(dv_neighbour *heap, size_t k, double least) {
    return (dv_topk){.heap = heap, .k = k, .n = 0, .least = least};
}

/* Lets `item` sink from `hole` to where it belongs in a heap of n with the worst at the root. */
static void sink(dv_neighbour *heap, size_t n, size_t hole, dv_neighbour item) {
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= n) break;
        if (child + 1 < n && dv_neighbour_before(heap[child], heap[child + 1])) child++; /* the worse of the two */
        if (!dv_neighbour_before(item, heap[child])) break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = item;
}

static void rise(dv_neighbour *heap, size_t hole, dv_neighbour item) {
    while (hole > 0) {
        const size_t parent = (hole - 1) / 2;
        if (!dv_neighbour_before(heap[parent], item)) break;
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = item;
}

void dv_topk_offer(dv_topk *best, double cosine, int64_t row) {
    const dv_neighbour item = {cosine, row};
    if (cosine < best->least) return;
    if (best->n < best->k) {
        rise(best->heap, best->n++, item);
    } else if (dv_neighbour_before(item, best->heap[0])) {
        sink(best->heap, best->n, 0, item);
    }
}

void dv_topk_write(dv_topk *best, int64_t *ids, double *cosines) {
    for (size_t i = best->n; i < best->k; i++) {
        ids[i] = DV_NO_ROW;
        cosines[i] = DV_NO_COSINE;
    }
    while (best->n > 0) { /* the worst goes to the last place */
        const dv_neighbour worst = best->heap[0];
        best->n--;
        sink(best->heap, best->n, 0, best->heap[best->n]);
        ids[best->n] = worst.row;
        cosines[best->n] = worst.cosine;
    }
}

/* A whole number in the order of the floats. */
static uint32_t ordered(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000U;
}

static float from_ordered(uint32_t key) {
    const uint32_t bits = key >> 31 ? key & 0x7fffffffU : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Digit by digit from the top: no order of values makes it slow. */
float dv_kth_largest(const float *values, size_t n, size_t k) {
    uint32_t prefix = 0, mask = 0;
    for (int shift = 32 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        size_t counts[N_DIGITS] = {0};
        for (size_t i = 0; i < n; i++) {
            const uint32_t key = ordered(values[i]);
            if ((key & mask) == prefix) counts[(key >> shift) & (N_DIGITS - 1)]++;
        }
        uint32_t digit = N_DIGITS - 1;
        while (counts[digit] < k) k -= counts[digit--]; /* k is at most the sum of the counts, so it stops */
        prefix |= digit << shift;
        mask |= (uint32_t)(N_DIGITS - 1) << shift;
    }
    return from_ordered(prefix);
}
