/* Experiments A, B and C on cells small enough to work out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/analysis.h"

static const dv_analysis_options options = {.threshold = 0.1};

/* A cell of three classes; objects is the mean of the last two. */
static void add(dv_cells *cells, const char *encoder, uint64_t memory, const char *reference, int32_t bin, double miou,
                double first, double second) {
    dv_cell *cell;
    cells->n_classes = 3;
    assert_int_equal(dv_cells_add(cells, &cell), DV_OK);
    cell->encoder = strdup(encoder);
    cell->memory = memory;
    cell->difficulty = strdup("");
    cell->reference_bins = calloc(2, sizeof *cell->reference_bins);
    assert_non_null(cell->reference_bins);
    cell->n_reference_bins = strcmp(reference, "0_90") == 0 ? 2 : 1;
    if (cell->n_reference_bins == 2) cell->reference_bins[1] = 90;
    cell->bin = bin;
    cell->reference = bin == 0 || (bin == 90 && cell->n_reference_bins == 2);
    cell->miou = miou;
    cell->miou_objects = (first + second) / 2;
    cell->iou[0] = 0.5;
    cell->iou[1] = first;
    cell->iou[2] = second;
}

static void experiment_a_leaves_reference_bins_out(void **state) {
    (void)state;
    dv_cells cells = {0};
    dv_analysis analysis;
    add(&cells, "e", 100, "0_90", 0, 1, 1, 1);
    add(&cells, "e", 100, "0_90", 30, 1, 0.25, 0.75);
    add(&cells, "e", 100, "0_90", 60, 1, 0.5, 0.75);
    add(&cells, "e", 100, "0_90", 90, 1, 1, 1);
    assert_int_equal(dv_analysis_compute(&cells, &options, &analysis), DV_OK);
    assert_int_equal(analysis.n_runs, 1);
    const dv_analysis_run *const run = &analysis.runs[0];
    assert_string_equal(run->difficulty, "0_90");
    assert_true(run->miou == (0.5 + 0.625) / 2);
    /* sample deviations of two values: their distance over the square root of 2 */
    assert_true(fabs(run->std - (0.5 + 0.25) / 2 / sqrt(2)) < 1e-15);
    assert_int_equal(run->n_scored, 2);
    assert_int_equal(run->n_missing, 0);
    assert_int_equal(analysis.n_curves, 0); /* two reference bins */
    dv_analysis_clear(&analysis);
    dv_cells_clear(&cells);
}

static void absent_classes_are_in_no_deviation(void **state) {
    (void)state;
    dv_cells cells = {0};
    dv_analysis analysis;
    add(&cells, "e", 100, "0", 0, 1, 1, 1);
    add(&cells, "e", 100, "0", 30, 1, 0.25, NAN);
    cells.cells[1].miou_objects = 0.25;
    assert_int_equal(dv_analysis_compute(&cells, &options, &analysis), DV_OK);
    assert_true(analysis.runs[0].miou == 0.25);
    assert_true(isnan(analysis.runs[0].std)); /* one class deviates from nothing */
    dv_analysis_clear(&analysis);
    dv_cells_clear(&cells);
}

static void experiment_b_follows_the_run_of_one_reference_bin(void **state) {
    (void)state;
    dv_cells cells = {0};
    dv_analysis analysis;
    add(&cells, "e", 100, "0", 60, 0.25, 0.125, 0.25); /* in any order */
    add(&cells, "e", 100, "0", 0, 1, 0.5, 1);
    add(&cells, "e", 100, "0", 30, 0.5, 0.25, 1);
    assert_int_equal(dv_analysis_compute(&cells, &options, &analysis), DV_OK);
    assert_int_equal(analysis.n_curves, 1);
    const dv_analysis_curve *const curve = &analysis.curves[0];
    assert_int_equal(curve->n, 3);
    assert_int_equal(curve->bins[1], 30);
    assert_true(curve->steps[0] == -0.5 && curve->steps[1] == -0.25);
    assert_int_equal(curve->breaking[DV_STEPS_ALL].bin, 30);
    assert_int_equal(curve->breaking[DV_STEPS_VALIDATION].bin, 60);
    assert_true(curve->breaking[DV_STEPS_VALIDATION].step == -0.25);
    /* class 1 falls as all classes do, then less; class 2 stays, then falls as they do */
    assert_true(curve->class_normalised[1 * 3 + 1] == 0.5 && curve->class_difference[1 * 3 + 1] == 0);
    assert_true(curve->class_normalised[2 * 3 + 1] == 1 && curve->class_difference[2 * 3 + 1] == 0.5);
    assert_true(curve->class_difference[2 * 3 + 2] == 0);
    dv_analysis_clear(&analysis);
    dv_cells_clear(&cells);
}

