#include "bank/uniform.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "denseval/random.h"
#include "io/hdf5_file.h"

/* A bank image by its id. */
typedef struct id_place {
    const char *id;
    size_t place; /* in the plan */
} id_place;

/* One reading of files. */
typedef struct reading {
    const dv_feature_info *set;
    const dv_bank_plan *plan;
    dv_uniform_table *table;
    bool by_id;       /* the files have /image_id; else images go by their row in the list */
    id_place *by_ids; /* [n_images] of the plan, sorted by id */
    bool *found;      /* [n_images] of the plan */
    size_t n_listed;  /* rows of the files read so far */
} reading;

static int compare_ids(const void *left, const void *right) {
    return strcmp(((const id_place *)left)->id, ((const id_place *)right)->id);
}

static int compare_sizes(const void *left, const void *right) {
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}

/* The place in the plan of row `row` of the file that is being read; SIZE_MAX where the bank has no such image. */
static size_t find_place(const reading *r, char *const *ids, size_t row) {
    if (r->by_id) {
        const id_place key = {.id = ids[row]};
        const id_place *hit = bsearch(&key, r->by_ids, r->plan->n_images, sizeof key, compare_ids);
        return hit ? hit->place : SIZE_MAX;
    }
    const size_t image = r->n_listed + row;
    const size_t *hit = bsearch(&image, r->plan->images, r->plan->n_images, sizeof image, compare_sizes);
    return hit ? (size_t)(hit - r->plan->images) : SIZE_MAX;
}

static dv_status check_shape(const reading *r, const char *path, const dv_h5_shape *shape) {
    const size_t passes = r->plan->passes, n_patches = r->set->n_patches;
    if (shape->type != DV_H5_F32 && shape->type != DV_H5_F64)
        return dv_fail(DV_E_DATA, "%s: /uniform of type %s: must be f32 or f64", path, shape->type_name);
    if (shape->rank != 3 && (shape->rank != 2 || passes > 1))
        return dv_fail(DV_E_DATA, "%s: /uniform of rank %zu: must be [%simages, patches] for %zu passes", path,
                       shape->rank, passes > 1 ? "passes, " : "", passes);
    if (shape->rank == 3 && shape->dims[0] != passes)
        return dv_fail(DV_E_DATA, "%s: /uniform for %zu passes: must be for %zu", path, shape->dims[0], passes);
    if (shape->dims[shape->rank - 1] != n_patches)
        return dv_fail(DV_E_DATA, "%s: /uniform for %zu patches: the images have %zu", path,
                       shape->dims[shape->rank - 1], n_patches);
    return DV_OK;
}

static dv_status check_values(const char *path, const double *values, size_t n_rows, size_t n_patches) {
    char number[DV_NUMBER_SIZE];
    for (size_t i = 0; i < n_rows * n_patches; i++)
        if (!(values[i] >= 0 && values[i] < 1)) /* so that NaN fails too */
            return dv_fail(DV_E_DATA, "%s: /uniform image %zu, patch %zu, value %s: must be at least 0 and below 1",
                           path, i / n_patches, i % n_patches, dv_format_double(values[i], number));
    return DV_OK;
}

/* Copies one pass of a file to the images of the bank. values f64 [n_rows, n_patches] */
static dv_status keep_rows(reading *r, const char *path, char *const *ids, size_t pass, size_t n_rows,
                           const double *values) {
    const size_t n_patches = r->table->n_patches;
    DV_TRY(check_values(path, values, n_rows, n_patches));
    for (size_t row = 0; row < n_rows; row++) {
        const size_t place = find_place(r, ids, row);
        if (place == SIZE_MAX) continue;
        if (pass == 0 && r->found[place])
            return dv_fail(DV_E_DATA, "%s: /image_id row %zu, \"%s\": must be given once", path, row,
                           r->set->image_ids[r->plan->images[place]]);
        r->found[place] = true;
        memcpy(r->table->values + (pass * r->table->n_images + place) * n_patches, values + row * n_patches,
               n_patches * sizeof *values);
    }
    return DV_OK;
}

static dv_status read_values(reading *r, dv_h5_data *data, const char *path, char *const *ids, size_t n_rows) {
    const bool stacked = dv_h5_data_shape(data)->rank == 3;
    size_t n_values;
    double *values = NULL;
    dv_status status = dv_mul_size(n_rows, r->table->n_patches, "the uniform numbers of a pass", &n_values);
    if (status == DV_OK) status = dv_alloc(n_values, sizeof *values, "the uniform numbers of a pass", &values);
    for (size_t pass = 0; status == DV_OK && pass < r->plan->passes; pass++) {
        status = dv_h5_read_f64(data, stacked ? pass : 0, stacked ? 1 : n_rows, values);
        if (status == DV_OK) status = keep_rows(r, path, ids, pass, n_rows, values);
    }
    free(values);
    return status;
}

