/* Tests of dv_feature_reader: the thread that reads ahead. Run under a thread sanitizer too. */
#include "test_feature_support.h"

#include "denseval/log.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 4, ALL = FILES * IMAGES, IMAGE_VALUES = PATCHES * DIM, IMAGE_PIXELS = INPUT_H * INPUT_W };

/* A set of four sample files; a value tells the file that it is of. */
static dv_features *open_four(void) {
    const char *paths[FILES];
    for (size_t f = 0; f < FILES; f++) {
        char name[16], prefix[16];
        snprintf(name, sizeof name, "f%zu.h5", f);
        snprintf(prefix, sizeof prefix, "%c", (int)('a' + f));
        paths[f] = scratch(name);
        if (file_exists(paths[f])) continue;
        double values[N_VALUES];
        for (size_t i = 0; i < N_VALUES; i++) values[i] = sample_value(i) + 100.0 * (double)f;
        sample_make(paths[f], prefix);
        const hid_t file = raw_open(paths[f]);
        replace_features(file, H5T_IEEE_F32LE, feature_dims, values);
        raw_close(file);
    }
    dv_features *set = NULL;
    assert_ok(dv_features_open(paths, FILES, &set));
    return set;
}

static float expected_value(size_t image, size_t i) {
    return (float)(sample_value(image % IMAGES * IMAGE_VALUES + i) + 100.0 * (double)(image / IMAGES));
}

/* Does a block hold these images, with their values and labels? */
static bool block_is(const dv_feature_block *block, const size_t *images, size_t n) {
    if (block->n_images != n || memcmp(block->images, images, n * sizeof *images) != 0) return false;
    const float *rows = block->rows;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; rows && i < IMAGE_VALUES; i++)
            if (rows[k * IMAGE_VALUES + i] != expected_value(images[k], i)) return false;
        for (size_t i = 0; block->labels && i < IMAGE_PIXELS; i++)
            if (block->labels[k * IMAGE_PIXELS + i] != sample_label(images[k] % IMAGES * IMAGE_PIXELS + i))
                return false;
    }
    return true;
}

static void every_block_size_gives_every_image_once(void **state) {
    (void)state;
    dv_features *set = open_four();
    const size_t some[] = {0, 2, 3, 4, 7, 10, 11};
    size_t all[ALL];
    for (size_t i = 0; i < ALL; i++) all[i] = i;
    for (size_t block_size = 1; block_size <= ALL + 1; block_size++)
        for (int subset = 0; subset < 2; subset++) {
            const size_t *images = subset ? some : all, n = subset ? sizeof some / sizeof some[0] : ALL;
            const dv_feature_reader_options options = {.images = images,
                                                       .n_images = n,
                                                       .images_per_block = block_size,
                                                       .want_rows = true,
                                                       .want_labels = true};
            dv_feature_reader *reader;
            const dv_feature_block *block;
            assert_ok(dv_feature_reader_open(set, &options, &reader));
            for (size_t done = 0; done < n; done += block_size) {
                assert_ok(dv_feature_reader_next(reader, &block));
                assert_non_null(block);
                assert_true(block->rows && block->labels);
                assert_true(block_is(block, images + done, n - done < block_size ? n - done : block_size));
            }
            for (int again = 0; again < 2; again++) {
                assert_ok(dv_feature_reader_next(reader, &block));
                assert_null(block);
            }
            dv_feature_reader_close(reader);
        }
    dv_features_close(set);
}

static void what_is_not_wanted_is_null(void **state) {
    (void)state;
    dv_features *set = open_four();
    for (int rows = 0; rows < 2; rows++) {
        const dv_feature_reader_options options = {.images = (const size_t[]){1, 2},
                                                   .n_images = 2,
                                                   .images_per_block = 2,
                                                   .want_rows = rows,
                                                   .want_labels = !rows};
        dv_feature_reader *reader;
        const dv_feature_block *block;
        assert_ok(dv_feature_reader_open(set, &options, &reader));
        assert_ok(dv_feature_reader_next(reader, &block));
        assert_true(!block->rows == !rows && !block->labels == (bool)rows);
        assert_true(block_is(block, (const size_t[]){1, 2}, 2));
        dv_feature_reader_close(reader);
    }
    dv_features_close(set);
}

