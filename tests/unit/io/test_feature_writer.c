/* Tests of dv_feature_writer: what it writes reads back, bytes repeat, and a killed writer leaves nothing or all. */
#include "test_feature_support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const image_ids[IMAGES] = {"a", "b/\xc3\xa4.png", "c"};
static const char *const object_ids[IMAGES] = {"1", "1", "2"};
static const char *const class_names[2] = {"background", "cup"};
static const int32_t view_bins[IMAGES] = {0, 15, -30}, class_ids[IMAGES] = {1, 1, 0};
static const double view_angles[IMAGES] = {0.1, 15, -29.75};
static double uniforms[IMAGES * PATCHES];

static dv_feature_spec full_spec(dv_dtype dtype, bool wide_labels) {
    for (size_t i = 0; i < IMAGES * PATCHES; i++) uniforms[i] = (double)i / 19;
    return (dv_feature_spec){
        .n_images = IMAGES,
        .grid_h = GRID_H,
        .grid_w = GRID_W,
        .dim = DIM,
        .dtype = dtype,
        .preprocessing = {.encoder = "toy",
                          .patch_size = PATCH_PX,
                          .input_h = INPUT_H,
                          .input_w = INPUT_W,
                          .n_mean = 3,
                          .n_std = 3,
                          .mean = {0.485, 0.456, 0.406},
                          .std = {0.229, 0.224, 0.225}},
        .has_labels = true,
        .wide_labels = wide_labels,
        .n_classes = 2,
        .class_names = class_names,
        .image_ids = image_ids,
        .object_ids = object_ids,
        .view_bins = view_bins,
        .view_angles = view_angles,
        .class_ids = class_ids,
        .uniforms = uniforms,
    };
}

/* 1.0 in each dtype, all over. */
static void fill_ones(dv_dtype dtype, void *rows) {
    for (size_t i = 0; i < N_VALUES; i++) {
        if (dtype == DV_F16) ((uint16_t *)rows)[i] = 0x3c00;
        if (dtype == DV_BF16) ((uint16_t *)rows)[i] = 0x3f80;
        if (dtype == DV_F32) ((float *)rows)[i] = 1;
        if (dtype == DV_F64) ((double *)rows)[i] = 1;
    }
}

static void fill_labels(bool wide, uint16_t *labels) {
    for (size_t i = 0; i < N_PIXELS; i++) labels[i] = wide ? (uint16_t)(65535 - i) : (uint16_t)(255 - i);
}

/* Writes the images in two goes. */
static dv_status write_full(const char *path, const dv_feature_spec *spec, bool force) {
    double rows[N_VALUES];
    uint16_t labels[N_PIXELS];
    dv_feature_writer *writer = NULL;
    const size_t image_bytes = PATCHES * DIM * dv_dtype_size(spec->dtype);
    fill_ones(spec->dtype, rows);
    fill_labels(spec->wide_labels, labels);
    dv_status status = dv_feature_writer_create(path, spec, force, &writer);
    if (status != DV_OK) {
        assert_null(writer);
        return status;
    }
    assert_ok(dv_feature_writer_append(writer, 1, rows, labels));
    assert_ok(dv_feature_writer_append(writer, 2, (char *)rows + image_bytes, labels + INPUT_H * INPUT_W));
    status = dv_feature_writer_finish(writer);
    dv_feature_writer_free(writer);
    return status;
}