static dv_status read_ids(dv_h5 *file, size_t n_rows, char ***ids) {
    dv_h5_data *data = NULL;
    DV_TRY(dv_h5_data_open(file, "/image_id", &data));
    dv_status status = dv_h5_expect(data, 1, &n_rows);
    if (status == DV_OK) status = dv_h5_read_texts(data, ids);
    dv_h5_data_close(data);
    return status;
}

static dv_status read_open_file(reading *r, dv_h5 *file, bool is_first) {
    const char *path = dv_h5_path(file);
    const bool has_ids = dv_h5_has(file, "/image_id");
    if (!is_first && has_ids != r->by_id)
        return dv_fail(DV_E_DATA, "%s: /image_id: %s, unlike in the files of uniform numbers before it", path,
                       has_ids ? "present" : "missing");
    r->by_id = has_ids;
    dv_h5_data *data = NULL;
    DV_TRY(dv_h5_data_open(file, "/uniform", &data));
    const dv_h5_shape *shape = dv_h5_data_shape(data);
    char **ids = NULL;
    dv_status status = check_shape(r, path, shape);
    const size_t n_rows = status == DV_OK ? shape->dims[shape->rank - 2] : 0;
    if (status == DV_OK && has_ids) status = read_ids(file, n_rows, &ids);
    if (status == DV_OK) status = read_values(r, data, path, ids, n_rows);
    r->n_listed += n_rows;
    free(ids);
    dv_h5_data_close(data);
    return status;
}

/* Every image of the bank must have its numbers. */
static dv_status check_complete(const reading *r, const char *path) {
    if (!r->by_id && r->n_listed != r->set->n_images)
        return dv_fail(DV_E_DATA, "%s: /uniform of %zu images without /image_id: the features are of %zu", path,
                       r->n_listed, r->set->n_images);
    for (size_t place = 0; place < r->plan->n_images; place++)
        if (!r->found[place])
            return dv_fail(DV_E_DATA, "%s: /image_id: has no image \"%s\", which the bank needs", path,
                           r->set->image_ids[r->plan->images[place]]);
    return DV_OK;
}

static dv_status read_files(reading *r, const dv_bank_options *options) {
    const size_t n_images = r->plan->n_images;
    size_t n_rows, n_values;
    DV_TRY(dv_mul_size(n_images, r->plan->passes, "the uniform numbers", &n_rows));
    DV_TRY(dv_mul_size(n_rows, r->set->n_patches, "the uniform numbers", &n_values));
    DV_TRY(dv_alloc(n_values, sizeof *r->table->values, "the uniform numbers", &r->table->values));
    DV_TRY(dv_alloc(n_images, sizeof *r->found, "the images with uniform numbers", &r->found));
    DV_TRY(dv_alloc(n_images, sizeof *r->by_ids, "the images by id", &r->by_ids));
    for (size_t place = 0; place < n_images; place++)
        r->by_ids[place] = (id_place){r->set->image_ids[r->plan->images[place]], place};
    qsort(r->by_ids, n_images, sizeof *r->by_ids, compare_ids);
    for (size_t i = 0; i < options->n_uniform_paths; i++) {
        dv_h5 *file = NULL;
        DV_TRY(dv_h5_open(options->uniform_paths[i], &file));
        const dv_status status = read_open_file(r, file, i == 0);
        dv_h5_close(file);
        DV_TRY(status);
    }
    return check_complete(r, options->uniform_paths[0]);
}

dv_status dv_uniform_table_read(const dv_feature_info *set, const dv_bank_options *options, const dv_bank_plan *plan,
                                dv_uniform_table *table) {
    *table = (dv_uniform_table){.n_images = plan->n_images, .n_patches = set->n_patches};
    if (options->n_uniform_paths == 0) return DV_OK;
    reading r = {.set = set, .plan = plan, .table = table};
    const dv_status status = read_files(&r, options);
    free(r.by_ids);
    free(r.found);
    if (status != DV_OK) dv_uniform_table_clear(table);
    return status;
}

void dv_uniform_table_clear(dv_uniform_table *table) {
    free(table->values);
    *table = (dv_uniform_table){0};
}

const double *dv_uniform_row(const dv_uniform_table *table, uint64_t seed, const char *image_id, size_t n_patches,
                             size_t place, size_t pass, double *scratch) {
    if (table->values) return table->values + (pass * table->n_images + place) * table->n_patches;
    const uint64_t key = dv_random_image_key(image_id);
    for (size_t patch = 0; patch < n_patches; patch++)
        scratch[patch] = dv_random_uniform(seed, key, (uint32_t)patch, (uint32_t)pass);
    return scratch;
}
