#include "fixture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/hdf5_file.h"

static char folder[256];

int fixture_begin(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/bank-XXXXXX", base && base[0] ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int fixture_end(void **state) {
    (void)state;
    DIR *dir = opendir(folder);
    if (!dir) return -1;
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
        if (entry->d_name[0] != '.') unlink(fixture_path(entry->d_name));
    closedir(dir);
    return rmdir(folder);
}

const char *fixture_path(const char *name) {
    static char paths[8][600];
    static size_t next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

#define GOOD(call) assert_int_equal(call, DV_OK)

static void put_features(dv_h5_writer *writer, const fixture_set *set, size_t n_patches) {
    const size_t dims[3] = {set->n_images, n_patches, set->dim};
    float *rows = calloc(set->n_images * n_patches * set->dim + 1, sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < set->n_images * n_patches; i++) {
        const size_t image = i / n_patches;
        rows[i * set->dim] = (float)((set->numbers ? set->numbers[image] : image) * 1000 + i % n_patches + 1);
        if (set->dim > 1) rows[i * set->dim + 1] = 1;
    }
    for (size_t i = 0; i < set->n_bad; i++)
        for (size_t d = 0; d < set->dim; d++)
            rows[(set->bad[i].image * n_patches + set->bad[i].patch) * set->dim + d] = set->bad[i].value;
    GOOD(dv_h5_put(writer, "/features", DV_H5_F32, 3, dims, rows));
    free(rows);
}

static void put_names(dv_h5_writer *writer, const fixture_set *set) {
    char text[64][24];
    const char *names[64];
    assert_true(set->n_classes <= 64);
    for (size_t c = 0; c < set->n_classes; c++) {
        snprintf(text[c], sizeof text[c], "c%zu", c);
        names[c] = text[c];
    }
    if (set->n_classes) GOOD(dv_h5_put_texts(writer, "/class_names", set->n_classes, names));
    if (set->ids) GOOD(dv_h5_put_texts(writer, "/image_id", set->n_images, set->ids));
    if (set->object_ids) GOOD(dv_h5_put_texts(writer, "/object_id", set->n_images, set->object_ids));
}

static void put_attributes(dv_h5_writer *writer, const fixture_set *set) {
    GOOD(dv_h5_put_attribute_text(writer, "schema", "denseval features v1"));
    GOOD(dv_h5_put_attribute_text(writer, "encoder", "counting"));
    GOOD(dv_h5_put_attribute_u64(writer, "grid_h", set->grid_h));
    GOOD(dv_h5_put_attribute_u64(writer, "grid_w", set->grid_w));
    GOOD(dv_h5_put_attribute_u64(writer, "patch_size", set->patch_size));
    GOOD(dv_h5_put_attribute_u64(writer, "input_h", set->grid_h * set->patch_size));
    GOOD(dv_h5_put_attribute_u64(writer, "input_w", set->grid_w * set->patch_size));
    GOOD(dv_h5_put_attribute_f64(writer, "mean", 3, (const double[]){0.5, 0.25, 0.125}));
    GOOD(dv_h5_put_attribute_f64(writer, "std", 1, (const double[]){0.225}));
}

const char *fixture_write(const char *name, const fixture_set *set) {
    const char *path = fixture_path(name);
    const size_t n_patches = set->grid_h * set->grid_w;
    const size_t label_dims[3] = {set->n_images, set->grid_h * set->patch_size, set->grid_w * set->patch_size};
    const size_t uniform_dims[3] = {set->passes, set->n_images, n_patches};
    dv_h5_writer *writer;
    GOOD(dv_h5_create(path, true, &writer));
    put_attributes(writer, set);
    put_features(writer, set, n_patches);
    put_names(writer, set);
    if (set->labels) GOOD(dv_h5_put(writer, "/labels", DV_H5_U8, 3, label_dims, set->labels));
    if (set->view_bins) GOOD(dv_h5_put(writer, "/view_bin", DV_H5_I32, 1, label_dims, set->view_bins));
    if (set->uniforms && set->passes) GOOD(dv_h5_put(writer, "/uniform", DV_H5_F64, 3, uniform_dims, set->uniforms));
    if (set->uniforms && !set->passes)
        GOOD(dv_h5_put(writer, "/uniform", DV_H5_F64, 2, uniform_dims + 1, set->uniforms));
    GOOD(dv_h5_commit(writer));
    return path;
}

dv_features *fixture_open(const char *path) {
    dv_features *features;
    if (dv_features_open(&path, 1, &features) != DV_OK) fail_msg("%s", dv_last_error());
    return features;
}

void fixture_expect_rows(dv_bank *bank, size_t n_rows, const int32_t *images, const int32_t *patches,
                         const int32_t *ranks) {
    const dv_bank_info *info = dv_bank_get_info(bank);
    assert_int_equal(info->n_rows, n_rows);
    assert_memory_equal(info->image, images, n_rows * sizeof *images);
    assert_memory_equal(info->patch, patches, n_rows * sizeof *patches);
    assert_memory_equal(info->rank, ranks, n_rows * sizeof *ranks);
    assert_int_equal(info->dtype, DV_F32);
    float *rows = malloc(n_rows * info->dim * sizeof *rows);
    assert_non_null(rows);
    if (dv_bank_read(bank, 0, n_rows, rows) != DV_OK) fail_msg("%s", dv_last_error());
    for (size_t row = 0; row < n_rows; row++) {
        const float expected = images[row] < 0 ? 0 : (float)(images[row] * 1000 + patches[row] + 1);
        assert_true(rows[row * info->dim] == expected);
        assert_true(rows[row * info->dim + 1] == (images[row] < 0 ? 0 : 1));
    }
    free(rows);
}

bool fixture_same_bytes(const char *left, const char *right) {
    FILE *a = fopen(left, "rb"), *b = fopen(right, "rb");
    assert_non_null(a);
    assert_non_null(b);
    int x, y;
    do {
        x = getc(a);
        y = getc(b);
    } while (x == y && x != EOF);
    fclose(a);
    fclose(b);
    return x == y;
}
