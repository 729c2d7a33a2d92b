#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/features.h"
#include "io/hdf5_file.h"

enum { LABEL_DEFLATE = 4, MAX_SIDE = 65536 };

struct dv_feature_writer {
    dv_h5_writer *file; /* NULL after finish */
    dv_h5_rows *rows, *labels;
    char *path;
    size_t n_images, n_pixels, n_written;
    bool wide_labels;
    uint8_t *narrow; /* [n_pixels], labels of one image */
};

static dv_status check_size(const char *path, const char *what, size_t value, size_t most) {
    if (value >= 1 && value <= most) return DV_OK;
    return dv_fail(DV_E_ARG, "%s: %s %zu: expected 1..%zu", path, what, value, most);
}

/* What the reader would refuse is not written. */
static dv_status check_spec(const char *path, const dv_feature_spec *spec) {
    const dv_preprocessing *p = &spec->preprocessing;
    DV_TRY(check_size(path, "n_images", spec->n_images, SIZE_MAX));
    DV_TRY(check_size(path, "grid_h", spec->grid_h, MAX_SIDE));
    DV_TRY(check_size(path, "grid_w", spec->grid_w, MAX_SIDE));
    DV_TRY(check_size(path, "dim", spec->dim, DV_MAX_DIM));
    DV_TRY(check_size(path, "patch_size", p->patch_size, MAX_SIDE));
    DV_TRY(check_size(path, "input_h", p->input_h, MAX_SIDE));
    DV_TRY(check_size(path, "input_w", p->input_w, MAX_SIDE));
    if (dv_dtype_size(spec->dtype) == 0) return dv_fail(DV_E_ARG, "%s: dtype %d is none", path, (int)spec->dtype);
    if (p->input_h != spec->grid_h * p->patch_size || p->input_w != spec->grid_w * p->patch_size)
        return dv_fail(DV_E_ARG, "%s: input of %zu x %zu, expected %zu x %zu patches of %zu pixels", path, p->input_h,
                       p->input_w, spec->grid_h, spec->grid_w, p->patch_size);
    if (p->n_mean > DV_MAX_CHANNELS || p->n_std > DV_MAX_CHANNELS)
        return dv_fail(DV_E_ARG, "%s: %zu means and %zu deviations, expected at most %d", path, p->n_mean, p->n_std,
                       DV_MAX_CHANNELS);
    return DV_OK;
}

static dv_status put_attributes(dv_h5_writer *file, const dv_feature_spec *spec) {
    const dv_preprocessing *p = &spec->preprocessing;
    DV_TRY(dv_h5_put_attribute_text(file, "schema", "denseval features v1"));
    DV_TRY(dv_h5_put_attribute_u64(file, "grid_h", spec->grid_h));
    DV_TRY(dv_h5_put_attribute_u64(file, "grid_w", spec->grid_w));
    DV_TRY(dv_h5_put_attribute_u64(file, "patch_size", p->patch_size));
    DV_TRY(dv_h5_put_attribute_u64(file, "input_h", p->input_h));
    DV_TRY(dv_h5_put_attribute_u64(file, "input_w", p->input_w));
    DV_TRY(dv_h5_put_attribute_u64(file, "bfloat16", spec->dtype == DV_BF16));
    if (p->encoder && p->encoder[0]) DV_TRY(dv_h5_put_attribute_text(file, "encoder", p->encoder));
    if (p->n_mean) DV_TRY(dv_h5_put_attribute_f64(file, "mean", p->n_mean, p->mean));
    if (p->n_std) DV_TRY(dv_h5_put_attribute_f64(file, "std", p->n_std, p->std));
    return DV_OK;
}

static dv_status put_arrays(dv_h5_writer *file, const dv_feature_spec *spec) {
    const size_t n = spec->n_images, uniform_dims[] = {n, spec->grid_h * spec->grid_w};
    if (spec->n_classes && spec->class_names)
        DV_TRY(dv_h5_put_texts(file, "/class_names", spec->n_classes, spec->class_names));
    if (spec->image_ids) DV_TRY(dv_h5_put_texts(file, "/image_id", n, spec->image_ids));
    if (spec->object_ids) DV_TRY(dv_h5_put_texts(file, "/object_id", n, spec->object_ids));
    if (spec->view_bins) DV_TRY(dv_h5_put(file, "/view_bin", DV_H5_I32, 1, &n, spec->view_bins));
    if (spec->view_angles) DV_TRY(dv_h5_put(file, "/view_angle", DV_H5_F64, 1, &n, spec->view_angles));
    if (spec->class_ids) DV_TRY(dv_h5_put(file, "/class_id", DV_H5_I32, 1, &n, spec->class_ids));
    if (spec->uniforms) DV_TRY(dv_h5_put(file, "/uniform", DV_H5_F64, 2, uniform_dims, spec->uniforms));
    return DV_OK;
}

