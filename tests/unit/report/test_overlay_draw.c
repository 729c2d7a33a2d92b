#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/overlay_draw.h"

enum { SIDE = 5, N_PIXELS = SIDE * SIDE, GRAY = 100 };

/* A gray picture; a square of label 1 in the truth, the same one a column further to the right in the prediction. */
static uint8_t rgb[N_PIXELS * 3];
static uint16_t truth_labels[N_PIXELS], pred_labels[N_PIXELS];
static const dv_picture picture = {.height = SIDE, .width = SIDE, .rgb = rgb, .orientation = 1};
static const dv_label_map truth = {.height = SIDE, .width = SIDE, .labels = truth_labels};
static const dv_label_map pred = {.height = SIDE, .width = SIDE, .labels = pred_labels};
static dv_label_set ignored;

static int set_up(void **state) {
    (void)state;
    memset(rgb, GRAY, sizeof rgb);
    memset(&ignored, 0, sizeof ignored);
    for (int i = 0; i < N_PIXELS; i++) {
        const int x = i % SIDE, y = i / SIDE;
        truth_labels[i] = x < 3 && y < 3;
        pred_labels[i] = x >= 1 && x < 4 && y < 3;
    }
    return 0;
}

static void assert_pixel(const dv_picture *drawn, size_t x, size_t y, int red, int green, int blue) {
    const uint8_t *pixel = drawn->rgb + (y * drawn->width + x) * 3;
    if (pixel[0] != red || pixel[1] != green || pixel[2] != blue) print_error("pixel (%zu, %zu)\n", x, y);
    assert_int_equal(pixel[0], red);
    assert_int_equal(pixel[1], green);
    assert_int_equal(pixel[2], blue);
}

/* Label 1 is (128, 0, 0). Fill: half way to (255, 0, 0), so (192, 0, 0), 112 of 256 parts over 100: 140, 56, 56.
 * Border: (255, 0, 0), 64 of 256 parts to white: 255, 64, 64. The rim of the picture is no border. */
static void assert_square(const dv_picture *drawn, size_t left) {
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            const int inside = x >= left && x < left + 3 && y < 3;
            const int border = inside && ((x == left && left > 0) || x == left + 2 || y == 2);
            if (border)
                assert_pixel(drawn, x, y, 255, 64, 64);
            else if (inside)
                assert_pixel(drawn, x, y, 140, 56, 56);
            else
                assert_pixel(drawn, x, y, GRAY, GRAY, GRAY);
        }
}

/* Cuts a panel out of a row of them. */
static dv_picture panel_of(const dv_picture *drawn, size_t index) {
    dv_picture panel = {.height = SIDE, .width = SIDE, .rgb = malloc(N_PIXELS * 3)};
    for (size_t y = 0; y < SIDE; y++)
        memcpy(panel.rgb + y * SIDE * 3, drawn->rgb + (y * drawn->width + index * (SIDE + 4)) * 3, SIDE * 3);
    return panel;
}

static void panels_stand_beside_each_other_with_white_gaps(void **state) {
    (void)state;
    const dv_overlay_view view = {.picture = &picture, .truth = &truth, .pred = &pred, .ignored = &ignored};
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw(DV_OVERLAY_SIDE_BY_SIDE, &view, &drawn), DV_OK);
    assert_int_equal(drawn.width, 3 * SIDE + 2 * 4);
    assert_int_equal(drawn.height, SIDE);
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < 4; x++) {
            assert_pixel(&drawn, SIDE + x, y, 255, 255, 255);
            assert_pixel(&drawn, 2 * SIDE + 4 + x, y, 255, 255, 255);
        }
    dv_picture panels[3];
    for (size_t i = 0; i < 3; i++) panels[i] = panel_of(&drawn, i);
    assert_memory_equal(panels[0].rgb, rgb, sizeof rgb);
    assert_square(&panels[1], 0);
    assert_square(&panels[2], 1);
    for (size_t i = 0; i < 3; i++) dv_picture_clear(&panels[i]);
    dv_picture_clear(&drawn);
}

static void without_truth_there_are_two_panels(void **state) {
    (void)state;
    const dv_overlay_view view = {.picture = &picture, .pred = &pred, .ignored = &ignored};
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw(DV_OVERLAY_SIDE_BY_SIDE, &view, &drawn), DV_OK);
    assert_int_equal(drawn.width, 2 * SIDE + 4);
    dv_picture panel = panel_of(&drawn, 1);
    assert_square(&panel, 1);
    dv_picture_clear(&panel);
    dv_picture_clear(&drawn);
}

