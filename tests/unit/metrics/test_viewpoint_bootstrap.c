/* Resampling of objects: against a plain implementation of what the header says, and on cases known by hand. */
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
#include "denseval/random.h"
#include "denseval/run.h"
#include "denseval/viewpoint_bootstrap.h"
#include "property/metrics_seed.h"

enum { OBJECTS = 7, CLASSES = 3, BINS = 4, RUNS = 4, CELLS = RUNS * BINS, RESAMPLES = 201 };

/* A sweep of two encoders and two difficulties: runs are a/extreme, a/hard, b/extreme, b/hard. */
typedef struct sweep {
    dv_cells cells;
    dv_object_counts counts;
    dv_analysis analysis;
} sweep;

static double naive_iou(uint64_t both, uint64_t either) {
    return either ? (double)both / (double)either : (double)NAN;
}

/* mIoU from class `first` on over the objects in `drawn` (SIZE_MAX ends it), skipping what is absent. */
static double naive_miou(const dv_object_counts *counts, size_t cell, const size_t *drawn, size_t n, size_t first) {
    double sum = 0.0, n_classes = 0.0;
    for (size_t c = first; c < counts->n_classes; c++) {
        uint64_t both = 0, either = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t at = (cell * counts->n_objects + drawn[i]) * counts->n_classes + c;
            both += counts->intersections[at];
            either += counts->unions[at];
        }
        if (either == 0) continue;
        sum += naive_iou(both, either);
        n_classes += 1.0;
    }
    return n_classes > 0.0 ? sum / n_classes : (double)NAN;
}

static void add_cell(sweep *s, const char *encoder, const int32_t *references, size_t n_references, int32_t bin) {
    const size_t index = s->cells.n, n_objects = s->counts.n_objects;
    size_t every[64];
    for (size_t i = 0; i < n_objects; i++) every[i] = i;
    dv_cell *cell;
    assert_int_equal(dv_cells_add(&s->cells, &cell), DV_OK);
    cell->encoder = strdup(encoder);
    cell->difficulty = strdup(n_references == 1 ? "extreme" : "hard");
    cell->memory = 320000;
    cell->reference_bins = malloc(n_references * sizeof *references);
    memcpy(cell->reference_bins, references, n_references * sizeof *references);
    cell->n_reference_bins = n_references;
    cell->bin = bin;
    cell->miou = naive_miou(&s->counts, index, every, n_objects, 0);
    cell->miou_objects = naive_miou(&s->counts, index, every, n_objects, 1);
    for (size_t i = 0; i < n_references; i++) cell->reference = cell->reference || references[i] == bin;
}

static void analyse(sweep *s) {
    const dv_analysis_options options = {.threshold = 0.1};
    if (dv_analysis_compute(&s->cells, &options, &s->analysis) != DV_OK) fail_msg("%s", dv_last_error());
}

static void name_objects(dv_object_counts *counts) {
    for (size_t i = 0; i < counts->n_objects; i++) {
        char id[32];
        snprintf(id, sizeof id, "o%02zu", (i * 5 + 3) % counts->n_objects); /* not in order */
        counts->object_ids[i] = strdup(id);
    }
}

/* Objects of class 1 or 2 before a background; what is right falls with the bin. */
static void some_sweep(sweep *s, uint64_t *random) {
    *s = (sweep){.cells = {.n_classes = CLASSES}};
    assert_int_equal(dv_object_counts_create(CELLS, OBJECTS, CLASSES, &s->counts), DV_OK);
    name_objects(&s->counts);
    for (size_t cell = 0; cell < CELLS; cell++)
        for (size_t o = 0; o < OBJECTS; o++)
            for (size_t c = 0; c < CLASSES; c++) {
                if (c != 0 && c != 1 + o % 2) continue;
                const size_t at = (cell * OBJECTS + o) * CLASSES + c;
                s->counts.intersections[at] = test_below(random, 100) * (5 - cell % BINS) / 5;
                s->counts.truths[at] = 100 + test_below(random, 20);
                s->counts.unions[at] = s->counts.truths[at] + test_below(random, 20);
            }
    for (size_t run = 0; run < RUNS; run++)
        for (int32_t bin = 0; bin < BINS; bin++)
            add_cell(s, run < 2 ? "a" : "b", (const int32_t[]){0, 45}, run % 2 ? 2 : 1, 15 * bin);
    analyse(s);
}

