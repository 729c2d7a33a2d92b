/* Every scan kernel that this machine runs reports the pairs and finds the peaks of the portable one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/device.h"
#include "device/cpu/kernels/kernels.h"
#include "differential/corpus.h"

static uint64_t seed;

enum { MOST_QUERIES = 96, MOST_ROWS = 576, MOST_DIM = 320, CAPACITY = 500 };

/* One case, and what one kernel makes of it. */
typedef struct scene {
    size_t n, n_rows, dim, end;
    int8_t *queries, *rows; /* plain: [n, dim] and [n_rows, dim] */
    int8_t *packed_queries, *packed_rows;
    int32_t *offsets, *group, *hidden;
    double *base, *slope;
} scene;

typedef struct outcome {
    int32_t *thresholds, *sums, *peaks;
    uint32_t *positions, *counts;
} outcome;

static void *memory(size_t n_bytes) {
    void *made = aligned_alloc(64, (n_bytes + 63) / 64 * 64);
    assert_non_null(made);
    memset(made, 0, (n_bytes + 63) / 64 * 64);
    return made;
}

static int8_t random_code(corpus_random *random, int kind) {
    const size_t x = corpus_below(random, 255);
    if (kind == 0) return (int8_t)((int)x - 127);
    if (kind == 1) return x % 2 ? 127 : -127; /* sums as large as they get */
    if (kind == 2) return 127;
    if (kind == 3) return -127;
    return (int8_t)(x % 3 - 1);
}

static void scene_create(corpus_random *random, scene *s) {
    s->n = 32 * (1 + corpus_below(random, 3));
    s->n_rows = 32 * (1 + corpus_below(random, 18));
    s->dim = 64 * (1 + corpus_below(random, 5));
    s->end = s->n_rows - (corpus_below(random, 2) ? corpus_below(random, s->n_rows) : 0);
    s->queries = memory(s->n * s->dim);
    s->rows = memory(s->n_rows * s->dim);
    s->packed_queries = memory(s->n * s->dim);
    s->packed_rows = memory(s->n_rows * s->dim);
    s->offsets = memory(s->n_rows * sizeof(int32_t));
    s->group = corpus_below(random, 2) ? memory(s->n_rows * sizeof(int32_t)) : NULL;
    s->hidden = memory(s->n * sizeof(int32_t));
    s->base = memory(s->n * sizeof(double));
    s->slope = memory(s->n * sizeof(double));
    const int query_kind = (int)corpus_below(random, 5), row_kind = (int)corpus_below(random, 5);
    for (size_t i = 0; i < s->n * s->dim; i++) s->queries[i] = random_code(random, query_kind);
    for (size_t i = 0; i < s->n_rows * s->dim; i++) {
        const size_t row = i / s->dim, at = i % s->dim;
        s->rows[i] = random_code(random, row_kind);
        s->offsets[row] -= 128 * s->rows[i];
        s->packed_rows[row / 16 * 16 * s->dim + at / 4 * 64 + row % 16 * 4 + at % 4] = s->rows[i];
    }
    for (size_t row = 0; s->group && row < s->n_rows; row++) s->group[row] = (int32_t)corpus_below(random, 4) - 1;
    const double spread = query_kind == 4 || row_kind == 4 ? 20.0 : 20000.0;
    for (size_t q = 0; q < s->n; q++) {
        s->hidden[q] = (int32_t)corpus_below(random, 4) - 1;
        s->slope[q] = corpus_unit(random);
        s->base[q] = corpus_below(random, 8)   ? corpus_unit(random) * spread
                     : corpus_below(random, 2) ? INFINITY
                                               : -INFINITY;
    }
}

static void scene_free(scene *s) {
    void *owned[] = {s->queries, s->rows,   s->packed_queries, s->packed_rows, s->offsets,
                     s->group,   s->hidden, s->base,           s->slope};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
}

static void outcome_free(outcome *o) {
    free(o->thresholds);
    free(o->sums);
    free(o->peaks);
    free(o->positions);
    free(o->counts);
}

static void run(const dv_scan_kernel *kernel, const scene *s, outcome *o) {
    const size_t stride = CAPACITY + DV_GROUP_ROWS;
    *o = (outcome){memory(s->n * sizeof(int32_t)), memory(s->n * stride * sizeof(int32_t)),
                   memory(s->n * 16 * sizeof(int32_t)), memory(s->n * stride * sizeof(uint32_t)),
                   memory(s->n * sizeof(uint32_t))};
    for (size_t q = 0; q < s->n; q++)
        for (size_t i = 0; i < s->dim; i++)
            s->packed_queries[q / 16 * 16 * s->dim + i / 64 * 1024 + q % 16 * 64 + i % 64] =
                (int8_t)(s->queries[q * s->dim + i] ^ (kernel->biased ? INT8_MIN : 0));
    const dv_scan_block block = {.codes = s->packed_queries,
                                 .n = s->n,
                                 .dim_padded = s->dim,
                                 .base = s->base,
                                 .slope = s->slope,
                                 .hidden = s->hidden,
                                 .thresholds = o->thresholds,
                                 .hits = {o->positions, o->sums, o->counts, CAPACITY, stride}};
    dv_code_tile tile = {.codes = s->packed_rows,
                         .ahead = s->packed_rows,
                         .offsets = s->offsets,
                         .group = s->group,
                         .n_groups = s->n_rows / 16,
                         .first = 1000,
                         .end = (uint32_t)(1000 + s->end),
                         .inverse_scale = 1.5,
                         .slack = 0.25};
    kernel->scan(&block, &tile);
    tile.end = (uint32_t)(1000 + s->n_rows);
    kernel->peaks(&block, &tile, o->peaks);
}

