/* Tests of dv_features_read and dv_features_load_uniforms: values, what is refused, and how often chunks are decoded.
 */
#include "test_feature_support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const dv_zero_rows all_policies[] = {DV_ZERO_ERROR, DV_ZERO_SKIP, DV_ZERO_KEEP};

static void rows_and_labels_come_as_stored(void **state) {
    (void)state;
    enum { GUARD = 8 };
    float rows[2 * PATCHES * DIM + GUARD];
    uint16_t labels[2 * INPUT_H * INPUT_W + GUARD];
    const size_t n_rows = sizeof rows / sizeof rows[0] - GUARD, n_labels = sizeof labels / sizeof labels[0] - GUARD;
    memset(rows, 0x5a, sizeof rows);
    memset(labels, 0x5a, sizeof labels);
    sample_make(scratch("a.h5"), "a");
    dv_features *set = open_set(scratch("a.h5"), NULL);
    assert_ok(dv_features_read(set, 1, 2, DV_ZERO_ERROR, rows, labels));
    for (size_t i = 0; i < n_rows; i++) assert_true(rows[i] == (float)sample_value(i + PATCHES * DIM));
    for (size_t i = 0; i < n_labels; i++) assert_int_equal(labels[i], sample_label(i + INPUT_H * INPUT_W));
    for (size_t i = 0; i < GUARD * sizeof rows[0]; i++) assert_int_equal(((char *)(rows + n_rows))[i], 0x5a);
    for (size_t i = 0; i < GUARD; i++) assert_int_equal(labels[n_labels + i], 0x5a5a);
    assert_ok(dv_features_read(set, 3, 0, DV_ZERO_ERROR, rows, labels));
    assert_failed(dv_features_read(set, 2, 2, DV_ZERO_ERROR, rows, labels), DV_E_ARG, "2 images from image 2 on, of 3");
    assert_failed(dv_features_read(set, SIZE_MAX, 2, DV_ZERO_ERROR, rows, labels), DV_E_ARG, "of 3");
    dv_features_close(set);
}

static void a_read_may_span_files(void **state) {
    (void)state;
    float rows[2 * N_VALUES];
    sample_make(scratch("a.h5"), "a");
    sample_make(scratch("b.h5"), "b");
    dv_features *set = open_set(scratch("a.h5"), scratch("b.h5"));
    assert_ok(dv_features_read(set, 0, 2 * IMAGES, DV_ZERO_ERROR, rows, NULL));
    for (size_t i = 0; i < 2 * N_VALUES; i++) assert_true(rows[i] == (float)sample_value(i % N_VALUES));
    assert_ok(dv_features_read(set, 1, 1, DV_ZERO_ERROR, rows, NULL)); /* back to the first file */
    assert_true(rows[0] == (float)sample_value(PATCHES * DIM));
    dv_features_close(set);
}

static void drop_labels(hid_t file) {
    H5Ldelete(file, "/labels", H5P_DEFAULT);
}

static void labels_of_a_set_without_are_an_argument_error(void **state) {
    (void)state;
    uint16_t labels[N_PIXELS];
    sample_make(scratch("bare.h5"), "a");
    sample_change(scratch("bare.h5"), drop_labels);
    dv_features *set = open_set(scratch("bare.h5"), NULL);
    assert_failed(dv_features_read(set, 0, 1, DV_ZERO_ERROR, NULL, labels), DV_E_ARG, "bare.h5: has no /labels");
    dv_features_close(set);
}

/* ---- values that no cosine can be taken of ---- */

/* Replaces /features by the sample, with `value` in image 1, patch 4, dimension 2. */
static void make_with_value(const char *path, hid_t stored, double value) {
    double values[N_VALUES];
    for (size_t i = 0; i < N_VALUES; i++) values[i] = sample_value(i);
    values[(1 * PATCHES + 4) * DIM + 2] = value;
    sample_make(path, "a");
    const hid_t file = raw_open(path);
    replace_features(file, stored, feature_dims, values);
    raw_close(file);
}

