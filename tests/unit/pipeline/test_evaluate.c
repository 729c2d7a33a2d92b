/* Evaluation of toy sets whose result is known by hand. Edge cases HB-11, SEG-08, SEG-09, KNN-01, KNN-05, KNN-08. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "denseval/denseval.h"
#include "support/toy.h"

#define PERFECT(bin_deg, thing)                                                                                        \
    { {0, 1, 2, 0}, {0, 1, 2, 0}, bin_deg, thing }
#define WRONG(bin_deg, thing)                                                                                          \
    { {1, 2, 0, 1}, {0, 1, 2, 0}, bin_deg, thing }

typedef struct fixture {
    char *folder, *bank_path, *query_path;
    dv_features *bank_features, *queries;
    dv_bank *bank;
    dv_eval_options options;
    dv_eval_result result;
} fixture;

static fixture *set_up(const toy_image *bank, size_t n_bank, const toy_image *queries, size_t n_queries,
                       const dv_bank_options *bank_options) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->folder = toy_folder();
    f->bank_path = toy_path(f->folder, "bank.h5");
    f->query_path = toy_path(f->folder, "query.h5");
    toy_write(f->bank_path, "b", bank, n_bank);
    toy_write(f->query_path, "q", queries, n_queries);
    assert_int_equal(dv_features_open((const char *const *)&f->bank_path, 1, &f->bank_features), DV_OK);
    assert_int_equal(dv_features_open((const char *const *)&f->query_path, 1, &f->queries), DV_OK);
    assert_int_equal(dv_bank_build(f->bank_features, bank_options, &f->bank), DV_OK);
    f->options = (dv_eval_options){.search = {.k = 1, .backend = "reference"}, .beta = 0.02};
    dv_label_set_add(&f->options.pixels.ignored, 255);
    return f;
}

static void tear_down(fixture *f) {
    dv_eval_result_clear(&f->result);
    dv_bank_close(f->bank);
    dv_features_close(f->bank_features);
    dv_features_close(f->queries);
    toy_folder_remove(f->folder);
    free(f->bank_path);
    free(f->query_path);
    free(f);
}

static const dv_bank_options every_patch = {0};
static const toy_image one_bank[] = {PERFECT(0, "a")};

static void perfect_queries_score_one(void **state) {
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a"), PERFECT(15, "a")};
    fixture *f = set_up(one_bank, 1, queries, 2, &every_patch);
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    /* Bilinear blending turns some pixels at the seams to a neighbour, so look at what is certain: the matrix's sum. */
    uint64_t sum = 0;
    const uint64_t *counts = dv_confusion_counts(f->result.total.confusion);
    for (size_t i = 0; i < TOY_CLASSES * TOY_CLASSES; i++) sum += counts[i];
    assert_int_equal(sum, 2 * TOY_SIDE * TOY_SIDE);
    assert_int_equal(f->result.total.n_images, 2);
    assert_int_equal(f->result.n_bins, 2);
    assert_int_equal(f->result.bins[1].bin, 15);
    assert_true(f->result.bins[0].iou.miou == f->result.bins[1].iou.miou);
    assert_true(f->result.total.iou.miou > 0.8);
    tear_down(f);
}

static void a_last_incomplete_batch_is_scored_unless_asked_otherwise(void **state) { /* SEG-09 */
    (void)state;
    toy_image queries[10];
    for (size_t i = 0; i < 10; i++) {
        const toy_image good = PERFECT(0, "a"), bad = WRONG(0, "a");
        queries[i] = i < 8 ? good : bad;
    }
    fixture *f = set_up(one_bank, 1, queries, 10, &every_patch);
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    const double all = f->result.total.iou.pixel_accuracy;
    assert_int_equal(f->result.total.n_images, 10);
    dv_eval_result_clear(&f->result);
    f->options.drop_last_batch = 4;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_int_equal(f->result.total.n_images, 8);
    assert_int_equal(f->result.n_dropped_images, 2);
    assert_true(all < f->result.total.iou.pixel_accuracy);
    tear_down(f);
}

static void a_bin_smaller_than_a_batch_is_scored(void **state) { /* SEG-09 */
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a"), PERFECT(0, "b"), PERFECT(15, "c"), PERFECT(0, "d"), PERFECT(0, "e")};
    fixture *f = set_up(one_bank, 1, queries, 5, &every_patch);
    f->options.search.images_per_block = 8;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_int_equal(f->result.bins[1].n_images, 1);
    assert_true(isfinite(f->result.bins[1].iou.miou));
    dv_eval_result_clear(&f->result);
    f->options.drop_last_batch = 4; /* the published loader has nothing left of bin 15 */
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_int_equal(f->result.bins[1].n_images, 0);
    assert_true(isnan(f->result.bins[1].iou.miou));
    tear_down(f);
}

