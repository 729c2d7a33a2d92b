/* Tests of dv_features_open: what a file says, what is refused, and how files make a set. */
#include "test_feature_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void everything_that_the_file_says_is_in_the_info(void **state) {
    (void)state;
    sample_make(scratch("a.h5"), "a");
    dv_features *set = open_set(scratch("a.h5"), NULL);
    const dv_feature_info *info = dv_features_info(set);
    assert_int_equal(info->n_images, IMAGES);
    assert_int_equal(info->n_patches, PATCHES);
    assert_int_equal(info->grid_h, GRID_H);
    assert_int_equal(info->grid_w, GRID_W);
    assert_int_equal(info->dim, DIM);
    assert_int_equal(info->dtype, DV_F32);
    assert_string_equal(info->preprocessing.encoder, "toy");
    assert_int_equal(info->preprocessing.patch_size, PATCH_PX);
    assert_int_equal(info->preprocessing.input_h, INPUT_H);
    assert_int_equal(info->preprocessing.input_w, INPUT_W);
    assert_int_equal(info->preprocessing.n_mean, 3);
    assert_int_equal(info->preprocessing.n_std, 3);
    assert_true(info->preprocessing.mean[1] == 0.456 && info->preprocessing.std[2] == 0.225);
    assert_true(info->has_labels);
    assert_int_equal(info->n_classes, 3);
    assert_string_equal(info->class_names[2], "pan");
    assert_string_equal(info->image_ids[1], "a1");
    assert_string_equal(info->object_ids[2], "pan");
    assert_int_equal(info->view_bins[2], -30);
    assert_true(info->view_angles[1] == 15.25);
    assert_int_equal(info->class_ids[2], 2);
    assert_null(info->uniforms);
    assert_int_equal(info->n_files, 1);
    assert_string_equal(info->paths[0], scratch("a.h5"));
    dv_features_close(set);
}

static void leave_only_what_is_required(hid_t file) {
    static const char *const objects[] = {"/labels",   "/image_id",   "/object_id",   "/view_bin",
                                          "/class_id", "/view_angle", "/class_names", "/uniform"};
    static const char *const attributes[] = {"encoder", "mean", "std", "bfloat16"};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        assert_true(H5Ldelete(file, objects[i], H5P_DEFAULT) >= 0);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        assert_true(H5Adelete(file, attributes[i]) >= 0);
}

static void optional_objects_may_be_absent(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sample_make(scratch(i ? "bare2.h5" : "bare.h5"), "a");
        sample_change(scratch(i ? "bare2.h5" : "bare.h5"), leave_only_what_is_required);
    }
    dv_features *set = open_set(scratch("bare.h5"), scratch("bare2.h5"));
    const dv_feature_info *info = dv_features_info(set);
    assert_false(info->has_labels);
    assert_int_equal(info->n_classes, 0);
    assert_string_equal(info->preprocessing.encoder, "");
    assert_int_equal(info->preprocessing.n_mean, 0);
    assert_string_equal(info->image_ids[0], "0");
    assert_string_equal(info->image_ids[5], "5"); /* the row in the set: unique over the files */
    assert_true(!info->object_ids && !info->view_bins && !info->view_angles && !info->class_ids && !info->class_names);
    dv_features_close(set);
}

static void integer_object_ids(hid_t file) {
    replace(file, "/object_id", H5T_STD_I64LE, H5T_NATIVE_INT64, image_dims, (const int64_t[]){7, -8, INT64_MIN});
}

static void integer_object_ids_become_text(void **state) {
    (void)state;
    sample_make(scratch("objects.h5"), "a");
    sample_change(scratch("objects.h5"), integer_object_ids);
    dv_features *set = open_set(scratch("objects.h5"), NULL);
    assert_string_equal(dv_features_info(set)->object_ids[1], "-8");
    assert_string_equal(dv_features_info(set)->object_ids[2], "-9223372036854775808");
    dv_features_close(set);
}