static void values_that_are_not_finite_are_named_whatever_the_policy(void **state) {
    (void)state;
    const hid_t half = raw_float(5, 10, 15), brain = raw_float(8, 7, 127);
    const hid_t types[] = {half, brain, H5T_IEEE_F32LE, H5T_IEEE_F64LE};
    static const struct {
        double value;
        const char *text;
    } cases[] = {{(double)NAN, "value nan"}, {(double)INFINITY, "value inf"}, {-(double)INFINITY, "value -inf"}};
    double rows[N_VALUES];
    for (size_t t = 0; t < 4; t++)
        for (size_t c = 0; c < 3; c++)
            for (size_t p = 0; p < 3; p++) {
                char expected[200];
                snprintf(expected, sizeof expected,
                         "bad.h5: /features row 1, patch 4, dimension 2, %s: features must be finite", cases[c].text);
                make_with_value(scratch("bad.h5"), types[t], cases[c].value);
                dv_features *set = open_set(scratch("bad.h5"), NULL);
                assert_failed(dv_features_read(set, 0, IMAGES, all_policies[p], rows, NULL), DV_E_DATA, expected);
                assert_ok(dv_features_read(set, 2, 1, all_policies[p], rows, NULL)); /* the others are good */
                dv_features_close(set);
            }
    H5Tclose(half);
    H5Tclose(brain);
}

static void largest_and_smallest_numbers_are_finite(void **state) {
    (void)state;
    const hid_t half = raw_float(5, 10, 15), brain = raw_float(8, 7, 127);
    const struct {
        hid_t type;
        double values[3];
    } cases[] = {{half, {65504, -65504, 0x1p-24}},
                 {brain, {0x1.fep127, -0x1.fep127, 0x1p-133}},
                 {H5T_IEEE_F32LE, {(double)FLT_MAX, -(double)FLT_MAX, 0x1p-149}},
                 {H5T_IEEE_F64LE, {DBL_MAX, -DBL_MAX, 0x1p-1074}}};
    double rows[N_VALUES];
    for (size_t i = 0; i < 4; i++)
        for (size_t v = 0; v < 3; v++) {
            make_with_value(scratch("edge.h5"), cases[i].type, cases[i].values[v]);
            dv_features *set = open_set(scratch("edge.h5"), NULL);
            assert_ok(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, rows, NULL));
            dv_features_close(set);
        }
    H5Tclose(half);
    H5Tclose(brain);
}

/* The sample with patches first .. last (numbered over the file) all zero; -0 in every second place. */
static void make_with_zeros(const char *path, size_t first, size_t last) {
    double values[N_VALUES];
    for (size_t i = 0; i < N_VALUES; i++)
        values[i] = i / DIM >= first && i / DIM <= last ? (i % 2 ? -0.0 : 0.0) : sample_value(i);
    sample_make(path, "a");
    const hid_t file = raw_open(path);
    replace_features(file, H5T_IEEE_F32LE, feature_dims, values);
    raw_close(file);
}

static void zero_rows_are_refused_by_range_or_kept(void **state) { /* HB-01, H5-09 */
    (void)state;
    static const struct {
        size_t first, last;
        const char *message;
    } cases[] = {
        {8, 8, "zero.h5: /features row 1, patch 2: a zero row has no direction"},
        {0, 3, "zero.h5: /features row 0, patches 0..3: zero rows have no direction"},
        {4, 13, "zero.h5: /features rows 0..2, from patch 4 to patch 1: zero rows have no direction"},
        {12, 17, "zero.h5: /features row 2, patches 0..5: zero rows have no direction"},
    };
    float rows[N_VALUES];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_with_zeros(scratch("zero.h5"), cases[i].first, cases[i].last);
        dv_features *set = open_set(scratch("zero.h5"), NULL);
        assert_failed(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, rows, NULL), DV_E_DATA, cases[i].message);
        for (size_t p = 1; p < 3; p++) {
            rows[cases[i].first * DIM] = 5;
            assert_ok(dv_features_read(set, 0, IMAGES, all_policies[p], rows, NULL));
            assert_true(rows[cases[i].first * DIM] == 0);
        }
        dv_features_close(set);
    }
}

static void zero_run_is_named_in_full_across_slices(void **state) {
    (void)state;
    enum { N = 24, D = 65536 }; /* an image is 1.5 MB: the run does not fit one slice */
    const hid_t file = (sample_make(scratch("long.h5"), "a"), raw_open(scratch("long.h5")));
    float *values = calloc((size_t)N * PATCHES * D, sizeof *values);
    assert_non_null(values);
    for (size_t patch = 0; patch < N * PATCHES; patch++)
        if (patch < 9 || patch > 130) values[patch * D + D - 1] = 1;
    static const char *const gone[] = {"/labels",   "/image_id",   "/object_id", "/view_bin",
                                       "/class_id", "/view_angle", "/uniform"};
    for (size_t i = 0; i < 7; i++) H5Ldelete(file, gone[i], H5P_DEFAULT);
    replace(file, "/features", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, (const hsize_t[4]){N, PATCHES, D}, values);
    raw_close(file);
    dv_features *set = open_set(scratch("long.h5"), NULL);
    assert_failed(dv_features_read(set, 0, N, DV_ZERO_ERROR, values, NULL), DV_E_DATA,
                  "/features rows 1..21, from patch 3 to patch 4: zero rows");
    dv_features_close(set);
    free(values);
    unlink(scratch("long.h5"));
}

