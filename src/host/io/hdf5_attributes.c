#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

/* An attribute of the root group; what it holds is described as for a dataset. */
typedef struct attribute {
    hid_t id;
    dv_h5_data like; /* type, is_number, ...; no dataset */
    size_t n;        /* elements: 1 for a scalar */
} attribute;

enum { MOST_ELEMENTS = 1 << 16, MOST_TEXT = 1 << 20 };

static void close_attribute(attribute *a) {
    if (a->like.type >= 0) H5Tclose(a->like.type);
    if (a->id >= 0) H5Aclose(a->id);
}

static dv_status count_elements(const dv_h5 *file, const char *name, attribute *a) {
    const hid_t space = H5Aget_space(a->id);
    const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (space >= 0) H5Sclose(space);
    if (n < 1 || n > MOST_ELEMENTS || rank > 1)
        return dv_fail(DV_E_DATA, "%s: attribute %s: expected a single value or a short list", file->path, name);
    a->n = (size_t)n;
    return DV_OK;
}

/* *a is to be closed, also on failure. */
static dv_status open_attribute(dv_h5 *file, const char *name, attribute *a) {
    memset(a, 0, sizeof *a);
    a->id = a->like.type = H5I_INVALID_HID;
    if (!dv_h5_has_attribute(file, name)) return dv_fail(DV_E_DATA, "%s: attribute %s: missing", file->path, name);
    a->id = H5Aopen(file->id, name, H5P_DEFAULT);
    if (a->id >= 0) a->like.type = H5Aget_type(a->id);
    if (a->like.type < 0) return dv_h5_failed(file->path, name, "the attribute cannot be read");
    dv_h5_classify(&a->like);
    return count_elements(file, name, a);
}

bool dv_h5_has_attribute(dv_h5 *file, const char *name) {
    DV_H5_SESSION;
    return H5Aexists(file->id, name) > 0;
}

static dv_status read_variable_text(const dv_h5 *file, const char *name, const attribute *a, char ***texts) {
    char *source = NULL;
    DV_TRY(dv_h5_check_texts(file, name, a->id, 1));
    if (H5Aread(a->id, a->like.type, &source) < 0)
        return dv_h5_failed(file->path, name, "the attribute cannot be read");
    const dv_status status = dv_h5_copy_texts(file->path, name, (const char *const[]){source}, 1, SIZE_MAX, texts);
    if (source) H5free_memory(source);
    return status;
}

static dv_status read_fixed_text(const dv_h5 *file, const char *name, const attribute *a, char ***texts) {
    const size_t size = a->like.shape.element_bytes;
    if (size > MOST_TEXT) return dv_fail(DV_E_DATA, "%s: attribute %s: a text of %zu bytes", file->path, name, size);
    char *raw = NULL;
    DV_TRY(dv_alloc(1, size, name, &raw));
    dv_status status = DV_OK;
    if (H5Aread(a->id, a->like.type, raw) < 0)
        status = dv_h5_failed(file->path, name, "the attribute cannot be read");
    else
        status = dv_h5_copy_texts(file->path, name, (const char *const[]){raw}, 1, size, texts);
    free(raw);
    return status;
}

static dv_status read_text(const dv_h5 *file, const char *name, const attribute *a, char **text) {
    char **texts = NULL;
    if (a->like.shape.type != DV_H5_TEXT || a->n != 1)
        return dv_fail(DV_E_DATA, "%s: attribute %s: type %s, %zu of them, expected one text", file->path, name,
                       a->like.shape.type_name, a->n);
    dv_status status = H5Tis_variable_str(a->like.type) > 0 ? read_variable_text(file, name, a, &texts)
                                                            : read_fixed_text(file, name, a, &texts);
    if (status == DV_OK && texts) status = dv_strdup(texts[0], text);
    free(texts);
    return status;
}

dv_status dv_h5_attribute_text(dv_h5 *file, const char *name, char **text) {
    *text = NULL;
    DV_H5_SESSION;
    attribute a;
    dv_status status = open_attribute(file, name, &a);
    if (status == DV_OK) status = read_text(file, name, &a, text);
    close_attribute(&a);
    return status;
}

static dv_status want_numbers(const dv_h5 *file, const char *name, const attribute *a, size_t n_max) {
    if (!a->like.shape.is_number)
        return dv_fail(DV_E_DATA, "%s: attribute %s: type %s, expected numbers", file->path, name,
                       a->like.shape.type_name);
    if (a->n > n_max)
        return dv_fail(DV_E_DATA, "%s: attribute %s: %zu values, expected at most %zu", file->path, name, a->n, n_max);
    return DV_OK;
}

static dv_status read_u64(const dv_h5 *file, const char *name, const attribute *a, uint64_t *value) {
    DV_TRY(want_numbers(file, name, a, 1));
    double real = 0;
    int64_t whole = 0;
    uint64_t natural = 0;
    const bool is_float = a->like.is_float, is_signed = a->like.is_signed;
    const herr_t read = is_float    ? H5Aread(a->id, H5T_NATIVE_DOUBLE, &real)
                        : is_signed ? H5Aread(a->id, H5T_NATIVE_INT64, &whole)
                                    : H5Aread(a->id, H5T_NATIVE_UINT64, &natural);
    if (read < 0) return dv_h5_failed(file->path, name, "the attribute cannot be read");
    if (is_float) {
        if (!(real >= 0 && real <= 0x1p53) || trunc(real) != real)
            return dv_fail(DV_E_DATA, "%s: attribute %s: %.17g, expected a whole number >= 0", file->path, name, real);
        natural = (uint64_t)real;
    } else if (is_signed) {
        if (whole < 0)
            return dv_fail(DV_E_DATA, "%s: attribute %s: %lld, expected a whole number >= 0", file->path, name,
                           (long long)whole);
        natural = (uint64_t)whole;
    }
    *value = natural;
    return DV_OK;
}

dv_status dv_h5_attribute_u64(dv_h5 *file, const char *name, uint64_t *value) {
    DV_H5_SESSION;
    attribute a;
    dv_status status = open_attribute(file, name, &a);
    if (status == DV_OK) status = read_u64(file, name, &a, value);
    close_attribute(&a);
    return status;
}

dv_status dv_h5_attribute_f64(dv_h5 *file, const char *name, size_t n_max, double *values, size_t *n) {
    *n = 0;
    DV_H5_SESSION;
    attribute a;
    dv_status status = open_attribute(file, name, &a);
    if (status == DV_OK) status = want_numbers(file, name, &a, n_max);
    if (status == DV_OK && H5Aread(a.id, H5T_NATIVE_DOUBLE, values) < 0)
        status = dv_h5_failed(file->path, name, "the attribute cannot be read");
    for (size_t i = 0; i < a.n && status == DV_OK; i++)
        if (!isfinite(values[i]))
            status = dv_fail(DV_E_DATA, "%s: attribute %s: value %zu is %g, expected finite numbers", file->path, name,
                             i, values[i]);
    if (status == DV_OK) *n = a.n;
    close_attribute(&a);
    return status;
}
