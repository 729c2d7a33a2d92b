#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "denseval/aggregate.h"
#include "denseval/upsample.h"
#include "property/metrics_seed.h"
#include "segment/blend.h"

static void *aligned(size_t n_bytes) {
    void *memory = aligned_alloc(64, (n_bytes + 63) / 64 * 64 + 64);
    assert_non_null(memory);
    memset(memory, 0xa5, (n_bytes + 63) / 64 * 64 + 64);
    return memory;
}

static void upsample(size_t grid_h, size_t grid_w, size_t height, size_t width, const double *soft,
                     const uint16_t *pure, size_t n_classes, uint16_t *pred) {
    dv_upsampler *upsampler;
    assert_int_equal(dv_upsampler_create(grid_h, grid_w, height, width, &upsampler), DV_OK);
    const size_t n_bytes = dv_upsampler_scratch(upsampler, n_classes);
    unsigned char *scratch = aligned(n_bytes);
    pred[height * width] = 54321; /* guards */
    scratch[n_bytes] = 77;
    dv_upsample_argmax(upsampler, soft, pure, n_classes, scratch, pred);
    assert_int_equal(pred[height * width], 54321);
    assert_int_equal(scratch[n_bytes], 77);
    free(scratch);
    dv_upsampler_free(upsampler);
}

/* SEG-11: .9 of the left column's label at pixel 1, .5 at pixel 2, .1 at pixel 3. The share is found by letting it
 * compete with a constant third class just below and just above it. */
static void shares_of_two_columns_at_five_pixels_are_as_published(void **state) {
    (void)state;
    const double share[5] = {1.0, 0.9, 0.5, 0.1, 0.0};
    const uint16_t pure[4] = {DV_MIXED, DV_MIXED, DV_MIXED, DV_MIXED};
    uint16_t pred[26];
    for (int column = 0; column < 5; column++)
        for (int side = -1; side <= 1; side += 2) {
            const double rival = share[column] + side * 1e-9;
            if (rival < 0.0) continue;
            const double soft[8] = {1, rival, 0, rival, 1, rival, 0, rival};
            upsample(2, 2, 5, 5, soft, pure, 2, pred);
            for (int row = 0; row < 5; row++) assert_int_equal(pred[row * 5 + column], side < 0 ? 0 : 1);
        }
}

/* SEG-11: at the middle column both classes have one half. */
static void lowest_class_wins_ties(void **state) {
    (void)state;
    const double left_is_0[8] = {1, 0, 0, 1, 1, 0, 0, 1}, left_is_1[8] = {0, 1, 1, 0, 0, 1, 1, 0};
    const uint16_t pure_0[4] = {0, 1, 0, 1}, pure_1[4] = {1, 0, 1, 0};
    const uint16_t expected_0[5] = {0, 0, 0, 1, 1}, expected_1[5] = {1, 1, 0, 0, 0};
    uint16_t pred[26];
    upsample(2, 2, 5, 5, left_is_0, pure_0, 2, pred);
    for (int i = 0; i < 25; i++) assert_int_equal(pred[i], expected_0[i % 5]);
    upsample(2, 2, 5, 5, left_is_1, pure_1, 2, pred);
    for (int i = 0; i < 25; i++) assert_int_equal(pred[i], expected_1[i % 5]);
}

static void patches_without_label_become_class_0(void **state) {
    (void)state;
    const double soft[12] = {0};
    const uint16_t pure[4] = {DV_MIXED, DV_MIXED, DV_MIXED, DV_MIXED};
    uint16_t pred[10];
    upsample(2, 2, 3, 3, soft, pure, 3, pred);
    for (int i = 0; i < 9; i++) assert_int_equal(pred[i], 0);
}