static void no_images_give_no_block(void **state) {
    (void)state;
    dv_features *set = open_four();
    const dv_feature_reader_options options = {.images_per_block = 4, .want_rows = true};
    dv_feature_reader *reader;
    const dv_feature_block *block = (const dv_feature_block *)&options;
    assert_ok(dv_feature_reader_open(set, &options, &reader));
    assert_ok(dv_feature_reader_next(reader, &block));
    assert_null(block);
    dv_feature_reader_close(reader);
    dv_feature_reader_close(NULL);
    dv_features_close(set);
}

static void options_out_of_contract_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t images[3], n, per_block;
        const char *message;
    } cases[] = {{{0, 1, 2}, 3, 0, "blocks of 0 images"},
                 {{0, 1, 12}, 3, 1, "image 12 of 12"},
                 {{0, 2, 1}, 3, 1, "image 1 after image 2: expected rising order"},
                 {{0, 2, 2}, 3, 1, "image 2 after image 2: expected rising order"}};
    dv_features *set = open_four();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dv_feature_reader_options options = {.images = cases[i].images,
                                                   .n_images = cases[i].n,
                                                   .images_per_block = cases[i].per_block,
                                                   .want_rows = true};
        dv_feature_reader *reader = (dv_feature_reader *)&set;
        assert_failed(dv_feature_reader_open(set, &options, &reader), DV_E_ARG, cases[i].message);
        assert_null(reader);
    }
    dv_features_close(set);
}

static void closing_early_stops_the_thread_at_any_time(void **state) {
    (void)state;
    dv_features *set = open_four();
    size_t all[ALL];
    for (size_t i = 0; i < ALL; i++) all[i] = i;
    for (size_t taken = 0; taken <= ALL; taken++)
        for (int run = 0; run < 5; run++) {
            const dv_feature_reader_options options = {
                .images = all, .n_images = ALL, .images_per_block = 1, .want_rows = true, .want_labels = true};
            dv_feature_reader *reader;
            const dv_feature_block *block;
            assert_ok(dv_feature_reader_open(set, &options, &reader));
            for (size_t i = 0; i < taken; i++) assert_ok(dv_feature_reader_next(reader, &block));
            dv_feature_reader_close(reader);
        }
    float rows[IMAGE_VALUES]; /* the set is the caller's again */
    assert_ok(dv_features_read(set, 5, 1, DV_ZERO_ERROR, rows, NULL));
    assert_true(rows[0] == expected_value(5, 0));
    dv_features_close(set);
}

static void failure_comes_with_its_message_after_the_good_blocks(void **state) {
    (void)state;
    double values[N_VALUES];
    for (size_t i = 0; i < N_VALUES; i++) values[i] = i / IMAGE_VALUES == 2 ? (double)NAN : sample_value(i);
    sample_make(scratch("bad.h5"), "x");
    const hid_t file = raw_open(scratch("bad.h5"));
    replace_features(file, H5T_IEEE_F32LE, feature_dims, values);
    raw_close(file);
    dv_features *set = open_set(scratch("bad.h5"), NULL);
    const dv_feature_reader_options options = {
        .images = (const size_t[]){0, 1, 2}, .n_images = 3, .images_per_block = 1, .want_rows = true};
    dv_feature_reader *reader;
    const dv_feature_block *block;
    assert_ok(dv_feature_reader_open(set, &options, &reader));
    for (size_t i = 0; i < 2; i++) {
        assert_ok(dv_feature_reader_next(reader, &block));
        assert_true(block_is(block, &i, 1));
    }
    for (int again = 0; again < 2; again++) {
        assert_failed(dv_feature_reader_next(reader, &block), DV_E_DATA,
                      "bad.h5: /features row 2, patch 0, dimension 0, value nan: features must be finite");
        assert_null(block);
    }
    dv_feature_reader_close(reader);
    dv_features_close(set);
}

/* ---- bad images, R12 ---- */

/* Four files; the second has a zero row in image 4 and labels that are not whole in image 5, the last is all NaN (9,
 * 10, 11), and image 1 has a label that is no class of 5 and not ignored. */
