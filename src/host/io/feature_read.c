#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "io/feature_rules.h"
#include "io/feature_set.h"
#include "io/feature_values.h"

enum { SLICE_BYTES = 4 << 20 }; /* read, then checked while it lies in the cache */

static size_t slice_rows(size_t row_bytes) {
    return row_bytes < SLICE_BYTES ? SLICE_BYTES / row_bytes : 1;
}

/* ---- features ---- */

/* A pass over patches in order. Zero patches are collected to be named as one range, also across slices. */
typedef struct patch_check {
    const dv_features *set;
    const dv_feature_file *file;
    const dv_feature_rules *rules;
    size_t n_zeros;   /* of the run that has not ended */
    size_t zeros_end; /* patch after the run, counted from the file's first */
} patch_check;

/* Where faults are noted, what is wrong with one image of the open file is no failure. */
static dv_status settle(const dv_features *set, const dv_feature_rules *rules, size_t row, dv_status status) {
    if (status != DV_E_DATA || !rules->note) return status;
    rules->note(rules->user, set->first[set->open_file] + row, dv_last_error());
    return DV_OK;
}

/* Names the run that ends here, if there is one. */
static dv_status end_zeros(patch_check *check) {
    static const char remedy[] = "(--zero-rows skip or keep accepts them)";
    if (check->n_zeros == 0) return DV_OK;
    const size_t n = check->file->n_patches, first = check->zeros_end - check->n_zeros, last = check->zeros_end - 1;
    const char *path = check->file->path;
    dv_status status;
    check->n_zeros = 0;
    if (first == last)
        status = dv_fail(DV_E_DATA, "%s: /features row %zu, patch %zu: a zero row has no direction %s", path, first / n,
                         first % n, remedy);
    else if (first / n == last / n)
        status = dv_fail(DV_E_DATA, "%s: /features row %zu, patches %zu..%zu: zero rows have no direction %s", path,
                         first / n, first % n, last % n, remedy);
    else
        status = dv_fail(DV_E_DATA,
                         "%s: /features rows %zu..%zu, from patch %zu to patch %zu: zero rows have no direction %s",
                         path, first / n, last / n, first % n, last % n, remedy);
    return settle(check->set, check->rules, first / n, status);
}

static dv_status refuse_not_finite(const patch_check *check, size_t patch, const void *values) {
    const dv_feature_file *file = check->file;
    char number[DV_NUMBER_SIZE];
    size_t index = 0;
    const double value = dv_feature_first_not_finite(values, file->dtype, file->dim, &index);
    const dv_status status =
        dv_fail(DV_E_DATA, "%s: /features row %zu, patch %zu, dimension %zu, value %s: features must be finite",
                file->path, patch / file->n_patches, patch % file->n_patches, index, dv_format_double(value, number));
    return settle(check->set, check->rules, patch / file->n_patches, status);
}

/* Checks n patches; `patch` is the first one's number, counted from the file's first. Faults that are noted are those
 * of one image each, so there a run of zeros ends with its image. */
static dv_status check_patches(patch_check *check, size_t patch, size_t n, const char *values) {
    const dv_feature_file *file = check->file;
    const size_t patch_bytes = file->dim * dv_dtype_size(file->dtype);
    const bool refuse_zeros = check->rules->zero_rows == DV_ZERO_ERROR;
    for (size_t i = 0; i < n; i++) {
        const void *row = values + i * patch_bytes;
        const dv_feature_state state = dv_feature_check(row, file->dtype, file->dim);
        const bool is_zero = state == DV_FEATURE_ZERO && refuse_zeros;
        if (!is_zero || (check->rules->note && (patch + i) % file->n_patches == 0)) DV_TRY(end_zeros(check));
        if (is_zero) {
            check->n_zeros++;
            check->zeros_end = patch + i + 1;
        }
        if (state == DV_FEATURE_NOT_FINITE) DV_TRY(refuse_not_finite(check, patch + i, row));
    }
    return DV_OK;
}

/* Reads and checks n rows. Where they are damaged and faults are noted, they are read one by one. */
static dv_status read_slice(patch_check *check, size_t first, size_t n, char *slice) {
    dv_h5_data *data = check->set->rows;
    const size_t n_patches = check->file->n_patches, row_bytes = dv_h5_data_shape(data)->row_bytes;
    const dv_status status = dv_h5_read_raw(data, first, n, slice);
    if (status == DV_OK) return check_patches(check, first * n_patches, n * n_patches, slice);
    if (n == 1) return settle(check->set, check->rules, first, status);
    if (status != DV_E_DATA || !check->rules->note) return status;
    for (size_t i = 0; i < n; i++) DV_TRY(read_slice(check, first + i, 1, slice + i * row_bytes));
    return DV_OK;
}

