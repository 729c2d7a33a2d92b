/* Whether each rank can hold the whole bank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/rank_split.h"

/* A bank of 1000 bytes. */
static const dv_rank_split plain = {.n_rows = 100, .row_bytes = 10};

static void a_node_holds_the_banks_of_its_ranks_in_half_of_its_memory(void **state) {
    (void)state;
    assert_true(dv_replica_fits(&plain, 1, 2000));
    assert_false(dv_replica_fits(&plain, 1, 1999));
    assert_true(dv_replica_fits(&plain, 3, 6000));
    assert_false(dv_replica_fits(&plain, 3, 5999));
    assert_true(dv_replica_fits(&plain, 3, 0)); /* nothing is known */
}

static void the_least_of_machine_and_job_counts(void **state) {
    (void)state;
    dv_rank_split split = plain;
    split.job_memory = 2000;
    assert_true(dv_replica_fits(&split, 1, 100000));
    assert_true(dv_replica_fits(&split, 1, 0));
    assert_false(dv_replica_fits(&split, 1, 1999));
    split.job_memory = 1999;
    assert_false(dv_replica_fits(&split, 1, 100000));
    assert_false(dv_replica_fits(&split, 1, 0));
}

static void a_limit_and_a_device_have_their_own_say(void **state) {
    (void)state;
    dv_rank_split split = plain;
    split.memory_limit = 1999;
    assert_false(dv_replica_fits(&split, 1, 100000));
    split.memory_limit = 2000; /* of each rank */
    assert_true(dv_replica_fits(&split, 4, 100000));
    split.most_rows = 99;
    assert_false(dv_replica_fits(&split, 1, 100000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_holds_the_banks_of_its_ranks_in_half_of_its_memory),
        cmocka_unit_test(the_least_of_machine_and_job_counts),
        cmocka_unit_test(a_limit_and_a_device_have_their_own_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