static void bool_attribute(hid_t file) { /* as h5py stores True */
    const hid_t type = H5Tenum_create(H5T_STD_I8LE);
    const int8_t no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    H5Adelete(file, "bfloat16");
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t id = H5Acreate2(file, "bfloat16", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(id, type, &yes) >= 0);
    H5Aclose(id);
    H5Sclose(space);
    H5Tclose(type);
}

/* ---- dtypes, H5-05 ---- */

enum { ONE_F16 = 0x3c00, ONE_BF16 = 0x3f80 };

/* One image whose features are the 16-bit patterns `bits`, stored as `stored`. */
static void make_halves(const char *path, hid_t stored, uint16_t bits) {
    uint16_t values[N_VALUES];
    for (size_t i = 0; i < N_VALUES; i++) values[i] = bits;
    sample_make(path, "a");
    const hid_t file = raw_open(path);
    replace(file, "/features", stored, stored, feature_dims, values);
    raw_close(file);
}

static void check_one(const char *path, dv_dtype dtype) {
    dv_features *set = open_set(path, NULL);
    uint16_t rows[N_VALUES];
    double value = 0;
    assert_int_equal(dv_features_info(set)->dtype, dtype);
    assert_ok(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, rows, NULL));
    dv_widen_f64(rows + N_VALUES - 1, dtype, &value, 1);
    assert_true(value == 1.0);
    dv_features_close(set);
}

static void set_bfloat16(hid_t file) {
    raw_attribute_i64(file, "bfloat16", 1);
}

static void halves_are_known_by_their_fields(void **state) { /* H5-05 */
    (void)state;
    const hid_t half = raw_float(5, 10, 15), brain = raw_float(8, 7, 127);
    make_halves(scratch("f16.h5"), half, ONE_F16);
    check_one(scratch("f16.h5"), DV_F16);
    make_halves(scratch("bf16.h5"), brain, ONE_BF16);
    check_one(scratch("bf16.h5"), DV_BF16);
    sample_change(scratch("bf16.h5"), set_bfloat16); /* saying so again does no harm */
    check_one(scratch("bf16.h5"), DV_BF16);
    make_halves(scratch("u16.h5"), H5T_STD_U16LE, ONE_BF16);
    assert_failed(try_set(scratch("u16.h5"), NULL), DV_E_DATA,
                  "u16.h5: /features: type u16, expected the attribute bfloat16 = 1 with it");
    sample_change(scratch("u16.h5"), set_bfloat16);
    check_one(scratch("u16.h5"), DV_BF16);
    sample_change(scratch("u16.h5"), bool_attribute);
    check_one(scratch("u16.h5"), DV_BF16);
    sample_change(scratch("f16.h5"), set_bfloat16);
    assert_failed(try_set(scratch("f16.h5"), NULL), DV_E_DATA, "/features: type f16 with the attribute bfloat16 = 1");
    assert_true(H5Tset_order(half, H5T_ORDER_BE) >= 0);
    make_halves(scratch("f16be.h5"), half, ONE_F16);
    assert_failed(try_set(scratch("f16be.h5"), NULL), DV_E_DATA, "f16be.h5: /features: type big-endian f16");
    H5Tclose(half);
    H5Tclose(brain);
}

/* ---- spoiled in one place ---- */

static double values_of_sample[N_VALUES * 2];