static dv_features *open_spoilt(size_t *n_classes, dv_label_set *ignored) {
    double values[N_VALUES], labels[N_PIXELS];
    dv_features_close(open_four());
    for (size_t i = 0; i < N_VALUES; i++) values[i] = i / DIM == PATCHES + 2 ? 0 : sample_value(i) + 100;
    for (size_t i = 0; i < N_PIXELS; i++) labels[i] = i / IMAGE_PIXELS == 2 ? 0.5 : sample_label(i);
    sample_make(scratch("s1.h5"), "b");
    hid_t file = raw_open(scratch("s1.h5"));
    replace_features(file, H5T_IEEE_F32LE, feature_dims, values);
    replace(file, "/labels", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, label_dims, labels);
    raw_close(file);
    for (size_t i = 0; i < N_VALUES; i++) values[i] = (double)NAN;
    sample_make(scratch("s3.h5"), "d");
    file = raw_open(scratch("s3.h5"));
    replace_features(file, H5T_IEEE_F32LE, feature_dims, values);
    raw_close(file);
    for (size_t i = 0; i < N_PIXELS; i++) labels[i] = i == IMAGE_PIXELS + 1 ? 999 : sample_label(i);
    sample_make(scratch("s0.h5"), "a");
    file = raw_open(scratch("s0.h5"));
    replace(file, "/labels", H5T_STD_U16LE, H5T_NATIVE_DOUBLE, label_dims, labels);
    raw_close(file);
    *n_classes = 1;
    for (size_t i = 0; i < N_PIXELS; i++) dv_label_set_add(ignored, sample_label(i));
    dv_features *set = NULL;
    const char *paths[FILES] = {scratch("s0.h5"), scratch("s1.h5"), scratch("f2.h5"), scratch("s3.h5")};
    assert_ok(dv_features_open(paths, FILES, &set));
    return set;
}

static void bad_images_are_left_out_of_the_blocks(void **state) {
    (void)state;
    static const size_t good[] = {0, 2, 3, 6, 7, 8};
    size_t listed[ALL], n_classes;
    dv_label_set ignored = {{0}};
    dv_features *set = open_spoilt(&n_classes, &ignored);
    for (size_t i = 0; i < ALL; i++) listed[i] = i;
    for (size_t block_size = 1; block_size <= ALL + 1; block_size++) {
        const dv_feature_reader_options options = {.images = listed,
                                                   .n_images = ALL,
                                                   .images_per_block = block_size,
                                                   .want_rows = true,
                                                   .want_labels = true,
                                                   .n_classes = n_classes,
                                                   .ignored = &ignored,
                                                   .bad_images = DV_BAD_SKIP};
        dv_feature_reader *reader;
        const dv_feature_block *block;
        size_t n_seen = 0;
        assert_ok(dv_feature_reader_open(set, &options, &reader));
        for (;;) {
            assert_ok(dv_feature_reader_next(reader, &block));
            if (!block) break;
            assert_true(block->n_images > 0 && n_seen + block->n_images <= sizeof good / sizeof good[0]);
            assert_true(block_is(block, good + n_seen, block->n_images));
            assert_memory_equal(block->places, good + n_seen, block->n_images * sizeof *good);
            n_seen += block->n_images;
        }
        assert_int_equal(n_seen, sizeof good / sizeof good[0]);
        assert_int_equal(dv_feature_reader_skipped(reader), 6);
        assert_ok(dv_feature_reader_next(reader, &block));
        assert_null(block);
        dv_feature_reader_close(reader);
    }
    dv_features_close(set);
}

static void take_line(void *user, dv_log_level level, const char *line) {
    (void)level;
    char(*lines)[300] = user;
    while (**lines) lines++;
    snprintf(*lines, sizeof *lines, "%s", line);
}

