#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "pipeline/grid.h"

/* Three images with 3, 2 and 2 rows in the union. */
static const int32_t images[] = {4, 4, 4, 5, 5, 7, 7};
static const dv_bank_info bank = {.n_rows = 7, .n_images = 8, .image = images};

static void assert_segment(const dv_grid_segment *segment, size_t n_configs, const size_t *configs, size_t n_rows,
                           const size_t *rows) {
    assert_int_equal(segment->n_configs, n_configs);
    assert_memory_equal(segment->configs, configs, n_configs * sizeof *configs);
    assert_int_equal(segment->n_rows, n_rows);
    assert_memory_equal(segment->rows, rows, n_rows * sizeof *rows);
}

/* A small bank of images 4 and 5, a larger one of both, and one of 4 and 7: worked out by hand. */
static void rows_of_the_same_configurations_are_a_segment(void **state) {
    (void)state;
    size_t first[] = {4, 5}, second[] = {4, 5}, third[] = {4, 7};
    const dv_bank_plan plans[] = {{.images = first, .n_images = 2, .per_image = 1},
                                  {.images = second, .n_images = 2, .per_image = 2},
                                  {.images = third, .n_images = 2, .per_image = 3}};
    dv_grid grid;
    assert_int_equal(dv_grid_make(&bank, plans, 3, &grid), DV_OK);
    assert_int_equal(grid.n_segments, 5);
    assert_segment(&grid.segments[0], 3, (const size_t[]){0, 1, 2}, 1, (const size_t[]){0});
    assert_segment(&grid.segments[1], 2, (const size_t[]){1, 2}, 1, (const size_t[]){1});
    assert_segment(&grid.segments[2], 2, (const size_t[]){0, 1}, 1, (const size_t[]){3});
    assert_segment(&grid.segments[3], 1, (const size_t[]){2}, 3, (const size_t[]){2, 5, 6});
    assert_segment(&grid.segments[4], 1, (const size_t[]){1}, 1, (const size_t[]){4});
    for (size_t c = 0; c < 3; c++) assert_int_equal(grid.configs[c].n_images, 2);
    assert_int_equal(grid.configs[0].n_rows, 2);
    assert_int_equal(grid.configs[1].n_rows, 4);
    assert_int_equal(grid.configs[2].n_rows, 5);
    dv_grid_clear(&grid);
}

static void a_fixed_memory_has_unfilled_rows(void **state) {
    (void)state;
    size_t only[] = {4};
    const dv_bank_plan plans[] = {{.images = only, .n_images = 1, .per_image = 2, .n_rows_fixed = 5}};
    const dv_bank_info two_rows = {.n_rows = 2, .n_images = 8, .image = images};
    dv_grid grid;
    assert_int_equal(dv_grid_make(&two_rows, plans, 1, &grid), DV_OK);
    assert_int_equal(grid.n_segments, 1);
    assert_int_equal(grid.configs[0].n_rows, 5);
    assert_int_equal(grid.configs[0].n_unfilled, 3);
    dv_grid_clear(&grid);
    dv_grid_clear(&grid);
}

static void equal_configurations_share_all_segments(void **state) {
    (void)state;
    size_t all[] = {4, 5, 7};
    const dv_bank_plan plans[] = {{.images = all, .n_images = 3, .per_image = 3},
                                  {.images = all, .n_images = 3, .per_image = 3}};
    dv_grid grid;
    assert_int_equal(dv_grid_make(&bank, plans, 2, &grid), DV_OK);
    assert_int_equal(grid.n_segments, 1);
    assert_segment(&grid.segments[0], 2, (const size_t[]){0, 1}, 7, (const size_t[]){0, 1, 2, 3, 4, 5, 6});
    dv_grid_clear(&grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_same_configurations_are_a_segment),
        cmocka_unit_test(a_fixed_memory_has_unfilled_rows),
        cmocka_unit_test(equal_configurations_share_all_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
