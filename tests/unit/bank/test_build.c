/* What rows a bank gets, from feature files small enough to sample by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "denseval/run.h"
#include "fixture.h"

/* Two images of 2x2 patches of 2x2 pixels. Image 0: patch 0 {0}, 1 {0, 1}, 2 ignored, 3 {1, 2}; its class frequencies
 * are 2, 2, 1, so its patches weigh 2, 4, 0, 3. Image 1: class 2 alone, each patch weighs 4. */
static const uint8_t labels[2 * 16] = {0, 0, 0, 1, 0, 0, 1, 1, 255, 255, 1, 2, 255, 255, 2, 1,
                                       2, 2, 2, 2, 2, 2, 2, 2, 2,   2,   2, 2, 2,   2,   2, 2};
/* Scores in the first pass: 1.5, 0.5, -, 0.75 and 2, 2, 1, 2; in the second: 0.5, 2, -, 0.75 and 0, 0, 0, 0. */
static const double uniforms[16] = {0.75, 0.125, 0, 0.25, 0.5, 0.5, 0.25, 0.5, 0.25, 0.5, 0, 0.25, 0, 0, 0, 0};

static fixture_set set;
static dv_bank_options options;
static dv_features *features;
static dv_bank *bank;
static const char *path;

static int setup(void **state) {
    (void)state;
    set = (fixture_set){.n_images = 2,
                        .grid_h = 2,
                        .grid_w = 2,
                        .patch_size = 2,
                        .dim = 3,
                        .n_classes = 3,
                        .labels = labels,
                        .uniforms = uniforms};
    memset(&options, 0, sizeof options);
    dv_label_set_add(&options.ignored, 255);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    dv_bank_close(bank);
    dv_features_close(features);
    bank = NULL;
    features = NULL;
    return 0;
}

/* Builds the bank from a file of the set, with the file's own uniform numbers where it has some. */
static dv_status build(void) {
    dv_bank_close(bank);
    dv_features_close(features);
    path = fixture_write("set.h5", &set);
    features = fixture_open(path);
    options.uniform_paths = &path;
    options.n_uniform_paths = set.uniforms ? 1 : 0;
    bank = (dv_bank *)&options; /* to be overwritten, on failure too */
    return dv_bank_build(features, &options, &bank);
}

static void build_well(void) {
    if (build() != DV_OK) fail_msg("%s", dv_last_error());
}

static void expect_refusal(dv_status status, const char *part) {
    assert_int_equal(build(), status);
    assert_null(bank);
    if (!strstr(dv_last_error(), part)) fail_msg("\"%s\" is not in \"%s\"", part, dv_last_error());
}

static void the_lowest_scores_of_each_image_become_rows(void **state) {
    (void)state;
    options.memory_size = 5; /* 5 / 2 = 2 */
    build_well();
    fixture_expect_rows(bank, 4, (int32_t[]){0, 0, 1, 1}, (int32_t[]){1, 3, 2, 0}, (int32_t[]){0, 1, 0, 1});
    const dv_bank_info *info = dv_bank_get_info(bank);
    const uint16_t counts[] = {1, 3, 0, 0, 2, 2, 0, 0, 4, 0, 0, 4};
    assert_memory_equal(info->counts, counts, sizeof counts);
    assert_int_equal(info->n_images, 2);
    assert_int_equal(info->n_bank_images, 2);
    assert_int_equal(info->n_unfilled_rows, 0);
    assert_int_equal(info->dim, 3);
    assert_string_equal(info->class_names[2], "c2");
    assert_string_equal(info->image_ids[1], "1");
    assert_null(info->object_ids);
    assert_string_equal(info->preprocessing.encoder, "counting");
}

static void a_patch_of_ignored_pixels_is_no_row(void **state) {
    (void)state;
    options.per_image = 4;
    build_well();
    fixture_expect_rows(bank, 7, (int32_t[]){0, 0, 0, 1, 1, 1, 1}, (int32_t[]){1, 3, 0, 2, 0, 1, 3},
                        (int32_t[]){0, 1, 2, 0, 1, 2, 3});
}

