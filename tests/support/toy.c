#include "support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/features.h"

static void fill_labels(const toy_image *image, uint16_t *labels) {
    for (size_t y = 0; y < TOY_SIDE; y++)
        for (size_t x = 0; x < TOY_SIDE; x++)
            labels[y * TOY_SIDE + x] = (uint16_t)image->truth[y / TOY_PATCH * TOY_GRID + x / TOY_PATCH];
}

static void fill_rows(const toy_image *image, float *rows) {
    memset(rows, 0, TOY_PATCHES * TOY_DIM * sizeof *rows);
    for (size_t patch = 0; patch < TOY_PATCHES; patch++)
        if (image->direction[patch] >= 0) rows[patch * TOY_DIM + (size_t)image->direction[patch]] = 1;
}

static void append(dv_feature_writer *writer, const toy_image *image) {
    uint16_t labels[TOY_SIDE * TOY_SIDE];
    float rows[TOY_PATCHES * TOY_DIM];
    fill_labels(image, labels);
    fill_rows(image, rows);
    assert_int_equal(dv_feature_writer_append(writer, 1, rows, labels), 0);
}

void toy_write(const char *path, const char *prefix, const toy_image *images, size_t n_images) {
    enum { MAX_IMAGES = 2048 };
    static const char *const class_names[TOY_CLASSES] = {"left", "middle", "right"};
    char ids[MAX_IMAGES][32];
    const char *id_list[MAX_IMAGES], *objects[MAX_IMAGES];
    int32_t bins[MAX_IMAGES];
    assert_true(n_images <= MAX_IMAGES);
    for (size_t i = 0; i < n_images; i++) {
        snprintf(ids[i], sizeof ids[i], "%s%zu", prefix, i);
        id_list[i] = ids[i];
        objects[i] = images[i].object ? images[i].object : "thing";
        bins[i] = images[i].bin;
    }
    const dv_feature_spec spec = {
        .n_images = n_images,
        .grid_h = TOY_GRID,
        .grid_w = TOY_GRID,
        .dim = TOY_DIM,
        .dtype = DV_F32,
        .preprocessing = {.encoder = "toy", .patch_size = TOY_PATCH, .input_h = TOY_SIDE, .input_w = TOY_SIDE},
        .has_labels = true,
        .n_classes = TOY_CLASSES,
        .class_names = class_names,
        .image_ids = id_list,
        .object_ids = objects,
        .view_bins = bins,
    };
    dv_feature_writer *writer;
    assert_int_equal(dv_feature_writer_create(path, &spec, true, &writer), 0);
    for (size_t i = 0; i < n_images; i++) append(writer, &images[i]);
    assert_int_equal(dv_feature_writer_finish(writer), 0);
    dv_feature_writer_free(writer);
}

char *toy_path(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *toy_folder(void) {
    const char *base = getenv("TMPDIR");
    char *folder = toy_path(base ? base : "/tmp", "denseval-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

void toy_folder_remove(char *folder) {
    char command[4096];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    free(folder);
}
