/* Contours, disks and counts of masks, with values found by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/contour_rows.h"
#include "metrics/mask_counter.h"

enum { SIDE = 100 };

static uint16_t truth[SIDE * SIDE], pred[SIDE * SIDE];

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

static dv_mask_counts count(const dv_mask_rules *rules, size_t height, size_t width) {
    dv_mask_counter *counter;
    dv_mask_counts counts = {0};
    assert_ok(dv_mask_counter_create(rules, &counter));
    assert_ok(dv_mask_counter_count(counter, truth, pred, height, width, &counts));
    dv_mask_counter_free(counter);
    return counts;
}

static void clear_maps(void) {
    memset(truth, 0, sizeof truth);
    memset(pred, 0, sizeof pred);
}

static void fill(uint16_t *map, uint16_t id, size_t y, size_t x, size_t height, size_t width) {
    for (size_t i = y; i < y + height; i++)
        for (size_t j = x; j < x + width; j++) map[i * SIDE + j] = id;
}

static const dv_mask_rules davis = {.bound = 0.008};

static void single_pixel_has_the_contour_of_its_place(void **state) {
    (void)state;
    static const struct {
        size_t y, x;
        uint64_t contour;
    } cases[] = {{50, 50, 4}, {0, 0, 1}, {0, 99, 2}, {99, 0, 2}, {99, 99, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clear_maps();
        truth[cases[i].y * SIDE + cases[i].x] = 7;
        dv_mask_counts counts = count(&davis, SIDE, SIDE);
        assert_int_equal(counts.n_truth, 1);
        assert_int_equal(counts.n_pred, 0);
        assert_int_equal(counts.n_pairs, 0);
        assert_int_equal(counts.truth[0].id, 7);
        assert_int_equal(counts.truth[0].pixels, 1);
        assert_int_equal(counts.truth[0].contour, cases[i].contour);
        dv_mask_counts_clear(&counts);
    }
}

static void full_frame_has_no_contour(void **state) {
    (void)state;
    clear_maps();
    fill(truth, 65535, 0, 0, SIDE, SIDE);
    dv_mask_counts counts = count(&davis, SIDE, SIDE);
    assert_int_equal(counts.n_truth, 1);
    assert_int_equal(counts.truth[0].pixels, 10000);
    assert_int_equal(counts.truth[0].contour, 0);
    assert_int_equal(counts.n_pred + counts.n_pairs, 0);
    dv_mask_counts_clear(&counts);
}

/* 40 contour pixels a square. F of the shifts is 1, 1, 0.6, 0.55: so many of the 40 are at most 2 away, on both sides
 * alike, as a shift one way and the other. */
static void shifted_squares_match_as_far_as_the_disk_goes(void **state) {
    (void)state;
    static const uint64_t intersection[] = {100, 90, 80, 70, 60}, matched[] = {40, 40, 40, 24, 22};
    for (size_t shift = 0; shift <= 4; shift++)
        for (size_t bipartite = 0; bipartite < 2; bipartite++) {
            const dv_mask_rules rules = {.bound = 0.008, .bipartite = bipartite};
            clear_maps();
            fill(truth, 1, 20, 20, 10, 10);
            fill(pred, 1, 20, 20 + shift, 10, 10);
            dv_mask_counts counts = count(&rules, SIDE, SIDE);
            assert_int_equal(counts.radii_px[0], 2);
            assert_int_equal(counts.n_pairs, 1);
            assert_int_equal(counts.truth[0].contour, 40);
            assert_int_equal(counts.pred[0].contour, 40);
            assert_int_equal(counts.pairs[0].intersection, intersection[shift]);
            assert_int_equal(counts.pairs[0].truth_matched[0], matched[shift]);
            assert_int_equal(counts.pairs[0].pred_matched[0], matched[shift]);
            dv_mask_counts_clear(&counts);
        }
}

/* docs/METRICS.md, "J and F": a pixel in the middle of a square of 3 x 3. */
static void partners_are_fewer_than_near_pixels(void **state) {
    (void)state;
    for (size_t bipartite = 0; bipartite < 2; bipartite++) {
        const dv_mask_rules rules = {.bound = 0.008, .bipartite = bipartite};
        clear_maps();
        fill(truth, 3, 40, 40, 3, 3);
        fill(pred, 3, 41, 41, 1, 1);
        dv_mask_counts counts = count(&rules, SIDE, SIDE);
        assert_int_equal(counts.truth[0].contour, 12);
        assert_int_equal(counts.pred[0].contour, 4);
        assert_int_equal(counts.pairs[0].truth_matched[0], bipartite ? 4 : 12);
        assert_int_equal(counts.pairs[0].pred_matched[0], 4);
        dv_mask_counts_clear(&counts);
    }
}