/* Ignored pixels as class 0: the frequencies are 3, 2, 1, the scores 2.25, 0.625, 0, 0.75. */
static void as_background_ignored_pixels_are_sampled_like_any(void **state) {
    (void)state;
    options.per_image = 3;
    options.memory_ignored = DV_MEMORY_BACKGROUND;
    build_well();
    fixture_expect_rows(bank, 6, (int32_t[]){0, 0, 0, 1, 1, 1}, (int32_t[]){2, 1, 3, 2, 0, 1},
                        (int32_t[]){0, 1, 2, 0, 1, 2});
    assert_int_equal(dv_bank_get_info(bank)->counts[0], 4);
}

static void every_patch_goes_in_row_major(void **state) {
    (void)state;
    build_well();
    fixture_expect_rows(bank, 7, (int32_t[]){0, 0, 0, 1, 1, 1, 1}, (int32_t[]){0, 1, 3, 0, 1, 2, 3},
                        (int32_t[]){0, 1, 2, 0, 1, 2, 3});
}

static void passes_follow_each_other(void **state) {
    (void)state;
    options.passes = 2;
    options.memory_size = 8;
    set.passes = 2;
    build_well();
    fixture_expect_rows(bank, 8, (int32_t[]){0, 0, 1, 1, 0, 0, 1, 1}, (int32_t[]){1, 3, 2, 0, 0, 3, 0, 1},
                        (int32_t[]){0, 1, 0, 1, 0, 1, 0, 1});
    assert_int_equal(dv_bank_get_info(bank)->n_bank_images, 2);
}

/* HB-01: 100 rows for 3 images of 64 patches are 33 an image. */
static void the_bank_is_as_long_as_the_rows_written(void **state) {
    (void)state;
    static const uint8_t background[3 * 64];
    set = (fixture_set){
        .n_images = 3, .grid_h = 8, .grid_w = 8, .patch_size = 1, .dim = 2, .n_classes = 1, .labels = background};
    options.memory_size = 100;
    build_well();
    const dv_bank_info *info = dv_bank_get_info(bank);
    assert_int_equal(info->n_rows, 99);
    assert_int_equal(info->n_unfilled_rows, 0);
    for (int32_t row = 0; row < 99; row++) {
        assert_int_equal(info->image[row], row / 33);
        assert_int_equal(info->rank[row], row % 33);
        assert_int_equal(info->counts[row], 1);
    }
    options.zero_rows = DV_ZERO_KEEP;
    build_well();
    info = dv_bank_get_info(bank);
    assert_int_equal(info->n_rows, 100);
    assert_int_equal(info->n_unfilled_rows, 1);
    assert_int_equal(info->image[98], 2);
    float row[2] = {7, 7};
    assert_int_equal(dv_bank_read(bank, 99, 1, row), DV_OK);
    assert_true(row[0] == 0 && row[1] == 0);
}

static void a_kept_memory_ends_with_unfilled_rows(void **state) {
    (void)state;
    options.memory_size = 11; /* n = 5: all there are */
    options.zero_rows = DV_ZERO_KEEP;
    build_well();
    fixture_expect_rows(bank, 11, (int32_t[]){0, 0, 0, 1, 1, 1, 1, -1, -1, -1, -1},
                        (int32_t[]){1, 3, 0, 2, 0, 1, 3, -1, -1, -1, -1},
                        (int32_t[]){0, 1, 2, 0, 1, 2, 3, -1, -1, -1, -1});
    const dv_bank_info *info = dv_bank_get_info(bank);
    for (size_t i = 21; i < 33; i++) assert_int_equal(info->counts[i], 0);
    assert_int_equal(info->n_unfilled_rows, 4);
    options.memory_size = 0;
    options.per_image = 4;
    build_well();
    assert_int_equal(dv_bank_get_info(bank)->n_rows, 8);
    assert_int_equal(dv_bank_get_info(bank)->n_unfilled_rows, 1);
    options.per_image = 0; /* every patch: no size, so nothing is unfilled */
    build_well();
    assert_int_equal(dv_bank_get_info(bank)->n_rows, 7);
}

