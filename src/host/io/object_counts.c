#include "denseval/object_counts.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/labels.h"
#include "io/hdf5_file.h"

#define SCHEMA "denseval counts v1"
enum { PARTS = 3, DEFLATE = 4 };
static const char *const names[PARTS] = {"/intersections", "/unions", "/truths"};

static dv_status count_values(const dv_object_counts *counts, size_t *n) {
    DV_TRY(dv_mul_size(counts->n_cells, counts->n_objects, "object counts", n));
    return dv_mul_size(*n, counts->n_classes, "object counts", n);
}

static dv_status allocate(dv_object_counts *counts) {
    size_t n;
    DV_TRY(count_values(counts, &n));
    DV_TRY(dv_alloc(counts->n_objects, sizeof *counts->object_ids, "object ids", &counts->object_ids));
    DV_TRY(dv_alloc(n, sizeof *counts->intersections, "object counts", &counts->intersections));
    DV_TRY(dv_alloc(n, sizeof *counts->unions, "object counts", &counts->unions));
    return dv_alloc(n, sizeof *counts->truths, "object counts", &counts->truths);
}

dv_status dv_object_counts_create(size_t n_cells, size_t n_objects, size_t n_classes, dv_object_counts *out) {
    *out = (dv_object_counts){.n_cells = n_cells, .n_objects = n_objects, .n_classes = n_classes};
    const dv_status status = allocate(out);
    if (status != DV_OK) dv_object_counts_clear(out);
    return status;
}

void dv_object_counts_clear(dv_object_counts *counts) {
    if (counts->object_ids)
        for (size_t i = 0; i < counts->n_objects; i++) free(counts->object_ids[i]);
    free(counts->object_ids);
    free(counts->intersections);
    free(counts->unions);
    free(counts->truths);
    *counts = (dv_object_counts){0};
}

/* ---- Writing ------------------------------------------------------------------------------------------------------
 */

/* A chunk is a cell: most objects have few classes, so the zeros of a cell are packed together. */
static dv_status put_part(dv_h5_writer *writer, const char *name, const dv_object_counts *counts,
                          const uint64_t *values) {
    const size_t dims[] = {counts->n_cells, counts->n_objects, counts->n_classes};
    dv_h5_rows *rows;
    DV_TRY(dv_h5_rows_create(writer, name, DV_H5_U64, 3, dims, 1, DEFLATE, &rows));
    return dv_h5_rows_append(rows, counts->n_cells, values);
}

static dv_status put_all(dv_h5_writer *writer, const dv_object_counts *counts) {
    const uint64_t *const parts[PARTS] = {counts->intersections, counts->unions, counts->truths};
    DV_TRY(dv_h5_put_attribute_text(writer, "schema", SCHEMA));
    DV_TRY(dv_h5_put_texts(writer, "/object_id", counts->n_objects, (const char *const *)counts->object_ids));
    for (size_t i = 0; i < PARTS; i++) DV_TRY(put_part(writer, names[i], counts, parts[i]));
    return DV_OK;
}

