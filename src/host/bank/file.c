#include "bank/file.h"

#include <stdlib.h>
#include <string.h>

#include "bank/counts.h"
#include "bank/format.h"
#include "bank/handle.h"
#include "cluster/same.h"
#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "io/feature_values.h"
#include "io/hdf5_file.h"

enum { SLICE_BYTES = 4 << 20 };

struct dv_bank_file {
    dv_h5 *h5;
    dv_h5_data *rows;
    char *encoder;
    char **image_ids, **object_ids, **class_names; /* each one block; NULL where absent */
};

void dv_bank_file_close(dv_bank_file *file) {
    if (!file) return;
    dv_h5_data_close(file->rows);
    dv_h5_close(file->h5);
    free(file->encoder);
    free(file->image_ids);
    free(file->object_ids);
    free(file->class_names);
    free(file);
}

/* ---- Attributes ---------------------------------------------------------------------------------------------------
 */

/* An attribute in least..most. */
static dv_status read_size(dv_h5 *h5, const char *name, size_t least, size_t most, size_t *value) {
    uint64_t found;
    DV_TRY(dv_h5_attribute_u64(h5, name, &found));
    if (found < least || found > most)
        return dv_fail(DV_E_DATA, "%s: attribute %s %llu: must be %zu to %zu", dv_h5_path(h5), name,
                       (unsigned long long)found, least, most);
    *value = found;
    return DV_OK;
}

static dv_status check_schema(dv_h5 *h5) {
    char *schema;
    DV_TRY(dv_h5_attribute_text(h5, "schema", &schema));
    dv_status status = DV_OK;
    if (strcmp(schema, DV_BANK_SCHEMA) != 0)
        status =
            dv_fail(DV_E_DATA, "%s: attribute schema \"%s\": must be \"%s\"", dv_h5_path(h5), schema, DV_BANK_SCHEMA);
    free(schema);
    return status;
}

/* A file that does not say what zero rows are holds none but the unfilled. */
static dv_status read_zero_rows(dv_h5 *h5, dv_zero_rows *zero_rows) {
    *zero_rows = DV_ZERO_ERROR;
    if (!dv_h5_has_attribute(h5, "zero_rows")) return DV_OK;
    char *text;
    DV_TRY(dv_h5_attribute_text(h5, "zero_rows", &text));
    bool known = false;
    for (int i = DV_ZERO_ERROR; i <= DV_ZERO_KEEP && !known; i++) {
        *zero_rows = (dv_zero_rows)i;
        known = strcmp(text, dv_zero_rows_name(*zero_rows)) == 0;
    }
    dv_status status = DV_OK;
    if (!known)
        status =
            dv_fail(DV_E_DATA, "%s: attribute zero_rows \"%s\": must be error, skip or keep", dv_h5_path(h5), text);
    free(text);
    return status;
}

static dv_status read_preprocessing(dv_bank *bank, dv_bank_file *file) {
    dv_h5 *h5 = file->h5;
    dv_preprocessing *p = &bank->info.preprocessing;
    const size_t most = INT32_MAX;
    DV_TRY(read_size(h5, "grid_h", 1, most, &bank->grid_h));
    DV_TRY(read_size(h5, "grid_w", 1, most / bank->grid_h, &bank->grid_w));
    DV_TRY(read_size(h5, "patch_size", 1, DV_MAX_PATCH_SIZE, &p->patch_size));
    DV_TRY(read_size(h5, "input_h", bank->grid_h * p->patch_size, bank->grid_h * p->patch_size, &p->input_h));
    DV_TRY(read_size(h5, "input_w", bank->grid_w * p->patch_size, bank->grid_w * p->patch_size, &p->input_w));
    p->encoder = "";
    if (dv_h5_has_attribute(h5, "encoder")) {
        DV_TRY(dv_h5_attribute_text(h5, "encoder", &file->encoder));
        p->encoder = file->encoder;
    }
    if (dv_h5_has_attribute(h5, "mean")) DV_TRY(dv_h5_attribute_f64(h5, "mean", DV_MAX_CHANNELS, p->mean, &p->n_mean));
    if (dv_h5_has_attribute(h5, "std")) DV_TRY(dv_h5_attribute_f64(h5, "std", DV_MAX_CHANNELS, p->std, &p->n_std));
    return DV_OK;
}