static void a_bin_that_others_have_is_missing(void **state) {
    (void)state;
    dv_cells cells = {0};
    dv_analysis analysis;
    add(&cells, "whole", 100, "0", 0, 1, 1, 1);
    add(&cells, "whole", 100, "0", 30, 1, 0.5, 0.5);
    add(&cells, "whole", 100, "0", 45, 1, 0.5, 0.5);
    add(&cells, "part", 100, "0", 0, 0.75, 1, 1);
    add(&cells, "part", 100, "0", 45, 0.25, 0.25, 0.25);
    assert_int_equal(dv_analysis_compute(&cells, &options, &analysis), DV_OK);
    assert_int_equal(analysis.n_bins, 4); /* 15 too: a hole in the grid that all of them have */
    const dv_analysis_run *const part = &analysis.runs[1];
    assert_int_equal(part->n_missing, 2);
    assert_int_equal(part->missing[0], 15);
    assert_int_equal(part->missing[1], 30);
    assert_true(part->miou == 0.25); /* of what is there */
    const dv_analysis_curve *const curve = &analysis.curves[1];
    assert_int_equal(curve->n_missing, 2);
    assert_false(curve->breaking[DV_STEPS_ALL].found || curve->breaking[DV_STEPS_VALIDATION].found);
    assert_int_equal(analysis.runs[0].n_missing, 1);
    dv_analysis_clear(&analysis);

    const int32_t bins[] = {0, 30, 45};
    const dv_analysis_options chosen = {.threshold = 0.1, .bins = bins, .n_bins = 3};
    assert_int_equal(dv_analysis_compute(&cells, &chosen, &analysis), DV_OK);
    assert_int_equal(analysis.runs[0].n_missing, 0); /* no grid is asked for */
    assert_int_equal(analysis.runs[1].n_missing, 1);
    dv_analysis_clear(&analysis);
    dv_cells_clear(&cells);
}

static void experiment_c_compares_sizes_over_the_same_bins(void **state) {
    (void)state;
    dv_cells cells = {0};
    dv_analysis analysis;
    static const uint64_t sizes[] = {400, 100, 200};
    static const double scores[] = {0.8504, 0.25, 0.5};
    for (size_t i = 0; i < 3; i++) {
        add(&cells, "e", sizes[i], "0", 0, 1, 1, 1);
        add(&cells, "e", sizes[i], "0", 30, 1, scores[i], scores[i]);
        add(&cells, "e", sizes[i], "0_90", 0, 1, 1, 1);
        if (i != 1) add(&cells, "e", sizes[i], "0_90", 30, 1, 0.5, 0.5);
    }
    assert_int_equal(dv_analysis_compute(&cells, &options, &analysis), DV_OK);
    assert_int_equal(analysis.n_gains, 6);
    static const struct {
        uint64_t from, to;
        double gain, gain_of_rounded;
    } expected[] = {{100, 200, 0.25, 0.25},
                    {100, 200, NAN, NAN},
                    {200, 400, 0.8504 - 0.5, 0.85 - 0.5},
                    {200, 400, 0, 0},
                    {100, 400, 0.8504 - 0.25, 0.85 - 0.25},
                    {100, 400, NAN, NAN}};
    for (size_t i = 0; i < 6; i++) {
        const dv_analysis_gain *const gain = &analysis.gains[i];
        assert_int_equal(analysis.runs[gain->from].memory, expected[i].from);
        assert_int_equal(analysis.runs[gain->to].memory, expected[i].to);
        if (isnan(expected[i].gain)) {
            assert_true(isnan(gain->gain) && isnan(gain->gain_of_rounded));
        } else {
            assert_true(gain->gain == expected[i].gain);
            assert_true(gain->gain_of_rounded == expected[i].gain_of_rounded);
        }
    }
    assert_int_equal(analysis.n_encoder_gains, 3);
    assert_true(isnan(analysis.encoder_gains[0].gain)); /* one of its two is not known */
    assert_true(analysis.encoder_gains[1].gain == (0.8504 - 0.5) / 2);
    assert_int_equal(analysis.n_difficulty_gains, 6);
    dv_analysis_clear(&analysis);
    dv_cells_clear(&cells);
}

static void what_cannot_be_analysed_is_refused(void **state) {
    (void)state;
    dv_cells cells = {0};
    dv_analysis analysis;
    add(&cells, "e", 100, "0", 0, NAN, NAN, NAN);
    assert_int_equal(dv_analysis_compute(&cells, &options, &analysis), DV_E_DATA);
    assert_string_equal(dv_last_error(), "no cell has a score");
    assert_null(analysis.runs);
    const dv_analysis_options no_threshold = {.threshold = 0};
    assert_int_equal(dv_analysis_compute(&cells, &no_threshold, &analysis), DV_E_ARG);
    const int32_t bins[] = {30, 0};
    const dv_analysis_options falling = {.threshold = 0.1, .bins = bins, .n_bins = 2};
    assert_int_equal(dv_analysis_compute(&cells, &falling, &analysis), DV_E_ARG);
    dv_cells_clear(&cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(experiment_a_leaves_reference_bins_out),
        cmocka_unit_test(absent_classes_are_in_no_deviation),
        cmocka_unit_test(experiment_b_follows_the_run_of_one_reference_bin),
        cmocka_unit_test(a_bin_that_others_have_is_missing),
        cmocka_unit_test(experiment_c_compares_sizes_over_the_same_bins),
        cmocka_unit_test(what_cannot_be_analysed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