static void counts_do_not_depend_on_blocks_shards_or_slabs(void **state) { /* SEG-08, KNN-08 */
    (void)state;
    enum { BANK_IMAGES = 40 }; /* 160 rows of 20 bytes: more than the limits below leave */
    toy_image queries[7], bank[BANK_IMAGES];
    for (size_t i = 0; i < 7; i++)
        queries[i] = (toy_image){{(int)i % 3, 1, 2, 0}, {0, (int)(i + 1) % 3, 2, 255}, (int)(i % 2) * 15, "a"};
    for (size_t i = 0; i < BANK_IMAGES; i++)
        bank[i] = (toy_image){{0, 1, 2, (int)i % 3}, {0, 1, (int)i % 3, 2}, 0, "a"};
    fixture *f = set_up(bank, BANK_IMAGES, queries, 7, &every_patch);
    f->options.search.k = 6;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    uint64_t expected[TOY_CLASSES * TOY_CLASSES];
    memcpy(expected, dv_confusion_counts(f->result.total.confusion), sizeof expected);
    const size_t blocks[] = {1, 2, 64, 0}, shards[] = {1, 3, 20, 1}, limits[] = {0, 0, 0, (1 << 20) + 158000};
    for (size_t i = 0; i < 4; i++) {
        dv_eval_result_clear(&f->result);
        f->options.search.images_per_block = blocks[i];
        f->options.search.n_shards = shards[i];
        f->options.search.memory_limit = limits[i];
        f->options.search.backend = i % 2 ? "reference" : "cpu";
        assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
        assert_memory_equal(dv_confusion_counts(f->result.total.confusion), expected, sizeof expected);
        assert_int_equal(f->result.search.n_slabs > 1, limits[i] > 0);
    }
    tear_down(f);
}

static void a_limit_below_one_row_names_the_bytes(void **state) { /* KNN-08 */
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a")};
    fixture *f = set_up(one_bank, 1, queries, 1, &every_patch);
    f->options.search.memory_limit = 20;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_NOMEM);
    assert_non_null(strstr(dv_last_error(), "the memory limit leaves 20 bytes for a search, which takes at least "));
    assert_non_null(strstr(dv_last_error(), ": a bank row 20, 1 query images "));
    assert_null(f->result.bins);
    tear_down(f);
}

static void k_above_the_rows_is_refused_by_number(void **state) { /* KNN-05 */
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a")};
    fixture *f = set_up(one_bank, 1, queries, 1, &every_patch);
    f->options.search.k = 5;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "query.h5: k 5: the bank has 4 rows"));
    f->options.search.k = 0;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_USAGE);
    tear_down(f);
}

static void support_comes_from_the_reference_bins_alone(void **state) { /* HB-11 */
    (void)state;
    const toy_image views[] = {PERFECT(0, "a"), WRONG(90, "a")};
    const int32_t bins[] = {0};
    const dv_bank_options reference = {.bins = bins, .n_bins = 1};
    fixture *f = set_up(views, 2, views + 1, 1, &reference);
    const dv_bank_info *info = dv_bank_get_info(f->bank);
    assert_int_equal(info->n_rows, TOY_PATCHES);
    for (size_t row = 0; row < info->n_rows; row++) assert_int_equal(info->image[row], 0);
    tear_down(f);
}

static void excluding_the_object_hides_its_rows(void **state) {
    (void)state;
    const toy_image bank[] = {PERFECT(0, "a"), {{0, 1, 2, 0}, {1, 2, 0, 1}, 0, "b"}};
    const toy_image queries[] = {PERFECT(15, "a")};
    fixture *f = set_up(bank, 2, queries, 1, &every_patch);
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    const double with = f->result.total.iou.pixel_accuracy;
    dv_eval_result_clear(&f->result);
    f->options.search.exclude = DV_EXCLUDE_OBJECT;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_true(f->result.total.iou.pixel_accuracy < with);
    f->options.search.k = 5; /* object b has 4 rows */
    dv_eval_result_clear(&f->result);
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
    assert_string_equal(dv_last_error(), "query image \"q0\": 4 bank rows are left after --exclude, k is 5");
    tear_down(f);
}

static void a_bad_label_names_file_image_and_pixel_and_leaves_no_predictions(void **state) { /* SEG-06 */
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a"), {{0, 1, 2, 0}, {0, 7, 2, 0}, 0, "a"}};
    fixture *f = set_up(one_bank, 1, queries, 2, &every_patch);
    char *predictions = toy_path(f->folder, "predictions");
    f->options.predictions = predictions;
    char expected[512];
    snprintf(expected, sizeof expected,
             "%s: image 1 (q1): pixel row 0, column 4, label 7 (16 such pixels): must be below 3 classes or ignored "
             "(--invalid-labels drop or false-positive accepts them)",
             f->query_path);
    for (f->options.search.images_per_block = 1; f->options.search.images_per_block <= 2;
         f->options.search.images_per_block++) {
        assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
        assert_string_equal(dv_last_error(), expected);
        assert_int_equal(access(predictions, F_OK), -1);
    }
    free(predictions);
    tear_down(f);
}

static void take_line(void *user, dv_log_level level, const char *line) {
    (void)level;
    (void)line;
    ++*(size_t *)user;
}

