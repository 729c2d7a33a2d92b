#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/boundary_iou.h"
#include "denseval/random.h"
#include "metrics/near_contour.h"

enum { MOST_SIDE = 150, MOST_PIXELS = MOST_SIDE * MOST_SIDE, N_CLASSES = 4 };

/* ---- Near pixels ---------------------------------------------------------------------------------------------------
 */

/* The definition of the paper's own code, per class: the mask, a border of zeros about it, eroded by squares of three
 * pixels a side, taken from the mask. */
static void erode(uint8_t *mask, size_t height, size_t width) {
    static uint8_t before[MOST_PIXELS];
    memcpy(before, mask, height * width);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            uint8_t all = y && x && y + 1 < height && x + 1 < width;
            for (size_t i = 0; all && i < 9; i++) all = before[(y + i / 3 - 1) * width + x + i % 3 - 1];
            mask[y * width + x] = all;
        }
}

static void find_near(const uint16_t *labels, size_t height, size_t width, size_t distance_px, bool *near) {
    static uint8_t inside[MOST_PIXELS];
    for (size_t i = 0; i < height * width; i++) near[i] = true;
    for (uint16_t label = 0; label < N_CLASSES; label++) {
        for (size_t i = 0; i < height * width; i++) inside[i] = labels[i] == label;
        for (size_t n = 0; n < distance_px; n++) erode(inside, height, width);
        for (size_t i = 0; i < height * width; i++)
            if (inside[i]) near[i] = false;
    }
}

/* A few boxes, so that there are large flat parts. */
static void draw(uint64_t seed, uint16_t *labels, size_t height, size_t width) {
    uint64_t at = 0;
    memset(labels, 0, height * width * sizeof *labels);
    for (uint16_t box = 1; box < 8; box++) {
        const size_t top = dv_random_below(seed, 0, at++, height), left = dv_random_below(seed, 0, at++, width);
        const size_t rows = 1 + dv_random_below(seed, 0, at++, 60), columns = 1 + dv_random_below(seed, 0, at++, 90);
        for (size_t y = top; y < height && y < top + rows; y++)
            for (size_t x = left; x < width && x < left + columns; x++) labels[y * width + x] = box % N_CLASSES;
    }
}

static void assert_near(const dv_contour_kernel *kernel, const uint16_t *labels, size_t height, size_t width,
                        size_t distance_px, const bool *expected) {
    dv_near_contour contour = {.kernel = kernel};
    assert_int_equal(dv_near_contour_find(&contour, labels, height, width, distance_px), DV_OK);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < contour.stride * 64; x++) {
            const bool near = contour.near[y * contour.stride + x / 64] >> (x % 64) & 1;
            const bool wanted = x < width && expected[y * width + x];
            if (near != wanted)
                fail_msg("%s, %zux%zu, distance %zu: row %zu column %zu is %d", kernel->name, height, width,
                         distance_px, y, x, near);
        }
    dv_near_contour_free(&contour);
}

static void near_is_what_erosions_take_away(void **state) {
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {3, 3}, {5, 130}, {90, 64}, {63, 65}, {70, 128}, {150, 140}};
    static const size_t distances[] = {1, 2, 3, 5, 16, 31, 32, 33, 69, 1000};
    static uint16_t labels[MOST_PIXELS];
    static bool near[MOST_PIXELS];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
            const size_t height = sizes[s][0], width = sizes[s][1];
            draw(10 * s + d, labels, height, width);
            find_near(labels, height, width, distances[d] < MOST_SIDE ? distances[d] : MOST_SIDE, near);
            for (size_t i = 0; dv_contour_kernel_at(i); i++)
                if (dv_contour_kernel_at(i)->usable())
                    assert_near(dv_contour_kernel_at(i), labels, height, width, distances[d], near);
        }
}

/* ---- Scores --------------------------------------------------------------------------------------------------------
 */

static dv_boundary *boundary_of(size_t n_classes) {
    dv_boundary *made;
    assert_int_equal(dv_boundary_create(n_classes, &made), DV_OK);
    return made;
}

/* A square of 6 x 6 in 10 x 10, and the same one column to the right: rings of 20 pixels, of which 10 are both. Of the
 * background of 64 pixels all are near in the truth, and 56 in the prediction, of which 6 are the square in the truth.
 */
