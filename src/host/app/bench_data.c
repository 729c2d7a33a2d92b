#include "app/bench_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench.h"
#include "app/message.h"
#include "denseval/random.h"

enum { N_ORIGINALS = 1000, RANK = 16, STRONG_CHANNELS = 4 };
static const float TILE_NOISE = 0.2f, JITTER = 0.001f, STRONG = 20, CUT = 10, SPIKE_NOISE = 0.01f;

/* What a random number is for; the last word of its counter. */
typedef enum stream { BANK_ROW, QUERY_ROW, BASE_ROW, MIXTURE = 4 } stream;

static const char *const kind_names[] = {"real", "random", "near-duplicate", "clipped", "low-rank", "adversarial"};

const char *dv_bench_kind_name(dv_bench_kind kind) {
    return kind_names[kind];
}

/* What the threads make rows from: of the bank, or of the queries. */
typedef struct maker {
    const dv_bench_shape *shape;
    stream stream;
    const float *base; /* [n_base, dim]; NULL: normal numbers */
    size_t n_base;
    float *basis; /* [RANK, dim] of a mixture; owned */
    size_t n_rows;
    void *target;
} maker;

/* Nearly normal, mean 0, variance 1: the sum of the four bytes, less its mean, over its deviation. */
static float normal_of(uint32_t bits) {
    const int sum = (int)(bits & 255) + (int)(bits >> 8 & 255) + (int)(bits >> 16 & 255) + (int)(bits >> 24);
    return (float)(sum - 510) * 0.0067655f;
}

static void normals(const dv_bench_shape *shape, unsigned which, uint64_t row, float *values, size_t n) {
    const uint32_t key[2] = {(uint32_t)shape->seed, (uint32_t)(shape->seed >> 32)};
    for (size_t i = 0; i < n; i += 4) {
        uint32_t block[4] = {(uint32_t)(i / 4), which, (uint32_t)row, (uint32_t)(row >> 32)};
        dv_philox4x32(block, key, block);
        for (size_t j = 0; j < 4 && i + j < n; j++) values[i + j] = normal_of(block[j]);
    }
}

static float rms(const float *row, size_t dim) {
    double sum = 0;
    for (size_t i = 0; i < dim; i++) sum += (double)row[i] * row[i];
    return (float)sqrt(sum / (double)dim);
}

/* Adds noise whose norm is `share` of the row's. */
static void add_noise(const maker *m, uint64_t number, float share, float *row, float *noise) {
    const size_t dim = m->shape->dim;
    const float size = share * rms(row, dim);
    normals(m->shape, m->stream, number, noise, dim);
    for (size_t i = 0; i < dim; i++) row[i] += size * noise[i];
}

/* Base row `number` of `n` that lie evenly in the real ones. */
static void base_row(const maker *m, size_t number, size_t n, float *row) {
    const size_t dim = m->shape->dim;
    if (!m->base || m->n_base == 0) {
        normals(m->shape, BASE_ROW, number, row, dim);
        return;
    }
    const size_t step = m->n_base > n ? m->n_base / n : 1;
    memcpy(row, m->base + number * step % m->n_base * dim, dim * sizeof *row);
}

static void make_clipped(const maker *m, size_t number, float *row) {
    const size_t dim = m->shape->dim;
    if (m->base)
        base_row(m, number, m->n_base, row);
    else
        normals(m->shape, m->stream, number, row, dim);
    const float limit = CUT * rms(row, dim);
    for (size_t i = 0; i < STRONG_CHANNELS; i++) row[(2 * i + 1) * dim / (2 * (size_t)STRONG_CHANNELS)] *= STRONG;
    for (size_t i = 0; i < dim; i++) row[i] = fminf(fmaxf(row[i], -limit), limit);
}

static void make_mixture(const maker *m, size_t number, float *row) {
    float weights[RANK];
    const size_t dim = m->shape->dim;
    normals(m->shape, m->stream + (unsigned)MIXTURE, number, weights, RANK);
    memset(row, 0, dim * sizeof *row);
    for (size_t j = 0; j < RANK; j++)
        for (size_t i = 0; i < dim; i++) row[i] += weights[j] * m->basis[j * dim + i];
}