static void drop_features(hid_t f) {
    H5Ldelete(f, "/features", H5P_DEFAULT);
}
static void rank_2(hid_t f) {
    replace_features(f, H5T_IEEE_F32LE, (const hsize_t[4]){IMAGES, PATCHES * DIM}, values_of_sample);
}
static void five_patches(hid_t f) {
    replace_features(f, H5T_IEEE_F32LE, (const hsize_t[4]){IMAGES, 5, DIM}, values_of_sample);
}
static void big_endian(hid_t f) {
    replace_features(f, H5T_IEEE_F32BE, feature_dims, values_of_sample);
}
static void integers(hid_t f) {
    replace_features(f, H5T_STD_I32LE, feature_dims, values_of_sample);
}
static void no_images(hid_t f) {
    const hid_t space = H5Screate_simple(3, (const hsize_t[]){0, PATCHES, DIM}, NULL);
    H5Ldelete(f, "/features", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(f, "/features", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
}
static void wide_features(hid_t f) {
    const hid_t space = H5Screate_simple(3, (const hsize_t[]){1, PATCHES, DV_MAX_DIM + 1}, NULL);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
    H5Ldelete(f, "/features", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(f, "/features", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
}
static void no_schema(hid_t f) {
    H5Adelete(f, "schema");
}
static void other_schema(hid_t f) {
    raw_attribute_text(f, "schema", "denseval bank v1");
}
static void no_grid(hid_t f) {
    H5Adelete(f, "grid_w");
}
static void zero_grid(hid_t f) {
    raw_attribute_i64(f, "grid_h", 0);
}
static void odd_input(hid_t f) {
    raw_attribute_i64(f, "input_w", 7);
}
static void no_patch_size(hid_t f) {
    H5Adelete(f, "patch_size");
}
static void bfloat16_is_2(hid_t f) {
    raw_attribute_i64(f, "bfloat16", 2);
}
static void many_means(hid_t f) {
    raw_attribute_f64(f, "mean", 17, values_of_sample);
}
static void encoder_is_a_number(hid_t f) {
    raw_attribute_i64(f, "encoder", 3);
}
static void labels_of_other_size(hid_t f) {
    replace(f, "/labels", H5T_STD_U8LE, H5T_NATIVE_DOUBLE, (const hsize_t[4]){IMAGES, INPUT_W, INPUT_H},
            values_of_sample);
}
static void labels_are_texts(hid_t f) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 1);
    replace(f, "/labels", type, type, label_dims, values_of_sample);
    H5Tclose(type);
}
static void too_few_ids(hid_t f) {
    H5Ldelete(f, "/image_id", H5P_DEFAULT);
    raw_texts(f, "/image_id", 2, (const char *const[]){"a0", "a1"});
}
static void same_ids(hid_t f) {
    H5Ldelete(f, "/image_id", H5P_DEFAULT);
    raw_texts(f, "/image_id", 3, (const char *const[]){"x", "y", "x"});
}
static void empty_id(hid_t f) {
    H5Ldelete(f, "/image_id", H5P_DEFAULT);
    raw_texts(f, "/image_id", 3, (const char *const[]){"x", "", "z"});
}
static void tab_in_id(hid_t f) {
    H5Ldelete(f, "/image_id", H5P_DEFAULT);
    raw_texts(f, "/image_id", 3, (const char *const[]){"x", "y", "z\tz"});
}
static void fractional_bin(hid_t f) {
    replace(f, "/view_bin", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, image_dims, (const double[]){0, 22.5, 45});
}
static void angle_is_nan(hid_t f) {
    replace(f, "/view_angle", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, image_dims, (const double[]){0, (double)NAN, 45});
}
static void huge_class(hid_t f) {
    replace(f, "/class_id", H5T_STD_I64LE, H5T_NATIVE_INT64, image_dims, (const int64_t[]){0, 1, 1ll << 40});
}
static void class_names_of_rank_2(hid_t f) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    replace(f, "/class_names", type, type, (const hsize_t[4]){2, 2}, "abcd");
    H5Tclose(type);
}

static void spoiled_file_is_refused_in_one_sentence(void **state) {
    (void)state;
    static const struct {
        void (*spoil)(hid_t file);
        const char *message;
    } cases[] = {
        {drop_features, "bad.h5: /features: missing"},
        {rank_2, "bad.h5: /features: shape [3, 24], expected [*, *, *]"},
        {five_patches, "bad.h5: /features: 5 patches, expected a grid of 2 x 3 = 6"},
        {big_endian, "bad.h5: /features: type big-endian f32, expected f16, bf16, f32 or f64, little-endian"},
        {integers, "bad.h5: /features: type i32, expected f16, bf16, f32 or f64"},
        {no_images, "bad.h5: /features: no images"},
        {wide_features, "bad.h5: /features: 65537 dimensions, expected 1..65536"},
        {no_schema, "bad.h5: attribute schema: missing"},
        {other_schema, "bad.h5: attribute schema: \"denseval bank v1\", expected \"denseval features v1\""},
        {no_grid, "bad.h5: attribute grid_w: missing"},
        {zero_grid, "bad.h5: attribute grid_h: 0, expected 1..65536"},
        {odd_input, "bad.h5: attribute input_w: 7, expected 3 patches of 2 pixels = 6"},
        {no_patch_size, "bad.h5: attribute patch_size: missing"},
        {bfloat16_is_2, "bad.h5: attribute bfloat16: 2, expected 0 or 1"},
        {many_means, "bad.h5: attribute mean: 17 values, expected at most 16"},
        {encoder_is_a_number, "bad.h5: attribute encoder: type i64"},
        {labels_of_other_size, "bad.h5: /labels: shape [3, 6, 4], expected [3, 4, 6]"},
        {labels_are_texts, "bad.h5: /labels: type text, expected u8 or u16"},
        {too_few_ids, "bad.h5: /image_id: shape [2], expected [3]"},
        {same_ids, "bad.h5: /image_id row 2, \"x\": is also row 0 of"},
        {empty_id, "bad.h5: /image_id row 1: empty, expected a text"},
        {tab_in_id, "bad.h5: /image_id row 2: control character 0x09"},
        {fractional_bin, "bad.h5: /view_bin [1], value 22.5: expected a whole number"},
        {angle_is_nan, "bad.h5: /view_angle row 1, value nan: angles must be finite"},
        {huge_class, "bad.h5: /class_id [2], value 1099511627776: expected a number of 32 bits"},
        {class_names_of_rank_2, "bad.h5: /class_names: shape [2, 2], expected [*]"},
    };
    for (size_t i = 0; i < N_VALUES; i++) values_of_sample[i] = sample_value(i);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_make(scratch("bad.h5"), "a");
        sample_change(scratch("bad.h5"), cases[i].spoil);
        assert_failed(try_set(scratch("bad.h5"), NULL), DV_E_DATA, cases[i].message);
    }
}

