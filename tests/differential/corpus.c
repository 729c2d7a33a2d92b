#include "differential/corpus.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/merge.h"

enum { GUARD = 16, GUARD_BYTE = 0x5a, DEFAULT_SEED = 20240607 };

uint64_t corpus_seed(void) {
    const char *text = getenv("DV_TEST_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 10) : DEFAULT_SEED;
    printf("# seed %llu (DV_TEST_SEED)\n", (unsigned long long)seed);
    return seed;
}

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

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

/* Device memory of n_bytes between guards. */
static unsigned char *guarded(dv_device *device, size_t n_bytes) {
    void *memory;
    assert_ok(device->ops->alloc(device, n_bytes + 2 * GUARD * 4, &memory));
    unsigned char *fill = malloc(n_bytes + 2 * GUARD * 4);
    assert_non_null(fill);
    memset(fill, GUARD_BYTE, n_bytes + 2 * GUARD * 4);
    assert_ok(device->ops->upload(device, memory, fill, n_bytes + 2 * GUARD * 4));
    assert_ok(device->ops->synchronise(device));
    free(fill);
    return memory;
}

/* Takes n_bytes back and looks at the guards. */
static void take(dv_device *device, unsigned char *memory, void *out, size_t n_bytes) {
    unsigned char *all = malloc(n_bytes + 2 * GUARD * 4);
    assert_non_null(all);
    assert_ok(device->ops->download(device, all, memory, n_bytes + 2 * GUARD * 4));
    assert_ok(device->ops->synchronise(device));
    for (size_t i = 0; i < GUARD * 4; i++)
        if (all[i] != GUARD_BYTE || all[GUARD * 4 + n_bytes + i] != GUARD_BYTE)
            fail_msg("guard byte %zu was written", i);
    if (n_bytes > 0) memcpy(out, all + GUARD * 4, n_bytes);
    free(all);
    device->ops->release(device, memory);
}

static void search_part(dv_device *device, const dv_bank_rows *bank, const dv_queries *queries, size_t k, int64_t *ids,
                        double *cosines, dv_search_stats *stats) {
    const dv_device_ops *ops = device->ops;
    const size_t n = queries->rows.n_rows;
    void *index;
    assert_ok(ops->bank_load(device, bank, &index));
    unsigned char *device_ids = guarded(device, n * k * sizeof *ids);
    unsigned char *device_cosines = guarded(device, n * k * sizeof *cosines);
    assert_ok(ops->search(device, index, queries, k, (int64_t *)(void *)(device_ids + GUARD * 4),
                          (double *)(void *)(device_cosines + GUARD * 4)));
    assert_ok(ops->synchronise(device));
    take(device, device_ids, ids, n * k * sizeof *ids);
    take(device, device_cosines, cosines, n * k * sizeof *cosines);
    dv_search_stats part = {0};
    if (ops->search_stats) ops->search_stats(device, index, &part);
    stats->n_queries += part.n_queries;
    stats->n_candidates += part.n_candidates;
    stats->n_uncertified += part.n_uncertified;
    ops->bank_free(device, index);
}

void corpus_search_on(dv_device *device, const dv_bank_rows *bank, const dv_queries *queries, size_t k, size_t n_shards,
                      corpus_answer *out) {
    const size_t n = queries->rows.n_rows, size = dv_dtype_size(bank->rows.dtype);
    int64_t *ids = calloc(n * k + 1, sizeof *ids);
    double *cosines = calloc(n * k + 1, sizeof *cosines);
    *out = (corpus_answer){calloc(n * k + 1, sizeof *out->ids), calloc(n * k + 1, sizeof *out->cosines), {0}};
    dv_merge *merge;
    assert_true(ids && cosines && out->ids && out->cosines);
    assert_ok(dv_merge_create(n, k, &merge));
    for (size_t shard = 0; shard < n_shards; shard++) {
        const size_t first = bank->rows.n_rows * shard / n_shards, end = bank->rows.n_rows * (shard + 1) / n_shards;
        if (first == end) continue;
        dv_bank_rows part = *bank;
        part.rows.data = (const char *)bank->rows.data + first * bank->rows.dim * size;
        part.rows.n_rows = end - first;
        if (bank->group) part.group = bank->group + first;
        const size_t k_part = k < end - first ? k : end - first;
        search_part(device, &part, queries, k_part, ids, cosines, &out->stats);
        dv_merge_add(merge, ids, cosines, k_part, (int64_t)first);
    }
    memcpy(out->ids, dv_merge_ids(merge), n * k * sizeof *ids);
    memcpy(out->cosines, dv_merge_cosines(merge), n * k * sizeof *cosines);
    dv_merge_free(merge);
    free(ids);
    free(cosines);
}

void corpus_search(const char *name, const dv_device_options *options, const dv_bank_rows *bank,
                   const dv_queries *queries, size_t k, size_t n_shards, corpus_answer *out) {
    dv_device *device;
    assert_ok(dv_device_open(name, options, &device));
    corpus_search_on(device, bank, queries, k, n_shards, out);
    device->ops->close(device);
}

void corpus_answer_free(corpus_answer *answer) {
    free(answer->ids);
    free(answer->cosines);
}

void corpus_assert_same(const corpus_answer *wide, size_t k_wide, const corpus_answer *narrow, size_t k, size_t n,
                        const char *what) {
    for (size_t i = 0; i < n * k; i++) {
        const size_t at = i / k * k_wide + i % k;
        const bool same_bits = memcmp(&wide->cosines[at], &narrow->cosines[i], sizeof(double)) == 0;
        if (wide->ids[at] != narrow->ids[i] || !same_bits)
            fail_msg("%s: query %zu place %zu: row %lld cosine %.17g, expected row %lld cosine %.17g", what, i / k,
                     i % k, (long long)narrow->ids[i], narrow->cosines[i], (long long)wide->ids[at], wide->cosines[at]);
    }
}

const char *corpus_device(size_t i) {
    for (const dv_device_ops *const *ops = dv_devices(); *ops; ops++) {
        char why[256] = "";
        if (strcmp((*ops)->name, "reference") == 0 || !(*ops)->usable(why, sizeof why)) continue;
        if (i-- == 0) return (*ops)->name;
    }
    return NULL;
}

const char *corpus_kernel(const char *device, size_t turn) {
    dv_cpu_kernel kernels[16];
    const size_t n = dv_cpu_kernels(kernels, 16);
    size_t n_usable = 0;
    assert_true(n <= 16);
    for (size_t i = 0; i < n; i++)
        if (kernels[i].usable) kernels[n_usable++] = kernels[i];
    assert_true(n_usable > 0);
    return strcmp(device, "cpu") == 0 ? kernels[turn % n_usable].name : NULL;
}