static void the_last_incomplete_batch_is_dropped_after_n_is_taken(void **state) {
    (void)state;
    static uint8_t many[5 * 16];
    set.n_images = 5;
    set.labels = many;
    set.uniforms = NULL;
    options.memory_size = 10;
    options.drop_last_batch = 4;
    build_well();
    const dv_bank_info *info = dv_bank_get_info(bank);
    assert_int_equal(info->n_rows, 8);
    assert_int_equal(info->image[7], 3);
    assert_int_equal(info->n_images, 5);
    assert_int_equal(info->n_bank_images, 4);
    options.zero_rows = DV_ZERO_KEEP;
    build_well();
    assert_int_equal(dv_bank_get_info(bank)->n_rows, 10);
    assert_int_equal(dv_bank_get_info(bank)->n_unfilled_rows, 2);
}

/* HB-11: nothing of bin 90 is in the support of bin 0. */
static void only_images_of_the_chosen_bins_give_rows(void **state) {
    (void)state;
    static const int32_t view_bins[] = {90, 0}, chosen[] = {0}, absent[] = {0, 30};
    set.view_bins = view_bins;
    options.bins = chosen;
    options.n_bins = 1;
    options.memory_size = 3;
    build_well();
    fixture_expect_rows(bank, 3, (int32_t[]){1, 1, 1}, (int32_t[]){2, 0, 1}, (int32_t[]){0, 1, 2});
    assert_int_equal(dv_bank_get_info(bank)->n_bank_images, 1);
    options.bins = absent;
    options.n_bins = 2;
    expect_refusal(DV_E_DATA, "/view_bin: no image of bin 30, the bins are 90, 0");
}

/* HB-01. */
static void a_zero_row_is_refused_left_out_or_kept(void **state) {
    (void)state;
    set.n_bad = 1;
    set.bad[0].patch = 1;
    options.per_image = 2;
    expect_refusal(DV_E_DATA, "set.h5: /features row 0, patch 1: a zero row has no direction");
    options.zero_rows = DV_ZERO_SKIP;
    build_well();
    fixture_expect_rows(bank, 4, (int32_t[]){0, 0, 1, 1}, (int32_t[]){3, 0, 2, 0}, (int32_t[]){0, 1, 0, 1});
    assert_int_equal(dv_bank_get_info(bank)->n_skipped_zero_rows, 1);
    options.zero_rows = DV_ZERO_KEEP;
    build_well();
    assert_int_equal(dv_bank_get_info(bank)->n_rows, 4);
    assert_int_equal(dv_bank_get_info(bank)->patch[0], 1);
    float row[3] = {7, 7, 7};
    assert_int_equal(dv_bank_read(bank, 0, 1, row), DV_OK);
    assert_true(row[0] == 0 && row[1] == 0 && row[2] == 0);
}

static void a_zero_row_without_label_is_not_counted_as_left_out(void **state) {
    (void)state;
    set.n_bad = 2;
    set.bad[0].patch = 2; /* ignored pixels alone */
    set.bad[1].image = 1;
    options.zero_rows = DV_ZERO_SKIP;
    build_well();
    fixture_expect_rows(bank, 6, (int32_t[]){0, 0, 0, 1, 1, 1}, (int32_t[]){0, 1, 3, 1, 2, 3},
                        (int32_t[]){0, 1, 2, 0, 1, 2});
    assert_int_equal(dv_bank_get_info(bank)->n_skipped_zero_rows, 1);
}

static void a_value_that_is_not_finite_is_always_refused(void **state) {
    (void)state;
    set.n_bad = 1;
    set.bad[0].image = 1;
    set.bad[0].value = NAN;
    options.per_image = 1;
    for (int zero_rows = DV_ZERO_ERROR; zero_rows <= DV_ZERO_KEEP; zero_rows++) {
        options.zero_rows = (dv_zero_rows)zero_rows;
        expect_refusal(DV_E_DATA, "set.h5: /features row 1, patch 0, dimension 0, value nan: features must be finite");
    }
}

