/* Sizes, bins and batches of a bank before anything is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bank/plan.h"

static const char *const paths[] = {"set.h5"};
static dv_bank_options options;
static dv_bank_plan plan;

/* A set of 2x2 patches of 4 pixels, 3 classes, no bins. */
static dv_feature_info make_set(size_t n_images) {
    return (dv_feature_info){.n_images = n_images,
                             .n_patches = 4,
                             .grid_h = 2,
                             .grid_w = 2,
                             .preprocessing = {.encoder = "", .patch_size = 4, .input_h = 8, .input_w = 8},
                             .has_labels = true,
                             .n_classes = 3,
                             .n_files = 1,
                             .paths = paths};
}

static int setup(void **state) {
    (void)state;
    memset(&options, 0, sizeof options);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    dv_bank_plan_clear(&plan);
    return 0;
}

static void expect_refusal(const dv_feature_info *set, dv_status status, const char *message) {
    assert_int_equal(dv_bank_plan_make(set, &options, &plan), status);
    assert_string_equal(dv_last_error(), message);
    dv_bank_plan_clear(&plan);
}

/* HB-04: size 5 for 10 images. */
static void a_memory_below_one_row_an_image_names_the_smallest(void **state) {
    (void)state;
    const dv_feature_info set = make_set(10);
    options.memory_size = 5;
    expect_refusal(&set, DV_E_USAGE, "memory size 5: must be at least 10, one row for each of 10 images in 1 passes");
    options.memory_size = 19;
    options.passes = 2;
    expect_refusal(&set, DV_E_USAGE, "memory size 19: must be at least 20, one row for each of 10 images in 2 passes");
    options.memory_size = 20;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.per_image, 1);
}

/* HB-04: 10^6 for 3 images of 4 patches. */
static void a_memory_above_all_patches_names_the_largest(void **state) {
    (void)state;
    const dv_feature_info set = make_set(3);
    options.memory_size = 1000000;
    expect_refusal(&set, DV_E_USAGE, "memory size 1000000: must be at most 12, all 4 patches of 3 images in 1 passes");
    options.memory_size = 13;
    expect_refusal(&set, DV_E_USAGE, "memory size 13: must be at most 12, all 4 patches of 3 images in 1 passes");
    options.memory_size = 12;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.per_image, 4);
    assert_int_equal(plan.n_rows_fixed, 0);
    dv_bank_plan_clear(&plan);
    options.memory_size = 0;
    options.per_image = 5;
    expect_refusal(&set, DV_E_USAGE, "5 rows an image: must be at most 4, the patches of an image");
}

static void a_kept_memory_may_be_larger_than_the_patches(void **state) {
    (void)state;
    const dv_feature_info set = make_set(3);
    options.memory_size = 1000000;
    options.zero_rows = DV_ZERO_KEEP;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.per_image, 4);
    assert_int_equal(plan.n_filled_max, 12);
    assert_int_equal(plan.n_rows_fixed, 1000000);
    dv_bank_plan_clear(&plan);
    options.memory_size = 0;
    options.per_image = 5;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_rows_fixed, 15);
    dv_bank_plan_clear(&plan);
    options.per_image = 0; /* every patch: nothing stays unfilled */
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_rows_fixed, 0);
}

static void the_share_of_an_image_is_taken_before_images_are_dropped(void **state) {
    (void)state;
    const dv_feature_info set = make_set(7);
    options.memory_size = 27; /* 27 / 7 = 3 */
    options.drop_last_batch = 4;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_images, 4);
    assert_int_equal(plan.per_image, 3);
    assert_int_equal(plan.n_filled_max, 12);
    assert_int_equal(plan.images[3], 3);
}

static void a_set_of_an_incomplete_batch_alone_is_refused(void **state) {
    (void)state;
    const dv_feature_info set = make_set(3);
    options.drop_last_batch = 4;
    expect_refusal(&set, DV_E_DATA, "set.h5: 3 images, all in an incomplete batch of 4: the bank would have no rows");
}

/* HB-11: support comes from the declared bins alone. */
static void images_are_those_of_the_chosen_bins(void **state) {
    (void)state;
    static const int32_t view_bins[] = {90, 0, 30, 0, 90, -15}, chosen[] = {90, -15};
    dv_feature_info set = make_set(6);
    set.view_bins = view_bins;
    options.bins = chosen;
    options.n_bins = 2;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_images, 3);
    assert_int_equal(plan.images[0], 0);
    assert_int_equal(plan.images[1], 4);
    assert_int_equal(plan.images[2], 5);
}