static void clear(sweep *s) {
    dv_analysis_clear(&s->analysis);
    dv_cells_clear(&s->cells);
    dv_object_counts_clear(&s->counts);
}

static dv_viewpoint_bootstrap bootstrap(const sweep *s, size_t n_resamples, uint64_t seed, size_t n_threads) {
    dv_viewpoint_bootstrap made;
    const dv_viewpoint_bootstrap_options options = {.n_resamples = n_resamples, .seed = seed, .n_threads = n_threads};
    if (dv_viewpoint_bootstrap_compute(&s->analysis, &s->counts, &options, &made) != DV_OK)
        fail_msg("%s", dv_last_error());
    return made;
}

/* ---- A plain implementation ---------------------------------------------------------------------------------------
 */

static void naive_draw(const dv_object_counts *counts, uint64_t seed, uint64_t resample, size_t *drawn) {
    for (size_t i = 0; i < counts->n_objects; i++) {
        const size_t rank = (size_t)dv_random_below(seed, resample, i, counts->n_objects);
        for (size_t o = 0; o < counts->n_objects; o++) { /* the object with `rank` lower ids */
            size_t n_lower = 0;
            for (size_t other = 0; other < counts->n_objects; other++)
                n_lower += strcmp(counts->object_ids[other], counts->object_ids[o]) < 0;
            if (n_lower == rank) drawn[i] = o;
        }
    }
}