/* ---- Datasets -----------------------------------------------------------------------------------------------------
 */

static dv_status find_dtype(dv_h5 *h5, const dv_h5_shape *shape, dv_dtype *dtype) {
    const dv_dtype floats[] = {DV_F16, DV_BF16, DV_F32, DV_F64};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (shape->type == dv_h5_type_of(floats[i])) {
            *dtype = floats[i];
            return DV_OK;
        }
    uint64_t bfloat16 = 0;
    if (shape->type == DV_H5_U16 && dv_h5_has_attribute(h5, "bfloat16"))
        DV_TRY(dv_h5_attribute_u64(h5, "bfloat16", &bfloat16));
    if (bfloat16 != 1)
        return dv_fail(DV_E_DATA, "%s: /rows of type %s: must be f16, bf16, f32 or f64", dv_h5_path(h5),
                       shape->type_name);
    *dtype = DV_BF16;
    return DV_OK;
}

static dv_status open_rows(dv_bank *bank, dv_bank_file *file) {
    DV_TRY(dv_h5_data_open(file->h5, "/rows", &file->rows));
    const dv_h5_shape *shape = dv_h5_data_shape(file->rows);
    DV_TRY(dv_h5_expect(file->rows, 2, (const size_t[]){SIZE_MAX, SIZE_MAX}));
    DV_TRY(find_dtype(file->h5, shape, &bank->info.dtype));
    const char *path = dv_h5_path(file->h5);
    if (shape->dims[0] == 0) return dv_fail(DV_E_DATA, "%s: /rows: a bank of 0 rows", path);
    if (shape->dims[1] < 1 || shape->dims[1] > DV_MAX_DIM)
        return dv_fail(DV_E_DATA, "%s: /rows of dimension %zu: must be 1 to %d", path, shape->dims[1], DV_MAX_DIM);
    bank->info.dim = shape->dims[1];
    bank->info.n_rows = shape->dims[0];
    return DV_OK;
}

/* The texts of a dataset; *n is SIZE_MAX for any number, and is set. */
static dv_status read_texts(dv_h5 *h5, const char *name, size_t *n, char ***texts) {
    dv_h5_data *data;
    DV_TRY(dv_h5_data_open(h5, name, &data));
    dv_status status = dv_h5_expect(data, 1, n);
    if (status == DV_OK) *n = dv_h5_data_shape(data)->dims[0];
    if (status == DV_OK) status = dv_h5_read_texts(data, texts);
    dv_h5_data_close(data);
    return status;
}

static dv_status read_i32_rows(dv_h5 *h5, const char *name, size_t n_rows, int32_t *values) {
    dv_h5_data *data;
    DV_TRY(dv_h5_data_open(h5, name, &data));
    dv_status status = dv_h5_expect(data, 1, &n_rows);
    if (status == DV_OK) status = dv_h5_read_i32(data, 0, n_rows, values);
    dv_h5_data_close(data);
    return status;
}

static dv_status read_counts(dv_bank *bank, dv_h5_data *data, const char *path) {
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    const size_t n_rows = bank->info.n_rows;
    DV_TRY(dv_h5_expect(data, 2, (const size_t[]){n_rows, SIZE_MAX}));
    if (shape->type != DV_H5_U16)
        return dv_fail(DV_E_DATA, "%s: /pixel_counts of type %s: must be u16", path, shape->type_name);
    if (shape->dims[1] < 1 || shape->dims[1] > DV_MAX_CLASSES)
        return dv_fail(DV_E_DATA, "%s: /pixel_counts of %zu classes: must be 1 to %d", path, shape->dims[1],
                       DV_MAX_CLASSES);
    bank->info.n_classes = shape->dims[1];
    DV_TRY(dv_bank_alloc_rows(bank, n_rows, shape->dims[1]));
    return dv_h5_read_raw(data, 0, n_rows, bank->counts);
}