/* Pixel by pixel, all classes, as the header words it. */
static void naive(size_t grid_h, size_t grid_w, size_t height, size_t width, const double *soft, size_t n_classes,
                  uint16_t *pred) {
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const double at_y = fmax(((double)y + 0.5) * (double)grid_h / (double)height - 0.5, 0.0);
            const double at_x = fmax(((double)x + 0.5) * (double)grid_w / (double)width - 0.5, 0.0);
            const size_t y0 = (size_t)floor(at_y), x0 = (size_t)floor(at_x);
            const size_t y1 = y0 + 1 < grid_h ? y0 + 1 : y0, x1 = x0 + 1 < grid_w ? x0 + 1 : x0;
            const double ty = at_y - (double)y0, tx = at_x - (double)x0;
            double best = -1.0;
            for (size_t c = 0; c < n_classes; c++) {
                const double top =
                    soft[(y0 * grid_w + x0) * n_classes + c] * (1 - tx) + soft[(y0 * grid_w + x1) * n_classes + c] * tx;
                const double bottom =
                    soft[(y1 * grid_w + x0) * n_classes + c] * (1 - tx) + soft[(y1 * grid_w + x1) * n_classes + c] * tx;
                const double value = top * (1 - ty) + bottom * ty;
                if (value > best) {
                    best = value;
                    pred[y * width + x] = (uint16_t)c;
                }
            }
        }
}

/* Neighbouring patches often share a class; some are pure, some mixed, a few without any label; shares are coarse, so
 * that ties happen. */
static void fill_soft(uint64_t *random, size_t n_patches, size_t n_classes, double *soft, uint16_t *pure) {
    memset(soft, 0, n_patches * n_classes * sizeof *soft);
    size_t main_class = 0;
    for (size_t i = 0; i < n_patches; i++) {
        double *label = soft + i * n_classes;
        if (test_below(random, 6) == 0) main_class = test_below(random, n_classes);
        label[main_class] = (double)(1 + test_below(random, 4)) / 4;
        for (size_t j = test_below(random, 3); j > 0; j--)
            label[test_below(random, n_classes)] = test_below(random, 2) ? 0.25 : test_uniform(random);
        if (test_below(random, 20) == 0) memset(label, 0, n_classes * sizeof *label);
        size_t n_present = 0, last = 0;
        for (size_t c = 0; c < n_classes; c++)
            if (label[c] > 0.0) {
                n_present++;
                last = c;
            }
        pure[i] = n_present == 1 ? (uint16_t)last : (uint16_t)DV_MIXED;
    }
}

static void check_sizes(uint64_t *random, size_t grid_h, size_t grid_w, size_t height, size_t width, size_t n_classes) {
    double *soft = calloc(grid_h * grid_w * n_classes, sizeof *soft);
    uint16_t *pure = calloc(grid_h * grid_w, sizeof *pure), *expected = calloc(height * width, sizeof *expected);
    uint16_t *pred = calloc(height * width + 1, sizeof *pred);
    assert_true(soft && pure && expected && pred);
    fill_soft(random, grid_h * grid_w, n_classes, soft, pure);
    naive(grid_h, grid_w, height, width, soft, n_classes, expected);
    upsample(grid_h, grid_w, height, width, soft, pure, n_classes, pred);
    assert_memory_equal(pred, expected, height * width * sizeof *pred);
    free(soft);
    free(pure);
    free(expected);
    free(pred);
}

static void every_pixel_equals_the_naive_loop(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const size_t sizes[][4] = {{1, 1, 1, 1},       {1, 1, 7, 40},    {1, 5, 3, 33},  {14, 14, 224, 224},
                               {16, 16, 224, 224}, {3, 2, 100, 101}, {9, 11, 5, 4},  {32, 32, 512, 512},
                               {7, 5, 7, 5},       {2, 37, 31, 37},  {8, 3, 8, 200}, {13, 17, 31, 16}};
    const size_t classes[] = {1, 2, 3, 16, 21, 150};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof classes / sizeof *classes; j++) {
            if (sizes[i][2] > 300 && classes[j] > 21) continue;
            check_sizes(&random, sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3], classes[j]);
        }
    for (int i = 0; i < 60; i++)
        check_sizes(&random, 1 + test_below(&random, 12), 1 + test_below(&random, 12), 1 + test_below(&random, 90),
                    1 + test_below(&random, 90), 1 + test_below(&random, 20));
}

