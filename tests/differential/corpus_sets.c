#include "differential/corpus.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 (Steele, Lea, Flood, 2014) */
uint64_t corpus_next(corpus_random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

size_t corpus_below(corpus_random *random, size_t n) {
    return (size_t)(corpus_next(random) % n);
}

double corpus_unit(corpus_random *random) {
    return (double)(corpus_next(random) >> 11) * 0x1p-52 - 1.0;
}

const char *corpus_kind_name(corpus_kind kind) {
    static const char *const names[CORPUS_N_KINDS] = {
        "random", "small integers", "duplicates", "all equal", "zero rows", "scaled", "near", "tiny", "huge"};
    return names[kind];
}

static uint16_t to_f16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)((bits >> 16) & 0x8000U);
    const double size = fabs((double)value);
    if (size >= 65504.0) return (uint16_t)(sign | 0x7bffU); /* kept finite */
    int exponent;
    (void)frexp(size, &exponent);
    if (size < 0x1p-14) return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
    const double mantissa = nearbyint(ldexp(size, 11 - exponent)); /* 1024..2048 */
    return (uint16_t)(sign | (uint16_t)(((exponent + 13) << 10) + (int)mantissa));
}

static uint16_t to_bf16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t rounded = bits + 0x7fffU + ((bits >> 16) & 1U);
    return (uint16_t)((rounded & 0x7f800000U) == 0x7f800000U ? bits >> 16 : rounded >> 16); /* kept finite */
}

void corpus_store(const double *values, size_t n, dv_dtype dtype, void *target) {
    for (size_t i = 0; i < n; i++) {
        const float single = (float)values[i];
        if (dtype == DV_F64) ((double *)target)[i] = values[i];
        if (dtype == DV_F32) ((float *)target)[i] = single;
        if (dtype == DV_F16) ((uint16_t *)target)[i] = to_f16(single);
        if (dtype == DV_BF16) ((uint16_t *)target)[i] = to_bf16(single);
    }
}

static double smallest(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return 0x1p-24;
    case DV_BF16:
        return 0x1p-133;
    case DV_F32:
        return 0x1p-149;
    case DV_F64:
        break;
    }
    return 0x1p-1074;
}

static double largest(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return 65504.0;
    case DV_BF16:
        return 0x1.fep127;
    case DV_F32:
        return 0x1.fffffep127;
    case DV_F64:
        break;
    }
    return 0x1.fffffffffffffp1023;
}

static void fill_row(corpus_kind kind, dv_dtype dtype, size_t row, size_t dim, corpus_random *random, double *values) {
    for (size_t i = 0; i < dim; i++) {
        const double x = corpus_unit(random);
        switch (kind) {
        case CORPUS_SMALL_INTEGERS:
            values[i] = (double)corpus_below(random, 5) - 2.0;
            break;
        case CORPUS_ALL_EQUAL:
            values[i] = (double)(i % 7) - 2.5;
            break;
        case CORPUS_ZERO_ROWS:
            values[i] = row % 3 == 0 ? (i % 2 ? -0.0 : 0.0) : x;
            break;
        case CORPUS_NEAR:
            values[i] = 1.0 + (double)(i % 5) * 0.25 + x * (dtype == DV_F64 ? 0x1p-50 : 0x1p-6);
            break;
        case CORPUS_TINY:
            values[i] = nearbyint(x * 9.0) * smallest(dtype);
            break;
        case CORPUS_HUGE:
            values[i] = x * largest(dtype);
            break;
        default:
            values[i] = x;
        }
    }
}

/* A bank row, and a query that is made of one where the kind wants it so. */
static void fill_query(const corpus *c, const double *bank, size_t query, corpus_random *random, double *values) {
    const size_t dim = c->bank.rows.dim;
    static const double factors[4] = {1000.0, -1.0, -1000.0, 0.5};
    const size_t row = corpus_below(random, c->bank.rows.n_rows);
    fill_row(c->kind, c->bank.rows.dtype, query + 1, dim, random, values);
    if (c->kind == CORPUS_SCALED)
        for (size_t i = 0; i < dim; i++) values[i] = bank[row * dim + i] * factors[query % 4];
    if (c->kind == CORPUS_DUPLICATES && query % 2) memcpy(values, bank + row * dim, dim * sizeof *values);
    if (c->kind == CORPUS_ZERO_ROWS && query % 4 == 0) memset(values, 0, dim * sizeof *values);
}

static void fill_groups(int32_t *group, size_t n, corpus_random *random) {
    for (size_t i = 0; i < n; i++) group[i] = (int32_t)corpus_below(random, 6) - 1;
}

void corpus_create(corpus_kind kind, dv_dtype dtype, size_t n_rows, size_t n_queries, size_t dim, uint64_t seed,
                   corpus *out) {
    corpus_random random = {seed};
    *out = (corpus){.kind = kind};
    double *bank = calloc(n_rows * dim, sizeof *bank), *row = calloc(dim, sizeof *row);
    out->bank_data = calloc(n_rows * dim, dv_dtype_size(dtype));
    out->query_data = calloc(n_queries * dim + 1, dv_dtype_size(dtype));
    out->bank_group = calloc(n_rows, sizeof *out->bank_group);
    out->query_group = calloc(n_queries + 1, sizeof *out->query_group);
    assert_true(bank && row && out->bank_data && out->query_data && out->bank_group && out->query_group);
    out->bank.rows = (dv_rows){out->bank_data, dtype, n_rows, dim};
    out->queries.rows = (dv_rows){out->query_data, dtype, n_queries, dim};
    for (size_t i = 0; i < n_rows; i++) {
        const bool copy = kind == CORPUS_DUPLICATES && i > 0 && corpus_below(&random, 3) > 0;
        fill_row(kind, dtype, i, dim, &random, bank + i * dim);
        if (copy) memcpy(bank + i * dim, bank + corpus_below(&random, i) * dim, dim * sizeof *bank);
        corpus_store(bank + i * dim, dim, dtype, (char *)out->bank_data + i * dim * dv_dtype_size(dtype));
    }
    for (size_t i = 0; i < n_queries; i++) {
        fill_query(out, bank, i, &random, row);
        corpus_store(row, dim, dtype, (char *)out->query_data + i * dim * dv_dtype_size(dtype));
    }
    fill_groups(out->bank_group, n_rows, &random);
    fill_groups(out->query_group, n_queries, &random);
    free(bank);
    free(row);
}

void corpus_free(corpus *c) {
    free(c->bank_data);
    free(c->query_data);
    free(c->bank_group);
    free(c->query_group);
}