static dv_status read_metadata(dv_bank *bank, dv_h5 *h5) {
    dv_h5_data *data;
    DV_TRY(dv_h5_data_open(h5, "/pixel_counts", &data));
    const dv_status status = read_counts(bank, data, dv_h5_path(h5));
    dv_h5_data_close(data);
    DV_TRY(status);
    const size_t n_rows = bank->info.n_rows;
    DV_TRY(read_i32_rows(h5, "/image", n_rows, bank->image));
    DV_TRY(read_i32_rows(h5, "/patch", n_rows, bank->patch));
    DV_TRY(read_i32_rows(h5, "/rank", n_rows, bank->rank));
    dv_bank_publish_rows(bank, n_rows);
    return DV_OK;
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static dv_status check_unique_ids(const dv_bank_info *info, const char *path) {
    const char **sorted;
    DV_TRY(dv_alloc(info->n_images, sizeof *sorted, "the image ids", &sorted));
    memcpy(sorted, info->image_ids, info->n_images * sizeof *sorted);
    qsort(sorted, info->n_images, sizeof *sorted, compare_texts);
    dv_status status = DV_OK;
    for (size_t i = 1; status == DV_OK && i < info->n_images; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = dv_fail(DV_E_DATA, "%s: /image_id \"%s\": must be there once", path, sorted[i]);
    free(sorted);
    return status;
}

static dv_status read_names(dv_bank *bank, dv_bank_file *file) {
    dv_bank_info *info = &bank->info;
    size_t n = SIZE_MAX;
    DV_TRY(read_texts(file->h5, "/image_id", &n, &file->image_ids));
    DV_TRY(read_size(file->h5, "n_images", n, n, &info->n_images));
    if (dv_h5_has(file->h5, "/object_id")) DV_TRY(read_texts(file->h5, "/object_id", &n, &file->object_ids));
    n = info->n_classes;
    if (dv_h5_has(file->h5, "/class_names")) DV_TRY(read_texts(file->h5, "/class_names", &n, &file->class_names));
    info->image_ids = (const char *const *)file->image_ids;
    info->object_ids = (const char *const *)file->object_ids;
    info->class_names = (const char *const *)file->class_names;
    return check_unique_ids(info, dv_h5_path(file->h5));
}

/* ---- Rows ---------------------------------------------------------------------------------------------------------
 */

/* One row's origin and counts; the unfilled rows are the last. */
static dv_status check_row(const dv_bank *bank, const char *path, size_t row) {
    const dv_bank_info *info = &bank->info;
    const int32_t image = info->image[row], patch = info->patch[row], rank = info->rank[row];
    const size_t n_patches = bank->grid_h * bank->grid_w, patch_size = info->preprocessing.patch_size;
    const bool unfilled = row >= info->n_rows - info->n_unfilled_rows;
    size_t n_pixels = 0;
    for (size_t c = 0; c < info->n_classes; c++) n_pixels += info->counts[row * info->n_classes + c];
    if (unfilled && (image != -1 || patch != -1 || rank != -1 || n_pixels))
        return dv_fail(
            DV_E_DATA,
            "%s: /image row %zu, image %d, patch %d, rank %d, %zu pixels: must be -1, -1, -1, 0 in an unfilled row",
            path, row, image, patch, rank, n_pixels);
    if (unfilled) return DV_OK;
    if (image < 0 || (size_t)image >= info->n_images)
        return dv_fail(DV_E_DATA, "%s: /image row %zu, value %d: must be below %zu images", path, row, image,
                       info->n_images);
    if (patch < 0 || (size_t)patch >= n_patches)
        return dv_fail(DV_E_DATA, "%s: /patch row %zu, value %d: must be below %zu patches", path, row, patch,
                       n_patches);
    if (rank < 0 || (size_t)rank >= n_patches)
        return dv_fail(DV_E_DATA, "%s: /rank row %zu, value %d: must be below %zu patches", path, row, rank, n_patches);
    if (n_pixels < 1 || n_pixels > patch_size * patch_size)
        return dv_fail(DV_E_DATA, "%s: /pixel_counts row %zu, sum %zu: must be 1 to %zu", path, row, n_pixels,
                       patch_size * patch_size);
    return DV_OK;
}

static dv_status check_rows(dv_bank *bank, dv_h5 *h5) {
    dv_bank_info *info = &bank->info;
    DV_TRY(read_size(h5, "unfilled_rows", 0, info->n_rows - 1, &info->n_unfilled_rows));
    DV_TRY(read_size(h5, "skipped_zero_rows", 0, SIZE_MAX, &info->n_skipped_zero_rows));
    if (dv_h5_has_attribute(h5, "skipped_images"))
        DV_TRY(read_size(h5, "skipped_images", 0, info->n_images, &info->n_skipped_images));
    DV_TRY(read_size(h5, "passes", 1, UINT32_MAX, &bank->passes));
    for (size_t row = 0; row < info->n_rows; row++) DV_TRY(check_row(bank, dv_h5_path(h5), row));
    bool *gave_rows;
    DV_TRY(dv_alloc(info->n_images, sizeof *gave_rows, "the images of the bank", &gave_rows));
    for (size_t row = 0; row < info->n_rows - info->n_unfilled_rows; row++) gave_rows[info->image[row]] = true;
    size_t n = 0;
    for (size_t image = 0; image < info->n_images; image++) n += gave_rows[image];
    free(gave_rows);
    return read_size(h5, "n_bank_images", n, n, &info->n_bank_images);
}

static dv_status open_bank(dv_bank *bank, const char *path) {
    dv_bank_file *file;
    DV_TRY(dv_alloc(1, sizeof *file, "a bank file", &file));
    bank->file = file;
    DV_TRY(dv_h5_open(path, &file->h5));
    DV_TRY(check_schema(file->h5));
    DV_TRY(read_preprocessing(bank, file));
    DV_TRY(read_zero_rows(file->h5, &bank->zero_rows));
    DV_TRY(open_rows(bank, file));
    DV_TRY(read_metadata(bank, file->h5));
    DV_TRY(read_names(bank, file));
    return check_rows(bank, file->h5);
}

dv_status dv_bank_open(const char *path, dv_bank **out) {
    *out = NULL;
    dv_bank *bank;
    DV_TRY(dv_alloc(1, sizeof *bank, "a bank", &bank));
    const dv_status status = open_bank(bank, path);
    if (status != DV_OK) {
        dv_bank_close(bank);
        return status;
    }
    *out = bank;
    return DV_OK;
}

dv_status dv_bank_same(dv_ranks *ranks, const dv_bank *bank) {
    return bank->file ? dv_ranks_same_bank(ranks, &bank->info, dv_h5_path(bank->file->h5)) : DV_OK;
}

/* ---- Features -----------------------------------------------------------------------------------------------------
 */

static dv_status check_features(const dv_bank *bank, size_t row, const void *values) {
    const dv_bank_info *info = &bank->info;
    const char *path = dv_h5_path(bank->file->h5);
    const bool unfilled = bank->image[row] < 0;
    const dv_feature_state state = dv_feature_check(values, info->dtype, info->dim);
    if (state == DV_FEATURE_NOT_FINITE) {
        char number[DV_NUMBER_SIZE];
        size_t index;
        const double value = dv_feature_first_not_finite(values, info->dtype, info->dim, &index);
        return dv_fail(DV_E_DATA, "%s: /rows row %zu, dimension %zu, value %s: features must be finite", path, row,
                       index, dv_format_double(value, number));
    }
    if (unfilled && state != DV_FEATURE_ZERO)
        return dv_fail(DV_E_DATA, "%s: /rows row %zu, not zero: an unfilled row must be", path, row);
    if (!unfilled && state == DV_FEATURE_ZERO && bank->zero_rows != DV_ZERO_KEEP)
        return dv_fail(DV_E_DATA, "%s: /rows row %zu, all zeros: a zero row has no direction", path, row);
    return DV_OK;
}

/* In slices, which are checked while they lie in the cache, and between which a call can be stopped. */
dv_status dv_bank_file_read(dv_bank *bank, size_t first, size_t n_rows, void *rows) {
    const size_t row_bytes = bank->info.dim * dv_dtype_size(bank->info.dtype);
    const size_t step = row_bytes < SLICE_BYTES ? SLICE_BYTES / row_bytes : 1;
    for (size_t done = 0; done < n_rows; done += step) {
        const size_t n = n_rows - done < step ? n_rows - done : step;
        unsigned char *slice = (unsigned char *)rows + done * row_bytes;
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_h5_read_raw(bank->file->rows, first + done, n, slice));
        for (size_t i = 0; i < n; i++) DV_TRY(check_features(bank, first + done + i, slice + i * row_bytes));
    }
    return DV_OK;
}
