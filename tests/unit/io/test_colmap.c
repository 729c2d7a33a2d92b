#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "io/colmap.h"
#include "support/colmap_bytes.h"
#include "unit/core/scratch.h"

static const double UNIT[4] = {1, 0, 0, 0}, ORIGIN[3] = {0, 0, 0};

static void expect_message(const char *file, const char *what) {
    char expected[SCRATCH_PATH];
    snprintf(expected, sizeof expected, "%s: %s", scratch(file), what);
    assert_string_equal(dv_last_error(), expected);
}

/* Reads bytes as images.bin and expects them to be refused. */
static void expect_refused(const colmap_bytes *file, size_t n, const char *what) {
    dv_colmap_model model;
    assert_int_equal(scratch_write("images.bin", file->bytes, n), 0);
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_E_DATA);
    expect_message("images.bin", what);
    assert_int_equal(model.n_images, 0);
    assert_null(model.images);
}

static void expect_text_refused(const char *text, const char *what) {
    dv_colmap_model model;
    assert_int_equal(scratch_write_text("images.txt", text), 0);
    assert_int_equal(dv_colmap_read(scratch("images.txt"), &model), DV_E_DATA);
    expect_message("images.txt", what);
    assert_null(model.images);
}

static void read_text(const char *text, dv_colmap_model *model) {
    assert_int_equal(scratch_write_text("images.txt", text), 0);
    assert_int_equal(dv_colmap_read(scratch("images.txt"), model), DV_OK);
}

/* GEO-04, GEO-05 */
static void binary_images_come_in_natural_order_at_unit_length(void **state) {
    (void)state;
    const double q[4] = {2, 1, 0, 1}, minus[4] = {-0.5, 0, 0, -0.5}, t[3] = {1, -2, 3.5};
    colmap_bytes file = {0};
    dv_colmap_model model;
    colmap_put_u64(&file, 3);
    colmap_put_image(&file, "10.jpg", UNIT, ORIGIN, 2);
    colmap_put_image(&file, "\xc3\xa4 b/001.jpg", q, t, 0);
    colmap_put_image(&file, "9.jpg", minus, ORIGIN, 5);
    assert_int_equal(scratch_write("images.bin", file.bytes, file.n), 0);
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_OK);
    assert_int_equal(model.n_images, 3);
    assert_string_equal(model.images[0].name, "9.jpg");
    assert_string_equal(model.images[1].name, "10.jpg");
    assert_string_equal(model.images[2].name, "\xc3\xa4 b/001.jpg");
    assert_memory_equal(model.images[2].stored, q, sizeof q);
    assert_memory_equal(model.images[2].translation, t, sizeof t);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(model.images[2].rotation[i] - q[i] / sqrt(6)) < 1e-15);
        assert_true(fabs(model.images[0].rotation[i] - minus[i] * sqrt(2)) < 1e-15);
    }
    dv_colmap_clear(&model);
    assert_int_equal(model.n_images, 0);
}

static void a_name_of_255_bytes_is_kept(void **state) {
    (void)state;
    char name[256], text[600];
    dv_colmap_model model;
    memset(name, 'x', 255);
    name[255] = '\0';
    colmap_bytes file = {0};
    colmap_put_u64(&file, 1);
    colmap_put_image(&file, name, UNIT, ORIGIN, 0);
    assert_int_equal(scratch_write("images.bin", file.bytes, file.n), 0);
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_OK);
    assert_string_equal(model.images[0].name, name);
    dv_colmap_clear(&model);
    snprintf(text, sizeof text, "1 1 0 0 0 0 0 0 1 %s\n\n", name);
    read_text(text, &model);
    assert_string_equal(model.images[0].name, name);
    dv_colmap_clear(&model);
}

static void quaternions_of_any_size_are_normalised(void **state) {
    (void)state;
    const double tiny[4] = {3e-320, 0, 4e-320, 0}, huge[4] = {3e307, 0, 4e307, 0};
    colmap_bytes file = {0};
    dv_colmap_model model;
    colmap_put_u64(&file, 2);
    colmap_put_image(&file, "1", tiny, ORIGIN, 0);
    colmap_put_image(&file, "2", huge, ORIGIN, 0);
    assert_int_equal(scratch_write("images.bin", file.bytes, file.n), 0);
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(model.images[i].rotation[0] - 0.6) < 1e-3); /* a subnormal number has few bits */
        assert_true(fabs(hypot(model.images[i].rotation[0], model.images[i].rotation[2]) - 1) < 1e-15);
    }
    dv_colmap_clear(&model);
}