static void bad_queries_are_all_listed_or_left_out(void **state) { /* R12, HB-01 */
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a"),
                                 {{0, -1, 2, 0}, {0, 1, 2, 0}, 0, "a"},
                                 {{0, 1, 2, 0}, {0, 1, 9, 0}, 15, "a"},
                                 PERFECT(15, "a")};
    const toy_image good[] = {PERFECT(0, "a"), PERFECT(15, "a")};
    fixture *f = set_up(one_bank, 1, queries, 4, &every_patch), *g = set_up(one_bank, 1, good, 2, &every_patch);
    f->options.n_resamples = g->options.n_resamples = 20;
    assert_int_equal(dv_eval_run(g->bank, g->queries, &g->options, &g->result), DV_OK);
    for (f->options.search.images_per_block = 1; f->options.search.images_per_block <= 5;
         f->options.search.images_per_block++) {
        char expected[512];
        size_t n_lines = 0;
        f->options.skip_bad = false;
        dv_log_set(take_line, &n_lines, DV_LOG_ERROR);
        assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
        dv_log_set(NULL, NULL, DV_LOG_ERROR);
        snprintf(expected, sizeof expected,
                 "%s: /features row 1, patch 1: a zero row has no direction (--zero-rows skip or keep accepts them) (2 "
                 "of 4 images are bad)",
                 f->query_path);
        assert_string_equal(dv_last_error(), expected);
        assert_int_equal(n_lines, 2);
        assert_null(f->result.total.confusion);
        f->options.skip_bad = true;
        assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
        assert_int_equal(f->result.n_skipped_images, 2);
        assert_int_equal(f->result.total.n_images, 2);
        assert_int_equal(f->result.bins[1].n_images, 1);
        assert_memory_equal(dv_confusion_counts(f->result.total.confusion),
                            dv_confusion_counts(g->result.total.confusion),
                            TOY_CLASSES * TOY_CLASSES * sizeof(uint64_t));
        assert_true(f->result.interval.low == g->result.interval.low);
        dv_eval_result_clear(&f->result);
    }
    tear_down(f);
    tear_down(g);
}

static void queries_that_are_all_bad_score_nothing(void **state) { /* R7 */
    (void)state;
    const toy_image queries[] = {{{0, -1, 2, 0}, {0, 1, 2, 0}, 0, "a"}, {{-1, 1, 2, 0}, {0, 1, 2, 0}, 0, "a"}};
    fixture *f = set_up(one_bank, 1, queries, 2, &every_patch);
    f->options.skip_bad = true;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
    assert_string_equal(dv_last_error(), "nothing was scored: all 2 query images are bad");
    f->options.allow_empty = true;
    f->options.n_resamples = 20;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_int_equal(f->result.total.n_images, 0);
    assert_true(isnan(f->result.total.iou.miou));
    tear_down(f);
}

static void nothing_scored_is_an_error_unless_allowed(void **state) { /* R7 */
    (void)state;
    const toy_image queries[] = {{{0, 1, 2, 0}, {255, 255, 255, 255}, 0, "a"}};
    fixture *f = set_up(one_bank, 1, queries, 1, &every_patch);
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
    assert_string_equal(dv_last_error(),
                        "nothing was scored: every pixel of the 1 query images is ignored or no class");
    f->options.allow_empty = true;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_true(isnan(f->result.total.iou.miou));
    dv_eval_result_clear(&f->result);
    f->options.drop_last_batch = 4; /* not even an image is left */
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_OK);
    assert_int_equal(f->result.total.n_images, 0);
    dv_eval_result_clear(&f->result);
    f->options.allow_empty = false;
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_DATA);
    assert_string_equal(dv_last_error(),
                        "no query image is left to score: 1 were dropped as last incomplete batches of 4");
    tear_down(f);
}

static void an_interruption_ends_with_its_own_status(void **state) {
    (void)state;
    const toy_image queries[] = {PERFECT(0, "a")};
    fixture *f = set_up(one_bank, 1, queries, 1, &every_patch);
    dv_interrupt();
    assert_int_equal(dv_eval_run(f->bank, f->queries, &f->options, &f->result), DV_E_INTERRUPTED);
    dv_interrupt_clear();
    tear_down(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_queries_score_one),
        cmocka_unit_test(a_last_incomplete_batch_is_scored_unless_asked_otherwise),
        cmocka_unit_test(a_bin_smaller_than_a_batch_is_scored),
        cmocka_unit_test(counts_do_not_depend_on_blocks_shards_or_slabs),
        cmocka_unit_test(a_limit_below_one_row_names_the_bytes),
        cmocka_unit_test(k_above_the_rows_is_refused_by_number),
        cmocka_unit_test(support_comes_from_the_reference_bins_alone),
        cmocka_unit_test(excluding_the_object_hides_its_rows),
        cmocka_unit_test(a_bad_label_names_file_image_and_pixel_and_leaves_no_predictions),
        cmocka_unit_test(bad_queries_are_all_listed_or_left_out),
        cmocka_unit_test(queries_that_are_all_bad_score_nothing),
        cmocka_unit_test(nothing_scored_is_an_error_unless_allowed),
        cmocka_unit_test(an_interruption_ends_with_its_own_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
