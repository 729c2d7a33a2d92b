/* Shares, the end of a run and the CPUs of a node, with ranks of which only this one is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/exchange.h"
#include "cluster/ranks_ops.h"
#include "core/affinity.h"
#include "denseval/ranks.h"

enum { MASK_WORDS = 128 };

/* What the others say, and what this rank told. */
static struct {
    bool all_come, hushed;
    uint64_t least_of_others, told;
    double patience_s;
    uint64_t first; /* what rank 0 broadcasts */
    size_t n_hushes;
    uint64_t other_cpus[MASK_WORDS];
    uint64_t values[3]; /* of the ranks of the node */
} play;

static bool meet(dv_ranks *ranks, double patience_s, uint64_t mine, uint64_t *least, bool *hushed) {
    (void)ranks;
    play.told = mine;
    play.patience_s = patience_s;
    *hushed = play.hushed;
    *least = mine < play.least_of_others ? mine : play.least_of_others;
    return play.all_come;
}

static dv_status join_on_node(dv_ranks *ranks, uint64_t *bits, size_t n) {
    (void)ranks;
    for (size_t i = 0; i < n; i++) bits[i] |= play.other_cpus[i];
    return DV_OK;
}

static dv_status gather_on_node(dv_ranks *ranks, uint64_t mine, uint64_t *all) {
    memcpy(all, play.values, ranks->n_local * sizeof *all);
    all[ranks->local] = mine;
    return DV_OK;
}

static dv_status broadcast(dv_ranks *ranks, size_t from, void *data, size_t n_bytes) {
    (void)ranks;
    assert_int_equal(from, 0);
    assert_int_equal(n_bytes, sizeof play.first);
    memcpy(data, &play.first, n_bytes);
    return DV_OK;
}

static void hush(dv_ranks *ranks) {
    (void)ranks;
    play.n_hushes++;
}

static const dv_ranks_ops ops = {
    .broadcast = broadcast, .hush = hush, .meet = meet, .join_on_node = join_on_node, .gather_on_node = gather_on_node};

static dv_ranks rank_1_of_3(void) {
    memset(&play, 0, sizeof play);
    play.all_come = true;
    play.least_of_others = UINT64_MAX;
    return (dv_ranks){.ops = &ops, .index = 1, .count = 3, .local = 1, .n_local = 3, .n_on_node = 3};
}

/* What another rank tells of a failure: see dv_ranks_settle. */
static uint64_t failure_of(size_t rank, dv_status status) {
    return (uint64_t)rank << 32 | (uint64_t)status;
}

static void shares_are_contiguous_and_the_remainder_goes_first(void **state) {
    (void)state;
    for (size_t n = 0; n < 40; n++)
        for (size_t count = 1; count < 18; count++) {
            size_t next = 0;
            for (size_t i = 0; i < count; i++) {
                const dv_share share = dv_share_of(n, count, i);
                assert_int_equal(share.first, next);
                assert_int_equal(share.n, n / count + (i < n % count ? 1 : 0));
                next += share.n;
            }
            assert_int_equal(next, n);
        }
}

static void a_process_of_its_own_is_all_there_is(void **state) {
    (void)state;
    uint64_t sums[2] = {3, 4};
    assert_int_equal(dv_ranks_count(NULL), 1);
    assert_int_equal(dv_ranks_index(NULL), 0);
    assert_int_equal(dv_ranks_share(NULL, 7).n, 7);
    assert_int_equal(dv_ranks_sum(NULL, sums, 2), DV_OK);
    assert_int_equal(sums[1], 4);
    assert_int_equal(dv_ranks_follow(NULL, DV_E_IO), DV_E_IO);
    const dv_ranks_end end = dv_ranks_settle(NULL, DV_E_DATA);
    assert_int_equal(end.status, DV_E_DATA);
    assert_true(end.speaks);
    assert_false(end.alone);
}

static void all_end_well_or_as_the_lowest_that_failed(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    dv_ranks_end end = dv_ranks_settle(&ranks, DV_OK);
    assert_int_equal(end.status, DV_OK);
    assert_false(end.speaks);
    assert_true(play.patience_s == 0); /* a rank that has done its part waits for the others */

    play.least_of_others = failure_of(0, DV_E_MISSING);
    end = dv_ranks_settle(&ranks, DV_E_DATA);
    assert_int_equal(end.status, DV_E_MISSING);
    assert_false(end.speaks);
    assert_false(end.alone);

    play.least_of_others = failure_of(2, DV_E_MISSING);
    end = dv_ranks_settle(&ranks, DV_E_DATA);
    assert_int_equal(end.status, DV_E_DATA);
    assert_true(end.speaks);

    play.hushed = true; /* by rank 2, which waited in vain and ends all */
    assert_false(dv_ranks_settle(&ranks, DV_E_DATA).speaks);
    play.hushed = false;

    end = dv_ranks_settle(&ranks, DV_OK);
    assert_int_equal(end.status, DV_E_MISSING);
    assert_false(end.speaks);
}

static void a_rank_that_fails_alone_speaks_unless_another_does(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    play.all_come = false;
    dv_ranks_end end = dv_ranks_settle(&ranks, DV_E_IO);
    assert_int_equal(end.status, DV_E_IO);
    assert_true(end.speaks);
    assert_true(end.alone);
    assert_true(play.patience_s > 0);
    play.hushed = true;
    end = dv_ranks_settle(&ranks, DV_E_IO);
    assert_false(end.speaks);
    assert_true(end.alone);
}