dv_status dv_object_counts_write(const char *path, const dv_object_counts *counts) {
    for (size_t i = 0; i < counts->n_objects; i++)
        if (!counts->object_ids[i]) return dv_fail(DV_E_ARG, "%s: object %zu has no id", path, i);
    dv_h5_writer *writer;
    DV_TRY(dv_h5_create(path, true, &writer));
    const dv_status status = put_all(writer, counts);
    if (status == DV_OK) return dv_h5_commit(writer);
    dv_h5_abandon(writer);
    return status;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------
 */

static dv_status check_schema(dv_h5 *h5) {
    char *schema;
    DV_TRY(dv_h5_attribute_text(h5, "schema", &schema));
    dv_status status = DV_OK;
    if (strcmp(schema, SCHEMA) != 0)
        status = dv_fail(DV_E_DATA, "%s: schema \"%.100s\": must be \"" SCHEMA "\"", dv_h5_path(h5), schema);
    free(schema);
    return status;
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static dv_status check_unique(char **ids, size_t n, const char *path) {
    char **sorted;
    DV_TRY(dv_alloc(n, sizeof *sorted, "object ids", &sorted));
    for (size_t i = 0; i < n; i++) sorted[i] = ids[i];
    qsort(sorted, n, sizeof *sorted, compare_texts);
    dv_status status = DV_OK;
    for (size_t i = 1; status == DV_OK && i < n; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = dv_fail(DV_E_DATA, "%s: /object_id \"%.200s\": must be there once", path, sorted[i]);
    free(sorted);
    return status;
}

static dv_status copy_ids(dv_h5_data *data, dv_object_counts *counts, const char *path) {
    char **ids;
    DV_TRY(dv_h5_expect(data, 1, &counts->n_objects));
    DV_TRY(dv_h5_read_texts(data, &ids));
    dv_status status = check_unique(ids, counts->n_objects, path);
    for (size_t i = 0; status == DV_OK && i < counts->n_objects; i++)
        status = dv_strdup(ids[i], &counts->object_ids[i]);
    free(ids);
    return status;
}

static dv_status read_ids(dv_h5 *h5, dv_object_counts *counts) {
    dv_h5_data *data;
    DV_TRY(dv_h5_data_open(h5, "/object_id", &data));
    const dv_status status = copy_ids(data, counts, dv_h5_path(h5));
    dv_h5_data_close(data);
    return status;
}

/* The three datasets, opened together: their shapes are compared before anything is allocated. */
static dv_status open_parts(dv_h5 *h5, dv_h5_data **parts) {
    for (size_t i = 0; i < PARTS; i++) {
        DV_TRY(dv_h5_data_open(h5, names[i], &parts[i]));
        const dv_h5_shape *shape = dv_h5_data_shape(parts[i]);
        if (shape->type != DV_H5_U64)
            return dv_fail(DV_E_DATA, "%s: %s of type %s: must be u64", dv_h5_path(h5), names[i], shape->type_name);
        const size_t any[] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
        DV_TRY(dv_h5_expect(parts[i], 3, i == 0 ? any : dv_h5_data_shape(parts[0])->dims));
    }
    const size_t n_classes = dv_h5_data_shape(parts[0])->dims[2];
    if (n_classes < 1 || n_classes > DV_MAX_CLASSES)
        return dv_fail(DV_E_DATA, "%s: %s of %zu classes: must be 1 to %d", dv_h5_path(h5), names[0], n_classes,
                       DV_MAX_CLASSES);
    return DV_OK;
}

/* Intersection <= truth <= union, and no sum over as many draws as there are objects can wrap. */
static dv_status check_values(const dv_object_counts *counts, size_t n, const char *path) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t both = counts->intersections[i], either = counts->unions[i], truth = counts->truths[i];
        if (both <= truth && truth <= either && either <= UINT64_MAX / counts->n_objects) continue;
        const size_t cell = i / (counts->n_objects * counts->n_classes);
        return dv_fail(DV_E_DATA,
                       "%s: cell %zu, object \"%.200s\", class %zu, intersection %llu, truth %llu, union %llu: must "
                       "rise, to at most 2^64 / objects",
                       path, cell, counts->object_ids[i / counts->n_classes % counts->n_objects], i % counts->n_classes,
                       (unsigned long long)both, (unsigned long long)truth, (unsigned long long)either);
    }
    return DV_OK;
}

static dv_status read_parts(dv_h5 *h5, dv_h5_data **parts, dv_object_counts *out) {
    DV_TRY(open_parts(h5, parts));
    const size_t *dims = dv_h5_data_shape(parts[0])->dims;
    DV_TRY(dv_object_counts_create(dims[0], dims[1], dims[2], out));
    DV_TRY(read_ids(h5, out));
    uint64_t *const values[PARTS] = {out->intersections, out->unions, out->truths};
    size_t n;
    DV_TRY(count_values(out, &n));
    for (size_t i = 0; n > 0 && i < PARTS; i++) DV_TRY(dv_h5_read_raw(parts[i], 0, out->n_cells, values[i]));
    return check_values(out, n, dv_h5_path(h5));
}

dv_status dv_object_counts_read(const char *path, dv_object_counts *out) {
    *out = (dv_object_counts){0};
    dv_h5 *h5;
    DV_TRY(dv_h5_open(path, &h5));
    dv_h5_data *parts[PARTS] = {0};
    dv_status status = check_schema(h5);
    if (status == DV_OK) status = read_parts(h5, parts, out);
    for (size_t i = 0; i < PARTS; i++) dv_h5_data_close(parts[i]);
    dv_h5_close(h5);
    if (status != DV_OK) dv_object_counts_clear(out);
    return status;
}
