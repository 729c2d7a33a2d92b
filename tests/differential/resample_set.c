#include "differential/resample_set.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0x5a, FILL_BYTE = 0xee, MOST_BINS = 6 };

static uint64_t below(uint64_t *random, uint64_t n) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (*random >> 33) % n;
}

static void *array(size_t n, size_t size) {
    void *memory = calloc(n + 1, size);
    assert_non_null(memory);
    return memory;
}

/* Counts of one class of one object: none, in the prediction alone, or in both. */
static void fill_class(uint64_t *random, bool is_hit, uint64_t *intersection, uint64_t *either, uint64_t *truth) {
    const uint64_t scale = below(random, 9) == 0 ? (uint64_t)1 << 33 : 1, kind = below(random, 4);
    *truth = kind < 2 ? 0 : (1 + below(random, 200)) * scale;
    *either = kind < 1 ? 0 : *truth + 1 + below(random, 50) * scale;
    *intersection = is_hit ? *truth / (1 + below(random, 3)) : 0;
}

static void fill_counts(const resample_shape *shape, uint64_t *random, uint64_t *const parts[3]) {
    size_t at = 0;
    for (size_t cell = 0; cell < shape->n_cells; cell++) {
        const uint64_t kind = below(random, 8); /* 0: no pixels, 1: no right ones */
        for (size_t i = 0; i < shape->n_objects * shape->n_classes; i++, at++)
            if (kind > 0) fill_class(random, kind > 1, &parts[0][at], &parts[1][at], &parts[2][at]);
    }
}

static void fill_curves(const resample_shape *shape, uint64_t *random, dv_viewpoint_draws *out) {
    size_t *const starts = array(shape->n_curves + 1, sizeof *starts);
    for (size_t c = 0; c < shape->n_curves; c++) starts[c + 1] = starts[c] + 1 + below(random, MOST_BINS);
    out->n_curves = shape->n_curves;
    out->n_points = starts[shape->n_curves];
    int64_t *const cells = array(out->n_points, sizeof *cells);
    for (size_t i = 0; i < out->n_points; i++)
        cells[i] = below(random, 7) == 0 || shape->n_cells == 0 ? -1 : (int64_t)below(random, shape->n_cells);
    out->curve_starts = starts;
    out->curve_cells = cells;
}

void resample_set_create(const resample_shape *shape, uint64_t seed, dv_viewpoint_draws *out) {
    uint64_t random = seed;
    const size_t n = shape->n_cells * shape->n_objects * shape->n_classes;
    uint64_t *const parts[3] = {array(n, sizeof(uint64_t)), array(n, sizeof(uint64_t)), array(n, sizeof(uint64_t))};
    size_t *const order = array(shape->n_objects, sizeof *order);
    bool *const usable = array(shape->n_cells, sizeof *usable), *const excluded =
                                                                    array(shape->n_classes, sizeof *usable);
    fill_counts(shape, &random, parts);
    for (size_t i = 0; i < shape->n_objects; i++) { /* any order */
        const size_t other = below(&random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < shape->n_cells; i++) usable[i] = below(&random, 6) != 0;
    for (size_t c = 0; c < shape->n_classes; c++) excluded[c] = c % 3 == 1;
    *out = (dv_viewpoint_draws){.n_cells = shape->n_cells,
                                .n_objects = shape->n_objects,
                                .n_classes = shape->n_classes,
                                .intersections = parts[0],
                                .unions = parts[1],
                                .truths = parts[2],
                                .order = order,
                                .usable = usable,
                                .excluded = shape->excludes ? excluded : NULL,
                                .absent = shape->absent,
                                .seed = seed * 77,
                                .first_resample = below(&random, 3) * 1000,
                                .n_resamples = shape->n_resamples,
                                .threshold = 0.1};
    if (!shape->excludes) free(excluded);
    fill_curves(shape, &random, out);
}

void resample_set_free(dv_viewpoint_draws *draws) {
    const void *const owned[] = {draws->intersections, draws->unions,   draws->truths,       draws->order,
                                 draws->usable,        draws->excluded, draws->curve_starts, draws->curve_cells};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free((void *)(uintptr_t)owned[i]);
}

/* ---- Scores -------------------------------------------------------------------------------------------------------
 */

enum { N_ARRAYS = 6 };

typedef struct score_arrays {
    void *memory[N_ARRAYS];
    size_t n_bytes[N_ARRAYS];
} score_arrays;

static score_arrays arrays_of(const dv_viewpoint_draws *draws, const dv_viewpoint_scores *scores) {
    const size_t n = draws->n_resamples, cells = draws->n_cells * n * sizeof(double),
                 points = draws->n_points * n * sizeof(double), curves = draws->n_curves * n * sizeof(int32_t);
    return (score_arrays){
        {scores->miou, scores->miou_objects, scores->normalised, scores->steps, scores->breaks[0], scores->breaks[1]},
        {cells, cells, points, points, curves, curves}};
}

static void *guarded(size_t n_bytes) {
    unsigned char *memory = malloc(n_bytes + 2 * GUARD);
    assert_non_null(memory);
    memset(memory, GUARD_BYTE, n_bytes + 2 * GUARD);
    memset(memory + GUARD, FILL_BYTE, n_bytes);
    return memory + GUARD;
}

void resample_scores_create(const dv_viewpoint_draws *draws, dv_viewpoint_scores *out) {
    const score_arrays sizes = arrays_of(draws, &(dv_viewpoint_scores){0});
    void *made[N_ARRAYS];
    for (size_t i = 0; i < N_ARRAYS; i++) made[i] = guarded(sizes.n_bytes[i]);
    *out = (dv_viewpoint_scores){made[0], made[1], made[2], made[3], {made[4], made[5]}};
}

void resample_scores_free(const dv_viewpoint_draws *draws, dv_viewpoint_scores *scores) {
    const score_arrays arrays = arrays_of(draws, scores);
    for (size_t i = 0; i < N_ARRAYS; i++) {
        unsigned char *const first = (unsigned char *)arrays.memory[i] - GUARD;
        for (size_t j = 0; j < GUARD; j++)
            if (first[j] != GUARD_BYTE || first[GUARD + arrays.n_bytes[i] + j] != GUARD_BYTE)
                fail_msg("array %zu: guard byte %zu was written", i, j);
        free(first);
    }
}

void resample_scores_assert_same(const dv_viewpoint_draws *draws, const dv_viewpoint_scores *found,
                                 const dv_viewpoint_scores *expected) {
    static const char *const names[N_ARRAYS] = {"mIoU",  "mIoU of objects",     "normalised",
                                                "steps", "breaks (validation)", "breaks (all)"};
    const score_arrays a = arrays_of(draws, found), b = arrays_of(draws, expected);
    for (size_t i = 0; i < N_ARRAYS; i++)
        if (memcmp(a.memory[i], b.memory[i], a.n_bytes[i]) != 0) fail_msg("%s: other bits", names[i]);
}