static int compare_doubles(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Sorts `values`, none of them NaN. */
static void expect_interval(double *values, size_t n, const dv_interval *found) {
    qsort(values, n, sizeof *values, compare_doubles);
    assert_int_equal(found->n_resamples, n);
    const double at[2] = {0.025 * (double)(n - 1), 0.975 * (double)(n - 1)}, ends[2] = {found->low, found->high};
    for (size_t i = 0; i < 2; i++) {
        const size_t below = (size_t)floor(at[i]), above = (size_t)ceil(at[i]);
        assert_true(ends[i] == values[below] + (at[i] - floor(at[i])) * (values[above] - values[below]));
    }
}

static void every_number_is_that_of_the_written_draws(void **state) {
    (void)state;
    uint64_t random = test_seed();
    sweep s;
    some_sweep(&s, &random);
    dv_viewpoint_bootstrap made = bootstrap(&s, RESAMPLES, 42, 2);
    static double miou[CELLS][RESAMPLES], objects[CELLS][RESAMPLES], values[RESAMPLES];
    for (size_t b = 0; b < RESAMPLES; b++) {
        size_t drawn[OBJECTS];
        naive_draw(&s.counts, 42, b, drawn);
        for (size_t cell = 0; cell < CELLS; cell++) {
            miou[cell][b] = naive_miou(&s.counts, cell, drawn, OBJECTS, 0);
            objects[cell][b] = naive_miou(&s.counts, cell, drawn, OBJECTS, 1);
        }
    }
    assert_int_equal(made.n_cells, CELLS);
    assert_int_equal(made.n_runs, RUNS);
    assert_int_equal(made.n_curves, 2); /* the runs 0 and 2 */
    assert_int_equal(made.n_pairs, 2);  /* 0 and 2, 1 and 3 */
    assert_int_equal(made.n_without, 0);
    for (size_t curve = 0; curve < 2; curve++) {
        const dv_curve_resampling *found = &made.curves[curve];
        const size_t first = curve * 2 * BINS;
        size_t breaks[2][BINS] = {0}, never[2] = {0};
        assert_int_equal(found->n, BINS);
        assert_int_equal(found->n_resamples, RESAMPLES);
        for (size_t b = 0; b < RESAMPLES; b++)
            for (size_t rule = 0; rule < 2; rule++) {
                size_t bin = rule == DV_STEPS_ALL ? 1 : 2;
                const double *of = &miou[first][b];
                while (bin < BINS && of[bin * RESAMPLES] / of[0] - of[(bin - 1) * RESAMPLES] / of[0] > -0.1) bin++;
                if (bin == BINS) never[rule]++;
                if (bin < BINS) breaks[rule][bin]++;
            }
        for (size_t rule = 0; rule < 2; rule++) {
            assert_true(found->never[rule] == (double)never[rule] / RESAMPLES);
            for (size_t i = 0; i < BINS; i++)
                assert_true(found->breaks[rule][i] == (double)breaks[rule][i] / RESAMPLES);
        }
        for (size_t i = 0; i < BINS; i++) {
            for (size_t b = 0; b < RESAMPLES; b++) values[b] = miou[first + i][b] / miou[first][b];
            expect_interval(values, RESAMPLES, &found->normalised[i]);
            for (size_t b = 0; i + 1 < BINS && b < RESAMPLES; b++)
                values[b] = miou[first + i + 1][b] / miou[first][b] - miou[first + i][b] / miou[first][b];
            if (i + 1 < BINS) expect_interval(values, RESAMPLES, &found->steps[i]);
        }
    }
    /* run 1 (a, hard) and run 3 (b, hard): bins 15 and 30 */
    size_t n_above = 0;
    for (size_t b = 0; b < RESAMPLES; b++) {
        values[b] = (objects[BINS + 1][b] + objects[BINS + 2][b]) / 2;
        n_above += values[b] > (objects[3 * BINS + 1][b] + objects[3 * BINS + 2][b]) / 2;
    }
    expect_interval(values, RESAMPLES, &made.runs[1]);
    assert_int_equal(made.pairs[1].a, 1);
    assert_int_equal(made.pairs[1].b, 3);
    assert_true(made.pairs[1].above == (double)n_above / RESAMPLES);
    for (size_t cell = 0; cell < CELLS; cell++) { /* last, for it sorts them */
        expect_interval(miou[cell], RESAMPLES, &made.miou[cell]);
        expect_interval(objects[cell], RESAMPLES, &made.miou_objects[cell]);
    }
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
}

/* ---- What must not matter -----------------------------------------------------------------------------------------
 */

static void assert_same(const dv_viewpoint_bootstrap *a, const dv_viewpoint_bootstrap *b) {
    assert_memory_equal(a->miou, b->miou, a->n_cells * sizeof *a->miou);
    assert_memory_equal(a->miou_objects, b->miou_objects, a->n_cells * sizeof *a->miou);
    assert_memory_equal(a->runs, b->runs, a->n_runs * sizeof *a->runs);
    assert_memory_equal(a->pairs, b->pairs, a->n_pairs * sizeof *a->pairs);
    for (size_t i = 0; i < a->n_curves; i++) {
        const dv_curve_resampling *left = &a->curves[i], *right = &b->curves[i];
        assert_memory_equal(left->normalised, right->normalised, left->n * sizeof *left->normalised);
        assert_memory_equal(left->steps, right->steps, (left->n - 1) * sizeof *left->steps);
        for (size_t rule = 0; rule < 2; rule++)
            assert_memory_equal(left->breaks[rule], right->breaks[rule], left->n * sizeof(double));
        assert_memory_equal(left->never, right->never, sizeof left->never);
    }
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    uint64_t random = test_seed();
    sweep s;
    some_sweep(&s, &random);
    dv_viewpoint_bootstrap one = bootstrap(&s, RESAMPLES, 7, 1);
    for (size_t n = 0; n <= 5; n++) {
        dv_viewpoint_bootstrap more = bootstrap(&s, RESAMPLES, 7, n);
        assert_same(&one, &more);
        dv_viewpoint_bootstrap_clear(&more);
    }
    dv_viewpoint_bootstrap other = bootstrap(&s, RESAMPLES, 8, 1);
    assert_memory_not_equal(one.miou, other.miou, CELLS * sizeof *one.miou);
    dv_viewpoint_bootstrap_clear(&other);
    dv_viewpoint_bootstrap_clear(&one);
    clear(&s);
}

static void a_device_does_not_change_a_bit(void **state) {
    (void)state;
    uint64_t random = test_seed();
    sweep s;
    some_sweep(&s, &random);
    dv_viewpoint_bootstrap expected = bootstrap(&s, RESAMPLES, 7, 1);
    for (size_t i = 0; i < 2; i++) {
        dv_viewpoint_bootstrap_options options = {.n_resamples = RESAMPLES, .seed = 7};
        assert_int_equal(dv_device_open(i ? "reference" : "cpu", NULL, &options.device), DV_OK);
        dv_viewpoint_bootstrap made;
        assert_int_equal(dv_viewpoint_bootstrap_compute(&s.analysis, &s.counts, &options, &made), DV_OK);
        assert_same(&made, &expected);
        dv_viewpoint_bootstrap_clear(&made);
        options.device->ops->close(options.device);
    }
    dv_viewpoint_bootstrap_clear(&expected);
    clear(&s);
}

static dv_status no_resamples(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out) {
    (void)device;
    (void)in;
    (void)out;
    return DV_E_BACKEND;
}

/* It is the device that was given that draws. */
static void a_device_that_fails_is_not_replaced(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const dv_device_ops ops = {.name = "none", .resample = no_resamples};
    dv_device device = {.ops = &ops};
    const dv_viewpoint_bootstrap_options options = {.n_resamples = 3, .device = &device};
    dv_viewpoint_bootstrap made = {.n_cells = 7};
    sweep s;
    some_sweep(&s, &random);
    assert_int_equal(dv_viewpoint_bootstrap_compute(&s.analysis, &s.counts, &options, &made), DV_E_BACKEND);
    assert_int_equal(made.n_cells, 0);
    assert_null(made.miou);
    clear(&s);
}

static void swap(uint64_t *a, uint64_t *b) {
    for (size_t c = 0; c < CLASSES; c++) {
        const uint64_t kept = a[c];
        a[c] = b[c];
        b[c] = kept;
    }
}

static void the_order_of_objects_does_not_change_a_bit(void **state) {
    (void)state;
    uint64_t random = test_seed();
    sweep s;
    some_sweep(&s, &random);
    dv_viewpoint_bootstrap before = bootstrap(&s, RESAMPLES, 7, 2);
    for (size_t o = 0; o < OBJECTS / 2; o++) { /* the other way round */
        const size_t last = OBJECTS - 1 - o;
        for (size_t cell = 0; cell < CELLS; cell++) {
            const size_t a = (cell * OBJECTS + o) * CLASSES, b = (cell * OBJECTS + last) * CLASSES;
            swap(s.counts.intersections + a, s.counts.intersections + b);
            swap(s.counts.unions + a, s.counts.unions + b);
            swap(s.counts.truths + a, s.counts.truths + b);
        }
        char *id = s.counts.object_ids[o];
        s.counts.object_ids[o] = s.counts.object_ids[last];
        s.counts.object_ids[last] = id;
    }
    dv_viewpoint_bootstrap after = bootstrap(&s, RESAMPLES, 7, 2);
    assert_same(&before, &after);
    dv_viewpoint_bootstrap_clear(&before);
    dv_viewpoint_bootstrap_clear(&after);
    clear(&s);
}

/* ---- By hand ------------------------------------------------------------------------------------------------------
 */

/* One encoder, class 1 alone, IoU both[bin][object] / 10. */
static void by_hand(sweep *s, size_t n_objects, size_t n_bins, const uint64_t *both) {
    *s = (sweep){.cells = {.n_classes = 2}};
    assert_int_equal(dv_object_counts_create(n_bins, n_objects, 2, &s->counts), DV_OK);
    name_objects(&s->counts);
    for (size_t i = 0; i < n_bins * n_objects; i++) {
        s->counts.intersections[2 * i + 1] = both[i];
        s->counts.truths[2 * i + 1] = s->counts.unions[2 * i + 1] = 10;
    }
    for (size_t bin = 0; bin < n_bins; bin++) add_cell(s, "a", (const int32_t[]){0}, 1, 15 * (int32_t)bin);
    analyse(s);
}

/* GEO-15: (.8, .3, .8, .2) breaks at bin 1, and where the first step is not tested at bin 3. */
static void one_object_leaves_no_doubt(void **state) {
    (void)state;
    sweep s;
    by_hand(&s, 1, 4, (const uint64_t[]){8, 3, 8, 2});
    dv_viewpoint_bootstrap made = bootstrap(&s, 50, 1, 2);
    const double all[4] = {0, 1, 0, 0}, validation[4] = {0, 0, 0, 1};
    assert_memory_equal(made.curves[0].breaks[DV_STEPS_ALL], all, sizeof all);
    assert_memory_equal(made.curves[0].breaks[DV_STEPS_VALIDATION], validation, sizeof validation);
    assert_true(made.curves[0].never[0] == 0.0 && made.curves[0].never[1] == 0.0);
    assert_true(made.miou[1].low == 0.3 && made.miou[1].high == 0.3);
    assert_true(made.curves[0].steps[2].low == 0.2 / 0.8 - 1.0 && made.curves[0].steps[2].high == 0.2 / 0.8 - 1.0);
    assert_true(made.curves[0].normalised[0].low == 1.0);
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
}

/* GEO-15: a reference of 0 has no curve; resamples in which it is 0 do not count. */
static void a_reference_of_0_counts_for_nothing(void **state) {
    (void)state;
    sweep s;
    by_hand(&s, 1, 3, (const uint64_t[]){0, 3, 3});
    dv_viewpoint_bootstrap made = bootstrap(&s, 50, 1, 1);
    assert_int_equal(made.curves[0].n_resamples, 0);
    assert_true(isnan(made.curves[0].never[0]) && isnan(made.curves[0].breaks[1][1]));
    assert_true(isnan(made.curves[0].steps[0].low));
    assert_int_equal(made.miou[0].n_resamples, 50);
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
    by_hand(&s, 2, 2, (const uint64_t[]){8, 0, 4, 4}); /* the second object alone has a reference of 0 */
    made = bootstrap(&s, 400, 1, 1);
    assert_in_range(made.curves[0].n_resamples, 250, 350); /* 3 of 4: 300, deviation 9 */
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
}

/* GEO-15: no step is formed over a missing bin. */
static void a_missing_bin_has_no_interval_and_no_step(void **state) {
    (void)state;
    sweep s;
    by_hand(&s, 2, 4, (const uint64_t[]){8, 8, 8, 8, 8, 8, 1, 1});
    dv_analysis_clear(&s.analysis);
    s.cells.cells[2].bin = 60; /* 0, 15, 45, 60 */
    analyse(&s);
    assert_int_equal(s.analysis.curves[0].n, 5);
    dv_viewpoint_bootstrap made = bootstrap(&s, 50, 1, 1);
    assert_true(isnan(made.curves[0].normalised[2].low) && isnan(made.curves[0].steps[1].low) &&
                isnan(made.curves[0].steps[2].low));
    assert_true(made.curves[0].breaks[DV_STEPS_ALL][3] == 0.0); /* .8 at 15, .1 at 45 */
    assert_true(made.curves[0].never[DV_STEPS_ALL] == 1.0);
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
}

/* An encoder that is a little better on every object wins in every resample, though its interval overlaps the other. */
static void pairs_are_compared_on_the_same_objects(void **state) {
    (void)state;
    sweep s = {.cells = {.n_classes = 2}};
    assert_int_equal(dv_object_counts_create(6, 8, 2, &s.counts), DV_OK);
    name_objects(&s.counts);
    for (size_t cell = 0; cell < 6; cell++)
        for (size_t o = 0; o < 8; o++) {
            const size_t at = (cell * 8 + o) * 2 + 1;
            s.counts.intersections[at] = 10 * o + (cell / 2 == 1); /* encoder b, and c is like a */
            s.counts.truths[at] = s.counts.unions[at] = 100;
        }
    for (size_t cell = 0; cell < 6; cell++)
        add_cell(&s, (const char *const[]){"a", "b", "c"}[cell / 2], (const int32_t[]){0}, 1, 15 * (int32_t)(cell % 2));
    analyse(&s);
    dv_viewpoint_bootstrap made = bootstrap(&s, 100, 42, 2);
    assert_int_equal(made.n_pairs, 3);
    assert_true(made.pairs[0].above == 0.0 && made.pairs[0].equal == 0.0); /* a, b */
    assert_true(made.pairs[1].above == 0.0 && made.pairs[1].equal == 1.0); /* a, c */
    assert_true(made.pairs[2].above == 1.0 && made.pairs[2].n_resamples == 100);
    assert_true(made.runs[0].high > made.runs[1].low);
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
}

/* A population of objects whose IoU is 0.2 or 0.8: most intervals of samples of 40 must hold its mIoU, 0.5, and not
 * all. Of 300 intervals at 95 % 285 do so, deviation 4; percentile intervals of small samples are a bit short. */
static void intervals_hold_the_truth_about_as_often_as_they_say(void **state) {
    (void)state;
    enum { SETS = 300, SAMPLE = 40 };
    uint64_t random = 20240501;
    size_t n_held = 0;
    for (size_t set = 0; set < SETS; set++) {
        uint64_t both[SAMPLE];
        for (size_t i = 0; i < SAMPLE; i++) both[i] = test_below(&random, 2) ? 8 : 2;
        sweep s;
        by_hand(&s, SAMPLE, 1, both);
        dv_viewpoint_bootstrap made = bootstrap(&s, 200, set, 1);
        n_held += made.miou[0].low <= 0.5 && 0.5 <= made.miou[0].high;
        dv_viewpoint_bootstrap_clear(&made);
        clear(&s);
    }
    assert_in_range(n_held, 265, 297);
}

/* ---- What is refused ----------------------------------------------------------------------------------------------
 */

static void refuse(const sweep *s, const dv_viewpoint_bootstrap_options *options, dv_status status, const char *what) {
    dv_viewpoint_bootstrap made = {.n_cells = 7};
    assert_int_equal(dv_viewpoint_bootstrap_compute(&s->analysis, &s->counts, options, &made), status);
    if (!strstr(dv_last_error(), what)) fail_msg("\"%s\" is not in \"%s\"", what, dv_last_error());
    assert_int_equal(made.n_cells, 0);
    assert_null(made.miou);
}

static void counts_of_something_else_are_refused(void **state) {
    (void)state;
    const dv_viewpoint_bootstrap_options options = {.n_resamples = 10};
    sweep s;
    by_hand(&s, 2, 3, (const uint64_t[]){8, 7, 6, 5, 4, 3});
    s.counts.intersections[2 * 2 + 1]++; /* bin 15: 6 + 5 become 7 + 5 of 20 */
    refuse(&s, &options, DV_E_DATA,
           "object counts: encoder \"a\", bin 15, mIoU 0.59999999999999998: must be 0.55000000000000004");
    s.counts.intersections[2 * 2 + 1]--;
    s.counts.n_cells = 2;
    refuse(&s, &options, DV_E_DATA, "object counts: 2 cells of 2 classes: must be 3 of 2, those of the results");
    s.counts.n_cells = 3;
    refuse(&s, &(dv_viewpoint_bootstrap_options){0}, DV_E_ARG, "a bootstrap of 0 resamples");
    refuse(&s, &(dv_viewpoint_bootstrap_options){.n_resamples = 1, .absent = (dv_absent)9}, DV_E_ARG, "policy 9");
    dv_interrupt();
    refuse(&s, &options, DV_E_INTERRUPTED, "interrupted");
    dv_interrupt_clear();
    clear(&s);
}

static void a_cell_that_relabelling_changed_has_no_interval(void **state) {
    (void)state;
    sweep s;
    by_hand(&s, 2, 3, (const uint64_t[]){8, 7, 6, 5, 4, 3});
    s.cells.cells[1].relabel = calloc(2, sizeof(int32_t));
    s.cells.cells[1].miou = 0.9;
    s.cells.cells[2].relabel = calloc(2, sizeof(int32_t)); /* which left the score as it is */
    dv_viewpoint_bootstrap made = bootstrap(&s, 20, 1, 1);
    assert_int_equal(made.n_without, 1);
    assert_true(isnan(made.miou[1].low) && isnan(made.miou_objects[1].high) && isnan(made.curves[0].steps[0].low));
    assert_true(!isnan(made.miou[2].low) && !isnan(made.miou[0].low));
    assert_int_equal(made.runs[0].n_resamples, 0);
    dv_viewpoint_bootstrap_clear(&made);
    clear(&s);
}

/* Pixels of no class at all: R7, no value is no error. */
static void no_objects_have_no_intervals(void **state) {
    (void)state;
    sweep s;
    by_hand(&s, 2, 2, (const uint64_t[]){8, 7, 6, 5});
    for (size_t i = 0; i < 2; i++) s.cells.cells[i].miou = s.cells.cells[i].miou_objects = NAN;
    s.counts.n_objects = 0;
    dv_viewpoint_bootstrap made = bootstrap(&s, 20, 1, 3);
    assert_int_equal(made.miou[0].n_resamples, 0);
    assert_true(isnan(made.miou[0].low));
    dv_viewpoint_bootstrap_clear(&made);
    s.counts.n_objects = 2;
    clear(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_that_of_the_written_draws),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_device_does_not_change_a_bit),
        cmocka_unit_test(a_device_that_fails_is_not_replaced),
        cmocka_unit_test(the_order_of_objects_does_not_change_a_bit),
        cmocka_unit_test(one_object_leaves_no_doubt),
        cmocka_unit_test(a_reference_of_0_counts_for_nothing),
        cmocka_unit_test(a_missing_bin_has_no_interval_and_no_step),
        cmocka_unit_test(pairs_are_compared_on_the_same_objects),
        cmocka_unit_test(intervals_hold_the_truth_about_as_often_as_they_say),
        cmocka_unit_test(counts_of_something_else_are_refused),
        cmocka_unit_test(a_cell_that_relabelling_changed_has_no_interval),
        cmocka_unit_test(no_objects_have_no_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
