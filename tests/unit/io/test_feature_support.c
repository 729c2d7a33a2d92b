#include "test_feature_support.h"

#include <stdio.h>
#include <stdlib.h>

const hsize_t feature_dims[4] = {IMAGES, PATCHES, DIM};
const hsize_t label_dims[4] = {IMAGES, INPUT_H, INPUT_W};
const hsize_t image_dims[4] = {IMAGES};

double sample_value(size_t i) {
    return (double)(1 + i * 7 % 31);
}

uint8_t sample_label(size_t i) {
    return i % 11 == 0 ? 255 : (uint8_t)(i % 3);
}

static void put_attributes(hid_t file) {
    raw_attribute_text(file, "schema", "denseval features v1");
    raw_attribute_text(file, "encoder", "toy");
    raw_attribute_i64(file, "grid_h", GRID_H);
    raw_attribute_i64(file, "grid_w", GRID_W);
    raw_attribute_i64(file, "patch_size", PATCH_PX);
    raw_attribute_i64(file, "input_h", INPUT_H);
    raw_attribute_i64(file, "input_w", INPUT_W);
    raw_attribute_i64(file, "bfloat16", 0);
    raw_attribute_f64(file, "mean", 3, (const double[]){0.485, 0.456, 0.406});
    raw_attribute_f64(file, "std", 3, (const double[]){0.229, 0.224, 0.225});
}

static void put_arrays(hid_t file, const char *prefix) {
    char text[IMAGES][32];
    const char *ids[IMAGES];
    double uniforms[IMAGES * PATCHES];
    const hsize_t uniform_dims[4] = {IMAGES, PATCHES};
    for (size_t i = 0; i < IMAGES; i++) {
        snprintf(text[i], sizeof text[i], "%s%zu", prefix, i);
        ids[i] = text[i];
    }
    for (size_t i = 0; i < IMAGES * PATCHES; i++) uniforms[i] = (double)i / 32;
    raw_texts(file, "/image_id", IMAGES, ids);
    raw_texts(file, "/object_id", IMAGES, (const char *const[]){"cup", "cup", "pan"});
    raw_texts(file, "/class_names", 3, (const char *const[]){"background", "cup", "pan"});
    raw_put(file, "/view_bin", H5T_STD_I32LE, H5T_NATIVE_INT32, image_dims, H5P_DEFAULT, (const int[]){0, 15, -30});
    raw_put(file, "/class_id", H5T_STD_U8LE, H5T_NATIVE_INT32, image_dims, H5P_DEFAULT, (const int[]){1, 1, 2});
    raw_put(file, "/view_angle", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, image_dims, H5P_DEFAULT,
            (const double[]){0.5, 15.25, -29});
    raw_put(file, "/uniform", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, uniform_dims, H5P_DEFAULT, uniforms);
}

void sample_make(const char *path, const char *prefix) {
    double values[N_VALUES];
    uint8_t labels[N_PIXELS];
    for (size_t i = 0; i < N_VALUES; i++) values[i] = sample_value(i);
    for (size_t i = 0; i < N_PIXELS; i++) labels[i] = sample_label(i);
    const hid_t file = raw_create(path);
    put_attributes(file);
    put_arrays(file, prefix);
    raw_put(file, "/features", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, feature_dims, H5P_DEFAULT, values);
    raw_put(file, "/labels", H5T_STD_U8LE, H5T_NATIVE_UINT8, label_dims, H5P_DEFAULT, labels);
    raw_close(file);
}

void sample_change(const char *path, void (*change)(hid_t file)) {
    const hid_t file = raw_open(path);
    change(file);
    raw_close(file);
}

void replace(hid_t file, const char *name, hid_t stored, hid_t memory, const hsize_t dims[4], const void *values) {
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    raw_put(file, name, stored, memory, dims, H5P_DEFAULT, values);
}

void replace_features(hid_t file, hid_t stored, const hsize_t dims[4], const double *values) {
    replace(file, "/features", stored, H5T_NATIVE_DOUBLE, dims, values);
}

dv_features *open_set(const char *first, const char *second) {
    dv_features *set = NULL;
    assert_ok(dv_features_open((const char *const[]){first, second}, second ? 2 : 1, &set));
    return set;
}

dv_status try_set(const char *first, const char *second) {
    dv_features *set = (dv_features *)&set;
    const dv_status status = dv_features_open((const char *const[]){first, second}, second ? 2 : 1, &set);
    if (status != DV_OK) assert_null(set);
    dv_features_close(set);
    return status;
}
