/* How a memory limit is shared out. Edge case KNN-08. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/stream_plan.h"

/* 1000 rows of 10 bytes and 20 images of 100 bytes, 30 of them patches. */
static dv_stream_sizes some_sizes(size_t limit) {
    return (dv_stream_sizes){.limit = limit,
                             .fixed_bytes = 500,
                             .n_rows = 1000,
                             .row_bytes = 10,
                             .n_shards = 1,
                             .n_images = 20,
                             .n_patches = 30,
                             .image_bytes = 100,
                             .ahead_bytes = 60,
                             .usual_images = 4};
}

static dv_stream_plan planned(const dv_stream_sizes *sizes) {
    dv_stream_plan plan;
    assert_int_equal(dv_stream_plan_make(sizes, &plan), DV_OK);
    return plan;
}

static void without_a_limit_the_bank_stays(void **state) {
    (void)state;
    dv_stream_sizes sizes = some_sizes(0);
    dv_stream_plan plan = planned(&sizes);
    assert_true(plan.resident);
    assert_int_equal(plan.n_parts, 1);
    assert_int_equal(plan.block_images, 4);
    sizes.n_shards = 7;
    sizes.block_images = 50;
    plan = planned(&sizes);
    assert_int_equal(plan.n_parts, 7);
    assert_int_equal(plan.block_images, 20);
}

static void a_bank_that_fits_beside_blocks_stays(void **state) {
    (void)state;
    const dv_stream_sizes sizes = some_sizes(500 + 1000 * 10 + 4 * (100 + 60) + 1);
    const dv_stream_plan plan = planned(&sizes);
    assert_true(plan.resident);
    assert_int_equal(plan.block_images, 4);
}

static void fewer_rows_and_queries_are_handled_when_both_share_alike(void **state) {
    (void)state;
    const dv_stream_sizes sizes = some_sizes(500 + 4001);
    const dv_stream_plan plan = planned(&sizes);
    assert_false(plan.resident);
    assert_int_equal(plan.block_images, 20); /* 1 x 1000 + 5 x 600; 10 images: 2 x 1000 + 4 x 600; 7: 3 x 1000 + ... */
    assert_int_equal(plan.n_parts, 5);
}

static void every_plan_keeps_the_limit(void **state) {
    (void)state;
    for (size_t limit = 610; limit < 12000; limit += 7) {
        for (size_t asked = 0; asked < 3; asked++) {
            dv_stream_sizes sizes = some_sizes(limit);
            sizes.n_shards = 1 + asked * 2;
            sizes.block_images = limit > 1000 ? asked : 0;
            const dv_stream_plan plan = planned(&sizes);
            const size_t images = plan.block_images, ahead = plan.resident && images < 20 ? images * 60 : 0;
            const size_t rows = plan.resident ? 1000 : (1000 + plan.n_parts - 1) / plan.n_parts;
            assert_in_range(images, 1, 20);
            assert_true(plan.n_parts >= sizes.n_shards && plan.n_parts <= 1000);
            assert_true(500 + images * 100 + ahead + rows * 10 <= limit);
            if (sizes.block_images) assert_int_equal(images, sizes.block_images);
        }
    }
}

static void a_bank_that_the_device_cannot_hold_is_cut(void **state) {
    (void)state;
    dv_stream_sizes sizes = some_sizes(0);
    sizes.most_rows = 1000;
    assert_true(planned(&sizes).resident);
    sizes.most_rows = 300;
    dv_stream_plan plan = planned(&sizes);
    assert_false(plan.resident);
    assert_int_equal(plan.n_parts, 4);
    assert_int_equal(plan.block_images, 20); /* as many as 256 MB hold: each block reads the bank again */
    sizes.n_shards = 5;
    sizes.image_bytes = 50 << 20;
    plan = planned(&sizes);
    assert_false(plan.resident); /* more parts than the device needs, but not all of them at once */
    assert_int_equal(plan.n_parts, 5);
    assert_int_equal(plan.block_images, 5);
    sizes.image_bytes = 100 << 20; /* not below what is usual */
    assert_int_equal(planned(&sizes).block_images, 4);
    sizes.block_images = 2;
    assert_int_equal(planned(&sizes).block_images, 2);
    sizes = some_sizes(100000); /* and the host has room */
    sizes.most_rows = 300;
    plan = planned(&sizes);
    assert_false(plan.resident);
    assert_int_equal(plan.n_parts, 4);
}

static void a_limit_without_room_names_the_bytes(void **state) {
    (void)state;
    dv_stream_plan plan;
    const dv_stream_sizes sizes = some_sizes(609);
    assert_int_equal(dv_stream_plan_make(&sizes, &plan), DV_E_NOMEM);
    assert_string_equal(dv_last_error(), "the memory limit leaves 609 bytes for a search, which takes at least 610: "
                                         "a bank row 10, 1 query images 100, the rest 500");
    const dv_stream_sizes tiny = some_sizes(1);
    assert_int_equal(dv_stream_plan_make(&tiny, &plan), DV_E_NOMEM);
    dv_stream_sizes huge = some_sizes(610);
    huge.image_bytes = SIZE_MAX / 2;
    huge.block_images = 3;
    assert_int_equal(dv_stream_plan_make(&huge, &plan), DV_E_NOMEM);
}

static void more_shards_than_rows_are_refused(void **state) {
    (void)state;
    dv_stream_plan plan;
    dv_stream_sizes sizes = some_sizes(0);
    sizes.n_shards = 1001;
    assert_int_equal(dv_stream_plan_make(&sizes, &plan), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "1001 shards: the bank has 1000 rows");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_limit_the_bank_stays),
        cmocka_unit_test(a_bank_that_fits_beside_blocks_stays),
        cmocka_unit_test(fewer_rows_and_queries_are_handled_when_both_share_alike),
        cmocka_unit_test(every_plan_keeps_the_limit),
        cmocka_unit_test(a_bank_that_the_device_cannot_hold_is_cut),
        cmocka_unit_test(a_limit_without_room_names_the_bytes),
        cmocka_unit_test(more_shards_than_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
