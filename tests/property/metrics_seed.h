/* metrics_seed.h: random numbers of the tests of segment and metrics. DV_TEST_SEED repeats a run; the seed is printed.
 */
#ifndef TESTS_PROPERTY_METRICS_SEED_H
#define TESTS_PROPERTY_METRICS_SEED_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Splitmix64 (Steele, Lea, Flood 2014): not the library's own generator, which is under test elsewhere. */
static inline uint64_t test_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0..n-1. */
static inline size_t test_below(uint64_t *state, size_t n) {
    return (size_t)(test_random(state) % n);
}

/* [0, 1). */
static inline double test_uniform(uint64_t *state) {
    return (double)(test_random(state) >> 11) * 0x1p-53;
}

static inline uint64_t test_seed(void) {
    const char *text = getenv("DV_TEST_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL);
    printf("DV_TEST_SEED=%" PRIu64 "\n", seed);
    return seed;
}

#endif