static void first_fault_in_the_file_is_the_one_named(void **state) {
    (void)state;
    double values[N_VALUES];
    float rows[N_VALUES];
    for (size_t i = 0; i < N_VALUES; i++) values[i] = i / DIM == 2 ? 0 : i / DIM == 3 ? (double)NAN : 1;
    sample_make(scratch("two.h5"), "a");
    const hid_t file = raw_open(scratch("two.h5"));
    replace_features(file, H5T_IEEE_F32LE, feature_dims, values);
    raw_close(file);
    dv_features *set = open_set(scratch("two.h5"), NULL);
    assert_failed(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, rows, NULL), DV_E_DATA, "row 0, patch 2: a zero row");
    assert_failed(dv_features_read(set, 0, IMAGES, DV_ZERO_SKIP, rows, NULL), DV_E_DATA, "row 0, patch 3, dimension 0");
    dv_features_close(set);
}

static void second_file_is_named_with_its_own_row(void **state) {
    (void)state;
    float rows[2 * N_VALUES];
    make_with_zeros(scratch("zero.h5"), 7, 7);
    sample_make(scratch("b.h5"), "b");
    dv_features *set = open_set(scratch("b.h5"), scratch("zero.h5"));
    assert_failed(dv_features_read(set, 0, 2 * IMAGES, DV_ZERO_ERROR, rows, NULL), DV_E_DATA,
                  "zero.h5: /features row 1, patch 1");
    dv_features_close(set);
}

/* ---- labels, SEG-13 ---- */

static void make_with_labels(const char *path, hid_t stored, const double *labels) {
    sample_make(path, "a");
    const hid_t file = raw_open(path);
    replace(file, "/labels", stored, H5T_NATIVE_DOUBLE, label_dims, labels);
    raw_close(file);
}

static void labels_of_any_number_type_are_read_where_they_are_whole(void **state) { /* SEG-13 */
    (void)state;
    const hid_t half = raw_float(5, 10, 15);
    const hid_t types[] = {H5T_STD_U16LE, H5T_STD_U16BE, H5T_STD_I32LE, H5T_STD_I64BE, H5T_IEEE_F32LE, half};
    double labels[N_PIXELS];
    uint16_t found[N_PIXELS];
    for (size_t i = 0; i < N_PIXELS; i++) labels[i] = (double)(i * 28); /* up to 1988: whole in half precision */
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        make_with_labels(scratch("labels.h5"), types[t], labels);
        dv_features *set = open_set(scratch("labels.h5"), NULL);
        assert_ok(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, NULL, found));
        for (size_t i = 0; i < N_PIXELS; i++) assert_int_equal(found[i], i * 28);
        dv_features_close(set);
    }
    H5Tclose(half);
}

static void labels_that_are_no_class_ids_name_the_pixel(void **state) { /* SEG-13 */
    (void)state;
    static const struct {
        double value;
        const char *message;
    } cases[] = {{0.5, "labels.h5: /labels [2, 1, 3], value 0.5: expected a whole number"},
                 {(double)NAN, "labels.h5: /labels [2, 1, 3], value nan: expected a whole number"},
                 {-1, "labels.h5: /labels [2, 1, 3], value -1: expected 0..65535"},
                 {65536, "labels.h5: /labels [2, 1, 3], value 65536: expected 0..65535"}};
    double labels[N_PIXELS] = {0};
    uint16_t found[N_PIXELS];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        labels[(2 * INPUT_H + 1) * INPUT_W + 3] = cases[i].value;
        make_with_labels(scratch("labels.h5"), H5T_IEEE_F32LE, labels);
        dv_features *set = open_set(scratch("labels.h5"), NULL);
        assert_failed(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, NULL, found), DV_E_DATA, cases[i].message);
        dv_features_close(set);
    }
}

