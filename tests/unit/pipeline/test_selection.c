/* Which query images are scored. Edge case SEG-09. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/selection.h"

static void without_bins_every_image_is_scored(void **state) {
    (void)state;
    dv_selection selection;
    assert_int_equal(dv_selection_make(&(dv_feature_info){.n_images = 10}, 0, &selection), DV_OK);
    assert_int_equal(selection.n_images, 10);
    assert_int_equal(selection.images[9], 9);
    assert_null(selection.bins);
    dv_selection_clear(&selection);
}

static void without_bins_the_last_incomplete_batch_is_that_of_the_set(void **state) {
    (void)state;
    dv_selection selection;
    assert_int_equal(dv_selection_make(&(dv_feature_info){.n_images = 10}, 4, &selection), DV_OK);
    assert_int_equal(selection.n_images, 8);
    assert_int_equal(selection.n_dropped, 2);
    assert_int_equal(selection.images[7], 7);
    dv_selection_clear(&selection);
}

static void batches_are_those_of_a_bin(void **state) {
    (void)state;
    const int32_t bins[] = {90, 0, 90, 0, 90, 0, 90, 0, 90}; /* five of 90, four of 0 */
    const dv_feature_info queries = {.n_images = 9, .view_bins = bins};
    dv_selection selection;
    assert_int_equal(dv_selection_make(&queries, 4, &selection), DV_OK);
    assert_int_equal(selection.n_bins, 2);
    assert_int_equal(selection.bins[0], 0);
    assert_int_equal(selection.bins[1], 90);
    assert_int_equal(selection.n_images, 8);
    for (size_t i = 0; i < 8; i++) assert_int_equal(selection.images[i], i); /* the last of bin 90 is gone */
    assert_int_equal(selection.bin_of[0], 1);
    assert_int_equal(selection.bin_of[1], 0);
    dv_selection_clear(&selection);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_bins_every_image_is_scored),
        cmocka_unit_test(without_bins_the_last_incomplete_batch_is_that_of_the_set),
        cmocka_unit_test(batches_are_those_of_a_bin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