static void make_adversarial(const maker *m, size_t number, float *row) {
    const size_t dim = m->shape->dim;
    normals(m->shape, m->stream, number, row, dim);
    if (number % 3 == 2) return;
    for (size_t i = 0; i < dim; i++) row[i] = number % 3 == 0 ? fabsf(row[i]) : row[i] * SPIKE_NOISE;
    if (dim > 0 && number % 3 == 1) row[number / 3 % dim] += 1;
}

static void make_row(const maker *m, size_t number, float *row, float *noise) {
    switch (m->shape->kind) {
    case DV_BENCH_REAL:
        base_row(m, number, m->n_base ? m->n_base : SIZE_MAX, row);
        if (m->n_base && number >= m->n_base) add_noise(m, number, TILE_NOISE, row, noise);
        break;
    case DV_BENCH_NEAR_DUPLICATE:
        base_row(m, number % N_ORIGINALS, N_ORIGINALS, row);
        add_noise(m, number, JITTER, row, noise);
        break;
    case DV_BENCH_CLIPPED:
        make_clipped(m, number, row);
        break;
    case DV_BENCH_LOW_RANK:
        make_mixture(m, number, row);
        add_noise(m, number, JITTER, row, noise);
        break;
    case DV_BENCH_ADVERSARIAL:
        make_adversarial(m, number, row);
        break;
    case DV_BENCH_RANDOM:
    case DV_BENCH_KINDS:
        normals(m->shape, m->stream, number, row, m->shape->dim);
        break;
    }
}

static dv_status make_part(void *user, size_t part, size_t n_parts) {
    const maker *const m = user;
    const size_t dim = m->shape->dim, row_bytes = dim * dv_dtype_size(m->shape->dtype);
    float *row;
    DV_TRY(dv_bench_alloc(2 * dim, sizeof *row, "numbers of a row", &row));
    const size_t end = m->n_rows * (part + 1) / n_parts;
    for (size_t i = m->n_rows * part / n_parts; i < end; i++) {
        make_row(m, i, row, row + dim);
        dv_bench_narrow(row, m->shape->dtype, (char *)m->target + i * row_bytes, dim);
    }
    free(row);
    return DV_OK;
}

/* The basis of bank and queries is the same: it comes from the bank's base. */
static dv_status make_basis(const maker *bank, float **basis) {
    const size_t dim = bank->shape->dim;
    DV_TRY(dv_bench_alloc((size_t)RANK * dim, sizeof **basis, "numbers of a basis", basis));
    for (size_t j = 0; j < RANK; j++) base_row(bank, j, RANK, *basis + j * dim);
    return DV_OK;
}

static dv_status make_rows(maker *m, size_t n_threads, void **memory, dv_rows *rows) {
    const dv_bench_shape *const shape = m->shape;
    DV_TRY(dv_bench_alloc(m->n_rows, shape->dim * dv_dtype_size(shape->dtype), "rows", memory));
    m->target = *memory;
    *rows = (dv_rows){*memory, shape->dtype, m->n_rows, shape->dim};
    return dv_bench_parallel(n_threads, make_part, m);
}

dv_status dv_bench_data_make(const dv_bench_shape *shape, const dv_bench_base *base, size_t n_threads,
                             dv_bench_data *data) {
    *data = (dv_bench_data){0};
    maker bank = {.shape = shape, .stream = BANK_ROW, .base = base->bank, .n_base = base->n_bank};
    maker queries = {.shape = shape, .stream = QUERY_ROW, .base = base->queries, .n_base = base->n_queries};
    bank.n_rows = shape->n_rows;
    queries.n_rows = shape->n_queries;
    if (shape->kind == DV_BENCH_NEAR_DUPLICATE) { /* of the same originals */
        queries.base = bank.base;
        queries.n_base = bank.n_base;
    }
    dv_status status = make_basis(&bank, &bank.basis);
    queries.basis = bank.basis;
    if (status == DV_OK) status = make_rows(&bank, n_threads, &data->memory[0], &data->bank);
    if (status == DV_OK) status = make_rows(&queries, n_threads, &data->memory[1], &data->queries);
    free(bank.basis);
    return status;
}

void dv_bench_data_clear(dv_bench_data *data) {
    free(data->memory[0]);
    free(data->memory[1]);
    *data = (dv_bench_data){0};
}
