/* May two files join one set? What a file should say is not guessed, so what one has the other must have too. */
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "denseval/number.h"
#include "io/feature_file.h"

enum { VALUE_SIZE = 512 };

/* Compares two printed values; the message names both files and both. */
static dv_status same_text(const dv_feature_file *first, const dv_feature_file *other, const char *what, const char *a,
                           const char *b) {
    if (strcmp(a, b) == 0) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: %s %s, but %s of %s: files of one set must agree", other->path, what, b, a,
                   first->path);
}

static dv_status same_count(const dv_feature_file *first, const dv_feature_file *other, const char *what, size_t a,
                            size_t b) {
    char text_a[32], text_b[32];
    snprintf(text_a, sizeof text_a, "%zu", a);
    snprintf(text_b, sizeof text_b, "%zu", b);
    return same_text(first, other, what, text_a, text_b);
}

/* Has one the object and the other not? */
static dv_status same_presence(const dv_feature_file *first, const dv_feature_file *other, const char *what, bool a,
                               bool b) {
    return same_text(first, other, what, a ? "present" : "absent", b ? "present" : "absent");
}

/* "[0.5, 0.25]"; "none" for an empty list. */
static void format_list(const double *values, size_t n, char *text) {
    char number[DV_NUMBER_SIZE];
    size_t used = (size_t)snprintf(text, VALUE_SIZE, n ? "[" : "none");
    for (size_t i = 0; i < n && used < VALUE_SIZE; i++)
        used += (size_t)snprintf(text + used, VALUE_SIZE - used, "%s%s", dv_format_double(values[i], number),
                                 i + 1 < n ? ", " : "]");
}

static dv_status same_list(const dv_feature_file *first, const dv_feature_file *other, const char *what,
                           const double *a, size_t n_a, const double *b, size_t n_b) {
    char text_a[VALUE_SIZE], text_b[VALUE_SIZE];
    format_list(a, n_a, text_a);
    format_list(b, n_b, text_b);
    return same_text(first, other, what, text_a, text_b);
}

static dv_status same_preprocessing(const dv_feature_file *first, const dv_feature_file *other) { /* HB-07 */
    const dv_preprocessing *a = &first->preprocessing, *b = &other->preprocessing;
    char text_a[VALUE_SIZE], text_b[VALUE_SIZE];
    snprintf(text_a, sizeof text_a, "\"%.400s\"", a->encoder);
    snprintf(text_b, sizeof text_b, "\"%.400s\"", b->encoder);
    DV_TRY(same_text(first, other, "encoder", text_a, text_b));
    DV_TRY(same_count(first, other, "patch_size", a->patch_size, b->patch_size));
    DV_TRY(same_list(first, other, "mean", a->mean, a->n_mean, b->mean, b->n_mean));
    return same_list(first, other, "std", a->std, a->n_std, b->std, b->n_std);
}

static dv_status same_classes(const dv_feature_file *first, const dv_feature_file *other) {
    DV_TRY(same_count(first, other, "number of /class_names", first->n_classes, other->n_classes));
    for (size_t i = 0; i < first->n_classes; i++) {
        char what[64];
        snprintf(what, sizeof what, "name of class %zu", i);
        DV_TRY(same_text(first, other, what, first->class_names[i], other->class_names[i]));
    }
    return DV_OK;
}

dv_status dv_feature_files_agree(const dv_feature_file *first, const dv_feature_file *other) {
    DV_TRY(same_count(first, other, "grid_h", first->grid_h, other->grid_h));
    DV_TRY(same_count(first, other, "grid_w", first->grid_w, other->grid_w));
    DV_TRY(same_count(first, other, "dimensions", first->dim, other->dim));
    DV_TRY(same_text(first, other, "dtype", dv_dtype_name(first->dtype), dv_dtype_name(other->dtype)));
    DV_TRY(same_preprocessing(first, other));
    DV_TRY(same_presence(first, other, "/labels", first->has_labels, other->has_labels));
    DV_TRY(same_presence(first, other, "/image_id", first->image_ids, other->image_ids));
    DV_TRY(same_presence(first, other, "/object_id", first->object_ids, other->object_ids));
    DV_TRY(same_presence(first, other, "/view_bin", first->view_bins, other->view_bins));
    DV_TRY(same_presence(first, other, "/view_angle", first->view_angles, other->view_angles));
    DV_TRY(same_presence(first, other, "/class_id", first->class_ids, other->class_ids));
    return same_classes(first, other);
}