/* Values that differ by one last place, or not at all: a fused product would decide some of them otherwise. */
static void near_ties_equal_the_naive_loop(void **state) {
    (void)state;
    uint64_t random = test_seed();
    double soft[6 * 6 * 3];
    uint16_t pure[36], expected[97 * 89], pred[97 * 89 + 1];
    for (int repeat = 0; repeat < 20; repeat++) {
        for (size_t i = 0; i < 36; i++) {
            pure[i] = DV_MIXED;
            const double value = test_uniform(&random);
            for (size_t c = 0; c < 3; c++) soft[i * 3 + c] = test_below(&random, 2) ? value : nextafter(value, 2.0);
        }
        naive(6, 6, 97, 89, soft, 3, expected);
        upsample(6, 6, 97, 89, soft, pure, 3, pred);
        assert_memory_equal(pred, expected, sizeof expected);
    }
}

static void kernels_agree_on_every_tile(void **state) {
    (void)state;
    enum { CLASSES = 40, ROWS = 9, STRIDE = 19 };
    uint64_t random = test_seed();
    size_t n_kernels;
    const dv_blend_kernel *kernels = dv_blend_kernels(&n_kernels);
    const dv_blend_kernel *portable = &kernels[n_kernels - 1];
    double *top = aligned(CLASSES * DV_BLEND_TILE * sizeof *top),
           *bottom = aligned(CLASSES * DV_BLEND_TILE * sizeof *top);
    uint16_t classes[CLASSES], expected[ROWS * STRIDE], got[ROWS * STRIDE];
    double shares[ROWS];
    assert_true(portable->usable());
    for (int repeat = 0; repeat < 200; repeat++) {
        dv_blend_tile tile = {top, bottom, classes, test_below(&random, CLASSES + 1), 1 + test_below(&random, 16)};
        for (size_t c = 0; c < CLASSES; c++)
            classes[c] = (uint16_t)(c ? classes[c - 1] + 1 + test_below(&random, 1600) : 0);
        for (size_t i = 0; i < CLASSES * DV_BLEND_TILE; i++) {
            top[i] = (double)test_below(&random, 4) / 4;
            bottom[i] = test_below(&random, 2) ? top[i] : test_uniform(&random);
        }
        for (size_t i = 0; i < ROWS; i++) shares[i] = (double)test_below(&random, 8) / 7;
        memset(expected, 0xee, sizeof expected);
        portable->run(&tile, shares, ROWS, expected, STRIDE);
        for (size_t i = 0; i + 1 < n_kernels; i++) {
            if (!kernels[i].usable()) continue;
            memset(got, 0xee, sizeof got);
            kernels[i].run(&tile, shares, ROWS, got, STRIDE);
            assert_memory_equal(got, expected, sizeof got); /* what lies between the rows included */
        }
    }
    for (size_t i = 0; i < n_kernels; i++)
        printf("%s: %s\n", kernels[i].name, kernels[i].usable() ? "compared" : "not here");
    free(top);
    free(bottom);
}

static void sizes_out_of_range_are_refused(void **state) {
    (void)state;
    dv_upsampler *upsampler = (dv_upsampler *)state;
    assert_int_equal(dv_upsampler_create(2, 0, 5, 5, &upsampler), DV_E_ARG);
    assert_null(upsampler);
    assert_string_equal(dv_last_error(), "upsampling a grid of 2 x 0 to 5 x 5: sizes must be 1..65535");
    assert_int_equal(dv_upsampler_create(1, 1, 65536, 1, &upsampler), DV_E_ARG);
    assert_int_equal(dv_upsampler_create(1, 1, 65535, 1, &upsampler), DV_OK);
    dv_upsampler_free(upsampler);
    dv_upsampler_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_two_columns_at_five_pixels_are_as_published),
        cmocka_unit_test(lowest_class_wins_ties),
        cmocka_unit_test(patches_without_label_become_class_0),
        cmocka_unit_test(every_pixel_equals_the_naive_loop),
        cmocka_unit_test(near_ties_equal_the_naive_loop),
        cmocka_unit_test(kernels_agree_on_every_tile),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
