/* Sampled memories of the CamVid goldens: the same patches in the same order with the same pixel counts. The data set
 * is not part of the repository (licence): DENSEVAL_SHARED names its folder, and without it the test is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "denseval/bank.h"
#include "io/hdf5_file.h"
#include "unit/bank/fixture.h"

#define GOOD(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != DV_OK) fail_msg("%s", dv_last_error());                                                          \
    } while (0)

static char train[600], extra[600], memory[600], knn[600];

/* The numbers of the two extra images have no ids in the golden file; they get those of their feature file. */
static const char *write_extra_numbers(void) {
    const char *path = fixture_path("uniform_extra.h5");
    dv_features *features = fixture_open(extra);
    const dv_feature_info *info = dv_features_info(features);
    dv_h5 *file;
    dv_h5_data *data;
    GOOD(dv_h5_open(memory, &file));
    GOOD(dv_h5_data_open(file, "/uniform_extra", &data));
    double *values = calloc(info->n_images * info->n_patches, sizeof *values);
    assert_non_null(values);
    const size_t dims[] = {info->n_images, info->n_patches};
    GOOD(dv_h5_expect(data, 2, dims));
    GOOD(dv_h5_read_f64(data, 0, info->n_images, values));
    dv_h5_writer *writer;
    GOOD(dv_h5_create(path, true, &writer));
    GOOD(dv_h5_put(writer, "/uniform", DV_H5_F64, 2, dims, values));
    GOOD(dv_h5_put_texts(writer, "/image_id", info->n_images, info->image_ids));
    GOOD(dv_h5_commit(writer));
    free(values);
    dv_h5_data_close(data);
    dv_h5_close(file);
    dv_features_close(features);
    return path;
}

/* Reads a golden of whole numbers [n, width]; free() it. */
static int32_t *read_golden(const char *path, const char *name, size_t width, size_t *n) {
    dv_h5 *file;
    dv_h5_data *data;
    GOOD(dv_h5_open(path, &file));
    GOOD(dv_h5_data_open(file, name, &data));
    GOOD(dv_h5_expect(data, 2, (const size_t[]){SIZE_MAX, width}));
    *n = dv_h5_data_shape(data)->dims[0];
    int32_t *values = calloc(*n * width, sizeof *values);
    assert_non_null(values);
    GOOD(dv_h5_read_i32(data, 0, *n, values));
    dv_h5_data_close(data);
    dv_h5_close(file);
    return values;
}

/* Every row has the bits of its patch in the feature set. */
static void expect_features(dv_bank *bank, dv_features *features) {
    const dv_bank_info *info = dv_bank_get_info(bank);
    const size_t row_bytes = info->dim * dv_dtype_size(info->dtype);
    const size_t image_bytes = dv_features_info(features)->n_patches * row_bytes;
    char *rows = malloc(info->n_rows * row_bytes), *image = malloc(image_bytes);
    assert_non_null(rows);
    assert_non_null(image);
    GOOD(dv_bank_read(bank, 0, info->n_rows, rows));
    int32_t at_hand = -1;
    for (size_t row = 0; row < info->n_rows; row++) {
        if (info->image[row] < 0) {
            memset(image, 0, row_bytes);
            assert_memory_equal(rows + row * row_bytes, image, row_bytes);
            at_hand = -1;
            continue;
        }
        if (info->image[row] != at_hand) {
            at_hand = info->image[row];
            GOOD(dv_features_read(features, (size_t)at_hand, 1, DV_ZERO_KEEP, image, NULL));
        }
        assert_memory_equal(rows + row * row_bytes, image + (size_t)info->patch[row] * row_bytes, row_bytes);
    }
    free(image);
    free(rows);
}

static void expect_origins(const dv_bank_info *info, const int32_t *selected, size_t n) {
    assert_int_equal(info->n_rows - info->n_unfilled_rows, n);
    for (size_t row = 0; row < n; row++) {
        assert_int_equal(info->image[row], selected[2 * row]);
        assert_int_equal(info->patch[row], selected[2 * row + 1]);
    }
}

