/* Bank files: what is saved comes back, the bytes repeat, and a file that is wrong is refused by name. */
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

#include "denseval/run.h"
#include "fixture.h"
#include "io/hdf5_file.h"

#define GOOD(call) assert_int_equal(call, DV_OK)

/* ---- Saving and opening -------------------------------------------------------------------------------------------
 */

static const uint8_t labels[3 * 16] = {0, 0, 1, 1, 0, 0, 1, 255, 255, 255, 1, 2, 255, 255, 2, 1};
static dv_features *features;
static dv_bank *bank, *opened;

static void build(dv_zero_rows zero_rows) {
    static dv_bank_options options;
    const fixture_set set = {.n_images = 3,
                             .grid_h = 2,
                             .grid_w = 2,
                             .patch_size = 2,
                             .dim = 3,
                             .n_classes = 3,
                             .labels = labels,
                             .ids = (const char *const[]){"one", "zwei", "drei \xc3\xa9"},
                             .object_ids = (const char *const[]){"a", "a", "b"},
                             .n_bad = zero_rows == DV_ZERO_ERROR ? 0 : 1,
                             .bad = {{.image = 1, .patch = 2}}};
    memset(&options, 0, sizeof options);
    dv_label_set_add(&options.ignored, 255);
    options.zero_rows = zero_rows;
    options.passes = 2;
    options.memory_size = 26;
    if (zero_rows != DV_ZERO_KEEP) options.memory_size = 24;
    features = fixture_open(fixture_write("set.h5", &set));
    if (dv_bank_build(features, &options, &bank) != DV_OK) fail_msg("%s", dv_last_error());
}

static int teardown(void **state) {
    (void)state;
    dv_bank_close(opened);
    dv_bank_close(bank);
    dv_features_close(features);
    opened = bank = NULL;
    features = NULL;
    return 0;
}

static void expect_same_info(const dv_bank_info *a, const dv_bank_info *b) {
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->dim, b->dim);
    assert_int_equal(a->n_classes, b->n_classes);
    assert_int_equal(a->n_images, b->n_images);
    assert_int_equal(a->n_bank_images, b->n_bank_images);
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->n_skipped_zero_rows, b->n_skipped_zero_rows);
    assert_int_equal(a->n_unfilled_rows, b->n_unfilled_rows);
    assert_int_equal(a->n_skipped_images, b->n_skipped_images);
    assert_memory_equal(a->counts, b->counts, a->n_rows * a->n_classes * sizeof *a->counts);
    assert_memory_equal(a->image, b->image, a->n_rows * sizeof *a->image);
    assert_memory_equal(a->patch, b->patch, a->n_rows * sizeof *a->patch);
    assert_memory_equal(a->rank, b->rank, a->n_rows * sizeof *a->rank);
    for (size_t i = 0; i < a->n_images; i++) {
        assert_string_equal(a->image_ids[i], b->image_ids[i]);
        assert_string_equal(a->object_ids[i], b->object_ids[i]);
    }
    for (size_t c = 0; c < a->n_classes; c++) assert_string_equal(a->class_names[c], b->class_names[c]);
    const dv_preprocessing *p = &a->preprocessing, *q = &b->preprocessing;
    assert_string_equal(p->encoder, q->encoder);
    assert_int_equal(p->patch_size, q->patch_size);
    assert_int_equal(p->input_h, q->input_h);
    assert_int_equal(p->input_w, q->input_w);
    assert_int_equal(p->n_mean, q->n_mean);
    assert_int_equal(p->n_std, q->n_std);
    assert_memory_equal(p->mean, q->mean, p->n_mean * sizeof *p->mean);
    assert_memory_equal(p->std, q->std, p->n_std * sizeof *p->std);
}

