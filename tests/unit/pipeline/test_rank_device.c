/* Which GPUs of a node are whose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/rank_device.h"

typedef struct share_case {
    size_t n_gpus, n_ranks, rank, first, n;
    bool is_shared;
} share_case;

static void ranks_of_a_node_share_its_gpus(void **state) {
    (void)state;
    static const share_case cases[] = {{4, 1, 0, 0, 4, false}, {4, 2, 0, 0, 2, false}, {4, 2, 1, 2, 2, false},
                                       {4, 3, 0, 0, 2, false}, {4, 3, 1, 2, 1, false}, {4, 3, 2, 3, 1, false},
                                       {4, 4, 0, 0, 1, false}, {4, 4, 3, 3, 1, false}, {4, 5, 0, 0, 1, true},
                                       {4, 5, 3, 3, 1, true},  {4, 5, 4, 0, 1, true},  {2, 5, 3, 1, 1, true},
                                       {8, 3, 0, 0, 3, false}, {8, 3, 2, 6, 2, false}, {1, 1, 0, 0, 1, false},
                                       {1, 2, 1, 0, 1, true},  {0, 1, 0, 0, 0, false}, {0, 7, 3, 0, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const share_case *const c = &cases[i];
        const dv_gpu_share share = dv_gpu_share_of(c->n_gpus, c->n_ranks, c->rank);
        assert_int_equal(share.first, c->first);
        assert_int_equal(share.n, c->n);
        assert_int_equal(share.is_shared, c->is_shared);
    }
}

/* Every GPU has a rank, every rank a GPU, and no two differ by more than one. */
static void no_gpu_is_idle_and_no_rank_without_one(void **state) {
    (void)state;
    for (size_t n_gpus = 1; n_gpus <= 9; n_gpus++)
        for (size_t n_ranks = 1; n_ranks <= 20; n_ranks++) {
            size_t users[9] = {0}, least = SIZE_MAX, most = 0;
            for (size_t rank = 0; rank < n_ranks; rank++) {
                const dv_gpu_share share = dv_gpu_share_of(n_gpus, n_ranks, rank);
                assert_true(share.n > 0 && share.first + share.n <= n_gpus);
                assert_true(share.n == n_gpus / n_ranks || share.n == n_gpus / n_ranks + 1);
                for (size_t i = 0; i < share.n; i++) users[share.first + i]++;
            }
            for (size_t i = 0; i < n_gpus; i++) {
                if (users[i] < least) least = users[i];
                if (users[i] > most) most = users[i];
            }
            assert_true(least > 0 && most - least <= 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_a_node_share_its_gpus),
        cmocka_unit_test(no_gpu_is_idle_and_no_rank_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
