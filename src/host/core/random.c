#include "denseval/random.h"

#include <string.h>

#include "core/hash.h"

enum { ROUNDS = 10 };

static uint32_t low(uint64_t value) {
    return (uint32_t)value;
}

static uint32_t high(uint64_t value) {
    return (uint32_t)(value >> 32);
}

void dv_philox4x32(const uint32_t *counter, const uint32_t *key, uint32_t *out) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t even = UINT64_C(0xD2511F53) * c0, odd = UINT64_C(0xCD9E8D57) * c2; /* multipliers of the paper */
        c0 = high(odd) ^ c1 ^ k0;
        c1 = low(odd);
        c2 = high(even) ^ c3 ^ k1;
        c3 = low(even);
        k0 += 0x9E3779B9u; /* golden ratio */
        k1 += 0xBB67AE85u; /* sqrt(3) - 1 */
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

uint64_t dv_random_image_key(const char *image_id) {
    return dv_hash64(image_id, strlen(image_id));
}

double dv_random_uniform(uint64_t seed, uint64_t image_key, uint32_t patch, uint32_t pass) {
    const uint32_t counter[4] = {low(image_key), high(image_key), patch, pass}, key[2] = {low(seed), high(seed)};
    uint32_t out[4];
    dv_philox4x32(counter, key, out);
    return (double)(((uint64_t)out[0] << 32 | out[1]) >> 11) * 0x1p-53; /* 53 bits: exact */
}

/* The key differs from that of dv_random_uniform, so that the two never share a block. A retry takes the block before
 * as its counter: (stream, draw) fill the whole counter, and Philox maps counters one to one, so no chain runs into
 * another one's start more than by chance. */
uint64_t dv_random_below(uint64_t seed, uint64_t stream, uint64_t draw, uint64_t n) {
    if (n <= 1) return 0;
    const uint32_t key[2] = {~low(seed), ~high(seed)};
    uint32_t block[4] = {low(draw), high(draw), low(stream), high(stream)};
    const uint64_t n_left_over = (UINT64_MAX % n + 1) % n; /* 2^64 mod n: the part that would favour small numbers */
    for (;;) {
        dv_philox4x32(block, key, block);
        const uint64_t bits = (uint64_t)block[0] << 32 | block[1];
        if (bits <= UINT64_MAX - n_left_over) return bits % n;
    }
}