static void expect_same_rows(dv_bank *a, dv_bank *b) {
    const dv_bank_info *info = dv_bank_get_info(a);
    const size_t n = info->n_rows * info->dim;
    float *left = calloc(n, sizeof *left), *right = calloc(n, sizeof *right);
    assert_non_null(left);
    assert_non_null(right);
    GOOD(dv_bank_read(a, 0, info->n_rows, left));
    GOOD(dv_bank_read(b, 0, info->n_rows, right));
    assert_memory_equal(left, right, n * sizeof *left);
    GOOD(dv_bank_read(b, 1, 2, right));
    assert_memory_equal(left + info->dim, right, 2 * info->dim * sizeof *left);
    free(left);
    free(right);
}

static void what_is_saved_comes_back(void **state) {
    for (int zero_rows = DV_ZERO_ERROR; zero_rows <= DV_ZERO_KEEP; zero_rows++) {
        build((dv_zero_rows)zero_rows);
        const char *path = fixture_path("bank.h5");
        if (dv_bank_save(bank, path, true) != DV_OK) fail_msg("%s", dv_last_error());
        if (dv_bank_open(path, &opened) != DV_OK) fail_msg("%s", dv_last_error());
        expect_same_info(dv_bank_get_info(bank), dv_bank_get_info(opened));
        expect_same_rows(bank, opened);
        assert_int_equal(dv_bank_get_info(opened)->n_skipped_zero_rows, zero_rows == DV_ZERO_SKIP);
        assert_int_equal(dv_bank_get_info(opened)->n_unfilled_rows > 0, zero_rows == DV_ZERO_KEEP);
        teardown(state);
    }
}

static void images_that_were_left_out_are_remembered(void **state) { /* R12 */
    build(DV_ZERO_SKIP);                                             /* image 1 has a zero row */
    dv_bank_options options = {.skip_bad = true};
    dv_label_set_add(&options.ignored, 255);
    dv_bank_close(bank);
    bank = NULL;
    GOOD(dv_bank_build(features, &options, &bank));
    assert_int_equal(dv_bank_get_info(bank)->n_skipped_images, 1);
    const char *path = fixture_path("bank.h5");
    GOOD(dv_bank_save(bank, path, true));
    GOOD(dv_bank_open(path, &opened));
    expect_same_info(dv_bank_get_info(bank), dv_bank_get_info(opened));
    expect_same_rows(bank, opened);
    teardown(state);
}

static void every_dtype_keeps_its_bits(void **state) {
    static dv_bank_options options;
    const dv_dtype dtypes[] = {DV_F16, DV_BF16, DV_F32, DV_F64};
    for (size_t i = 0; i < 4; i++) {
        const dv_feature_spec spec = {.n_images = 1,
                                      .grid_h = 1,
                                      .grid_w = 2,
                                      .dim = 3,
                                      .dtype = dtypes[i],
                                      .preprocessing = {.encoder = "", .patch_size = 1, .input_h = 1, .input_w = 2},
                                      .has_labels = true,
                                      .n_classes = 2,
                                      .class_names = (const char *const[]){"left", "right"}};
        unsigned char values[2 * 3 * 8], read[2 * 3 * 8] = {0};
        for (size_t b = 0; b < sizeof values; b++) values[b] = (unsigned char)(0x30 + b % 7); /* finite in each dtype */
        const char *path = fixture_path("set.h5"), *saved = fixture_path("bank.h5");
        dv_feature_writer *writer;
        GOOD(dv_feature_writer_create(path, &spec, true, &writer));
        GOOD(dv_feature_writer_append(writer, 1, values, (const uint16_t[]){0, 1}));
        GOOD(dv_feature_writer_finish(writer));
        dv_feature_writer_free(writer);
        features = fixture_open(path);
        GOOD(dv_bank_build(features, &options, &bank));
        GOOD(dv_bank_save(bank, saved, true));
        GOOD(dv_bank_open(saved, &opened));
        assert_int_equal(dv_bank_get_info(opened)->dtype, dtypes[i]);
        GOOD(dv_bank_read(opened, 0, 2, read));
        assert_memory_equal(read, values, 6 * dv_dtype_size(dtypes[i]));
        teardown(state);
    }
}