static void an_empty_model_is_no_failure(void **state) {
    (void)state;
    colmap_bytes file = {0};
    dv_colmap_model model;
    colmap_put_u64(&file, 0);
    assert_int_equal(scratch_write("images.bin", file.bytes, file.n), 0);
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_OK);
    assert_int_equal(model.n_images, 0);
    dv_colmap_clear(&model);
}

/* Wherever the file ends too early, it is refused, and nothing is read beyond it. */
static void every_cut_of_a_binary_file_is_refused(void **state) {
    (void)state;
    colmap_bytes file = {0};
    dv_colmap_model model;
    colmap_put_u64(&file, 2);
    colmap_put_image(&file, "a.jpg", UNIT, ORIGIN, 2);
    colmap_put_image(&file, "b.jpg", UNIT, ORIGIN, 1);
    for (size_t n = 0; n < file.n; n++) {
        assert_int_equal(scratch_write("images.bin", file.bytes, n), 0);
        assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_E_DATA);
        assert_null(model.images);
    }
    expect_refused(&file, 4, "head, number of images: 4 bytes are left, 8 are needed: the file was cut");
    expect_refused(&file, 8 + 64 + 3, "head: 2 images do not fit the 67 bytes of the file");
    expect_refused(&file, file.n - 24 - 8 - 6,
                   "image 2 of 2, name: does not end: the file was cut"); /* b.jpg is gone, its pose is there */
    expect_refused(&file, file.n - 1, "image 2 of 2, b.jpg: 1 points, 23 bytes are left: the file was cut");
    colmap_put(&file, "\0", 1);
    expect_refused(&file, file.n, "1 bytes behind the last image");
}

static void hostile_counts_allocate_nothing(void **state) {
    (void)state;
    colmap_bytes file = {0};
    colmap_put_u64(&file, UINT64_MAX);
    colmap_put_image(&file, "a.jpg", UNIT, ORIGIN, 0);
    expect_refused(&file, file.n, "head: 18446744073709551615 images do not fit the 78 bytes of the file");
    file.n = 0;
    colmap_put_u64(&file, 1);
    colmap_put_image(&file, "a.jpg", UNIT, ORIGIN, 0);
    file.n -= 8;
    colmap_put_u64(&file, 0xaaaaaaaaaaaaaaabu); /* times 24 it would be 8 */
    colmap_put_u64(&file, 0);
    expect_refused(&file, file.n,
                   "image 1 of 1, a.jpg: 12297829382473034411 points, 8 bytes are left: the file was cut");
}

static void refuse_pose(const double *q, const double *t, const char *name, const char *what) {
    colmap_bytes file = {0};
    colmap_put_u64(&file, 2);
    colmap_put_image(&file, "a.jpg", UNIT, ORIGIN, 0);
    colmap_put_image(&file, name, q, t, 0);
    expect_refused(&file, file.n, what);
}

static void bad_images_are_named(void **state) {
    (void)state;
    const double zero[4] = {0, 0, -0.0, 0}, nan_q[4] = {1, NAN, 0, 0}, inf_t[3] = {0, 0, -INFINITY};
    refuse_pose(zero, ORIGIN, "b.jpg", "image 2 of 2, b.jpg: quaternion of length 0: no rotation");
    refuse_pose(nan_q, ORIGIN, "b.jpg", "image 2 of 2, b.jpg: qx nan: must be finite");
    refuse_pose(UNIT, inf_t, "b.jpg", "image 2 of 2, b.jpg: tz -inf: must be finite");
    refuse_pose(UNIT, ORIGIN, "", "image 2 of 2: no name");
    refuse_pose(UNIT, ORIGIN, "a.jpg", "image a.jpg: is there twice");
}

/* R10, GEO-04: names are the rest of the line. */
static void text_may_be_written_in_every_way(void **state) {
    (void)state;
    dv_colmap_model model;
    read_text("\xef\xbb\xbf# Image list\r\n# Number of images: 3, mean observations per image: 1\r\n\r\n"
              "3 1 0 0 0 0 0 0 1 10.jpg\r\n\r\n"
              "1 -0.5 0 0 -5e-1 1 -2 3.5 1 \xc3\xa4 b/001 (2).jpg\r\n1.5 2.5 -1 3 4 17\r\n\r\n"
              "# a comment\r\n2 1 0 0 0 0 0 0 1 9.jpg",
              &model);
    assert_int_equal(model.n_images, 3);
    assert_string_equal(model.images[0].name, "9.jpg");
    assert_string_equal(model.images[1].name, "10.jpg");
    assert_string_equal(model.images[2].name, "\xc3\xa4 b/001 (2).jpg");
    assert_true(model.images[2].stored[3] == -0.5 && model.images[2].translation[2] == 3.5);
    dv_colmap_clear(&model);
}