static void check_info(const dv_feature_info *info) {
    assert_int_equal(info->n_images, IMAGES);
    assert_int_equal(info->grid_h, GRID_H);
    assert_int_equal(info->grid_w, GRID_W);
    assert_int_equal(info->dim, DIM);
    assert_string_equal(info->preprocessing.encoder, "toy");
    assert_true(info->preprocessing.n_mean == 3 && info->preprocessing.mean[2] == 0.406);
    assert_true(info->preprocessing.n_std == 3 && info->preprocessing.std[0] == 0.229);
    assert_int_equal(info->n_classes, 2);
    assert_string_equal(info->class_names[1], "cup");
    assert_memory_equal(info->view_bins, view_bins, sizeof view_bins);
    assert_memory_equal(info->class_ids, class_ids, sizeof class_ids);
    assert_memory_equal(info->view_angles, view_angles, sizeof view_angles);
    assert_memory_equal(info->uniforms, uniforms, sizeof uniforms);
    for (size_t i = 0; i < IMAGES; i++) {
        assert_string_equal(info->image_ids[i], image_ids[i]);
        assert_string_equal(info->object_ids[i], object_ids[i]);
    }
}

static void what_was_written_is_read_back(void **state) {
    (void)state;
    static const dv_dtype dtypes[] = {DV_F16, DV_BF16, DV_F32, DV_F64};
    for (size_t d = 0; d < 4; d++)
        for (int wide = 0; wide < 2; wide++) {
            const dv_feature_spec spec = full_spec(dtypes[d], wide);
            double rows[N_VALUES], expected[N_VALUES];
            uint16_t labels[N_PIXELS], expected_labels[N_PIXELS];
            fill_ones(spec.dtype, expected);
            fill_labels(wide, expected_labels);
            assert_ok(write_full(scratch("full.h5"), &spec, true));
            dv_features *set = open_set(scratch("full.h5"), NULL);
            assert_ok(dv_features_load_uniforms(set));
            check_info(dv_features_info(set));
            assert_int_equal(dv_features_info(set)->dtype, spec.dtype);
            assert_ok(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, rows, labels));
            assert_memory_equal(rows, expected, N_VALUES * dv_dtype_size(spec.dtype));
            assert_memory_equal(labels, expected_labels, sizeof labels);
            dv_features_close(set);
        }
}

static void optional_objects_may_be_left_out(void **state) {
    (void)state;
    const dv_feature_spec spec = {.n_images = 1,
                                  .grid_h = 1,
                                  .grid_w = 1,
                                  .dim = 1,
                                  .dtype = DV_F32,
                                  .preprocessing = {.patch_size = 1, .input_h = 1, .input_w = 1}};
    dv_feature_writer *writer;
    assert_ok(dv_feature_writer_create(scratch("bare.h5"), &spec, false, &writer));
    assert_ok(dv_feature_writer_append(writer, 1, (const float[]){2}, NULL));
    assert_ok(dv_feature_writer_finish(writer));
    dv_feature_writer_free(writer);
    dv_features *set = open_set(scratch("bare.h5"), NULL);
    const dv_feature_info *info = dv_features_info(set);
    assert_true(!info->has_labels && !info->class_names && !info->view_bins && !info->object_ids);
    assert_string_equal(info->image_ids[0], "0");
    assert_failed(dv_features_load_uniforms(set), DV_E_MISSING, "bare.h5: /uniform: missing");
    dv_features_close(set);
}

static void same_calls_leave_the_same_bytes(void **state) {
    (void)state;
    const dv_feature_spec spec = full_spec(DV_F16, false);
    assert_ok(write_full(scratch("one.h5"), &spec, false));
    sleep(1); /* a time stamp would differ */
    assert_ok(write_full(scratch("two.h5"), &spec, false));
    assert_same_files(scratch("one.h5"), scratch("two.h5"));
}

static void existing_file_stays_without_force(void **state) {
    (void)state;
    const dv_feature_spec spec = full_spec(DV_F16, false);
    file_write(scratch("old.h5"), "old", 3);
    assert_failed(write_full(scratch("old.h5"), &spec, false), DV_E_USAGE, "old.h5");
    size_t n;
    free(file_read(scratch("old.h5"), &n));
    assert_int_equal(n, 3);
    assert_ok(write_full(scratch("old.h5"), &spec, true));
    assert_ok(try_set(scratch("old.h5"), NULL));
}