/* SEG-06. */
static void an_invalid_label_is_refused_by_file_image_and_pixel(void **state) {
    (void)state;
    uint8_t invalid[32];
    memcpy(invalid, labels, sizeof invalid);
    invalid[16 + 5] = 7;
    set.labels = invalid;
    set.ids = (const char *const[]){"first", "second"};
    expect_refusal(DV_E_DATA,
                   "set.h5: image 1 (second): pixel row 1, column 1, label 7: must be below 3 classes or ignored");
    options.invalid = DV_INVALID_DROP;
    build_well();
    assert_int_equal(dv_bank_get_info(bank)->n_rows, 7);
    assert_int_equal(dv_bank_get_info(bank)->counts[3 * 3 + 2], 3);
}

/* R12: image 0 has a zero row, image 1 a label that is no class. */
static void bad_images_are_all_listed_or_left_out(void **state) {
    (void)state;
    uint8_t invalid[32];
    memcpy(invalid, labels, sizeof invalid);
    invalid[16 + 5] = 7;
    set.labels = invalid;
    set.n_bad = 1;
    set.bad[0].patch = 1;
    options.per_image = 2;
    expect_refusal(DV_E_DATA, "set.h5: /features row 0, patch 1: a zero row has no direction (--zero-rows skip or keep "
                              "accepts them) (2 of 2 images are bad)");
    options.skip_bad = true;
    expect_refusal(DV_E_DATA, "set.h5: all 2 images are bad: the bank would have no rows");
    set.labels = labels;
    build_well();
    fixture_expect_rows(bank, 2, (int32_t[]){1, 1}, (int32_t[]){2, 0}, (int32_t[]){0, 1});
    assert_int_equal(dv_bank_get_info(bank)->n_skipped_images, 1);
    assert_int_equal(dv_bank_get_info(bank)->n_bank_images, 1);
    assert_int_equal(dv_bank_get_info(bank)->n_images, 2);
}

static void a_set_without_usable_labels_is_refused(void **state) {
    (void)state;
    uint8_t ignored[32];
    memset(ignored, 255, sizeof ignored);
    set.labels = NULL;
    expect_refusal(DV_E_DATA, "/labels: missing, a bank needs labels");
    set.labels = ignored;
    expect_refusal(DV_E_DATA, "no patch of 2 images has a label that counts: the bank would have no rows");
    options.zero_rows = DV_ZERO_KEEP; /* unfilled rows alone are no bank either (KNN-01) */
    options.per_image = 2;
    expect_refusal(DV_E_DATA, "the bank would have no rows");
}

static void without_labels_every_patch_is_a_row_of_no_class(void **state) {
    (void)state;
    set.labels = NULL;
    set.n_classes = 0;
    options.labels_optional = true;
    build_well();
    fixture_expect_rows(bank, 8, (int32_t[]){0, 0, 0, 0, 1, 1, 1, 1}, (int32_t[]){0, 1, 2, 3, 0, 1, 2, 3},
                        (int32_t[]){0, 1, 2, 3, 0, 1, 2, 3});
    assert_int_equal(dv_bank_get_info(bank)->n_classes, 0);
    const char *saved = fixture_path("classless.h5");
    assert_int_equal(dv_bank_save(bank, saved, false), DV_E_USAGE);
    assert_non_null(strstr(dv_last_error(), "classless.h5: a bank without classes: a bank file holds soft labels"));
    assert_int_not_equal(access(saved, F_OK), 0);
}

/* The rows are those that a bank of a known number of classes has. */
static void of_an_unknown_number_of_classes_ignored_patches_are_still_left_out(void **state) {
    (void)state;
    set.n_classes = 0;
    options.labels_optional = true;
    build_well();
    fixture_expect_rows(bank, 7, (int32_t[]){0, 0, 0, 1, 1, 1, 1}, (int32_t[]){0, 1, 3, 0, 1, 2, 3},
                        (int32_t[]){0, 1, 2, 0, 1, 2, 3});
    assert_int_equal(dv_bank_get_info(bank)->n_classes, 0);
}

