/* Uniform numbers from files: found by image id or by row, and refused where they do not fit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "io/hdf5_file.h"

#define GOOD(call) assert_int_equal(call, DV_OK)

/* Three images of two patches of one pixel, all of class 0: every patch weighs 2, so the numbers alone decide. */
static const uint8_t labels[6];
static const char *const ids[] = {"apple", "bread", "cider"};
static dv_features *features;
static dv_bank_options options;
static dv_bank *bank;

static void open_set(const char *const *image_ids) {
    const fixture_set set = {.n_images = 3,
                             .grid_h = 1,
                             .grid_w = 2,
                             .patch_size = 1,
                             .dim = 2,
                             .n_classes = 1,
                             .labels = labels,
                             .ids = image_ids};
    features = fixture_open(fixture_write("set.h5", &set));
}

static int setup(void **state) {
    (void)state;
    memset(&options, 0, sizeof options);
    options.per_image = 1;
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

/* Writes f64 numbers of `rank` dimensions, and ids where there are some. */
static const char *write_numbers(const char *name, size_t rank, const size_t *dims, const double *values,
                                 const char *const *image_ids) {
    const char *path = fixture_path(name);
    dv_h5_writer *writer;
    GOOD(dv_h5_create(path, true, &writer));
    GOOD(dv_h5_put(writer, "/uniform", DV_H5_F64, rank, dims, values));
    if (image_ids) GOOD(dv_h5_put_texts(writer, "/image_id", dims[rank - 2], image_ids));
    GOOD(dv_h5_commit(writer));
    return path;
}

static dv_status build(const char *const *paths, size_t n_paths) {
    dv_bank_close(bank);
    options.uniform_paths = paths;
    options.n_uniform_paths = n_paths;
    bank = (dv_bank *)&options; /* to be overwritten, on failure too */
    const dv_status status = dv_bank_build(features, &options, &bank);
    options.uniform_paths = NULL;
    return status;
}

static void expect_patches(const char *const *paths, size_t n_paths, int32_t first, int32_t second, int32_t third) {
    if (build(paths, n_paths) != DV_OK) fail_msg("%s", dv_last_error());
    fixture_expect_rows(bank, 3, (int32_t[]){0, 1, 2}, (int32_t[]){first, second, third}, (int32_t[]){0, 0, 0});
}

static void expect_refusal(const char *const *paths, size_t n_paths, const char *part) {
    assert_int_equal(build(paths, n_paths), DV_E_DATA);
    assert_null(bank);
    if (!strstr(dv_last_error(), part)) fail_msg("\"%s\" is not in \"%s\"", part, dv_last_error());
}

static const size_t three[] = {3, 2};
static const double high_low_low[] = {0.5, 0.25, 0.25, 0.5, 0, 0.5}; /* takes patches 1, 0, 0 */

static void images_without_ids_go_by_row(void **state) {
    (void)state;
    open_set(ids);
    const char *path = write_numbers("u.h5", 2, three, high_low_low, NULL);
    expect_patches(&path, 1, 1, 0, 0);
}

static void images_with_ids_go_by_id_and_others_are_passed_over(void **state) {
    (void)state;
    open_set(ids);
    const char *path =
        write_numbers("u.h5", 2, (const size_t[]){4, 2}, (const double[]){0, 0.5, 0, 0.5, 0.5, 0, 0.5, 0},
                      (const char *const[]){"cider", "other", "apple", "bread"});
    expect_patches(&path, 1, 1, 1, 0);
}

static void several_files_form_one_list(void **state) {
    (void)state;
    open_set(ids);
    const size_t two[] = {2, 2}, one[] = {1, 2};
    const double both_high[] = {0.5, 0, 0.5, 0}, low[] = {0, 0.5};
    const char *const by_row[] = {write_numbers("u1.h5", 2, two, both_high, NULL),
                                  write_numbers("u2.h5", 2, one, low, NULL)};
    expect_patches(by_row, 2, 1, 1, 0);
    const char *const by_id[] = {write_numbers("u3.h5", 2, one, low, ids + 1),
                                 write_numbers("u4.h5", 2, two, both_high, (const char *const[]){"cider", "apple"})};
    expect_patches(by_id, 2, 1, 0, 1);
    const char *const mixed[] = {by_id[1], by_row[1]};
    expect_refusal(mixed, 2, "u2.h5: /image_id: missing, unlike in the files of uniform numbers before it");
}

static void single_precision_and_a_pass_dimension_are_read(void **state) {
    (void)state;
    open_set(ids);
    const float single[] = {0.5F, 0, 0, 0.5F, 0.5F, 0};
    const char *path = fixture_path("single.h5");
    dv_h5_writer *writer;
    GOOD(dv_h5_create(path, true, &writer));
    GOOD(dv_h5_put(writer, "/uniform", DV_H5_F32, 3, (const size_t[]){1, 3, 2}, single));
    GOOD(dv_h5_commit(writer));
    expect_patches(&path, 1, 1, 0, 1);
}

static void a_missing_image_is_named(void **state) {
    (void)state;
    open_set(ids);
    const char *path =
        write_numbers("u.h5", 2, (const size_t[]){2, 2}, high_low_low, (const char *const[]){"cider", "apple"});
    expect_refusal(&path, 1, "u.h5: /image_id: has no image \"bread\", which the bank needs");
}

static void an_image_given_twice_is_named(void **state) {
    (void)state;
    open_set(ids);
    const char *path = write_numbers("u.h5", 2, three, high_low_low, (const char *const[]){"apple", "bread", "apple"});
    expect_refusal(&path, 1, "u.h5: /image_id row 2, \"apple\": must be given once");
}

static void a_list_of_another_length_is_refused(void **state) {
    (void)state;
    open_set(NULL);
    const char *path = write_numbers("u.h5", 2, (const size_t[]){2, 2}, high_low_low, NULL);
    expect_refusal(&path, 1, "u.h5: /uniform of 2 images without /image_id: the features are of 3");
    path = write_numbers("u.h5", 2, (const size_t[]){4, 2}, (const double[8]){0}, NULL);
    expect_refusal(&path, 1, "u.h5: /uniform of 4 images without /image_id: the features are of 3");
}

static void other_shapes_are_refused(void **state) {
    (void)state;
    open_set(ids);
    const char *path = write_numbers("u.h5", 2, (const size_t[]){3, 3}, (const double[9]){0}, NULL);
    expect_refusal(&path, 1, "u.h5: /uniform for 3 patches: the images have 2");
    path = write_numbers("u.h5", 3, (const size_t[]){2, 3, 2}, (const double[12]){0}, NULL);
    expect_refusal(&path, 1, "u.h5: /uniform for 2 passes: must be for 1");
    options.passes = 2;
    path = write_numbers("u.h5", 2, three, high_low_low, NULL);
    expect_refusal(&path, 1, "u.h5: /uniform of rank 2: must be [passes, images, patches] for 2 passes");
}

static void numbers_outside_the_half_open_interval_are_refused(void **state) {
    (void)state;
    open_set(ids);
    const struct {
        double value;
        const char *text;
    } bad[] = {{1, "1"}, {-0.25, "-0.25"}, {NAN, "nan"}};
    for (size_t i = 0; i < 3; i++) {
        double values[6] = {0};
        values[3] = bad[i].value;
        const char *path = write_numbers("u.h5", 2, three, values, ids);
        char expected[100];
        snprintf(expected, sizeof expected, "u.h5: /uniform image 1, patch 1, value %s: must be at least 0 and below 1",
                 bad[i].text);
        expect_refusal(&path, 1, expected);
    }
}

static void a_missing_file_is_missing(void **state) {
    (void)state;
    open_set(ids);
    const char *path = fixture_path("nowhere.h5");
    assert_int_equal(build(&path, 1), DV_E_MISSING);
}

#define UNIFORM_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIFORM_TEST(images_without_ids_go_by_row),
        UNIFORM_TEST(images_with_ids_go_by_id_and_others_are_passed_over),
        UNIFORM_TEST(several_files_form_one_list),
        UNIFORM_TEST(single_precision_and_a_pass_dimension_are_read),
        UNIFORM_TEST(a_missing_image_is_named),
        UNIFORM_TEST(an_image_given_twice_is_named),
        UNIFORM_TEST(a_list_of_another_length_is_refused),
        UNIFORM_TEST(other_shapes_are_refused),
        UNIFORM_TEST(numbers_outside_the_half_open_interval_are_refused),
        UNIFORM_TEST(a_missing_file_is_missing),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