/* Reads rows of the open file in slices. */
static dv_status read_features(const dv_features *set, size_t first, size_t n, const dv_feature_rules *rules,
                               char *rows) {
    const size_t row_bytes = dv_h5_data_shape(set->rows)->row_bytes, step = slice_rows(row_bytes);
    patch_check check = {.set = set, .file = &set->files[set->open_file], .rules = rules};
    for (size_t done = 0; done < n; done += step)
        DV_TRY(read_slice(&check, first + done, n - done < step ? n - done : step, rows + done * row_bytes));
    return end_zeros(&check);
}

/* ---- labels ---- */

static dv_status read_u8(dv_h5_data *data, size_t first, size_t n, void *scratch, uint16_t *labels) {
    DV_TRY(dv_h5_read_raw(data, first, n, scratch));
    const uint8_t *narrow = scratch;
    const size_t n_pixels = n * dv_h5_data_shape(data)->row_elements;
    for (size_t i = 0; i < n_pixels; i++) labels[i] = narrow[i];
    return DV_OK;
}

/* Labels stored as anything else: whole numbers 0..65535 or refused, floats too (SEG-13). */
static dv_status read_numbers(dv_h5_data *data, const dv_feature_file *file, size_t first, size_t n, int64_t *scratch,
                              uint16_t *labels) {
    DV_TRY(dv_h5_read_i64(data, first, n, scratch));
    const size_t width = file->preprocessing.input_w, n_image = file->preprocessing.input_h * width;
    for (size_t i = 0; i < n * n_image; i++) {
        if (scratch[i] < 0 || scratch[i] > UINT16_MAX)
            return dv_fail(DV_E_DATA, "%s: /labels [%zu, %zu, %zu], value %lld: expected 0..65535", file->path,
                           first + i / n_image, i % n_image / width, i % width, (long long)scratch[i]);
        labels[i] = (uint16_t)scratch[i];
    }
    return DV_OK;
}

/* The first pixel of an image whose label is no class and not ignored, and how many such there are. */
static dv_status check_labels(const dv_features *set, size_t row, const dv_feature_rules *rules,
                              const uint16_t *labels) {
    const dv_preprocessing *size = &set->info.preprocessing;
    const size_t n_pixels = size->input_h * size->input_w;
    size_t first = n_pixels, n_bad = 0;
    for (size_t i = 0; i < n_pixels; i++) {
        if (labels[i] < rules->n_classes || dv_label_set_has(rules->ignored, labels[i])) continue;
        if (n_bad++ == 0) first = i;
    }
    if (n_bad == 0) return DV_OK;
    char where[1024], more[48] = "";
    dv_features_locate(set, set->first[set->open_file] + row, where, sizeof where);
    if (n_bad > 1) snprintf(more, sizeof more, " (%zu such pixels)", n_bad);
    const dv_status status =
        dv_fail(DV_E_DATA,
                "%s: pixel row %zu, column %zu, label %d%s: must be below %zu classes or ignored "
                "(--invalid-labels drop or false-positive accepts them)",
                where, first / size->input_w, first % size->input_w, labels[first], more, rules->n_classes);
    return settle(set, rules, row, status);
}

/* Reads and checks the labels of n images; damage as in read_slice. scratch: for n images as they are stored */
static dv_status read_label_slice(const dv_features *set, size_t first, size_t n, const dv_feature_rules *rules,
                                  void *scratch, uint16_t *labels) {
    dv_h5_data *data = set->labels;
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    const size_t n_pixels = shape->row_elements;
    const dv_status status = shape->type == DV_H5_U16 ? dv_h5_read_raw(data, first, n, labels)
                             : shape->type == DV_H5_U8
                                 ? read_u8(data, first, n, scratch, labels)
                                 : read_numbers(data, &set->files[set->open_file], first, n, scratch, labels);
    if (status == DV_OK) {
        for (size_t i = 0; i < n && rules->n_classes; i++)
            DV_TRY(check_labels(set, first + i, rules, labels + i * n_pixels));
        return DV_OK;
    }
    if (n == 1) return settle(set, rules, first, status);
    if (status != DV_E_DATA || !rules->note) return status;
    for (size_t i = 0; i < n; i++) DV_TRY(read_label_slice(set, first + i, 1, rules, scratch, labels + i * n_pixels));
    return DV_OK;
}