static void missing_and_broken_files_are_told_apart(void **state) {
    (void)state;
    assert_failed(try_set(scratch("none.h5"), NULL), DV_E_MISSING, "none.h5: no such file");
    file_write(scratch("text.h5"), "no HDF5", 7);
    assert_failed(try_set(scratch("text.h5"), NULL), DV_E_DATA, "text.h5: is not an HDF5 file");
    size_t n;
    sample_make(scratch("whole.h5"), "a");
    char *bytes = file_read(scratch("whole.h5"), &n);
    file_write(scratch("half.h5"), bytes, n / 2);
    free(bytes);
    assert_failed(try_set(scratch("half.h5"), NULL), DV_E_DATA, "half.h5: the file is truncated");
    assert_failed(try_set(scratch("whole.h5"), scratch("none.h5")), DV_E_MISSING, "none.h5: no such file");
    dv_features *set = (dv_features *)&n;
    assert_failed(dv_features_open(NULL, 0, &set), DV_E_ARG, "at least one file");
    assert_null(set);
}

static void write_protected_file_opens(void **state) { /* H5-01 */
    (void)state;
    sample_make(scratch("protected.h5"), "a");
    assert_int_equal(chmod(scratch("protected.h5"), 0444), 0);
    assert_ok(try_set(scratch("protected.h5"), NULL));
}

