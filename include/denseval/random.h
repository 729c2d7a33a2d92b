/* random.h: counter-based random numbers: a number depends on its key alone, never on what was drawn before. */
#ifndef DENSEVAL_RANDOM_H
#define DENSEVAL_RANDOM_H

#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Philox4x32-10. Source: Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011.
 * counter u32 [4], key u32 [2] -> out u32 [4]; out may be counter */
void dv_philox4x32(const uint32_t *counter, const uint32_t *key, uint32_t *out);

/* The key of an image: a 64-bit hash (XXH64, seed 0) of its id, so that a draw does not depend on the order of images.
 */
uint64_t dv_random_image_key(const char *image_id);

/* A uniform number in [0, 1), a multiple of 2^-53, of (seed, image, patch, pass): Philox with the counter {image_key
 * low, image_key high, patch, pass} and the key {seed low, seed high}, then the upper 53 bits of out[0] * 2^32 +
 * out[1]. */
double dv_random_uniform(uint64_t seed, uint64_t image_key, uint32_t patch, uint32_t pass);

/* A uniform whole number in 0..n-1 of (seed, stream, draw); n >= 1 (0 gives 0). Unbiased: of the
 * 64-bit numbers out[0] * 2^32 + out[1] of Philox with the counter {draw low, draw high, stream low, stream high} and
 * the key {~seed low, ~seed high}, the topmost 2^64 mod n are refused, and a retry has the refused out[] as its
 * counter. */
uint64_t dv_random_below(uint64_t seed, uint64_t stream, uint64_t draw, uint64_t n);

DV_C_END
#endif
