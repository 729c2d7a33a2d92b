/* Which patches of an image are taken, on numbers worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bank/sampling.h"

/* Five patches, three classes. Class 0 is in three patches, class 1 in two, class 2 in one:
 * patch 0 {0}: 3, patch 1 {0, 1}: 5, patch 2 none: 0, patch 3 {1, 2}: 3, patch 4 {0}: 3. */
static const uint16_t counts[] = {4, 0, 0, 1, 3, 0, 0, 0, 0, 0, 2, 2, 4, 0, 0};

static void a_patch_weighs_the_frequencies_of_its_classes(void **state) {
    (void)state;
    uint32_t frequency[3];
    double weights[6] = {0, 0, 0, 0, 0, -7};
    dv_patch_weights(counts, 5, 3, frequency, weights);
    assert_memory_equal(frequency, ((uint32_t[]){3, 2, 1}), sizeof frequency);
    assert_memory_equal(weights, ((double[]){3, 5, 0, 3, 3, -7}), sizeof weights);
}

static void the_lowest_products_come_first_and_void_patches_never(void **state) {
    (void)state;
    /* products: 1.5, 0.625, -, 0.75, 0.375 */
    const double weights[] = {3, 5, 0, 3, 3}, uniforms[] = {0.5, 0.125, 0, 0.25, 0.125};
    dv_scored_patch scored[6];
    memset(scored, 0x55, sizeof scored);
    const dv_scored_patch guard = scored[4];
    assert_int_equal(dv_order_patches(weights, uniforms, 5, scored), 4);
    const int32_t expected[] = {4, 1, 3, 0};
    for (size_t i = 0; i < 4; i++) assert_int_equal(scored[i].patch, expected[i]);
    assert_true(scored[0].score == 0.375 && scored[3].score == 1.5);
    assert_int_equal(scored[4].patch, guard.patch);
}

static void equal_scores_go_to_the_lower_patch(void **state) {
    (void)state;
    const double weights[] = {4, 2, 1, 2, 4}, uniforms[] = {0.125, 0.25, 0.5, 0, 0};
    dv_scored_patch scored[5];
    assert_int_equal(dv_order_patches(weights, uniforms, 5, scored), 5);
    const int32_t expected[] = {3, 4, 0, 1, 2};
    for (size_t i = 0; i < 5; i++) assert_int_equal(scored[i].patch, expected[i]);
}

static void without_numbers_patches_stay_in_their_order(void **state) {
    (void)state;
    const double weights[] = {3, 5, 0, 3, 3};
    dv_scored_patch scored[5];
    assert_int_equal(dv_order_patches(weights, NULL, 5, scored), 4);
    const int32_t expected[] = {0, 1, 3, 4};
    for (size_t i = 0; i < 4; i++) assert_int_equal(scored[i].patch, expected[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_patch_weighs_the_frequencies_of_its_classes),
        cmocka_unit_test(the_lowest_products_come_first_and_void_patches_never),
        cmocka_unit_test(equal_scores_go_to_the_lower_patch),
        cmocka_unit_test(without_numbers_patches_stay_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