static void labels_as_fractions_are_refused(void **state) { /* SEG-13: value / 255 in half precision */
    (void)state;
    const hid_t half = raw_float(5, 10, 15);
    double labels[N_PIXELS];
    uint16_t found[N_PIXELS];
    for (size_t i = 0; i < N_PIXELS; i++) labels[i] = (double)(i % 256) / 255;
    make_with_labels(scratch("labels.h5"), half, labels);
    dv_features *set = open_set(scratch("labels.h5"), NULL);
    assert_failed(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, NULL, found), DV_E_DATA,
                  "/labels [0, 0, 1], value 0.003921");
    dv_features_close(set);
    H5Tclose(half);
}

/* ---- uniform numbers ---- */

static void uniform_numbers_are_loaded_once_asked_for(void **state) {
    (void)state;
    sample_make(scratch("a.h5"), "a");
    sample_make(scratch("b.h5"), "b");
    dv_features *set = open_set(scratch("a.h5"), scratch("b.h5"));
    const dv_feature_info *info = dv_features_info(set);
    assert_ok(dv_features_load_uniforms(set));
    const double *uniforms = info->uniforms;
    for (size_t i = 0; i < 2 * IMAGES * PATCHES; i++) assert_true(uniforms[i] == (double)(i % (IMAGES * PATCHES)) / 32);
    assert_ok(dv_features_load_uniforms(set));
    assert_ptr_equal(info->uniforms, uniforms);
    dv_features_close(set);
}

static const hsize_t uniform_dims[4] = {IMAGES, PATCHES};
static double uniform_values[IMAGES * PATCHES * 2];

static void no_uniform(hid_t f) {
    H5Ldelete(f, "/uniform", H5P_DEFAULT);
}
static void uniform_is_one(hid_t f) {
    uniform_values[8] = 1;
    replace(f, "/uniform", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, uniform_dims, uniform_values);
}
static void uniform_is_negative(hid_t f) {
    uniform_values[8] = -0x1p-60;
    replace(f, "/uniform", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, uniform_dims, uniform_values);
}
static void uniform_is_nan(hid_t f) {
    uniform_values[8] = (double)NAN;
    replace(f, "/uniform", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, uniform_dims, uniform_values);
}
static void uniform_is_whole(hid_t f) {
    replace(f, "/uniform", H5T_STD_I32LE, H5T_NATIVE_INT32, uniform_dims, (const int[IMAGES * PATCHES]){0});
}
static void uniform_of_passes(hid_t f) {
    replace(f, "/uniform", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, (const hsize_t[4]){2, IMAGES, PATCHES}, uniform_values);
}

static void bad_uniform_numbers_are_refused(void **state) {
    (void)state;
    static const struct {
        void (*spoil)(hid_t file);
        dv_status status;
        const char *message;
    } cases[] = {
        {no_uniform, DV_E_MISSING, "b.h5: /uniform: missing"},
        {uniform_is_one, DV_E_DATA, "b.h5: /uniform row 1, patch 2, value 1: expected 0 <= value < 1"},
        {uniform_is_negative, DV_E_DATA, "b.h5: /uniform row 1, patch 2, value -8.673617379884035"},
        {uniform_is_nan, DV_E_DATA, "b.h5: /uniform row 1, patch 2, value nan"},
        {uniform_is_whole, DV_E_DATA, "b.h5: /uniform: type i32, expected f32 or f64"},
        {uniform_of_passes, DV_E_DATA, "b.h5: /uniform: shape [2, 3, 6], expected [3, 6]"},
    };
    sample_make(scratch("a.h5"), "a");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(uniform_values, 0, sizeof uniform_values);
        sample_make(scratch("b.h5"), "b");
        sample_change(scratch("b.h5"), cases[i].spoil);
        dv_features *set = open_set(scratch("a.h5"), scratch("b.h5"));
        assert_failed(dv_features_load_uniforms(set), cases[i].status, cases[i].message);
        assert_null(dv_features_info(set)->uniforms);
        dv_features_close(set);
    }
}

/* ---- how often a chunk is decoded, H5-02 ---- */

enum { COUNTER = 302, CHUNKED_IMAGES = 40, CHUNK_IMAGES = 10 };
static size_t n_decodes;

static size_t count_decodes(unsigned flags, size_t n, const unsigned *values, size_t n_bytes, size_t *size,
                            void **buffer) {
    (void)n, (void)values, (void)size, (void)buffer;
    if (flags & H5Z_FLAG_REVERSE) n_decodes++;
    return n_bytes;
}