static void radius_is_the_ceiling_in_double(void **state) {
    (void)state;
    static const struct {
        size_t height, width;
        uint32_t radius;
    } cases[] = {{75, 100, 1}, {300, 400, 4}, {600, 800, 8}, {480, 854, 8}, {1080, 1920, 18}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(dv_mask_radius(0.008, cases[i].height, cases[i].width), cases[i].radius);
}

/* The corner has its own pixel for a contour, (5, 12) four of them: at squared distances 137, 146, 160, 169. */
static void several_radii_are_counted_at_once(void **state) {
    (void)state;
    const dv_mask_rules rules = {.n_radii = 5, .radii_px = {0, 11, 12, 13, 4000000000U}};
    static const uint64_t truth_matched[] = {0, 0, 1, 1, 1}, pred_matched[] = {0, 0, 1, 4, 4};
    clear_maps();
    truth[0] = 300;
    pred[5 * SIDE + 12] = 300;
    dv_mask_counts counts = count(&rules, SIDE, SIDE);
    assert_int_equal(counts.n_radii, 5);
    assert_int_equal(counts.truth[0].contour, 1);
    assert_int_equal(counts.pred[0].contour, 4);
    for (size_t r = 0; r < 5; r++) {
        assert_int_equal(counts.pairs[0].pred_matched[r], pred_matched[r]);
        assert_int_equal(counts.pairs[0].truth_matched[r], truth_matched[r]);
    }
    dv_mask_counts_clear(&counts);
}

static void areas_alone_have_no_contours(void **state) {
    (void)state;
    const dv_mask_rules rules = {.areas_only = true, .all_pairs = true};
    clear_maps();
    fill(truth, 1, 0, 0, 10, 10);
    fill(pred, 2, 5, 5, 10, 10);
    dv_mask_counts counts = count(&rules, SIDE, SIDE);
    assert_int_equal(counts.n_radii, 0);
    assert_int_equal(counts.n_pairs, 1);
    assert_int_equal(counts.truth[0].contour + counts.pred[0].contour, 0);
    assert_int_equal(counts.pairs[0].truth_id, 1);
    assert_int_equal(counts.pairs[0].pred_id, 2);
    assert_int_equal(counts.pairs[0].intersection, 25);
    assert_int_equal(counts.pairs[0].truth_matched[0] + counts.pairs[0].pred_matched[0], 0);
    dv_mask_counts_clear(&counts);
}

static void ids_are_listed_rising_and_paired_when_equal(void **state) {
    (void)state;
    static const uint16_t true_ids[] = {65535, 2, 256, 1}, pred_ids[] = {256, 3, 65535};
    clear_maps();
    for (size_t i = 0; i < 4; i++) fill(truth, true_ids[i], 2 * i, 0, 2, 50);
    for (size_t i = 0; i < 3; i++) fill(pred, pred_ids[i], 2 * i, 10, 2, 50);
    dv_mask_counts counts = count(&davis, SIDE, SIDE);
    assert_int_equal(counts.n_truth, 4);
    assert_int_equal(counts.n_pred, 3);
    assert_int_equal(counts.n_pairs, 2);
    static const uint16_t sorted[] = {1, 2, 256, 65535};
    for (size_t i = 0; i < 4; i++) assert_int_equal(counts.truth[i].id, sorted[i]);
    for (size_t i = 0; i < 3; i++) assert_int_equal(counts.pred[i].id, (i ? sorted[i + 1] : 3));
    assert_int_equal(counts.pairs[0].truth_id, 256);
    assert_int_equal(counts.pairs[0].pred_id, 256);
    assert_int_equal(counts.pairs[1].truth_id, 65535);
    assert_int_equal(counts.pairs[0].intersection + counts.pairs[1].intersection, 0);
    dv_mask_counts_clear(&counts);
}

static void bad_rules_and_sizes_are_refused(void **state) {
    (void)state;
    dv_mask_counter *counter;
    dv_mask_rules rules = {.n_radii = DV_MAX_RADII + 1};
    assert_int_equal(dv_mask_counter_create(&rules, &counter), DV_E_ARG);
    assert_null(counter);
    assert_string_equal(dv_last_error(), "17 radii: there may be 16");
    rules = (dv_mask_rules){.bound = -0.5};
    assert_int_equal(dv_mask_counter_create(&rules, &counter), DV_E_ARG);
    assert_string_equal(dv_last_error(), "bound -0.5: must be above 0 and at most 20000");
    dv_mask_counts counts = {0};
    assert_ok(dv_mask_counter_create(&davis, &counter));
    assert_int_equal(dv_mask_counter_count(counter, truth, pred, 0, 5, &counts), DV_E_ARG);
    assert_int_equal(dv_mask_counter_count(counter, truth, pred, 1, 65536, &counts), DV_E_ARG);
    assert_string_equal(dv_last_error(), "frame of 1 x 65536 pixels: sides must be 1 to 65535");
    dv_mask_counter_free(counter);
}

enum { MOST_WIDTH = 300, MOST_WORDS = 5 };

typedef struct row_answer {
    uint64_t right[MOST_WORDS], down[MOST_WORDS];
    uint16_t columns[MOST_WORDS * 64 + DV_CONTOUR_SPARE];
    size_t n;
} row_answer;

static void ask(const dv_contour_kernel *kernel, const uint16_t *row, const uint16_t *above, size_t width,
                row_answer *out) {
    static const uint64_t none[MOST_WORDS];
    memset(out, 0, sizeof *out);
    kernel->row(row, above, width, out->right, out->down);
    out->n = kernel->columns(out->right, out->down, none, (width + 63) / 64, out->columns);
    memset(out->columns + out->n, 0, sizeof out->columns - out->n * sizeof *out->columns);
}

/* Any labels, any width, rows that end at the end of their memory: each routine against the portable one. */
static void routines_of_all_processors_agree(void **state) {
    (void)state;
    uint64_t random = 12345;
    for (size_t width = 1; width <= MOST_WIDTH; width++) {
        uint16_t *row = malloc(width * sizeof *row), *above = malloc(width * sizeof *above);
        assert_true(row && above);
        for (size_t i = 0; i < width; i++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            row[i] = (uint16_t)(i && random >> 60 > 2 ? row[i - 1] : random >> 33);
            above[i] = (uint16_t)(random >> 40 & 15 ? row[i] : random >> 20);
        }
        row_answer right, other;
        ask(&dv_contour_portable, row, above, width, &right);
        for (size_t i = 0; dv_contour_kernel_at(i); i++) {
            if (!dv_contour_kernel_at(i)->usable()) continue;
            ask(dv_contour_kernel_at(i), row, above, width, &other);
            assert_memory_equal(&right, &other, sizeof right);
        }
        free(row);
        free(above);
    }
}

/* Two runs of 5 and a last label of its own over a row of 5s. */
static void changes_of_a_row_are_found(void **state) {
    (void)state;
    static const uint16_t row[] = {5, 5, 9, 5, 5, 7}, above[] = {5, 5, 5, 5, 5, 5};
    for (size_t i = 0; dv_contour_kernel_at(i); i++) {
        row_answer found;
        if (!dv_contour_kernel_at(i)->usable()) continue;
        ask(dv_contour_kernel_at(i), row, above, 6, &found);
        assert_int_equal(found.right[0], 1 << 1 | 1 << 2 | 1 << 4);
        assert_int_equal(found.down[0], 1 << 2 | 1 << 5);
        assert_int_equal(found.n, 4);
        static const uint16_t columns[] = {1, 2, 4, 5};
        assert_memory_equal(found.columns, columns, sizeof columns);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_pixel_has_the_contour_of_its_place),
        cmocka_unit_test(full_frame_has_no_contour),
        cmocka_unit_test(shifted_squares_match_as_far_as_the_disk_goes),
        cmocka_unit_test(partners_are_fewer_than_near_pixels),
        cmocka_unit_test(radius_is_the_ceiling_in_double),
        cmocka_unit_test(several_radii_are_counted_at_once),
        cmocka_unit_test(areas_alone_have_no_contours),
        cmocka_unit_test(ids_are_listed_rising_and_paired_when_equal),
        cmocka_unit_test(bad_rules_and_sizes_are_refused),
        cmocka_unit_test(changes_of_a_row_are_found),
        cmocka_unit_test(routines_of_all_processors_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
