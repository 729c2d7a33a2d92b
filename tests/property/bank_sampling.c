/* Sampled banks: a smaller one is a prefix of a larger one, and an image's rows depend on nothing but the image. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "property/metrics_seed.h"
#include "unit/bank/fixture.h"

enum { N_IMAGES = 11, GRID_H = 3, GRID_W = 5, PATCH = 2, N_CLASSES = 4, PASSES = 2 };
enum { N_PATCHES = GRID_H * GRID_W, N_PIXELS = N_PATCHES * PATCH * PATCH };

static uint8_t labels[N_IMAGES][N_PIXELS];
static char id_text[N_IMAGES][16];
static uint64_t seed, random_state;

static int make_images(void **state) {
    seed = test_seed();
    random_state = seed;
    for (size_t image = 0; image < N_IMAGES; image++) {
        snprintf(id_text[image], sizeof id_text[image], "frame_%zu", image * 37);
        for (size_t i = 0; i < N_PIXELS; i++) labels[image][i] = (uint8_t)test_below(&random_state, N_CLASSES);
        for (size_t patch = 0; patch < N_PATCHES; patch++) /* some patches are of ignored pixels alone */
            for (size_t y = 0; patch % 4 == image % 4 && y < PATCH; y++)
                memset(labels[image] + (patch / GRID_W * PATCH + y) * GRID_W * PATCH + patch % GRID_W * PATCH, 255,
                       PATCH);
    }
    return fixture_begin(state);
}

/* A bank and the set under it. */
typedef struct built {
    dv_features *features;
    dv_bank *bank;
    const dv_bank_info *info;
} built;

/* Builds from images order[0 .. n_images - 1]. */
static built build(const char *name, const size_t *order, size_t n_images, size_t per_image, size_t n_threads) {
    static uint8_t ordered[N_IMAGES][N_PIXELS];
    static dv_bank_options options;
    const char *ids[N_IMAGES];
    for (size_t i = 0; i < n_images; i++) {
        memcpy(ordered[i], labels[order[i]], N_PIXELS);
        ids[i] = id_text[order[i]];
    }
    const fixture_set set = {.n_images = n_images,
                             .grid_h = GRID_H,
                             .grid_w = GRID_W,
                             .patch_size = PATCH,
                             .dim = 2,
                             .n_classes = N_CLASSES,
                             .labels = ordered[0],
                             .ids = ids,
                             .numbers = order};
    memset(&options, 0, sizeof options);
    dv_label_set_add(&options.ignored, 255);
    options.per_image = per_image;
    options.passes = PASSES;
    options.seed = seed;
    options.n_threads = n_threads;
    built b = {.features = fixture_open(fixture_write(name, &set))};
    if (dv_bank_build(b.features, &options, &b.bank) != DV_OK) fail_msg("%s", dv_last_error());
    b.info = dv_bank_get_info(b.bank);
    return b;
}

static void release(built *b) {
    dv_bank_close(b->bank);
    dv_features_close(b->features);
}

static void read_row(const built *b, size_t row, float *values) {
    assert_int_equal(dv_bank_read(b->bank, row, 1, values), DV_OK);
}

/* Asserts that two rows are of the same picture: id, patch, rank, counts and features. */
static void expect_same_row(const built *a, size_t row_a, const built *b, size_t row_b) {
    float x[2], y[2];
    assert_string_equal(a->info->image_ids[a->info->image[row_a]], b->info->image_ids[b->info->image[row_b]]);
    assert_int_equal(a->info->patch[row_a], b->info->patch[row_b]);
    assert_int_equal(a->info->rank[row_a], b->info->rank[row_b]);
    assert_memory_equal(a->info->counts + row_a * N_CLASSES, b->info->counts + row_b * N_CLASSES,
                        N_CLASSES * sizeof *a->info->counts);
    read_row(a, row_a, x);
    read_row(b, row_b, y);
    assert_memory_equal(x, y, sizeof x);
}

static const size_t in_order[N_IMAGES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static void a_smaller_bank_takes_the_first_rows_of_each_image(void **state) {
    (void)state;
    built whole = build("whole.h5", in_order, N_IMAGES, N_PATCHES, 1);
    for (size_t n = 1; n < N_PATCHES; n++) {
        built part = build("part.h5", in_order, N_IMAGES, n, 1);
        size_t row = 0;
        for (size_t i = 0; i < whole.info->n_rows; i++)
            if ((size_t)whole.info->rank[i] < n) expect_same_row(&whole, i, &part, row++);
        assert_int_equal(row, part.info->n_rows);
        release(&part);
    }
    release(&whole);
}

/* The rows of an image start where its id first occurs in a pass. */
static size_t find_row(const built *b, const char *id, int32_t rank, size_t nth) {
    for (size_t row = 0; row < b->info->n_rows; row++)
        if (b->info->rank[row] == rank && strcmp(b->info->image_ids[b->info->image[row]], id) == 0 && nth-- == 0)
            return row;
    fail_msg("no row of %s with rank %d", id, rank);
    return 0;
}

/* HB-06. */
static void rows_of_an_image_depend_neither_on_order_nor_on_company(void **state) {
    (void)state;
    size_t shuffled[N_IMAGES];
    memcpy(shuffled, in_order, sizeof shuffled);
    for (size_t i = N_IMAGES - 1; i > 0; i--) {
        const size_t j = test_below(&random_state, i + 1), kept = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = kept;
    }
    built first = build("first.h5", in_order, N_IMAGES, 6, 1);
    const size_t sizes[] = {N_IMAGES, 6, 1};
    for (size_t i = 0; i < 3; i++) {
        const size_t n_images = sizes[i];
        built other = build("other.h5", shuffled, n_images, 6, 3);
        if (n_images == N_IMAGES) assert_int_equal(other.info->n_rows, first.info->n_rows);
        for (size_t row = 0; row < other.info->n_rows; row++) {
            const size_t pass = row >= other.info->n_rows / PASSES;
            const char *id = other.info->image_ids[other.info->image[row]];
            expect_same_row(&other, row, &first, find_row(&first, id, other.info->rank[row], pass));
        }
        release(&other);
    }
    release(&first);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    built one = build("one.h5", in_order, N_IMAGES, 5, 1);
    for (size_t n_threads = 2; n_threads <= 4; n_threads++) {
        built many = build("many.h5", in_order, N_IMAGES, 5, n_threads);
        assert_int_equal(one.info->n_rows, many.info->n_rows);
        for (size_t row = 0; row < one.info->n_rows; row++) expect_same_row(&one, row, &many, row);
        release(&many);
    }
    release(&one);
}

static void passes_and_seeds_choose_differently(void **state) {
    (void)state;
    built a = build("a.h5", in_order, N_IMAGES, 5, 1);
    const size_t half = a.info->n_rows / 2;
    assert_memory_not_equal(a.info->patch, a.info->patch + half, half * sizeof *a.info->patch);
    seed++;
    built b = build("b.h5", in_order, N_IMAGES, 5, 1);
    seed--;
    assert_memory_not_equal(a.info->patch, b.info->patch, half * sizeof *a.info->patch);
    release(&a);
    release(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_smaller_bank_takes_the_first_rows_of_each_image),
        cmocka_unit_test(rows_of_an_image_depend_neither_on_order_nor_on_company),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(passes_and_seeds_choose_differently),
    };
    return cmocka_run_group_tests(tests, make_images, fixture_end);
}