/* Features [40, 6, 4] in chunks of 10 images, cut across patches too where `across` says so. */
static void make_chunked(const char *path, bool across) {
    double values[CHUNKED_IMAGES * PATCHES * DIM];
    for (size_t i = 0; i < CHUNKED_IMAGES * PATCHES * DIM; i++) values[i] = sample_value(i);
    const hid_t plist = raw_chunks((const hsize_t[4]){CHUNK_IMAGES, across ? 2 : PATCHES, DIM}, 0);
    assert_true(H5Pset_filter(plist, COUNTER, H5Z_FLAG_MANDATORY, 0, NULL) >= 0);
    sample_make(path, "a");
    const hid_t file = raw_open(path);
    static const char *const gone[] = {"/features", "/labels",   "/image_id",   "/object_id",
                                       "/view_bin", "/class_id", "/view_angle", "/uniform"};
    for (size_t i = 0; i < 8; i++) H5Ldelete(file, gone[i], H5P_DEFAULT);
    raw_put(file, "/features", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, (const hsize_t[4]){CHUNKED_IMAGES, PATCHES, DIM},
            plist, values);
    H5Pclose(plist);
    raw_close(file);
}

static void each_chunk_is_decoded_once_whatever_the_block(void **state) { /* H5-02, H5-03 */
    (void)state;
    const H5Z_class2_t filter = {.version = H5Z_CLASS_T_VERS,
                                 .id = COUNTER,
                                 .encoder_present = 1,
                                 .decoder_present = 1,
                                 .name = "counter",
                                 .filter = count_decodes};
    assert_true(H5Zregister(&filter) >= 0);
    for (int across = 0; across < 2; across++) {
        const size_t n_chunks = CHUNKED_IMAGES / CHUNK_IMAGES * (across ? 3 : 1);
        float rows[CHUNKED_IMAGES * PATCHES * DIM];
        make_chunked(scratch("chunked.h5"), across);
        for (size_t block = 1; block <= 13; block += 3) {
            dv_features *set = open_set(scratch("chunked.h5"), NULL);
            n_decodes = 0;
            for (size_t first = 0; first < CHUNKED_IMAGES; first += block) {
                const size_t left = CHUNKED_IMAGES - first, n = left < block ? left : block;
                assert_ok(dv_features_read(set, first, n, DV_ZERO_ERROR, rows + first * PATCHES * DIM, NULL));
            }
            assert_int_equal(n_decodes, n_chunks);
            for (size_t i = 0; i < CHUNKED_IMAGES * PATCHES * DIM; i++) assert_true(rows[i] == (float)sample_value(i));
            dv_features_close(set);
        }
    }
    assert_true(H5Zunregister(COUNTER) >= 0);
}

static void file_replaced_while_in_use_is_noticed(void **state) {
    (void)state;
    float rows[2 * N_VALUES];
    sample_make(scratch("a.h5"), "a");
    sample_make(scratch("b.h5"), "b");
    sample_make(scratch("new.h5"), "b");
    dv_features *set = open_set(scratch("a.h5"), scratch("b.h5"));
    assert_int_equal(rename(scratch("new.h5"), scratch("b.h5")), 0);
    assert_failed(dv_features_read(set, 0, 2 * IMAGES, DV_ZERO_ERROR, rows, NULL), DV_E_DATA,
                  "b.h5: the file changed while it was in use");
    assert_ok(dv_features_read(set, 0, IMAGES, DV_ZERO_ERROR, rows, NULL));
    dv_features_close(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_labels_come_as_stored),
        cmocka_unit_test(a_read_may_span_files),
        cmocka_unit_test(labels_of_a_set_without_are_an_argument_error),
        cmocka_unit_test(values_that_are_not_finite_are_named_whatever_the_policy),
        cmocka_unit_test(largest_and_smallest_numbers_are_finite),
        cmocka_unit_test(zero_rows_are_refused_by_range_or_kept),
        cmocka_unit_test(zero_run_is_named_in_full_across_slices),
        cmocka_unit_test(first_fault_in_the_file_is_the_one_named),
        cmocka_unit_test(second_file_is_named_with_its_own_row),
        cmocka_unit_test(labels_of_any_number_type_are_read_where_they_are_whole),
        cmocka_unit_test(labels_that_are_no_class_ids_name_the_pixel),
        cmocka_unit_test(labels_as_fractions_are_refused),
        cmocka_unit_test(uniform_numbers_are_loaded_once_asked_for),
        cmocka_unit_test(bad_uniform_numbers_are_refused),
        cmocka_unit_test(each_chunk_is_decoded_once_whatever_the_block),
        cmocka_unit_test(file_replaced_while_in_use_is_noticed),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