static dv_status read_labels(const dv_features *set, size_t first, size_t n, const dv_feature_rules *rules,
                             uint16_t *labels) {
    const dv_h5_shape *shape = dv_h5_data_shape(set->labels);
    const size_t stored = shape->type == DV_H5_U16 ? 0 : shape->type == DV_H5_U8 ? sizeof(uint8_t) : sizeof(int64_t);
    size_t scratch_bytes, step = slice_rows(shape->row_elements * sizeof(int64_t));
    void *scratch = NULL;
    if (step > n) step = n;
    DV_TRY(dv_mul_size(shape->row_elements, stored, "labels", &scratch_bytes));
    DV_TRY(dv_alloc(step, scratch_bytes, "labels", &scratch));
    dv_status status = DV_OK;
    for (size_t done = 0; done < n && status == DV_OK; done += step)
        status = read_label_slice(set, first + done, n - done < step ? n - done : step, rules, scratch,
                                  labels + done * shape->row_elements);
    free(scratch);
    return status;
}

dv_status dv_features_read_by(dv_features *features, size_t first, size_t n_images, const dv_feature_rules *rules,
                              void *rows, uint16_t *labels) {
    const dv_feature_info *info = &features->info;
    if (first > info->n_images || n_images > info->n_images - first)
        return dv_fail(DV_E_ARG, "%zu images from image %zu on, of %zu", n_images, first, info->n_images);
    if (labels && !info->has_labels) return dv_fail(DV_E_ARG, "%s: has no /labels", info->paths[0]);
    const size_t image_bytes = info->n_patches * info->dim * dv_dtype_size(info->dtype);
    const size_t n_pixels = info->preprocessing.input_h * info->preprocessing.input_w;
    for (size_t done = 0; done < n_images;) {
        const size_t file = dv_features_file_of(features, first + done), row = first + done - features->first[file];
        const size_t left = features->files[file].n_images - row, wanted = n_images - done;
        const size_t n = wanted < left ? wanted : left;
        DV_TRY(dv_features_switch(features, file));
        if (rows) DV_TRY(read_features(features, row, n, rules, (char *)rows + done * image_bytes));
        if (labels) DV_TRY(read_labels(features, row, n, rules, labels + done * n_pixels));
        done += n;
    }
    return DV_OK;
}

dv_status dv_features_read(dv_features *features, size_t first, size_t n_images, dv_zero_rows zero_rows, void *rows,
                           uint16_t *labels) {
    const dv_feature_rules rules = {.zero_rows = zero_rows};
    return dv_features_read_by(features, first, n_images, &rules, rows, labels);
}

/* ---- uniform numbers ---- */

static dv_status read_uniform(dv_h5_data *data, const dv_feature_file *file, double *values) {
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    DV_TRY(dv_h5_expect(data, 2, (const size_t[]){file->n_images, file->n_patches}));
    if (shape->type != DV_H5_F32 && shape->type != DV_H5_F64)
        return dv_fail(DV_E_DATA, "%s: /uniform: type %s, expected f32 or f64", file->path, shape->type_name);
    DV_TRY(dv_h5_read_f64(data, 0, file->n_images, values));
    for (size_t i = 0; i < shape->n_elements; i++) {
        char number[DV_NUMBER_SIZE];
        if (!(values[i] >= 0 && values[i] < 1))
            return dv_fail(DV_E_DATA, "%s: /uniform row %zu, patch %zu, value %s: expected 0 <= value < 1", file->path,
                           i / file->n_patches, i % file->n_patches, dv_format_double(values[i], number));
    }
    return DV_OK;
}

static dv_status load_uniform(dv_features *set, size_t i, double *values) {
    dv_h5_data *data = NULL;
    DV_TRY(dv_features_switch(set, i));
    if (!dv_h5_has(set->h5, "/uniform")) return dv_fail(DV_E_MISSING, "%s: /uniform: missing", set->files[i].path);
    DV_TRY(dv_h5_data_open(set->h5, "/uniform", &data));
    const dv_status status = read_uniform(data, &set->files[i], values);
    dv_h5_data_close(data);
    return status;
}

dv_status dv_features_load_uniforms(dv_features *features) {
    if (features->uniforms) return DV_OK;
    const size_t n_patches = features->info.n_patches;
    size_t n_values;
    double *made = NULL;
    DV_TRY(dv_mul_size(features->info.n_images, n_patches, "uniform numbers", &n_values));
    DV_TRY(dv_alloc(n_values, sizeof *made, "uniform numbers", &made));
    dv_status status = DV_OK;
    for (size_t i = 0; i < features->info.n_files && status == DV_OK; i++)
        status = load_uniform(features, i, made + features->first[i] * n_patches);
    if (status != DV_OK) {
        free(made);
        return status;
    }
    features->uniforms = made;
    features->info.uniforms = made;
    return DV_OK;
}