static void no_stored_chunk(hid_t f) {
    const hid_t plist = raw_chunks((const hsize_t[4]){1, PATCHES, DIM}, 0);
    H5Ldelete(f, "/features", H5P_DEFAULT);
    raw_put(f, "/features", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, feature_dims, plist, NULL);
    H5Pclose(plist);
    const hid_t id = H5Dopen2(f, "/features", H5P_DEFAULT), space = H5Dget_space(id);
    const hsize_t begin[3] = {0}, count[3] = {2, PATCHES, DIM};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, count, NULL);
    const hid_t memory = H5Screate_simple(3, count, NULL);
    assert_true(H5Dwrite(id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values_of_sample) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(id);
}

static void images_never_written_are_named(void **state) { /* H5-09 */
    (void)state;
    sample_make(scratch("partly.h5"), "a");
    sample_change(scratch("partly.h5"), no_stored_chunk);
    assert_failed(try_set(scratch("partly.h5"), NULL), DV_E_DATA, "partly.h5: /features: rows 2..2 were never written");
}

/* ---- several files ---- */

static void files_join_in_the_order_given(void **state) {
    (void)state;
    sample_make(scratch("a.h5"), "a");
    sample_make(scratch("b.h5"), "b");
    dv_features *set = open_set(scratch("b.h5"), scratch("a.h5"));
    const dv_feature_info *info = dv_features_info(set);
    char text[600], expected[600];
    assert_int_equal(info->n_images, 2 * IMAGES);
    assert_int_equal(info->n_files, 2);
    assert_string_equal(info->paths[1], scratch("a.h5"));
    assert_string_equal(info->image_ids[0], "b0");
    assert_string_equal(info->image_ids[5], "a2");
    assert_int_equal(info->view_bins[4], 15);
    assert_true(info->view_angles[5] == -29);
    assert_int_equal(info->class_ids[3], 1);
    assert_string_equal(info->object_ids[5], "pan");
    dv_features_locate(set, 4, text, sizeof text);
    snprintf(expected, sizeof expected, "%s: image 1 (a1)", scratch("a.h5"));
    assert_string_equal(text, expected);
    dv_features_locate(set, 6, text, sizeof text);
    assert_string_equal(text, "image 6 of 6");
    dv_features_close(set);
}

static void one_id_in_two_files_is_refused_naming_both(void **state) {
    (void)state;
    sample_make(scratch("a.h5"), "a");
    sample_make(scratch("twin.h5"), "a");
    char expected[600];
    snprintf(expected, sizeof expected, "twin.h5: /image_id row 0, \"a0\": is also row 0 of %s", scratch("a.h5"));
    assert_failed(try_set(scratch("a.h5"), scratch("twin.h5")), DV_E_DATA, expected);
}

static void other_grid(hid_t f) {
    raw_attribute_i64(f, "grid_h", 3);
    raw_attribute_i64(f, "grid_w", 2);
    raw_attribute_i64(f, "input_h", 6);
    raw_attribute_i64(f, "input_w", 4);
    labels_of_other_size(f);
}
static void other_dim(hid_t f) {
    replace_features(f, H5T_IEEE_F32LE, (const hsize_t[4]){IMAGES, PATCHES, 5}, values_of_sample);
}
static void other_dtype(hid_t f) {
    replace_features(f, H5T_IEEE_F64LE, feature_dims, values_of_sample);
}
static void other_encoder(hid_t f) {
    raw_attribute_text(f, "encoder", "large");
}
static void other_std(hid_t f) {
    raw_attribute_f64(f, "std", 3, (const double[]){0.229, 0.224, 0.255});
}
static void no_mean(hid_t f) {
    H5Adelete(f, "mean");
}
static void no_labels(hid_t f) {
    H5Ldelete(f, "/labels", H5P_DEFAULT);
}
static void no_bins(hid_t f) {
    H5Ldelete(f, "/view_bin", H5P_DEFAULT);
}
static void no_ids(hid_t f) {
    H5Ldelete(f, "/image_id", H5P_DEFAULT);
}
static void no_classes(hid_t f) {
    H5Ldelete(f, "/class_names", H5P_DEFAULT);
}
static void other_class(hid_t f) {
    H5Ldelete(f, "/class_names", H5P_DEFAULT);
    raw_texts(f, "/class_names", 3, (const char *const[]){"background", "mug", "pan"});
}

