#include "io/feature_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"

enum { MAX_SIDE = 65536 }; /* of a grid in patches, of a patch and of a picture in pixels */
static const char schema[] = "denseval features v1";

static dv_status identify(const char *path, dv_file_identity *identity) {
    struct stat info;
    if (stat(path, &info) != 0) {
        const dv_status status = errno == ENOENT || errno == ENOTDIR ? DV_E_MISSING : DV_E_IO;
        return dv_fail(status, "%s: %s", path, strerror(errno));
    }
    *identity = (dv_file_identity){info.st_dev, info.st_ino, info.st_size, info.st_mtim};
    return DV_OK;
}

static bool same_identity(const dv_file_identity *a, const dv_file_identity *b) {
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

static dv_status check_schema(dv_h5 *h5) {
    char *text = NULL;
    DV_TRY(dv_h5_attribute_text(h5, "schema", &text));
    dv_status status = DV_OK;
    if (strcmp(text, schema) != 0)
        status = dv_fail(DV_E_DATA, "%s: attribute schema: \"%s\", expected \"%s\"", dv_h5_path(h5), text, schema);
    free(text);
    return status;
}

static dv_status load_side(dv_h5 *h5, const char *name, size_t *side) {
    uint64_t value = 0;
    DV_TRY(dv_h5_attribute_u64(h5, name, &value));
    if (value < 1 || value > MAX_SIDE)
        return dv_fail(DV_E_DATA, "%s: attribute %s: %llu, expected 1..%d", dv_h5_path(h5), name,
                       (unsigned long long)value, MAX_SIDE);
    *side = value;
    return DV_OK;
}

static dv_status load_input(dv_h5 *h5, const char *name, size_t grid, size_t patch, size_t *side) {
    uint64_t value = 0;
    DV_TRY(dv_h5_attribute_u64(h5, name, &value));
    if (value != grid * patch)
        return dv_fail(DV_E_DATA, "%s: attribute %s: %llu, expected %zu patches of %zu pixels = %zu", dv_h5_path(h5),
                       name, (unsigned long long)value, grid, patch, grid * patch);
    if (value > MAX_SIDE)
        return dv_fail(DV_E_DATA, "%s: attribute %s: %llu, expected at most %d", dv_h5_path(h5), name,
                       (unsigned long long)value, MAX_SIDE);
    *side = value;
    return DV_OK;
}

static dv_status load_preprocessing(dv_h5 *h5, dv_feature_file *file) {
    dv_preprocessing *p = &file->preprocessing;
    char *encoder = NULL;
    DV_TRY(load_side(h5, "grid_h", &file->grid_h));
    DV_TRY(load_side(h5, "grid_w", &file->grid_w));
    DV_TRY(load_side(h5, "patch_size", &p->patch_size));
    DV_TRY(load_input(h5, "input_h", file->grid_h, p->patch_size, &p->input_h));
    DV_TRY(load_input(h5, "input_w", file->grid_w, p->patch_size, &p->input_w));
    if (dv_h5_has_attribute(h5, "mean")) DV_TRY(dv_h5_attribute_f64(h5, "mean", DV_MAX_CHANNELS, p->mean, &p->n_mean));
    if (dv_h5_has_attribute(h5, "std")) DV_TRY(dv_h5_attribute_f64(h5, "std", DV_MAX_CHANNELS, p->std, &p->n_std));
    if (dv_h5_has_attribute(h5, "encoder"))
        DV_TRY(dv_h5_attribute_text(h5, "encoder", &encoder));
    else
        DV_TRY(dv_strdup("", &encoder));
    p->encoder = encoder;
    return DV_OK;
}

/* Which dtype the elements are; u16 only where the file says that they are bf16. */
static dv_status find_dtype(dv_h5 *h5, const dv_h5_shape *shape, dv_dtype *dtype) {
    uint64_t is_bf16 = 0;
    if (dv_h5_has_attribute(h5, "bfloat16")) DV_TRY(dv_h5_attribute_u64(h5, "bfloat16", &is_bf16));
    if (is_bf16 > 1)
        return dv_fail(DV_E_DATA, "%s: attribute bfloat16: %llu, expected 0 or 1", dv_h5_path(h5),
                       (unsigned long long)is_bf16);
    const bool plain = !is_bf16;
    if (shape->type == DV_H5_BF16 || (shape->type == DV_H5_U16 && is_bf16))
        *dtype = DV_BF16;
    else if (shape->type == DV_H5_F16 && plain)
        *dtype = DV_F16;
    else if (shape->type == DV_H5_F32 && plain)
        *dtype = DV_F32;
    else if (shape->type == DV_H5_F64 && plain)
        *dtype = DV_F64;
    else if (shape->type == DV_H5_U16)
        return dv_fail(DV_E_DATA, "%s: /features: type u16, expected the attribute bfloat16 = 1 with it",
                       dv_h5_path(h5));
    else
        return dv_fail(DV_E_DATA, "%s: /features: type %s%s, expected f16, bf16, f32 or f64, little-endian",
                       dv_h5_path(h5), shape->type_name, is_bf16 ? " with the attribute bfloat16 = 1" : "");
    return DV_OK;
}

static dv_status check_features(dv_h5 *h5, const dv_h5_data *data, dv_feature_file *file) {
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    DV_TRY(dv_h5_expect(data, 3, (const size_t[]){SIZE_MAX, SIZE_MAX, SIZE_MAX}));
    DV_TRY(find_dtype(h5, shape, &file->dtype));
    file->n_images = shape->dims[0];
    file->n_patches = shape->dims[1];
    file->dim = shape->dims[2];
    if (file->n_images == 0) return dv_fail(DV_E_DATA, "%s: /features: no images", dv_h5_path(h5));
    if (file->dim < 1 || file->dim > DV_MAX_DIM)
        return dv_fail(DV_E_DATA, "%s: /features: %zu dimensions, expected 1..%d", dv_h5_path(h5), file->dim,
                       DV_MAX_DIM);
    if (file->n_patches != file->grid_h * file->grid_w)
        return dv_fail(DV_E_DATA, "%s: /features: %zu patches, expected a grid of %zu x %zu = %zu", dv_h5_path(h5),
                       file->n_patches, file->grid_h, file->grid_w, file->grid_h * file->grid_w);
    return DV_OK;
}

static dv_status load_features(dv_h5 *h5, dv_feature_file *file) {
    dv_h5_data *data = NULL;
    DV_TRY(dv_h5_data_open(h5, "/features", &data));
    const dv_status status = check_features(h5, data, file);
    dv_h5_data_close(data);
    return status;
}

static dv_status check_labels(const dv_h5_data *data, const dv_feature_file *file) {
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    DV_TRY(dv_h5_expect(data, 3,
                        (const size_t[]){file->n_images, file->preprocessing.input_h, file->preprocessing.input_w}));
    return shape->is_number
               ? DV_OK
               : dv_fail(DV_E_DATA, "%s: /labels: type %s, expected u8 or u16", file->path, shape->type_name);
}

static dv_status load_labels(dv_h5 *h5, dv_feature_file *file) {
    file->has_labels = dv_h5_has(h5, "/labels");
    if (!file->has_labels) return DV_OK;
    dv_h5_data *data = NULL;
    DV_TRY(dv_h5_data_open(h5, "/labels", &data));
    const dv_status status = check_labels(data, file);
    dv_h5_data_close(data);
    return status;
}

/* Opens an optional array of one value an image; *data stays NULL where the file has none. n SIZE_MAX: any length. */
static dv_status open_array(dv_h5 *h5, const char *name, size_t n, dv_h5_data **data) {
    *data = NULL;
    if (!dv_h5_has(h5, name)) return DV_OK;
    DV_TRY(dv_h5_data_open(h5, name, data));
    const dv_status status = dv_h5_expect(*data, 1, &n);
    if (status == DV_OK) return DV_OK;
    dv_h5_data_close(*data);
    *data = NULL;
    return status;
}

static dv_status load_i32(dv_h5 *h5, const char *name, size_t n, int32_t **values) {
    dv_h5_data *data = NULL;
    DV_TRY(open_array(h5, name, n, &data));
    if (!data) return DV_OK;
    dv_status status = dv_alloc(n, sizeof **values, name, values);
    if (status == DV_OK) status = dv_h5_read_i32(data, 0, n, *values);
    dv_h5_data_close(data);
    return status;
}

static dv_status load_angles(dv_h5 *h5, size_t n, double **values) {
    dv_h5_data *data = NULL;
    DV_TRY(open_array(h5, "/view_angle", n, &data));
    if (!data) return DV_OK;
    dv_status status = dv_alloc(n, sizeof **values, "/view_angle", values);
    if (status == DV_OK) status = dv_h5_read_f64(data, 0, n, *values);
    for (size_t i = 0; i < n && status == DV_OK; i++)
        if (!isfinite((*values)[i]))
            status = dv_fail(DV_E_DATA, "%s: /view_angle row %zu, value %g: angles must be finite", dv_h5_path(h5), i,
                             (*values)[i]);
    dv_h5_data_close(data);
    return status;
}

/* A text that ends up in file names, tables and messages holds no control character. */
static dv_status check_texts(const char *path, const char *name, char *const *texts, size_t n, bool may_be_empty) {
    for (size_t i = 0; i < n; i++) {
        if (!texts[i][0] && !may_be_empty)
            return dv_fail(DV_E_DATA, "%s: %s row %zu: empty, expected a text", path, name, i);
        for (const char *c = texts[i]; *c; c++)
            if ((unsigned char)*c < 0x20 || *c == 0x7f)
                return dv_fail(DV_E_DATA, "%s: %s row %zu: control character 0x%02x, expected a text without", path,
                               name, i, (unsigned)*c);
    }
    return DV_OK;
}

/* Integers as decimal texts, in one block as dv_h5_read_texts gives them. */
static dv_status load_integers_as_texts(dv_h5_data *data, const char *name, size_t n, char ***texts) {
    enum { WIDTH = 24 };
    int64_t *values = NULL;
    char **made = NULL;
    dv_status status = dv_alloc(n, sizeof *values, name, &values);
    if (status == DV_OK) status = dv_h5_read_i64(data, 0, n, values);
    if (status == DV_OK) status = dv_alloc(n, sizeof *made + WIDTH, name, &made);
    for (size_t i = 0; i < n && status == DV_OK; i++) {
        made[i] = (char *)(made + n) + i * WIDTH;
        snprintf(made[i], WIDTH, "%lld", (long long)values[i]);
    }
    free(values);
    *texts = made;
    return status;
}

static dv_status load_texts(dv_h5 *h5, const char *name, size_t n, bool integers_too, char ***texts, size_t *n_found) {
    dv_h5_data *data = NULL;
    DV_TRY(open_array(h5, name, n, &data));
    if (!data) return DV_OK;
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    if (n_found) *n_found = shape->dims[0];
    dv_status status = integers_too && shape->type != DV_H5_TEXT ? load_integers_as_texts(data, name, n, texts)
                                                                 : dv_h5_read_texts(data, texts);
    if (status == DV_OK)
        status = check_texts(dv_h5_path(h5), name, *texts, shape->dims[0], strcmp(name, "/image_id") != 0);
    dv_h5_data_close(data);
    return status;
}

static dv_status load_arrays(dv_h5 *h5, dv_feature_file *file) {
    const size_t n = file->n_images;
    DV_TRY(load_texts(h5, "/image_id", n, false, &file->image_ids, NULL));
    DV_TRY(load_texts(h5, "/object_id", n, true, &file->object_ids, NULL));
    DV_TRY(load_texts(h5, "/class_names", SIZE_MAX, false, &file->class_names, &file->n_classes));
    if (file->class_names && file->n_classes == 0)
        return dv_fail(DV_E_DATA, "%s: /class_names: no classes", file->path);
    DV_TRY(load_i32(h5, "/view_bin", n, &file->view_bins));
    DV_TRY(load_i32(h5, "/class_id", n, &file->class_ids));
    return load_angles(h5, n, &file->view_angles);
}

dv_status dv_feature_file_load(const char *path, dv_feature_file *file) {
    dv_h5 *h5 = NULL;
    DV_TRY(dv_strdup(path, &file->path));
    DV_TRY(dv_h5_open(path, &h5));
    dv_status status = identify(path, &file->identity);
    if (status == DV_OK) status = check_schema(h5);
    if (status == DV_OK) status = load_preprocessing(h5, file);
    if (status == DV_OK) status = load_features(h5, file);
    if (status == DV_OK) status = load_labels(h5, file);
    if (status == DV_OK) status = load_arrays(h5, file);
    dv_h5_close(h5);
    return status;
}

void dv_feature_file_clear(dv_feature_file *file) {
    char *encoder;
    memcpy(&encoder, &file->preprocessing.encoder, sizeof encoder); /* const in the public struct, but ours */
    free(encoder);
    free(file->path);
    free(file->class_names);
    free(file->image_ids);
    free(file->object_ids);
    free(file->view_bins);
    free(file->class_ids);
    free(file->view_angles);
    memset(file, 0, sizeof *file);
}

dv_status dv_feature_file_open(const dv_feature_file *file, dv_h5 **h5, dv_h5_data **features, dv_h5_data **labels) {
    dv_file_identity identity = {0};
    *features = NULL;
    if (labels) *labels = NULL;
    DV_TRY(dv_h5_open(file->path, h5));
    dv_status status = identify(file->path, &identity);
    if (status == DV_OK && !same_identity(&identity, &file->identity))
        status = dv_fail(DV_E_DATA, "%s: the file changed while it was in use", file->path);
    if (status == DV_OK) status = dv_h5_data_open(*h5, "/features", features);
    if (status == DV_OK && labels && file->has_labels) status = dv_h5_data_open(*h5, "/labels", labels);
    if (status == DV_OK) return DV_OK;
    dv_h5_data_close(*features);
    dv_h5_close(*h5);
    *features = NULL;
    *h5 = NULL;
    return status;
}