static void a_rank_that_follows_leaves_it_to_rank_0_to_tell(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    assert_int_equal(dv_ranks_follow(&ranks, DV_OK), DV_OK);
    play.first = DV_E_IO;
    assert_int_equal(dv_ranks_follow(&ranks, DV_OK), DV_E_IO);
    play.least_of_others = failure_of(0, DV_E_IO);
    const dv_ranks_end end = dv_ranks_settle(&ranks, DV_E_IO);
    assert_true(play.patience_s == 0); /* rank 0 may have much to remove before it comes */
    assert_false(end.speaks);
    assert_false(end.alone);
}

static void a_rank_that_failed_tells_those_above_it_before_it_removes_anything(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    dv_ranks_hush(NULL, DV_E_IO);
    dv_ranks_hush(&ranks, DV_OK);
    assert_int_equal(play.n_hushes, 0);
    dv_ranks_hush(&ranks, DV_E_IO);
    assert_int_equal(play.n_hushes, 1);
}

static void a_rank_that_was_asked_to_stop_waits_for_the_others_to_be(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    (void)dv_ranks_settle(&ranks, DV_E_IO);
    const double of_fault = play.patience_s;
    (void)dv_ranks_settle(&ranks, DV_E_INTERRUPTED);
    assert_true(play.patience_s > 2 * of_fault);
}

static void a_rank_knows_its_place_among_those_that_tell_the_same(void **state) {
    (void)state;
    /* What the ranks tell, which of them asks, its place and how many share it. */
    static const uint64_t cases[][6] = {{7, 7, 7, 1, 1, 3}, {7, 7, 7, 0, 0, 3}, {7, 7, 7, 2, 2, 3}, {7, 8, 7, 1, 0, 1},
                                        {7, 8, 7, 2, 1, 2}, {8, 7, 7, 2, 1, 2}, {0, 0, 7, 1, 1, 2}};
    dv_rank_place place;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dv_ranks ranks = rank_1_of_3();
        memcpy(play.values, cases[i], sizeof play.values);
        ranks.local = (size_t)cases[i][3];
        assert_int_equal(dv_ranks_place(&ranks, cases[i][ranks.local], &place), DV_OK);
        assert_int_equal(place.index, cases[i][4]);
        assert_int_equal(place.count, cases[i][5]);
    }
    assert_int_equal(dv_ranks_place(NULL, 7, &place), DV_OK);
    assert_int_equal(place.index, 0);
    assert_int_equal(place.count, 1);
}

static size_t own_cpus(void) {
    uint64_t mask[MASK_WORDS];
    size_t n = 0;
    dv_affinity_read(mask, MASK_WORDS);
    for (size_t i = 0; i < MASK_WORDS; i++) n += (size_t)__builtin_popcountll(mask[i]);
    return n;
}

static void ranks_share_the_cpus_that_they_have_in_common(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    dv_thread_limits limits = {.affinity = own_cpus(), .cgroup = 7};
    assert_int_equal(dv_ranks_limit_threads(&ranks, &limits), DV_OK);
    const size_t share = own_cpus() / 3 ? own_cpus() / 3 : 1;
    assert_int_equal(limits.affinity, share);
    assert_int_equal(limits.cgroup, 2);
    assert_int_equal(limits.allowed, share < 2 ? share : 2);
}

static void a_rank_that_is_bound_to_cpus_keeps_them(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    /* The others have twice as many of their own, behind any that this machine has. */
    const size_t n = own_cpus();
    for (size_t cpu = 0; cpu < 2 * n; cpu++) play.other_cpus[64 + cpu / 64] |= (uint64_t)1 << cpu % 64;
    dv_thread_limits limits = {.affinity = n, .allowed = n};
    assert_int_equal(dv_ranks_limit_threads(&ranks, &limits), DV_OK);
    assert_int_equal(limits.allowed, n);
}

static void limits_of_one_process_stay(void **state) {
    (void)state;
    dv_ranks ranks = rank_1_of_3();
    dv_thread_limits limits = {.option = 5, .affinity = 8, .allowed = 5};
    assert_int_equal(dv_ranks_limit_threads(&ranks, &limits), DV_OK);
    assert_int_equal(limits.allowed, 5);
    memset(play.other_cpus, 0xff, sizeof play.other_cpus);
    limits = (dv_thread_limits){.slurm = 4, .affinity = 8, .allowed = 4};
    assert_int_equal(dv_ranks_limit_threads(&ranks, &limits), DV_OK);
    assert_int_equal(limits.allowed, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_contiguous_and_the_remainder_goes_first),
        cmocka_unit_test(a_process_of_its_own_is_all_there_is),
        cmocka_unit_test(all_end_well_or_as_the_lowest_that_failed),
        cmocka_unit_test(a_rank_that_fails_alone_speaks_unless_another_does),
        cmocka_unit_test(a_rank_that_follows_leaves_it_to_rank_0_to_tell),
        cmocka_unit_test(a_rank_that_failed_tells_those_above_it_before_it_removes_anything),
        cmocka_unit_test(a_rank_that_was_asked_to_stop_waits_for_the_others_to_be),
        cmocka_unit_test(ranks_share_the_cpus_that_they_have_in_common),
        cmocka_unit_test(a_rank_that_is_bound_to_cpus_keeps_them),
        cmocka_unit_test(limits_of_one_process_stay),
        cmocka_unit_test(a_rank_knows_its_place_among_those_that_tell_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