static void a_bin_without_images_is_refused_with_the_bins_there_are(void **state) {
    (void)state;
    static const int32_t view_bins[] = {90, 0, 30, 0}, chosen[] = {0, 45};
    dv_feature_info set = make_set(4);
    options.bins = chosen;
    options.n_bins = 2;
    expect_refusal(&set, DV_E_DATA, "set.h5: /view_bin: missing, but bins were chosen");
    set.view_bins = view_bins;
    expect_refusal(&set, DV_E_DATA, "set.h5: /view_bin: no image of bin 45, the bins are 90, 0, 30");
}

static void many_bins_are_listed_as_far_as_the_line_goes(void **state) {
    (void)state;
    int32_t view_bins[500];
    for (int i = 0; i < 500; i++) view_bins[i] = 1000 + i;
    static const int32_t chosen[] = {7};
    dv_feature_info set = make_set(500);
    set.view_bins = view_bins;
    options.bins = chosen;
    options.n_bins = 1;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "no image of bin 7, the bins are 1000, 1001, "));
    assert_string_equal(dv_last_error() + strlen(dv_last_error()) - 5, ", ...");
}

static void what_a_bank_needs_is_named_when_it_is_missing(void **state) {
    (void)state;
    dv_feature_info set = make_set(2);
    set.has_labels = false;
    expect_refusal(&set, DV_E_DATA, "set.h5: /labels: missing, a bank needs labels");
    set = make_set(2);
    set.preprocessing.patch_size = 256;
    expect_refusal(&set, DV_E_DATA, "set.h5: patch_size 256: a bank counts the pixels of patches up to 255");
    set = make_set(2);
    options.n_classes = 4;
    expect_refusal(&set, DV_E_USAGE, "set.h5: /class_names: 3 classes, but 4 were asked for");
    set.n_classes = 0;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_classes, 4);
    dv_bank_plan_clear(&plan);
    options.n_classes = 4097;
    expect_refusal(&set, DV_E_USAGE, "set.h5: 4097 classes: at most 4096 are possible");
    options.n_classes = 0;
    expect_refusal(&set, DV_E_USAGE,
                   "set.h5: /class_names: missing, so the number of classes must be given (--classes C gives it)");
    set = make_set(0);
    expect_refusal(&set, DV_E_DATA, "set.h5: no images: the bank would have no rows");
}

static void classes_may_be_unknown_where_labels_are_optional(void **state) {
    (void)state;
    dv_feature_info set = make_set(2);
    options.labels_optional = true;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_classes, 3);
    dv_bank_plan_clear(&plan);
    set.n_classes = 0;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_classes, 0);
    dv_bank_plan_clear(&plan);
    options.per_image = 1;
    expect_refusal(&set, DV_E_USAGE,
                   "set.h5: /class_names: missing, so the number of classes must be given (--classes C gives it)");
    set.has_labels = false;
    expect_refusal(&set, DV_E_DATA, "set.h5: /labels: missing, a bank needs labels");
    options.per_image = 0;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_OK);
    assert_int_equal(plan.n_classes, 0);
}

static void options_that_contradict_each_other_are_refused(void **state) {
    (void)state;
    const dv_feature_info set = make_set(2);
    options.memory_size = 4;
    options.per_image = 2;
    expect_refusal(&set, DV_E_USAGE, "memory size 4 and 2 rows an image: only one of them can be given");
    options.memory_size = options.per_image = 0;
    options.passes = 2;
    expect_refusal(&set, DV_E_USAGE, "2 passes: with every patch in the bank there can be only one");
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    const dv_feature_info set = make_set(2);
    options.zero_rows = DV_ZERO_KEEP;
    options.per_image = SIZE_MAX / 2 + 1;
    assert_int_equal(dv_bank_plan_make(&set, &options, &plan), DV_E_NOMEM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_memory_below_one_row_an_image_names_the_smallest, setup, teardown),
        cmocka_unit_test_setup_teardown(a_memory_above_all_patches_names_the_largest, setup, teardown),
        cmocka_unit_test_setup_teardown(a_kept_memory_may_be_larger_than_the_patches, setup, teardown),
        cmocka_unit_test_setup_teardown(the_share_of_an_image_is_taken_before_images_are_dropped, setup, teardown),
        cmocka_unit_test_setup_teardown(a_set_of_an_incomplete_batch_alone_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(images_are_those_of_the_chosen_bins, setup, teardown),
        cmocka_unit_test_setup_teardown(a_bin_without_images_is_refused_with_the_bins_there_are, setup, teardown),
        cmocka_unit_test_setup_teardown(many_bins_are_listed_as_far_as_the_line_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(what_a_bank_needs_is_named_when_it_is_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(classes_may_be_unknown_where_labels_are_optional, setup, teardown),
        cmocka_unit_test_setup_teardown(options_that_contradict_each_other_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_that_overflow_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
