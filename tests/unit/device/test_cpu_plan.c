#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/cpu/cpu_plan.h"

static dv_cpu_plan make(dv_device_options options, size_t n_threads, size_t n_queries, size_t n_rows, size_t k) {
    dv_cpu_plan plan;
    dv_cpu_plan_make(&options, n_threads, n_queries, n_rows, 64, k, &plan);
    /* what every plan keeps: tiles and parts cover queries and rows, and none is empty */
    assert_true(plan.n_tiles * plan.tile_queries >= n_queries);
    assert_true(n_queries == 0 || (plan.n_tiles - 1) * plan.tile_queries < n_queries);
    assert_true(plan.n_parts * plan.part_rows >= n_rows && (plan.n_parts - 1) * plan.part_rows < n_rows);
    assert_true(plan.n_parts == 1 || plan.part_rows % plan.tile_rows == 0);
    return plan;
}

static void many_queries_fall_into_equal_tiles_for_all_threads(void **state) {
    (void)state;
    const dv_cpu_plan plan = make((dv_device_options){0}, 2, 15840, 31190, 30);
    assert_int_equal(plan.n_tiles, 32);
    assert_int_equal(plan.tile_queries, 495);
    assert_int_equal(plan.n_parts, 1);
    assert_int_equal(plan.capacity, 4 * 30 + 1024);
}

static void few_queries_split_the_rows(void **state) {
    (void)state;
    const dv_cpu_plan plan = make((dv_device_options){0}, 8, 1, 100000, 30);
    assert_int_equal(plan.tile_queries, 1);
    assert_true(plan.n_parts > 1 && plan.n_parts <= 8);
    assert_int_equal(make((dv_device_options){0}, 1, 1, 100000, 30).n_parts, 1);
    assert_int_equal(make((dv_device_options){0}, 8, 1, 500, 30).n_parts, 1); /* too few rows to be worth it */
}

static void options_are_kept_and_sizes_clamped(void **state) {
    (void)state;
    dv_cpu_plan plan = make((dv_device_options){0, 7, 3}, 4, 100, 50, 5);
    assert_true(plan.tile_rows == 7 && plan.tile_queries == 3);
    plan = make((dv_device_options){0, SIZE_MAX, SIZE_MAX}, 4, 100, 50, 50);
    assert_true(plan.tile_rows == 50 && plan.tile_queries == 100 && plan.capacity == 50);
}

static void large_k_takes_fewer_queries_at_once(void **state) {
    (void)state;
    const dv_cpu_plan plan = make((dv_device_options){0}, 2, 10000, 1000000, 100000);
    assert_true(plan.tile_queries * plan.capacity * 8 <= (size_t)1 << 24);
}

static void shapes_of_all_sizes_are_covered(void **state) {
    (void)state;
    const size_t sizes[] = {1, 2, 31, 32, 33, 511, 512, 513, 5000};
    for (size_t q = 0; q < 9; q++)
        for (size_t r = 0; r < 9; r++)
            for (size_t t = 1; t <= 128; t *= 2) make((dv_device_options){0}, t, sizes[q], sizes[r] * 7, 1);
    assert_int_equal(make((dv_device_options){0}, 4, 0, 10, 1).n_tiles, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_queries_fall_into_equal_tiles_for_all_threads),
        cmocka_unit_test(few_queries_split_the_rows),
        cmocka_unit_test(options_are_kept_and_sizes_clamped),
        cmocka_unit_test(large_k_takes_fewer_queries_at_once),
        cmocka_unit_test(shapes_of_all_sizes_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