static void a_blend_is_the_prediction_over_the_picture(void **state) {
    (void)state;
    const dv_overlay_view view = {.picture = &picture, .truth = &truth, .pred = &pred, .ignored = &ignored};
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw(DV_OVERLAY_BLEND, &view, &drawn), DV_OK);
    assert_int_equal(drawn.width, SIDE);
    assert_square(&drawn, 1);
    dv_picture_clear(&drawn);
}

/* Right: 100 faded 176 of 256 parts to white is 207. Wrong: the predicted class, black where it is the background. */
static void a_difference_shows_wrong_pixels_alone(void **state) {
    (void)state;
    dv_label_set_add(&ignored, 255);
    truth_labels[N_PIXELS - 1] = 255;
    const dv_overlay_view view = {.picture = &picture, .truth = &truth, .pred = &pred, .ignored = &ignored};
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw(DV_OVERLAY_DIFFERENCE, &view, &drawn), DV_OK);
    for (size_t i = 0; i < N_PIXELS - 1; i++) {
        const size_t x = i % SIDE, y = i / SIDE;
        if (truth_labels[i] == pred_labels[i])
            assert_pixel(&drawn, x, y, 207, 207, 207);
        else if (pred_labels[i] == 1)
            assert_pixel(&drawn, x, y, 128, 0, 0);
        else
            assert_pixel(&drawn, x, y, 0, 0, 0);
    }
    assert_pixel(&drawn, SIDE - 1, SIDE - 1, 120, 120, 120);
    dv_picture_clear(&drawn);
}

static void a_difference_without_truth_is_refused(void **state) {
    (void)state;
    const dv_overlay_view view = {.picture = &picture, .pred = &pred, .ignored = &ignored};
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw(DV_OVERLAY_DIFFERENCE, &view, &drawn), DV_E_ARG);
    assert_string_equal(dv_last_error(), "a difference needs the truth");
    assert_null(drawn.rgb);
}

/* 120 over 100 with 192 of 256 parts: 115. */
static void ignored_labels_are_gray_without_a_border(void **state) {
    (void)state;
    dv_label_set_add(&ignored, 0);
    for (int i = 0; i < N_PIXELS; i++) pred_labels[i] = 0;
    const dv_overlay_view view = {.picture = &picture, .pred = &pred, .ignored = &ignored};
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw(DV_OVERLAY_BLEND, &view, &drawn), DV_OK);
    for (size_t i = 0; i < N_PIXELS; i++) assert_pixel(&drawn, i % SIDE, i / SIDE, 115, 115, 115);
    dv_picture_clear(&drawn);
}

static void assert_object(size_t x, size_t y, int red, int green, int blue) {
    dv_picture drawn;
    assert_int_equal(dv_overlay_draw_object(&picture, &truth, &pred, &drawn), DV_OK);
    assert_pixel(&drawn, x, y, red, green, blue);
    dv_picture_clear(&drawn);
}

/* Of a colour 160 of 256 parts lie over 100. The contour of a square is its pixels beside others; the rim is none. */
static void one_object_shows_what_was_found_missed_and_added(void **state) {
    (void)state;
    assert_object(0, 0, 38, 109, 149);  /* in the truth alone: blue 0, 114, 178 */
    assert_object(0, 2, 255, 255, 255); /* the truth's contour */
    assert_object(2, 1, 255, 255, 255); /* likewise, within the prediction */
    assert_object(1, 1, 240, 228, 66);  /* the prediction's contour, within the truth */
    assert_object(2, 2, 240, 228, 66);  /* that of both */
    assert_object(4, 4, 100, 100, 100); /* neither */
    for (int i = 0; i < N_PIXELS; i++) truth_labels[i] = pred_labels[i] = 1;
    assert_object(3, 3, 38, 136, 109); /* in both: green 0, 158, 115 */
    memset(truth_labels, 0, sizeof truth_labels);
    assert_object(3, 3, 171, 96, 38); /* in the prediction alone: orange 213, 94, 0 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(panels_stand_beside_each_other_with_white_gaps, set_up),
        cmocka_unit_test_setup(without_truth_there_are_two_panels, set_up),
        cmocka_unit_test_setup(a_blend_is_the_prediction_over_the_picture, set_up),
        cmocka_unit_test_setup(a_difference_shows_wrong_pixels_alone, set_up),
        cmocka_unit_test_setup(a_difference_without_truth_is_refused, set_up),
        cmocka_unit_test_setup(one_object_shows_what_was_found_missed_and_added, set_up),
        cmocka_unit_test_setup(ignored_labels_are_gray_without_a_border, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
