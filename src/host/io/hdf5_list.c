/* What is in a group, and texts that describe a dataset. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

enum { FIRST_CAPACITY = 16, MOST_TEXTS = 1 << 20 };

typedef struct lister {
    dv_h5_members *members;
    size_t capacity;
    dv_status status;
} lister;

static dv_status add_member(lister *l, const char *name) {
    dv_h5_members *const members = l->members;
    if (members->n == l->capacity) {
        const size_t wanted = l->capacity ? l->capacity * 2 : FIRST_CAPACITY;
        dv_h5_member *grown = reallocarray(members->items, wanted, sizeof *grown);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a list of %zu objects", wanted);
        members->items = grown;
        l->capacity = wanted;
    }
    char *copy;
    DV_TRY(dv_strdup(name, &copy));
    members->items[members->n++] = (dv_h5_member){.name = copy};
    return DV_OK;
}

static herr_t see_link(hid_t group, const char *name, const H5L_info_t *link, void *context) {
    (void)group;
    lister *const l = context;
    if (link->type == H5L_TYPE_HARD || link->type == H5L_TYPE_SOFT)
        l->status = add_member(l, name);
    else
        l->members->n_external++;
    return l->status == DV_OK ? 0 : -1;
}

static dv_h5_kind kind_of(hid_t group, const char *name) {
    const hid_t object = *name ? H5Oopen(group, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (object < 0) return DV_H5_NOTHING;
    const H5I_type_t type = H5Iget_type(object);
    H5Oclose(object);
    if (type == H5I_GROUP) return DV_H5_GROUP;
    return type == H5I_DATASET ? DV_H5_DATASET : DV_H5_NOTHING;
}

dv_status dv_h5_list(dv_h5 *file, const char *name, dv_h5_members *members) {
    memset(members, 0, sizeof *members);
    DV_H5_SESSION;
    const hid_t group = H5Gopen2(file->id, name, H5P_DEFAULT);
    if (group < 0) return dv_h5_failed(file->path, name, "is no readable group");
    lister l = {.members = members};
    dv_status status = DV_OK;
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, see_link, &l) < 0)
        status = l.status != DV_OK ? dv_context(l.status, "%s: %s", file->path, name)
                                   : dv_h5_failed(file->path, name, "cannot be listed");
    for (size_t i = 0; i < members->n && status == DV_OK; i++)
        members->items[i].kind = kind_of(group, members->items[i].name);
    H5Gclose(group);
    if (status != DV_OK) dv_h5_members_clear(members);
    return status;
}

void dv_h5_members_clear(dv_h5_members *members) {
    for (size_t i = 0; i < members->n; i++) free(members->items[i].name);
    free(members->items);
    memset(members, 0, sizeof *members);
}

/* An attribute of a dataset that holds texts. */
typedef struct texts_attribute {
    hid_t id, type, space;
    size_t n;
} texts_attribute;

static void close_texts(texts_attribute *a) {
    if (a->space >= 0) H5Sclose(a->space);
    if (a->type >= 0) H5Tclose(a->type);
    if (a->id >= 0) H5Aclose(a->id);
}

static dv_status read_variable(const dv_h5_data *data, const char *name, const texts_attribute *a, char ***texts) {
    const char **sources = NULL;
    DV_TRY(dv_h5_check_texts(data->file, name, a->id, a->n));
    DV_TRY(dv_alloc(a->n, sizeof *sources, name, &sources));
    dv_status status = DV_OK;
    if (H5Aread(a->id, a->type, sources) < 0)
        status = dv_h5_failed(data->file->path, data->name, "an attribute of texts cannot be read");
    else
        status = dv_h5_copy_texts(data->file->path, data->name, sources, a->n, SIZE_MAX, texts);
    H5Dvlen_reclaim(a->type, a->space, H5P_DEFAULT, sources);
    free(sources);
    return status;
}

static dv_status read_fixed(const dv_h5_data *data, const char *name, const texts_attribute *a, char ***texts) {
    const size_t size = H5Tget_size(a->type);
    size_t n_bytes;
    if (__builtin_mul_overflow(a->n, size, &n_bytes) || n_bytes > data->file->size_bytes)
        return dv_fail(DV_E_DATA, "%s: %s, attribute %s: claims more texts than the file holds", data->file->path,
                       data->name, name);
    char *raw = NULL;
    const char **sources = NULL;
    dv_status status = dv_alloc(n_bytes, 1, name, &raw);
    if (status == DV_OK) status = dv_alloc(a->n, sizeof *sources, name, &sources);
    if (status == DV_OK && H5Aread(a->id, a->type, raw) < 0)
        status = dv_h5_failed(data->file->path, data->name, "an attribute of texts cannot be read");
    for (size_t i = 0; i < a->n && status == DV_OK; i++) sources[i] = raw + i * size;
    if (status == DV_OK) status = dv_h5_copy_texts(data->file->path, data->name, sources, a->n, size, texts);
    free(sources);
    free(raw);
    return status;
}

static dv_status read_texts(const dv_h5_data *data, const char *name, size_t n, texts_attribute *a, char ***texts) {
    a->id = H5Aopen(data->id, name, H5P_DEFAULT);
    if (a->id >= 0) a->type = H5Aget_type(a->id);
    if (a->id >= 0) a->space = H5Aget_space(a->id);
    if (a->type < 0 || a->space < 0)
        return dv_h5_failed(data->file->path, data->name, "an attribute of texts cannot be read");
    const hssize_t n_found = H5Sget_simple_extent_npoints(a->space);
    if (H5Tget_class(a->type) != H5T_STRING || H5Sget_simple_extent_ndims(a->space) != 1 || n_found < 0 ||
        (size_t)n_found != n || n > MOST_TEXTS)
        return dv_fail(DV_E_DATA, "%s: %s, attribute %s: %lld values, expected a list of %zu texts", data->file->path,
                       data->name, name, (long long)n_found, n);
    a->n = n;
    return H5Tis_variable_str(a->type) > 0 ? read_variable(data, name, a, texts) : read_fixed(data, name, a, texts);
}

dv_status dv_h5_data_texts(dv_h5_data *data, const char *name, size_t n, char ***texts) {
    *texts = NULL;
    DV_H5_SESSION;
    if (H5Aexists(data->id, name) <= 0) return DV_OK;
    texts_attribute a = {.id = H5I_INVALID_HID, .type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    const dv_status status = read_texts(data, name, n, &a, texts);
    close_texts(&a);
    return status;
}