static void rings_one_column_apart(void **state) {
    (void)state;
    const dv_pixel_policy policy = {.invalid = DV_INVALID_ERROR};
    uint16_t truth[100] = {0}, pred[100] = {0};
    double iou[2], miou;
    for (size_t i = 0; i < 36; i++) {
        truth[(2 + i / 6) * 10 + 2 + i % 6] = 1;
        pred[(2 + i / 6) * 10 + 3 + i % 6] = 1;
    }
    dv_boundary *const boundary = boundary_of(2), *const sum = boundary_of(2);
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 10, 10, 1), DV_OK);
    dv_boundary_iou(boundary, DV_ABSENT_SKIP, NULL, iou, &miou);
    assert_true(iou[1] == 10.0 / 30);
    assert_true(iou[0] == 50.0 / 70);
    assert_true(miou == (iou[0] + iou[1]) / 2);
    assert_int_equal(dv_boundary_merge(sum, boundary), DV_OK);
    assert_int_equal(dv_boundary_merge(sum, boundary), DV_OK);
    dv_boundary_iou(sum, DV_ABSENT_SKIP, (const bool[]){true, false}, NULL, &miou);
    assert_true(miou == iou[1]);
    dv_boundary_clear(sum);
    dv_boundary_iou(sum, DV_ABSENT_SKIP, NULL, iou, &miou);
    assert_true(isnan(miou) && isnan(iou[1]));
    dv_boundary_free(boundary);
    dv_boundary_free(sum);
}

/* The left half is ignored: there a prediction makes no contour, and the map ends for both. */
static void ignored_pixels_are_of_no_class_on_either_side(void **state) {
    (void)state;
    dv_pixel_policy policy = {.invalid = DV_INVALID_DROP};
    uint16_t truth[100], pred[100];
    double iou[2], miou;
    dv_label_set_add(&policy.ignored, 255);
    for (size_t i = 0; i < 100; i++) {
        truth[i] = i % 10 < 4 ? 255 : i % 10 == 4 ? 77 : 0; /* 77 is dropped */
        pred[i] = i % 10 < 5 ? (i % 2 ? 1 : 9) : 0;
    }
    dv_boundary *const boundary = boundary_of(2);
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 10, 10, 1), DV_OK);
    dv_boundary_iou(boundary, DV_ABSENT_SKIP, NULL, iou, &miou);
    assert_true(iou[0] == 1 && isnan(iou[1]) && miou == 1);
    dv_boundary_clear(boundary);
    policy.invalid = DV_INVALID_FALSE_POSITIVE; /* column 4: no class in the truth, 5 x class 1 and 5 x no class */
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 10, 10, 1), DV_E_ARG);
    assert_string_equal(dv_last_error(), "row 0 column 4, prediction 9: predictions must be below 2");
    for (size_t i = 4; i < 100; i += 10) pred[i] = 1;
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 10, 10, 1), DV_OK);
    dv_boundary_iou(boundary, DV_ABSENT_SKIP, NULL, iou, &miou);
    assert_true(iou[0] == 1 && iou[1] == 0 && miou == 0.5);
    dv_boundary_free(boundary);
}

static void distances_follow_the_diagonal(void **state) {
    (void)state;
    assert_int_equal(dv_boundary_distance_px(0.02, 512, 512), 14);    /* 14.48 */
    assert_int_equal(dv_boundary_distance_px(0.02, 3, 4), 1);         /* 0.1: at least 1 */
    assert_int_equal(dv_boundary_distance_px(0.5, 3, 4), 2);          /* 2.5: half to even */
    assert_int_equal(dv_boundary_distance_px(0.5, 9, 12), 8);         /* 7.5 */
    assert_int_equal(dv_boundary_distance_px(0.005, 1024, 2048), 11); /* 11.45 */
}

static void arguments_out_of_range_are_refused(void **state) {
    (void)state;
    const dv_pixel_policy policy = {.invalid = DV_INVALID_ERROR}, no_policy = {.invalid = (dv_invalid_labels)9};
    const uint16_t truth[2] = {0, 7}, pred[2] = {0, 0};
    double miou;
    dv_boundary *boundary, *const other = boundary_of(3);
    assert_int_equal(dv_boundary_create(0, &boundary), DV_E_ARG);
    assert_int_equal(dv_boundary_create(65536, &boundary), DV_E_ARG);
    boundary = boundary_of(2);
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 1, 2, 0), DV_E_ARG);
    assert_int_equal(dv_boundary_add(boundary, &no_policy, truth, pred, 1, 2, 1), DV_E_ARG);
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 1, 2, 1), DV_E_DATA);
    assert_string_equal(dv_last_error(), "row 0 column 1, label 7: labels must be below 2");
    assert_int_equal(dv_boundary_add(boundary, &policy, truth, pred, 0, 2, 1), DV_OK);
    assert_int_equal(dv_boundary_merge(boundary, other), DV_E_ARG);
    dv_boundary_iou(boundary, DV_ABSENT_ONE, NULL, NULL, &miou);
    assert_true(miou == 1); /* nothing was added */
    dv_boundary_free(boundary);
    dv_boundary_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_is_what_erosions_take_away),
        cmocka_unit_test(rings_one_column_apart),
        cmocka_unit_test(ignored_pixels_are_of_no_class_on_either_side),
        cmocka_unit_test(distances_follow_the_diagonal),
        cmocka_unit_test(arguments_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
