#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/tally.h"

static const dv_tally_shape shape = {.n_configs = 2, .n_bins = 3, .n_classes = 2, .n_objects = 2, .n_sources = 2};

/* One image of 6 pixels: 3 right in class 0, 1 of it taken for 1, 2 right in class 1. */
static void add_image(dv_tally *tally, size_t config, size_t bin, size_t object) {
    const uint16_t truth[] = {0, 0, 0, 0, 1, 1}, pred[] = {0, 0, 0, 1, 1, 1};
    const dv_pixel_policy policy = {.invalid = DV_INVALID_ERROR};
    uint64_t from[] = {7, 2};
    const dv_tally_origin origin = {.from = from, .n_class = 5, .n_object = 4, .n_unfilled = 1};
    dv_confusion *confusion;
    assert_int_equal(dv_confusion_create(2, &confusion), DV_OK);
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 2, 3), DV_OK);
    dv_tally_add_image(tally, config, bin, object, confusion, &origin);
    dv_confusion_free(confusion);
}

static void assert_cell(const dv_tally *tally, size_t config, size_t bin, uint64_t times) {
    const dv_tally_cell cell = dv_tally_get(tally, config, bin);
    const uint64_t confusion[] = {3 * times, times, 0, 2 * times};
    assert_int_equal(cell.n_images, times);
    assert_memory_equal(cell.confusion, confusion, sizeof confusion);
    assert_int_equal(cell.origin.from[0], 7 * times);
    assert_int_equal(cell.origin.from[1], 2 * times);
    assert_int_equal(cell.origin.n_class, 5 * times);
    assert_int_equal(cell.origin.n_object, 4 * times);
    assert_int_equal(cell.origin.n_unfilled, times);
}

static dv_tally_change *end_block(dv_tally *tally, size_t *n) {
    *n = tally->n_touched;
    dv_tally_change *changes = calloc(*n + 1, sizeof *changes);
    assert_non_null(changes);
    dv_tally_end_block(tally, changes);
    return changes;
}

static void a_block_counts_when_it_ends(void **state) {
    (void)state;
    dv_tally tally;
    size_t n;
    assert_int_equal(dv_tally_make(&shape, &tally), DV_OK);
    add_image(&tally, 1, 2, 0);
    add_image(&tally, 1, 2, 1);
    assert_cell(&tally, 1, 2, 0);
    free(end_block(&tally, &n));
    assert_cell(&tally, 1, 2, 2);
    assert_cell(&tally, 1, 1, 0);
    assert_cell(&tally, 0, 2, 0);
    /* Intersections, unions, truths of classes 0 and 1. */
    const uint64_t object[] = {3, 2, 4, 3, 4, 2};
    assert_memory_equal(dv_tally_object(&tally, 1, 2, 1), object, sizeof object);
    dv_tally_clear(&tally);
}

static void changes_of_blocks_make_the_same_sums_again(void **state) {
    (void)state;
    dv_tally first, second;
    assert_int_equal(dv_tally_make(&shape, &first), DV_OK);
    assert_int_equal(dv_tally_make(&shape, &second), DV_OK);
    for (size_t block = 0; block < 3; block++) {
        size_t n;
        add_image(&first, block % 2, block, 1);
        dv_tally_change *changes = end_block(&first, &n);
        assert_int_equal(dv_tally_replay(&second, changes, n), DV_OK);
        free(changes);
    }
    assert_memory_equal(first.sums, second.sums, first.n_values * sizeof *first.sums);
    dv_tally_clear(&first);
    dv_tally_clear(&second);
}

static void a_change_of_no_count_is_refused(void **state) {
    (void)state;
    dv_tally tally;
    assert_int_equal(dv_tally_make(&shape, &tally), DV_OK);
    const dv_tally_change change = {tally.n_values, 1};
    assert_int_equal(dv_tally_replay(&tally, &change, 1), DV_E_DATA);
    dv_tally_clear(&tally);
    const dv_tally_shape huge = {SIZE_MAX / 2, 3, 2, 2, 2};
    assert_int_equal(dv_tally_make(&huge, &tally), DV_E_NOMEM);
    dv_tally_clear(&tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_counts_when_it_ends),
        cmocka_unit_test(changes_of_blocks_make_the_same_sums_again),
        cmocka_unit_test(a_change_of_no_count_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