static void file_without_a_finish_is_not_there(void **state) {
    (void)state;
    const dv_feature_spec spec = full_spec(DV_F32, false);
    float rows[N_VALUES] = {0};
    uint16_t labels[N_PIXELS] = {0};
    dv_feature_writer *writer;
    assert_ok(dv_feature_writer_create(scratch("left.h5"), &spec, false, &writer));
    assert_ok(dv_feature_writer_append(writer, IMAGES, rows, labels));
    assert_false(file_exists(scratch("left.h5")));
    dv_feature_writer_free(writer);
    dv_feature_writer_free(NULL);
    assert_int_equal(count_files("left.h5"), 0);
    assert_ok(dv_feature_writer_create(scratch("left.h5"), &spec, false, &writer));
    assert_ok(dv_feature_writer_append(writer, 1, rows, labels));
    assert_failed(dv_feature_writer_finish(writer), DV_E_ARG, "left.h5: ", "1 of 3 rows were written");
    assert_failed(dv_feature_writer_finish(writer), DV_E_ARG, "left.h5: is finished");
    assert_failed(dv_feature_writer_append(writer, 1, rows, labels), DV_E_ARG, "left.h5: is finished");
    dv_feature_writer_free(writer);
    assert_int_equal(count_files("left.h5"), 0);
    assert_int_equal(count_files("."), 2); /* no temporary file either */
}

static void images_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const dv_feature_spec spec = full_spec(DV_F32, false);
    float rows[2 * N_VALUES] = {0};
    uint16_t labels[2 * N_PIXELS] = {0};
    dv_feature_writer *writer;
    assert_ok(dv_feature_writer_create(scratch("fit.h5"), &spec, false, &writer));
    assert_failed(dv_feature_writer_append(writer, 4, rows, labels), DV_E_ARG, "fit.h5: 4 images after 0 of 3");
    assert_failed(dv_feature_writer_append(writer, 1, rows, NULL), DV_E_ARG, "fit.h5: labels are missing");
    labels[7] = 256;
    assert_failed(dv_feature_writer_append(writer, 1, rows, labels), DV_E_ARG,
                  "/labels image 0, pixel 7, value 256: expected 0..255");
    dv_feature_writer_free(writer);
}