static void rows_come_in_any_ranges(void **state) {
    (void)state;
    static uint8_t many[40 * 16];
    set.n_images = 40;
    set.labels = many;
    set.uniforms = NULL;
    options.per_image = 3;
    options.passes = 2;
    options.seed = 5;
    build_well();
    const dv_bank_info *info = dv_bank_get_info(bank);
    const size_t n = info->n_rows, dim = info->dim;
    assert_int_equal(n, 240);
    float all[240 * 3], part[240 * 3 + 1];
    assert_int_equal(dv_bank_read(bank, 0, n, all), DV_OK);
    for (size_t row = 0; row < n; row++)
        assert_true(all[row * dim] == (float)(info->image[row] * 1000 + info->patch[row] + 1));
    const size_t slabs[] = {1, 7, 64, 119, 240};
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs; i++)
        for (size_t first = 0; first < n; first += slabs[i]) {
            const size_t rows = slabs[i] < n - first ? slabs[i] : n - first;
            part[rows * dim] = -5;
            assert_int_equal(dv_bank_read(bank, first, rows, part), DV_OK);
            assert_memory_equal(part, all + first * dim, rows * dim * sizeof *part);
            assert_true(part[rows * dim] == -5);
        }
    for (size_t row = n; row-- > 0;) {
        assert_int_equal(dv_bank_read(bank, row, 1, part), DV_OK);
        assert_memory_equal(part, all + row * dim, dim * sizeof *part);
    }
}

static void a_range_beyond_the_bank_is_refused(void **state) {
    (void)state;
    float row[3];
    build_well();
    assert_int_equal(dv_bank_read(bank, 7, 0, row), DV_OK);
    assert_int_equal(dv_bank_read(bank, 7, 1, row), DV_E_ARG);
    assert_string_equal(dv_last_error(), "bank rows 7 to 8: the bank has 7");
    assert_int_equal(dv_bank_read(bank, 1, SIZE_MAX, row), DV_E_ARG);
}

static void an_interruption_ends_a_build_and_a_read(void **state) {
    (void)state;
    float row[3];
    build_well();
    dv_bank *other;
    dv_interrupt();
    const dv_status read = dv_bank_read(bank, 0, 1, row), built = dv_bank_build(features, &options, &other);
    dv_interrupt_clear();
    assert_int_equal(read, DV_E_INTERRUPTED);
    assert_int_equal(built, DV_E_INTERRUPTED);
    assert_null(other);
}

#define BANK_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        BANK_TEST(the_lowest_scores_of_each_image_become_rows),
        BANK_TEST(a_patch_of_ignored_pixels_is_no_row),
        BANK_TEST(as_background_ignored_pixels_are_sampled_like_any),
        BANK_TEST(every_patch_goes_in_row_major),
        BANK_TEST(passes_follow_each_other),
        BANK_TEST(the_bank_is_as_long_as_the_rows_written),
        BANK_TEST(a_kept_memory_ends_with_unfilled_rows),
        BANK_TEST(the_last_incomplete_batch_is_dropped_after_n_is_taken),
        BANK_TEST(only_images_of_the_chosen_bins_give_rows),
        BANK_TEST(a_zero_row_is_refused_left_out_or_kept),
        BANK_TEST(a_zero_row_without_label_is_not_counted_as_left_out),
        BANK_TEST(a_value_that_is_not_finite_is_always_refused),
        BANK_TEST(an_invalid_label_is_refused_by_file_image_and_pixel),
        BANK_TEST(bad_images_are_all_listed_or_left_out),
        BANK_TEST(a_set_without_usable_labels_is_refused),
        BANK_TEST(without_labels_every_patch_is_a_row_of_no_class),
        BANK_TEST(of_an_unknown_number_of_classes_ignored_patches_are_still_left_out),
        BANK_TEST(rows_come_in_any_ranges),
        BANK_TEST(a_range_beyond_the_bank_is_refused),
        BANK_TEST(an_interruption_ends_a_build_and_a_read),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
