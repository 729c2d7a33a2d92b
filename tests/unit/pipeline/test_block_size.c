/* How many query images are searched together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/block_size.h"

/* 10000 images of 100 patches of 8 bytes. A list has 10 x 16 bytes. */
static const dv_feature_info queries = {.n_images = 10000, .n_patches = 100, .dim = 4, .dtype = DV_F16};

static size_t block_of(const dv_search_options *options, bool bank_is_streamed, bool has_journal) {
    const dv_block_need need = {.queries = &queries,
                                .options = options,
                                .n_lists = 1,
                                .bank_is_streamed = bank_is_streamed,
                                .has_journal = has_journal};
    size_t n_images;
    assert_int_equal(dv_block_images(&need, &n_images), DV_OK);
    return n_images;
}

static void the_option_wins(void **state) {
    (void)state;
    const dv_search_options options = {.images_per_block = 7, .backend = "reference", .k = 10};
    assert_int_equal(block_of(&options, true, true), 7);
}

static void threads_are_kept_busy(void **state) {
    (void)state;
    dv_search_options options = {.k = 10};
    assert_int_equal(block_of(&options, false, true), 41); /* 4096 patches */
    options.n_threads = 16;
    assert_int_equal(block_of(&options, false, true), 82); /* 16 x 512 */
    assert_int_equal(block_of(&options, false, false), 82);
}

static void a_slow_backend_ends_its_blocks_soon(void **state) {
    (void)state;
    dv_search_options options = {.k = 10, .backend = "reference"};
    assert_int_equal(block_of(&options, false, false), 41); /* nothing is written down at its end */
    assert_int_equal(block_of(&options, false, true), 2);   /* 128 patches */
    options.n_threads = 16;
    assert_int_equal(block_of(&options, false, true), 21);
    options.memory_limit = (size_t)1 << 40;
    assert_int_equal(block_of(&options, true, true), 21);
}

static void a_bank_that_is_read_once_a_block_has_larger_ones(void **state) {
    (void)state;
    dv_search_options options = {.k = 10, .memory_limit = (size_t)1 << 40};
    assert_int_equal(block_of(&options, true, true), 164); /* 16384 patches */
    options.n_threads = 4;
    assert_int_equal(block_of(&options, true, true), 656);
    options.n_threads = 1000;
    assert_int_equal(block_of(&options, true, true), 10000);
    options.memory_limit = 2 * (3 * 100 * (2 * 8 + 160) + 1); /* half of it: three images */
    assert_int_equal(block_of(&options, true, true), 3);
    assert_int_equal(block_of(&options, false, true), 3);
}

static void an_image_that_does_not_fit_is_refused(void **state) {
    (void)state;
    const dv_search_options options = {.k = 10, .memory_limit = 2 * (100 * (2 * 8 + 160) - 1)};
    const dv_block_need need = {.queries = &queries, .options = &options, .n_lists = 1, .has_journal = true};
    size_t n_images;
    assert_int_equal(dv_block_images(&need, &n_images), DV_E_NOMEM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_option_wins),
        cmocka_unit_test(threads_are_kept_busy),
        cmocka_unit_test(a_slow_backend_ends_its_blocks_soon),
        cmocka_unit_test(a_bank_that_is_read_once_a_block_has_larger_ones),
        cmocka_unit_test(an_image_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
