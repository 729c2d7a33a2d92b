#include "denseval/random.h"

#include <string.h>

#include "core/hash.h"
#include "core/philox.h"

void dv_philox4x32(const uint32_t *counter, const uint32_t *key, uint32_t *out) {
    dv_philox_block(counter, key, out);
}

uint64_t dv_random_image_key(const char *image_id) {
    return dv_hash64(image_id, strlen(image_id));
}

double dv_random_uniform(uint64_t seed, uint64_t image_key, uint32_t patch, uint32_t pass) {
    const uint32_t counter[4] = {dv_low_half(image_key), dv_high_half(image_key), patch, pass};
    const uint32_t key[2] = {dv_low_half(seed), dv_high_half(seed)};
    uint32_t out[4];
    dv_philox4x32(counter, key, out);
    return (double)(((uint64_t)out[0] << 32 | out[1]) >> 11) * 0x1p-53; /* 53 bits: exact */
}

uint64_t dv_random_below(uint64_t seed, uint64_t stream, uint64_t draw, uint64_t n) {
    return dv_philox_below(seed, stream, draw, n);
}