/* A configuration of the golden file; memory_size is the attribute of its group. */
typedef struct golden {
    const char *name;
    size_t memory_size;
    bool reference; /* --compat hummingbird */
    int extra;      /* the two extra images: 0 not there, 1 behind the others, -1 before them */
} golden;

static void expect_golden(const golden *g) {
    static dv_bank_options options;
    const char *const numbers[] = {memory, write_extra_numbers()};
    const char *const paths[] = {g->extra < 0 ? extra : train, g->extra < 0 ? train : extra};
    dv_features *features;
    dv_bank *bank;
    GOOD(dv_features_open(paths, g->extra ? 2 : 1, &features));
    memset(&options, 0, sizeof options);
    dv_label_set_add(&options.ignored, 255);
    options.memory_size = g->memory_size;
    options.uniform_paths = numbers;
    options.n_uniform_paths = g->extra ? 2 : 1;
    options.n_threads = 2;
    if (g->reference) {
        options.memory_ignored = DV_MEMORY_BACKGROUND;
        options.zero_rows = DV_ZERO_KEEP;
        options.drop_last_batch = 4;
    }
    GOOD(dv_bank_build(features, &options, &bank));
    options.uniform_paths = NULL;
    const dv_bank_info *info = dv_bank_get_info(bank);
    if (g->reference) assert_int_equal(info->n_rows, g->memory_size);
    char name[64];
    size_t n;
    snprintf(name, sizeof name, "/%s/selected", g->name);
    int32_t *selected = read_golden(memory, name, 2, &n);
    expect_origins(info, selected, n);
    free(selected);
    snprintf(name, sizeof name, "/%s/counts", g->name);
    int32_t *counts = read_golden(memory, name, info->n_classes, &n);
    assert_int_equal(n, info->n_rows - info->n_unfilled_rows);
    for (size_t i = 0; i < n * info->n_classes; i++) assert_int_equal(info->counts[i], counts[i]);
    free(counts);
    expect_features(bank, features);
    dv_bank_close(bank);
    dv_features_close(features);
}

static void plain_memories_are_those_of_the_goldens(void **state) {
    (void)state;
    expect_golden(&(golden){"plain_n30", 1440, false, 0});
    expect_golden(&(golden){"plain_n110", 5280, false, 0});
}

static void published_memories_are_those_of_the_goldens(void **state) {
    (void)state;
    expect_golden(&(golden){"reference_n1", 95, true, 0});
    expect_golden(&(golden){"reference_n30", 1487, true, 0});
    expect_golden(&(golden){"reference_n110", 5327, true, 0});
}

static void images_in_a_second_file_fall_into_the_dropped_batch(void **state) {
    (void)state;
    expect_golden(&(golden){"reference_n30_two_files", 1549, true, 1});
    expect_golden(&(golden){"reference_n30_extra_first", 1549, true, -1});
}

static void a_memory_of_all_patches_leaves_out_void_alone(void **state) {
    (void)state;
    static dv_bank_options options;
    dv_features *features = fixture_open(train);
    dv_bank *bank;
    dv_label_set_add(&options.ignored, 255);
    GOOD(dv_bank_build(features, &options, &bank));
    size_t n;
    int32_t *rows = read_golden(knn, "/bank_rows", 2, &n);
    expect_origins(dv_bank_get_info(bank), rows, n);
    free(rows);
    dv_bank_close(bank);
    dv_features_close(features);
}

int main(void) {
    const char *shared = getenv("DENSEVAL_SHARED");
    const struct {
        char *path;
        const char *name;
    } files[] = {{train, "train.h5"}, {extra, "train_extra.h5"}, {memory, "golden_memory.h5"}, {knn, "golden_knn.h5"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(files[i].path, sizeof train, "%s/data/camvid/%s", shared ? shared : "", files[i].name);
        if (!shared || access(files[i].path, R_OK) != 0) {
            printf("skipped: no %s in DENSEVAL_SHARED\n", files[i].name);
            return 77;
        }
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_memories_are_those_of_the_goldens),
        cmocka_unit_test(published_memories_are_those_of_the_goldens),
        cmocka_unit_test(images_in_a_second_file_fall_into_the_dropped_batch),
        cmocka_unit_test(a_memory_of_all_patches_leaves_out_void_alone),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
