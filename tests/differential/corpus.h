/* corpus.h: seeded data sets that make exact search hard, and searches of them on any device. */
#ifndef DV_TEST_CORPUS_H
#define DV_TEST_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"

/* DV_TEST_SEED, or a fixed number; printed. */
uint64_t corpus_seed(void);

typedef struct corpus_random {
    uint64_t state;
} corpus_random;

uint64_t corpus_next(corpus_random *random);
size_t corpus_below(corpus_random *random, size_t n);
double corpus_unit(corpus_random *random); /* [-1, 1) */

typedef enum corpus_kind {
    CORPUS_RANDOM,
    CORPUS_SMALL_INTEGERS, /* -2..2: many exact ties */
    CORPUS_DUPLICATES,     /* each row stands in several places */
    CORPUS_ALL_EQUAL,
    CORPUS_ZERO_ROWS, /* every third row, every fourth query */
    CORPUS_SCALED,    /* queries are rows times 1000, -1, -1000 or 0.5 */
    CORPUS_NEAR,      /* rows differ from one another in the last bits */
    CORPUS_TINY,      /* subnormal where the format has them */
    CORPUS_HUGE,      /* near the largest value of the format */
    CORPUS_N_KINDS
} corpus_kind;

const char *corpus_kind_name(corpus_kind kind);

/* A bank and queries. Groups are 0..4 in both, with some -1. */
typedef struct corpus {
    corpus_kind kind;
    dv_bank_rows bank;
    dv_queries queries;
    void *bank_data, *query_data;
    int32_t *bank_group, *query_group;
} corpus;

void corpus_create(corpus_kind kind, dv_dtype dtype, size_t n_rows, size_t n_queries, size_t dim, uint64_t seed,
                   corpus *out);
void corpus_free(corpus *c);

/* Stores doubles in a format, rounded to nearest (f16, bf16 and f32 by way of f32). */
void corpus_store(const double *values, size_t n, dv_dtype dtype, void *target);

typedef struct corpus_answer {
    int64_t *ids;
    double *cosines;
    dv_search_stats stats;
} corpus_answer;

/* Searches on an open device, through its own memory, the bank cut in n_shards whose lists are merged. The arrays stand
 * between guards, which are checked. Any failure fails the test. */
void corpus_search_on(dv_device *device, const dv_bank_rows *bank, const dv_queries *queries, size_t k, size_t n_shards,
                      corpus_answer *out);
void corpus_search(const char *name, const dv_device_options *options, const dv_bank_rows *bank,
                   const dv_queries *queries, size_t k, size_t n_shards, corpus_answer *out);
void corpus_answer_free(corpus_answer *answer);

/* Fails, naming the place, unless the first k of each list of `wide` (k_wide a query) are those of `narrow`, bit by
 * bit. */
void corpus_assert_same(const corpus_answer *wide, size_t k_wide, const corpus_answer *narrow, size_t k, size_t n,
                        const char *what);

/* Device number i that this machine can run; NULL after the last. "reference" is left out; with DV_TEST_DEVICE all but
 * that one, and the test fails where it cannot run. */
const char *corpus_device(size_t i);

/* How many of n rounds to try: n, or with DV_TEST_PART, for slow devices, the n-th part of them; at least 1. */
size_t corpus_rounds(size_t n);

/* A usable scan kernel for a device that has several, another one for each `turn`; NULL for the others. */
const char *corpus_kernel(const char *device, size_t turn);

#endif