static int64_t sum_of(const scene *s, size_t q, size_t row) {
    int64_t sum = 0;
    for (size_t i = 0; i < s->dim; i++) sum += s->queries[q * s->dim + i] * s->rows[row * s->dim + i];
    return sum;
}

/* The portable kernel against the words of scan.h. */
static void check(const scene *s, const outcome *o) {
    const size_t stride = CAPACITY + DV_GROUP_ROWS;
    for (size_t q = 0; q < s->n; q++) {
        size_t n = 0;
        int32_t peaks[16];
        for (size_t r = 0; r < 16; r++) peaks[r] = INT32_MIN;
        for (size_t row = 0; row < s->n_rows; row++) {
            const int64_t sum = sum_of(s, q, row);
            if (s->group && s->hidden[q] != -1 && s->group[row] == s->hidden[q]) continue;
            if (sum > peaks[row % 16]) peaks[row % 16] = (int32_t)sum;
            if (row >= s->end || sum < dv_threshold(s->base[q], s->slope[q], 1.5, 0.25)) continue;
            if (n < CAPACITY) {
                assert_int_equal(o->positions[q * stride + n], 1000 + row);
                assert_int_equal(o->sums[q * stride + n], sum);
            }
            n++;
        }
        assert_int_equal(o->counts[q], n);
        assert_memory_equal(o->peaks + q * 16, peaks, sizeof peaks);
    }
}

static void every_kernel_reports_the_same_pairs(void **state) {
    (void)state;
    corpus_random random = {seed};
    const size_t stride = CAPACITY + DV_GROUP_ROWS;
    size_t n_overflowed = 0, n_reported = 0;
    for (int round = 0; round < 60; round++) {
        scene s;
        outcome expected;
        scene_create(&random, &s);
        run(&dv_scan_portable, &s, &expected);
        if (round % 6 == 0) check(&s, &expected);
        for (size_t i = 0; dv_scan_kernel_at(i); i++) {
            const dv_scan_kernel *kernel = dv_scan_kernel_at(i);
            if (!kernel->usable() || kernel == &dv_scan_portable) continue;
            outcome o;
            run(kernel, &s, &o);
            for (size_t q = 0; q < s.n; q++) {
                const size_t n = expected.counts[q] < CAPACITY ? expected.counts[q] : CAPACITY;
                n_overflowed += expected.counts[q] > CAPACITY;
                n_reported += n;
                if (o.counts[q] != expected.counts[q] ||
                    memcmp(o.positions + q * stride, expected.positions + q * stride, n * sizeof(uint32_t)) != 0 ||
                    memcmp(o.sums + q * stride, expected.sums + q * stride, n * sizeof(int32_t)) != 0 ||
                    memcmp(o.peaks + q * 16, expected.peaks + q * 16, 16 * sizeof(int32_t)) != 0)
                    fail_msg("%s, round %d, query %zu of %zu, %zu rows, dim %zu: %u pairs, expected %u", kernel->name,
                             round, q, s.n, s.n_rows, s.dim, o.counts[q], expected.counts[q]);
            }
            outcome_free(&o);
        }
        outcome_free(&expected);
        scene_free(&s);
    }
    if (dv_scan_kernel_at(1)) assert_true(n_overflowed > 0 || n_reported == 0);
}

static void kernels_are_found_by_name(void **state) {
    (void)state;
    const dv_scan_kernel *kernel = NULL, *automatic = NULL, *first = NULL;
    assert_int_equal(dv_scan_kernel_find("portable", &kernel), DV_OK);
    assert_ptr_equal(kernel, &dv_scan_portable);
    assert_int_equal(dv_scan_kernel_find(NULL, &automatic), DV_OK);
    assert_int_equal(dv_scan_kernel_find("auto", &kernel), DV_OK);
    assert_ptr_equal(kernel, automatic);
    dv_cpu_kernel kernels[8];
    const size_t n = dv_cpu_kernels(kernels, 8);
    assert_int_equal(dv_cpu_kernels(NULL, 0), n);
    assert_string_equal(kernels[n - 1].name, "portable");
    assert_true(kernels[n - 1].usable);
    for (size_t i = 0; i < n; i++) {
        const dv_status status = dv_scan_kernel_find(kernels[i].name, &kernel);
        assert_int_equal(status, kernels[i].usable ? DV_OK : DV_E_BACKEND);
        if (status == DV_OK && !first) first = kernel;
        if (status != DV_OK) assert_non_null(strstr(dv_last_error(), "usable are auto, "));
    }
    assert_ptr_equal(first, automatic);
}

static void unknown_kernels_are_refused_by_the_device(void **state) {
    (void)state;
    const dv_device_options options = {.kernel = "mmx"}, portable = {.kernel = "portable"};
    dv_device *device = (void *)&device;
    assert_int_equal(dv_device_open("cpu", &options, &device), DV_E_USAGE);
    assert_null(device);
    assert_non_null(strstr(dv_last_error(), "cpu: kernel 'mmx': must be one of auto, "));
    assert_non_null(strstr(dv_last_error(), "portable"));
    assert_int_equal(dv_device_open("cpu", &portable, &device), DV_OK);
    device->ops->close(device);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_reports_the_same_pairs),
        cmocka_unit_test(kernels_are_found_by_name),
        cmocka_unit_test(unknown_kernels_are_refused_by_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
