/* philox.h: the numbers of denseval/random.h, for host and device. */
#ifndef DV_CORE_PHILOX_H
#define DV_CORE_PHILOX_H

#include <stdint.h>

#include "core/host_device.h"

static inline DV_HOST_DEVICE uint32_t dv_low_half(uint64_t value) {
    return (uint32_t)value;
}

static inline DV_HOST_DEVICE uint32_t dv_high_half(uint64_t value) {
    return (uint32_t)(value >> 32);
}

/* As dv_philox4x32. */
static inline DV_HOST_DEVICE void dv_philox_block(const uint32_t *counter, const uint32_t *key, uint32_t *out) {
    enum { ROUNDS = 10 };
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t even = UINT64_C(0xD2511F53) * c0, odd = UINT64_C(0xCD9E8D57) * c2; /* multipliers of the paper */
        c0 = dv_high_half(odd) ^ c1 ^ k0;
        c1 = dv_low_half(odd);
        c2 = dv_high_half(even) ^ c3 ^ k1;
        c3 = dv_low_half(even);
        k0 += 0x9E3779B9u; /* golden ratio */
        k1 += 0xBB67AE85u; /* sqrt(3) - 1 */
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* As dv_random_below. The key differs from that of dv_random_uniform, so that the two never share a block. A retry
 * takes the block before as its counter: (stream, draw) fill the whole counter, and Philox maps counters one to one, so
 * no chain runs into another one's start more than by chance. */
static inline DV_HOST_DEVICE uint64_t dv_philox_below(uint64_t seed, uint64_t stream, uint64_t draw, uint64_t n) {
    if (n <= 1) return 0;
    const uint32_t key[2] = {~dv_low_half(seed), ~dv_high_half(seed)};
    uint32_t block[4] = {dv_low_half(draw), dv_high_half(draw), dv_low_half(stream), dv_high_half(stream)};
    const uint64_t n_left_over = (UINT64_MAX % n + 1) % n; /* 2^64 mod n: the part that would favour small numbers */
    for (;;) {
        dv_philox_block(block, key, block);
        const uint64_t bits = (uint64_t)block[0] << 32 | block[1];
        if (bits <= UINT64_MAX - n_left_over) return bits % n;
    }
}

#endif