static void spec_that_no_reader_takes_is_refused(void **state) {
    (void)state;
    static const struct {
        size_t n_images, grid_h, dim, patch_size, input_w, n_mean;
        dv_dtype dtype;
        const char *message;
    } cases[] = {
        {0, 2, 4, 2, 6, 3, DV_F32, "spec.h5: n_images 0"},
        {3, 0, 4, 2, 6, 3, DV_F32, "spec.h5: grid_h 0"},
        {3, 2, 65537, 2, 6, 3, DV_F32, "spec.h5: dim 65537: expected 1..65536"},
        {3, 2, 4, 0, 6, 3, DV_F32, "spec.h5: patch_size 0"},
        {3, 2, 4, 2, 7, 3, DV_F32, "spec.h5: input of 4 x 7, expected 2 x 3 patches of 2 pixels"},
        {3, 2, 4, 2, 6, 17, DV_F32, "spec.h5: 17 means"},
        {3, 2, 4, 2, 6, 3, (dv_dtype)9, "spec.h5: dtype 9 is none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dv_feature_spec spec = full_spec(cases[i].dtype, false);
        spec.n_images = cases[i].n_images;
        spec.grid_h = cases[i].grid_h;
        spec.dim = cases[i].dim;
        spec.preprocessing.patch_size = cases[i].patch_size;
        spec.preprocessing.input_w = cases[i].input_w;
        spec.preprocessing.n_mean = cases[i].n_mean;
        assert_failed(write_full(scratch("spec.h5"), &spec, false), DV_E_ARG, cases[i].message);
        assert_false(file_exists(scratch("spec.h5")));
    }
}

/* ---- killed writers, H5-07 ---- */

enum { MANY = 48, STEPS = MANY + 3 }; /* create, MANY appends, finish, after it */

/* In a child: writes MANY images of ones, and kills itself after `step` steps; -1: goes on to the end. */
static void write_many(const char *path, int step) {
    static float rows[PATCHES * DIM];
    static uint16_t labels[INPUT_H * INPUT_W];
    dv_feature_spec spec = {.n_images = MANY,
                            .grid_h = GRID_H,
                            .grid_w = GRID_W,
                            .dim = DIM,
                            .dtype = DV_F32,
                            .preprocessing = {.patch_size = PATCH_PX, .input_h = INPUT_H, .input_w = INPUT_W},
                            .has_labels = true};
    dv_feature_writer *writer;
    for (size_t i = 0; i < PATCHES * DIM; i++) rows[i] = 1;
    if (step == 0) kill(getpid(), SIGKILL);
    if (dv_feature_writer_create(path, &spec, false, &writer) != DV_OK) _exit(1);
    for (int i = 0; i < MANY; i++) {
        if (step == 1 + i) kill(getpid(), SIGKILL);
        if (dv_feature_writer_append(writer, 1, rows, labels) != DV_OK) _exit(2);
    }
    if (step == 1 + MANY) kill(getpid(), SIGKILL);
    if (dv_feature_writer_finish(writer) != DV_OK) _exit(3);
    if (step == 2 + MANY) kill(getpid(), SIGKILL);
    _exit(0);
}

/* The file is absent, or whole. */
static bool absent_or_valid(const char *path) {
    static float rows[MANY * PATCHES * DIM];
    static uint16_t labels[MANY * INPUT_H * INPUT_W];
    if (!file_exists(path)) return true;
    dv_features *set = open_set(path, NULL);
    const bool valid =
        dv_features_info(set)->n_images == MANY && dv_features_read(set, 0, MANY, DV_ZERO_ERROR, rows, labels) == DV_OK;
    dv_features_close(set);
    return valid;
}

static void writer_killed_at_any_step_leaves_nothing_or_all(void **state) { /* H5-07 */
    (void)state;
    const char *path = scratch("killed.h5");
    for (int step = 0; step < STEPS; step++) {
        int status = 0;
        unlink(path);
        const pid_t child = fork();
        if (child == 0) write_many(path, step);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        assert_int_equal(file_exists(path), step == STEPS - 1);
        assert_true(absent_or_valid(path));
    }
}

static void writer_killed_at_50_random_times_leaves_nothing_or_all(void **state) { /* H5-07 */
    (void)state;
    const char *path = scratch("killed.h5"), *seed_text = getenv("DV_TEST_SEED");
    const unsigned long seed = seed_text ? strtoul(seed_text, NULL, 10) : 42;
    uint64_t random = seed * 0x9e3779b97f4a7c15u + 1;
    print_message("seed %lu\n", seed);
    for (int run = 0; run < 50; run++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const struct timespec delay = {0, (long)(random >> 33) % 12000000}; /* up to 12 ms: about what a writer takes */
        unlink(path);
        const pid_t child = fork();
        if (child == 0) write_many(path, -1);
        nanosleep(&delay, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_true(absent_or_valid(path));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_back),
        cmocka_unit_test(optional_objects_may_be_left_out),
        cmocka_unit_test(same_calls_leave_the_same_bytes),
        cmocka_unit_test(existing_file_stays_without_force),
        cmocka_unit_test(file_without_a_finish_is_not_there),
        cmocka_unit_test(images_that_do_not_fit_are_refused),
        cmocka_unit_test(spec_that_no_reader_takes_is_refused),
        cmocka_unit_test(writer_killed_at_any_step_leaves_nothing_or_all),
        cmocka_unit_test(writer_killed_at_50_random_times_leaves_nothing_or_all),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