static void bad_lines_of_text_are_named(void **state) {
    (void)state;
    expect_text_refused("1 1 0 0 0 0 0 0 1\n\n", "line 1: no name");
    expect_text_refused("# x\n1 1 0 0 0 0\n",
                        "line 2: an image has ID QW QX QY QZ TX TY TZ CAMERA NAME: fields are missing");
    expect_text_refused("1 1 0 0 zero 0 0 0 1 a.jpg\n\n", "line 1: \"zero\": must be a decimal number");
    expect_text_refused("1 nan 0 0 0 0 0 0 1 a.jpg\n\n", "line 1: \"nan\": must be a decimal number");
    expect_text_refused("1 0 0 0 0 0 0 0 1 a.jpg\n\n", "line 1, a.jpg: quaternion of length 0: no rotation");
    expect_text_refused("1 1 0 0 0 0 0 0 1 a.jpg\n1 2 3 4\n",
                        "line 2: points must be X Y ID of each: the line was cut");
    expect_text_refused(
        "1 1 0 0 0 0 0 0 1 a.jpg\n2 1 0 0 0 0 0 0 1 b.jpg\n",
        "line 2: points must be numbers, X Y ID of each (an image has two lines, the second may be empty)");
    expect_text_refused("# Number of images: 3\n1 1 0 0 0 0 0 0 1 a.jpg\n\n",
                        "1 images, its comment says 3: the file was cut");
    expect_text_refused("1 1 0 0 0 0 0 0 1 a.jpg\n\n2 1 0 0 0 0 0 0 1 a.jpg\n\n", "image a.jpg: is there twice");
}

static void what_is_no_file_is_refused(void **state) {
    (void)state;
    dv_colmap_model model;
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_E_MISSING);
    expect_message("images.bin", "cannot open: No such file or directory");
    assert_int_equal(mkfifo(scratch("images.bin"), 0666), 0);
    assert_int_equal(dv_colmap_read(scratch("images.bin"), &model), DV_E_DATA);
    expect_message("images.bin", "no regular file");
    assert_null(model.images);
}

static void make_model(const char *folder, const char *file) {
    char path[64];
    assert_int_equal(mkdir(scratch(folder), 0777), 0);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    assert_int_equal(scratch_write_text(path, ""), 0);
}

/* GEO-01 */
static void models_are_found_by_number(void **state) {
    (void)state;
    dv_colmap_files files;
    assert_int_equal(mkdir(scratch("sparse"), 0777), 0);
    assert_int_equal(dv_colmap_find(scratch("."), &files), DV_OK);
    assert_int_equal(files.n, 0);
    make_model("sparse/10", "images.txt");
    make_model("sparse/2", "images.bin");
    make_model("sparse/old", "images.bin");
    assert_int_equal(scratch_write_text("sparse/2/images.txt", ""), 0);
    assert_int_equal(mkdir(scratch("sparse/3"), 0777), 0); /* cameras alone */
    const char *const from[] = {".", "sparse"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dv_colmap_find(scratch(from[i]), &files), DV_OK);
        assert_int_equal(files.n, 2);
        assert_string_equal(files.files[0].number, "2");
        assert_string_equal(files.files[1].number, "10");
        assert_string_equal(strrchr(files.files[0].path, '/'), "/images.bin");
        assert_string_equal(strrchr(files.files[1].path, '/'), "/images.txt");
        dv_colmap_files_clear(&files);
    }
    assert_int_equal(dv_colmap_find(scratch("sparse/2"), &files), DV_OK);
    assert_int_equal(files.n, 1);
    assert_string_equal(files.files[0].number, "");
    dv_colmap_files_clear(&files);
    assert_int_equal(dv_colmap_find(scratch("nowhere"), &files), DV_E_MISSING);
    expect_message("nowhere", "no such folder");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(binary_images_come_in_natural_order_at_unit_length),
        TEST(a_name_of_255_bytes_is_kept),
        TEST(quaternions_of_any_size_are_normalised),
        TEST(an_empty_model_is_no_failure),
        TEST(every_cut_of_a_binary_file_is_refused),
        TEST(hostile_counts_allocate_nothing),
        TEST(bad_images_are_named),
        TEST(text_may_be_written_in_every_way),
        TEST(bad_lines_of_text_are_named),
        TEST(what_is_no_file_is_refused),
        TEST(models_are_found_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