static void bad_images_are_all_listed_before_the_failure(void **state) {
    (void)state;
    static const char *const expected[] = {
        "s0.h5: image 1 (a1): pixel row 0, column 1, label 999: must be below 1 classes or ignored",
        "s1.h5: /features row 1, patch 2: a zero row has no direction (--zero-rows skip or keep accepts them)",
        "s1.h5: /labels [2, 0, 0], value 0.5: expected a whole number",
        "s3.h5: /features row 0, patch 0, dimension 0, value nan",
        "s3.h5: /features row 1, patch 0, dimension 0, value nan",
        "s3.h5: /features row 2, patch 0, dimension 0, value nan"};
    size_t listed[ALL], n_classes;
    dv_label_set ignored = {{0}};
    dv_features *set = open_spoilt(&n_classes, &ignored);
    for (size_t i = 0; i < ALL; i++) listed[i] = i;
    for (size_t block_size = 1; block_size <= ALL + 1; block_size++) {
        char lines[8][300] = {{0}};
        const dv_feature_reader_options options = {.images = listed,
                                                   .n_images = ALL,
                                                   .images_per_block = block_size,
                                                   .want_rows = true,
                                                   .want_labels = true,
                                                   .n_classes = n_classes,
                                                   .ignored = &ignored,
                                                   .bad_images = DV_BAD_LIST};
        dv_feature_reader *reader;
        const dv_feature_block *block;
        dv_log_set(take_line, lines, DV_LOG_WARNING);
        assert_ok(dv_feature_reader_open(set, &options, &reader));
        dv_status status = dv_feature_reader_next(reader, &block);
        if (block_size == 1) { /* image 0 comes before anything bad is seen */
            assert_ok(status);
            assert_true(block_is(block, listed, 1));
            status = dv_feature_reader_next(reader, &block);
        }
        for (int again = 0; again < 2; again++) {
            assert_failed(status, DV_E_DATA, "s0.h5: image 1 (a1): pixel row 0, column 1, label 999");
            assert_failed(status, DV_E_DATA, "(6 of 12 images are bad)");
            assert_null(block);
            status = dv_feature_reader_next(reader, &block);
        }
        dv_log_set(NULL, NULL, DV_LOG_ERROR);
        for (size_t i = 0; i < 6; i++)
            if (!strstr(lines[i], expected[i])) fail_msg("line %zu: %s", i, lines[i]);
        assert_int_equal(lines[6][0], 0);
        dv_feature_reader_close(reader);
    }
    dv_features_close(set);
}

/* ---- several readers at once, H5-08 ---- */

/* Reads a whole set, block by block; a checksum of all values and labels, or 0 on failure. */
static uint64_t checksum(size_t images_per_block) {
    const char *paths[FILES];
    char names[FILES][16];
    size_t all[ALL];
    dv_features *set = NULL;
    dv_feature_reader *reader = NULL;
    const dv_feature_block *block = NULL;
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < ALL; i++) all[i] = i;
    for (size_t f = 0; f < FILES; f++) {
        snprintf(names[f], sizeof names[f], "f%zu.h5", f);
        paths[f] = scratch(names[f]); /* known by now: no thread adds a name */
    }
    const dv_feature_reader_options options = {
        .images = all, .n_images = ALL, .images_per_block = images_per_block, .want_rows = true, .want_labels = true};
    if (dv_features_open(paths, FILES, &set) != DV_OK) return 0;
    if (dv_feature_reader_open(set, &options, &reader) != DV_OK) sum = 0;
    while (sum && dv_feature_reader_next(reader, &block) == DV_OK && block) {
        const float *rows = block->rows;
        for (size_t i = 0; i < block->n_images; i++) {
            for (size_t v = 0; v < IMAGE_VALUES; v++)
                sum = (sum ^ (uint64_t)rows[i * IMAGE_VALUES + v]) * 1099511628211u;
            for (size_t p = 0; p < IMAGE_PIXELS; p++)
                sum = (sum ^ block->labels[i * IMAGE_PIXELS + p]) * 1099511628211u;
        }
    }
    dv_feature_reader_close(reader);
    dv_features_close(set);
    return sum;
}

typedef struct consumer {
    pthread_t thread;
    size_t images_per_block;
    uint64_t sum;
} consumer;

static void *consume(void *context) {
    consumer *self = context;
    self->sum = checksum(self->images_per_block);
    return NULL;
}

static void four_readers_at_once_equal_one(void **state) { /* H5-08 */
    (void)state;
    dv_features_close(open_four()); /* makes the files */
    const uint64_t expected = checksum(ALL);
    assert_true(expected != 0);
    for (int run = 0; run < 20; run++) {
        consumer consumers[4] = {
            {.images_per_block = 1}, {.images_per_block = 2}, {.images_per_block = 5}, {.images_per_block = ALL}};
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&consumers[i].thread, NULL, consume, &consumers[i]), 0);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(pthread_join(consumers[i].thread, NULL), 0);
            assert_true(consumers[i].sum == expected);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_size_gives_every_image_once),
        cmocka_unit_test(what_is_not_wanted_is_null),
        cmocka_unit_test(no_images_give_no_block),
        cmocka_unit_test(options_out_of_contract_are_refused),
        cmocka_unit_test(closing_early_stops_the_thread_at_any_time),
        cmocka_unit_test(failure_comes_with_its_message_after_the_good_blocks),
        cmocka_unit_test(bad_images_are_left_out_of_the_blocks),
        cmocka_unit_test(bad_images_are_all_listed_before_the_failure),
        cmocka_unit_test(four_readers_at_once_equal_one),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
