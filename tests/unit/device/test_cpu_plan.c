#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/cpu/cpu_plan.h"

static dv_codes bank(size_t n_rows, size_t dim) {
    const size_t tile_rows = n_rows > 4096 ? 256 : 32;
    return (dv_codes){.n_rows = n_rows,
                      .dim = dim,
                      .dim_padded = dv_padded_dim(dim),
                      .tile_rows = tile_rows,
                      .n_tiles = (n_rows + tile_rows - 1) / tile_rows};
}

static dv_cpu_plan make(dv_device_options options, size_t n_threads, size_t n_queries, size_t n_rows, size_t k) {
    const dv_coded_bank coded = {.codes = bank(n_rows, 64)};
    const dv_codes codes = coded.codes;
    dv_cpu_plan plan;
    dv_cpu_plan_make(&options, n_threads, n_queries, &coded, k, false, &plan);
    /* what every plan keeps: blocks cover the queries and none is empty, chunks cover the tiles, the first one fits */
    assert_true(plan.n_blocks * plan.block_queries >= n_queries);
    assert_true(n_queries == 0 || (plan.n_blocks - 1) * plan.block_queries < n_queries);
    assert_true(plan.n_parts >= 1 && plan.n_parts <= codes.n_tiles);
    assert_true(plan.first_tiles * codes.tile_rows <= dv_filter_capacity(k, &codes) || plan.n_seed_tiles > 0);
    size_t n_chunks = 0, begin = 0;
    for (; begin < plan.n_tiles; n_chunks++) {
        const size_t end = dv_cpu_plan_chunk_end(&plan, begin);
        assert_true(end > begin && end <= plan.n_tiles && n_chunks < 64);
        begin = end;
    }
    return plan;
}

static void many_queries_fall_into_equal_blocks_for_all_threads(void **state) {
    (void)state;
    const dv_cpu_plan plan = make((dv_device_options){0}, 2, 15840, 31190, 30);
    assert_int_equal(plan.n_blocks, 31);
    assert_int_equal(plan.block_queries, 512);
    assert_int_equal(plan.n_parts, 1);
    assert_int_equal(plan.n_tiles, 122);
    assert_int_equal(plan.n_seed_tiles, 16);
    assert_int_equal(make((dv_device_options){0}, 2, 200, 31190, 30).block_queries, 128); /* 100 would leave 4 groups */
}

static void few_queries_split_the_tiles(void **state) {
    (void)state;
    const dv_cpu_plan plan = make((dv_device_options){0}, 8, 1, 100000, 30);
    assert_int_equal(plan.block_queries, 1);
    assert_int_equal(plan.n_parts, 8);
    assert_int_equal(make((dv_device_options){0}, 1, 1, 100000, 30).n_parts, 1);
    assert_int_equal(make((dv_device_options){0}, 8, 1, 100, 30).n_parts, 1); /* too few tiles to be worth it */
}

/* What is rescored follows from chunks and seeds, and is reported: it may not depend on threads. */
static void chunks_and_seeds_do_not_depend_on_threads_or_queries(void **state) {
    (void)state;
    const dv_cpu_plan one = make((dv_device_options){0}, 1, 1, 1024000, 30);
    const dv_cpu_plan many = make((dv_device_options){.tile_queries = 64}, 16, 4096, 1024000, 30);
    assert_true(one.first_tiles == many.first_tiles && one.n_seed_tiles == many.n_seed_tiles);
    assert_int_equal(one.n_seed_tiles, 64);
}

static void small_banks_and_large_k_do_without_seeds(void **state) {
    (void)state;
    assert_int_equal(make((dv_device_options){0}, 2, 100, 1000, 30).n_seed_tiles, 0);
    assert_int_equal(make((dv_device_options){0}, 2, 100, 31190, 1024).n_seed_tiles, 0);
    assert_true(make((dv_device_options){0}, 2, 100, 1024000, 1024).n_seed_tiles >= 256);
}

static void options_are_kept_and_sizes_clamped(void **state) {
    (void)state;
    assert_int_equal(make((dv_device_options){.tile_queries = 3}, 4, 100, 50, 5).block_queries, 3);
    assert_int_equal(make((dv_device_options){.tile_queries = SIZE_MAX}, 4, 100, 50, 50).block_queries, 100);
}

static void large_k_takes_fewer_queries_at_once(void **state) {
    (void)state;
    const dv_cpu_plan plan = make((dv_device_options){0}, 2, 10000, 1000000, 100000);
    assert_true(plan.block_queries >= 1 && plan.block_queries * (800000 * 8 + 100000 * 16) <= (size_t)1 << 26);
    assert_int_equal(make((dv_device_options){0}, 2, 10000, 10000000, 10000000).block_queries, 1);
}

static void shapes_of_all_sizes_are_covered(void **state) {
    (void)state;
    const size_t sizes[] = {1, 2, 31, 32, 33, 511, 512, 513, 5000};
    for (size_t q = 0; q < 9; q++)
        for (size_t r = 0; r < 9; r++)
            for (size_t t = 1; t <= 128; t *= 2) make((dv_device_options){0}, t, sizes[q], sizes[r] * 7, 1);
    assert_int_equal(make((dv_device_options){0}, 4, 0, 10, 1).n_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_queries_fall_into_equal_blocks_for_all_threads),
        cmocka_unit_test(few_queries_split_the_tiles),
        cmocka_unit_test(chunks_and_seeds_do_not_depend_on_threads_or_queries),
        cmocka_unit_test(small_banks_and_large_k_do_without_seeds),
        cmocka_unit_test(options_are_kept_and_sizes_clamped),
        cmocka_unit_test(large_k_takes_fewer_queries_at_once),
        cmocka_unit_test(shapes_of_all_sizes_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