static void the_bytes_repeat_also_through_a_bank_that_was_opened(void **state) {
    (void)state;
    build(DV_ZERO_KEEP);
    const char *first = fixture_path("first.h5"), *again = fixture_path("again.h5"), *copy = fixture_path("copy.h5");
    GOOD(dv_bank_save(bank, first, false));
    sleep(1); /* so that a time stamp of seconds would show */
    GOOD(dv_bank_save(bank, again, false));
    assert_true(fixture_same_bytes(first, again));
    GOOD(dv_bank_open(first, &opened));
    GOOD(dv_bank_save(opened, copy, false));
    assert_true(fixture_same_bytes(first, copy));
}

static void an_existing_file_is_kept_without_force(void **state) {
    (void)state;
    build(DV_ZERO_ERROR);
    const char *path = fixture_path("kept.h5"), *twin = fixture_path("twin.h5");
    GOOD(dv_bank_save(bank, path, false));
    GOOD(dv_bank_save(bank, twin, false));
    assert_int_equal(dv_bank_save(bank, path, false), DV_E_USAGE);
    assert_non_null(strstr(dv_last_error(), "kept.h5"));
    assert_true(fixture_same_bytes(path, twin));
    GOOD(dv_bank_save(bank, path, true));
}

/* A read that fails half way must leave nothing behind. */
static void a_save_that_fails_leaves_no_file(void **state) {
    (void)state;
    build(DV_ZERO_ERROR);
    const char *path = fixture_path("absent/bank.h5");
    assert_int_equal(dv_bank_save(bank, path, false), DV_E_IO);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* ---- Files that are wrong -----------------------------------------------------------------------------------------
 */

/* A bank of two filled rows and an unfilled one; tests change one thing of it. */
static struct {
    const char *schema, *zero_rows;
    size_t n_rows, n_classes, grid_w, n_images, n_bank_images, n_unfilled;
    float rows[6];
    uint16_t counts[6];
    int32_t image[3], patch[3], rank[3];
    const char *ids[2];
} draft;

static int reset(void **state) {
    (void)state;
    memset(&draft, 0, sizeof draft);
    draft.schema = "denseval bank v1";
    draft.zero_rows = "keep";
    draft.n_rows = 3;
    draft.n_classes = 2;
    draft.grid_w = 2;
    draft.n_images = 2;
    draft.n_bank_images = 2;
    draft.n_unfilled = 1;
    memcpy(draft.rows, (float[]){1, 2, 3, 4, 0, 0}, sizeof draft.rows);
    memcpy(draft.counts, (uint16_t[]){4, 0, 1, 2, 0, 0}, sizeof draft.counts);
    memcpy(draft.image, (int32_t[]){0, 1, -1}, sizeof draft.image);
    memcpy(draft.patch, (int32_t[]){1, 0, -1}, sizeof draft.patch);
    memcpy(draft.rank, (int32_t[]){0, 0, -1}, sizeof draft.rank);
    draft.ids[0] = "x";
    draft.ids[1] = "y";
    return 0;
}

static const char *write_draft(void) {
    const char *path = fixture_path("draft.h5");
    dv_h5_writer *writer;
    const size_t n = draft.n_rows, dims[] = {n, 2}, count_dims[] = {n, draft.n_classes};
    const struct {
        const char *name;
        size_t value;
    } sizes[] = {{"grid_h", 1},
                 {"grid_w", draft.grid_w},
                 {"patch_size", 2},
                 {"input_h", 2},
                 {"input_w", 4},
                 {"n_images", draft.n_images},
                 {"n_bank_images", draft.n_bank_images},
                 {"unfilled_rows", draft.n_unfilled},
                 {"skipped_zero_rows", 0},
                 {"passes", 1}};
    GOOD(dv_h5_create(path, true, &writer));
    GOOD(dv_h5_put_attribute_text(writer, "schema", draft.schema));
    if (draft.zero_rows) GOOD(dv_h5_put_attribute_text(writer, "zero_rows", draft.zero_rows));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        GOOD(dv_h5_put_attribute_u64(writer, sizes[i].name, sizes[i].value));
    GOOD(dv_h5_put(writer, "/rows", DV_H5_F32, 2, dims, draft.rows));
    GOOD(dv_h5_put(writer, "/pixel_counts", DV_H5_U16, 2, count_dims, draft.counts));
    GOOD(dv_h5_put(writer, "/image", DV_H5_I32, 1, dims, draft.image));
    GOOD(dv_h5_put(writer, "/patch", DV_H5_I32, 1, dims, draft.patch));
    GOOD(dv_h5_put(writer, "/rank", DV_H5_I32, 1, dims, draft.rank));
    GOOD(dv_h5_put_texts(writer, "/image_id", 2, draft.ids));
    GOOD(dv_h5_commit(writer));
    return path;
}

static void expect_message(const char *part) {
    if (!strstr(dv_last_error(), part)) fail_msg("\"%s\" is not in \"%s\"", part, dv_last_error());
}

static void expect_refused_open(const char *part) {
    assert_int_equal(dv_bank_open(write_draft(), &opened), DV_E_DATA);
    assert_null(opened);
    expect_message("draft.h5: ");
    expect_message(part);
    reset(NULL);
}

static void expect_refused_read(const char *part) {
    float rows[6];
    if (dv_bank_open(write_draft(), &opened) != DV_OK) fail_msg("%s", dv_last_error());
    assert_int_equal(dv_bank_read(opened, 1, 2, rows), DV_E_DATA);
    expect_message("draft.h5: ");
    expect_message(part);
    dv_bank_close(opened);
    opened = NULL;
    reset(NULL);
}

static void a_minimal_file_is_read(void **state) {
    (void)state;
    float rows[6];
    if (dv_bank_open(write_draft(), &opened) != DV_OK) fail_msg("%s", dv_last_error());
    const dv_bank_info *info = dv_bank_get_info(opened);
    assert_int_equal(info->n_rows, 3);
    assert_null(info->class_names);
    assert_null(info->object_ids);
    assert_string_equal(info->preprocessing.encoder, "");
    GOOD(dv_bank_read(opened, 0, 3, rows));
    assert_memory_equal(rows, draft.rows, sizeof rows);
    assert_int_equal(dv_bank_read(opened, 2, 2, rows), DV_E_ARG);
}

static void metadata_that_cannot_be_are_refused(void **state) {
    (void)state;
    draft.schema = "denseval features v1";
    expect_refused_open("attribute schema \"denseval features v1\": must be \"denseval bank v1\"");
    draft.zero_rows = "maybe";
    expect_refused_open("attribute zero_rows \"maybe\": must be error, skip or keep");
    draft.grid_w = 3;
    expect_refused_open("attribute input_w 4: must be 6 to 6");
    draft.grid_w = 0;
    expect_refused_open("attribute grid_w 0: must be 1 to 2147483647");
    draft.n_images = 3;
    expect_refused_open("attribute n_images 3: must be 2 to 2");
    draft.n_bank_images = 1;
    expect_refused_open("attribute n_bank_images 1: must be 2 to 2");
    draft.n_unfilled = 3;
    expect_refused_open("attribute unfilled_rows 3: must be 0 to 2");
    draft.ids[1] = "x";
    expect_refused_open("/image_id \"x\": must be there once");
}

static void rows_without_origin_or_label_are_refused(void **state) {
    (void)state;
    draft.image[1] = 2;
    expect_refused_open("/image row 1, value 2: must be below 2 images");
    draft.image[1] = -1;
    expect_refused_open("/image row 1, value -1: must be below 2 images");
    draft.patch[0] = 2;
    expect_refused_open("/patch row 0, value 2: must be below 2 patches");
    draft.rank[0] = -1;
    expect_refused_open("/rank row 0, value -1: must be below 2 patches");
    draft.counts[0] = 0;
    expect_refused_open("/pixel_counts row 0, sum 0: must be 1 to 4");
    draft.counts[1] = 1;
    expect_refused_open("/pixel_counts row 0, sum 5: must be 1 to 4");
    draft.counts[5] = 1;
    expect_refused_open(
        "/image row 2, image -1, patch -1, rank -1, 1 pixels: must be -1, -1, -1, 0 in an unfilled row");
    draft.n_unfilled = 0;
    expect_refused_open("/image row 2, value -1: must be below 2 images");
}

/* KNN-01. */
static void a_bank_without_rows_is_refused(void **state) {
    (void)state;
    draft.n_rows = 0;
    expect_refused_open("/rows");
}

/* HB-01. */
static void rows_that_cannot_be_compared_are_refused_when_read(void **state) {
    (void)state;
    draft.rows[3] = NAN;
    expect_refused_read("/rows row 1, dimension 1, value nan: features must be finite");
    draft.rows[2] = -INFINITY;
    expect_refused_read("/rows row 1, dimension 0, value -inf: features must be finite");
    draft.rows[5] = 1;
    expect_refused_read("/rows row 2, not zero: an unfilled row must be");
    const char *const strict[] = {"error", "skip", NULL};
    for (size_t i = 0; i < 3; i++) {
        draft.zero_rows = strict[i];
        draft.rows[2] = draft.rows[3] = 0;
        expect_refused_read("/rows row 1, all zeros: a zero row has no direction");
    }
}

static void a_missing_file_and_a_file_of_text_are_told_apart(void **state) {
    (void)state;
    assert_int_equal(dv_bank_open(fixture_path("nowhere.h5"), &opened), DV_E_MISSING);
    assert_null(opened);
    const char *path = fixture_path("text.h5");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("not a bank", file);
    fclose(file);
    assert_int_equal(dv_bank_open(path, &opened), DV_E_DATA);
    assert_null(opened);
    expect_message("text.h5");
}

static void a_file_cut_in_half_is_refused(void **state) {
    (void)state;
    const char *path = write_draft();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    GOOD(truncate(path, size / 2));
    assert_int_equal(dv_bank_open(path, &opened), DV_E_DATA);
    assert_null(opened);
    expect_message("draft.h5");
}

static void an_interrupted_read_says_so(void **state) {
    (void)state;
    float rows[8];
    GOOD(dv_bank_open(write_draft(), &opened));
    dv_interrupt();
    const dv_status status = dv_bank_read(opened, 0, 1, rows);
    dv_interrupt_clear();
    assert_int_equal(status, DV_E_INTERRUPTED);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, reset, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST(what_is_saved_comes_back),
        FILE_TEST(images_that_were_left_out_are_remembered),
        FILE_TEST(every_dtype_keeps_its_bits),
        FILE_TEST(the_bytes_repeat_also_through_a_bank_that_was_opened),
        FILE_TEST(an_existing_file_is_kept_without_force),
        FILE_TEST(a_save_that_fails_leaves_no_file),
        FILE_TEST(a_minimal_file_is_read),
        FILE_TEST(metadata_that_cannot_be_are_refused),
        FILE_TEST(rows_without_origin_or_label_are_refused),
        FILE_TEST(a_bank_without_rows_is_refused),
        FILE_TEST(rows_that_cannot_be_compared_are_refused_when_read),
        FILE_TEST(a_missing_file_and_a_file_of_text_are_told_apart),
        FILE_TEST(a_file_cut_in_half_is_refused),
        FILE_TEST(an_interrupted_read_says_so),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