/* bf16 is stored as u16 beside the attribute `bfloat16`, which other tools can read; their custom floats differ. */
static dv_status create_rows(dv_feature_writer *writer, const dv_feature_spec *spec) {
    const dv_preprocessing *p = &spec->preprocessing;
    const size_t dims[] = {spec->n_images, spec->grid_h * spec->grid_w, spec->dim};
    const size_t label_dims[] = {spec->n_images, p->input_h, p->input_w};
    const dv_h5_type type = spec->dtype == DV_BF16 ? DV_H5_U16 : dv_h5_type_of(spec->dtype);
    DV_TRY(dv_h5_rows_create(writer->file, "/features", type, 3, dims, 0, 0, &writer->rows));
    if (!spec->has_labels) return DV_OK;
    const dv_h5_type label_type = spec->wide_labels ? DV_H5_U16 : DV_H5_U8;
    DV_TRY(dv_h5_rows_create(writer->file, "/labels", label_type, 3, label_dims, 1, LABEL_DEFLATE, &writer->labels));
    return spec->wide_labels ? DV_OK : dv_alloc(writer->n_pixels, 1, "labels of an image", &writer->narrow);
}

static dv_status create(dv_feature_writer *writer, const char *path, const dv_feature_spec *spec, bool force) {
    DV_TRY(dv_strdup(path, &writer->path));
    writer->n_images = spec->n_images;
    writer->n_pixels = spec->preprocessing.input_h * spec->preprocessing.input_w;
    writer->wide_labels = spec->wide_labels;
    DV_TRY(dv_h5_create(path, force, &writer->file));
    DV_TRY(put_attributes(writer->file, spec));
    DV_TRY(put_arrays(writer->file, spec));
    return create_rows(writer, spec);
}

dv_status dv_feature_writer_create(const char *path, const dv_feature_spec *spec, bool force, dv_feature_writer **out) {
    *out = NULL;
    DV_TRY(check_spec(path, spec));
    dv_feature_writer *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "feature writer", &made));
    const dv_status status = create(made, path, spec, force);
    if (status != DV_OK) {
        dv_feature_writer_free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

static dv_status append_narrow(dv_feature_writer *writer, size_t image, const uint16_t *labels) {
    for (size_t i = 0; i < writer->n_pixels; i++) {
        if (labels[i] > UINT8_MAX)
            return dv_fail(DV_E_ARG, "%s: /labels image %zu, pixel %zu, value %d: expected 0..255 in narrow labels",
                           writer->path, image, i, labels[i]);
        writer->narrow[i] = (uint8_t)labels[i];
    }
    return dv_h5_rows_append(writer->labels, 1, writer->narrow);
}

dv_status dv_feature_writer_append(dv_feature_writer *writer, size_t n, const void *rows, const uint16_t *labels) {
    if (!writer->file) return dv_fail(DV_E_ARG, "%s: is finished", writer->path);
    if (n > writer->n_images - writer->n_written)
        return dv_fail(DV_E_ARG, "%s: %zu images after %zu of %zu", writer->path, n, writer->n_written,
                       writer->n_images);
    if (!labels != !writer->labels)
        return dv_fail(DV_E_ARG, "%s: labels are %s, but the file was made %s", writer->path,
                       labels ? "given" : "missing", writer->labels ? "with them" : "without");
    if (labels && writer->wide_labels) DV_TRY(dv_h5_rows_append(writer->labels, n, labels));
    for (size_t i = 0; labels && !writer->wide_labels && i < n; i++)
        DV_TRY(append_narrow(writer, writer->n_written + i, labels + i * writer->n_pixels));
    DV_TRY(dv_h5_rows_append(writer->rows, n, rows));
    writer->n_written += n;
    return DV_OK;
}

dv_status dv_feature_writer_finish(dv_feature_writer *writer) {
    if (!writer->file) return dv_fail(DV_E_ARG, "%s: is finished", writer->path);
    dv_h5_writer *file = writer->file;
    writer->file = NULL; /* dv_h5_commit frees it in every case, and refuses rows that are not all there */
    return dv_h5_commit(file);
}

void dv_feature_writer_free(dv_feature_writer *writer) {
    if (!writer) return;
    dv_h5_abandon(writer->file);
    free(writer->narrow);
    free(writer->path);
    free(writer);
}