static void files_that_do_not_fit_are_refused_naming_both(void **state) { /* R9, HB-07 */
    (void)state;
    static const struct {
        void (*change)(hid_t file);
        const char *found, *other;
    } cases[] = {
        {other_grid, "other.h5: grid_h 3, but 2 of ", "a.h5: files of one set must agree"},
        {other_dim, "other.h5: dimensions 5, but 4 of ", "a.h5"},
        {other_dtype, "other.h5: dtype f64, but f32 of ", "a.h5"},
        {other_encoder, "other.h5: encoder \"large\", but \"toy\" of ", "a.h5"},
        {other_std, "other.h5: std [0.229, 0.224, 0.255], but [0.229, 0.224, 0.225] of ", "a.h5"},
        {no_mean, "other.h5: mean none, but [0.485, 0.456, 0.406] of ", "a.h5"},
        {no_labels, "other.h5: /labels absent, but present of ", "a.h5"},
        {no_bins, "other.h5: /view_bin absent, but present of ", "a.h5"},
        {no_ids, "other.h5: /image_id absent, but present of ", "a.h5"},
        {no_classes, "other.h5: number of /class_names 0, but 3 of ", "a.h5"},
        {other_class, "other.h5: name of class 1 mug, but cup of ", "a.h5"},
    };
    sample_make(scratch("a.h5"), "a");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_make(scratch("other.h5"), "o");
        sample_change(scratch("other.h5"), cases[i].change);
        assert_ok(try_set(scratch("other.h5"), NULL));
        assert_failed(try_set(scratch("a.h5"), scratch("other.h5")), DV_E_DATA, cases[i].found, cases[i].other);
    }
}

static void labels_of_both_widths_may_meet_in_one_set(void **state) {
    (void)state;
    uint16_t wide[N_PIXELS], found[2 * N_PIXELS];
    for (size_t i = 0; i < N_PIXELS; i++) wide[i] = (uint16_t)(i * 700);
    sample_make(scratch("a.h5"), "a");
    sample_make(scratch("wide.h5"), "w");
    const hid_t file = raw_open(scratch("wide.h5"));
    replace(file, "/labels", H5T_STD_U16LE, H5T_NATIVE_UINT16, label_dims, wide);
    raw_close(file);
    dv_features *set = open_set(scratch("a.h5"), scratch("wide.h5"));
    assert_ok(dv_features_read(set, 0, 2 * IMAGES, DV_ZERO_ERROR, NULL, found));
    for (size_t i = 0; i < N_PIXELS; i++) assert_int_equal(found[i], sample_label(i));
    assert_memory_equal(found + N_PIXELS, wide, sizeof wide);
    dv_features_close(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_that_the_file_says_is_in_the_info),
        cmocka_unit_test(optional_objects_may_be_absent),
        cmocka_unit_test(integer_object_ids_become_text),
        cmocka_unit_test(halves_are_known_by_their_fields),
        cmocka_unit_test(spoiled_file_is_refused_in_one_sentence),
        cmocka_unit_test(missing_and_broken_files_are_told_apart),
        cmocka_unit_test(write_protected_file_opens),
        cmocka_unit_test(images_never_written_are_named),
        cmocka_unit_test(files_join_in_the_order_given),
        cmocka_unit_test(one_id_in_two_files_is_refused_naming_both),
        cmocka_unit_test(files_that_do_not_fit_are_refused_naming_both),
        cmocka_unit_test(labels_of_both_widths_may_meet_in_one_set),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
