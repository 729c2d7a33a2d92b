/* bench_data.h: banks and queries to search in: real features tiled up, and made ones that are hard in different ways.
 */
#ifndef DV_APP_BENCH_DATA_H
#define DV_APP_BENCH_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/dtype.h"
#include "denseval/path_list.h"
#include "denseval/status.h"

/* Words of --kind, in this order. With real features, "base" below is a row of theirs; without, normal numbers. */
typedef enum dv_bench_kind {
    DV_BENCH_REAL,           /* the base rows again and again, every further copy with noise of 0.2 of its norm */
    DV_BENCH_RANDOM,         /* normal numbers */
    DV_BENCH_NEAR_DUPLICATE, /* 1000 base rows, each copy with noise of 0.001 of its norm */
    DV_BENCH_CLIPPED,        /* base rows, four channels 20 times as strong, all cut at 10 times the row's rms */
    DV_BENCH_LOW_RANK,       /* mixtures of 16 base rows, with noise of 0.001 of the norm */
    DV_BENCH_ADVERSARIAL,    /* in turn: all coordinates of one sign, one large coordinate, normal numbers */
    DV_BENCH_KINDS           /* all of them */
} dv_bench_kind;
#define DV_BENCH_KIND_WORDS "real|random|near-duplicate|clipped|low-rank|adversarial|all"

/* "near-duplicate". Static lifetime. */
const char *dv_bench_kind_name(dv_bench_kind kind);

/* Real rows; the bank's come from the first three quarters of the images, the queries' from the others. */
typedef struct dv_bench_base {
    float *bank, *queries; /* [n_bank, dim], [n_queries, dim]; NULL: no real features */
    size_t n_bank, n_queries, dim;
} dv_bench_base;

/* Reads what at most `rows` bank rows and n_queries queries need. Fails as dv_features_open and dv_features_read do,
 * and with DV_E_DATA where there is a single image. *base: dv_bench_base_clear, on failure too. */
DV_MUST_USE dv_status dv_bench_base_read(const dv_path_list *paths, size_t rows, size_t n_queries, dv_bench_base *base);
void dv_bench_base_clear(dv_bench_base *base);

/* One bank and its queries. A row depends on kind, base, seed and its number alone, so a small bank begins a large one.
 */
typedef struct dv_bench_shape {
    dv_bench_kind kind;
    size_t n_rows, n_queries, dim;
    dv_dtype dtype; /* f16, bf16 or f32 */
    uint64_t seed;
} dv_bench_shape;

typedef struct dv_bench_data {
    dv_rows bank, queries; /* host memory */
    void *memory[2];       /* of both; owned */
} dv_bench_data;

/* Makes both on n_threads threads. base->dim equals the shape's where base has rows. *data: dv_bench_data_clear. */
DV_MUST_USE dv_status dv_bench_data_make(const dv_bench_shape *shape, const dv_bench_base *base, size_t n_threads,
                                         dv_bench_data *data);
void dv_bench_data_clear(dv_bench_data *data);

/* Writes rows as a "denseval features v1" file of images as large as the rows allow, most_patches at most. */
DV_MUST_USE dv_status dv_bench_data_save(const dv_rows *rows, const char *encoder, size_t most_patches, bool force,
                                         const char *path);

/* Rounds to the nearest stored number of f16, bf16 or f32, ties to even; what is too large becomes the largest. */
void dv_bench_narrow(const float *source, dv_dtype dtype, void *target, size_t n);

#endif
