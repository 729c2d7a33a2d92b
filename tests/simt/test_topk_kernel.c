/* The kernel's lists against those of dv_topk, which keeps a heap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "kernels/search.h"
#include "search/topk.h"
#include "simt.h"
#include "simt/device_memory.h"

enum { N_LISTS = 3, N_QUERIES = 5 };

typedef struct problem {
    size_t stride, k;
    int64_t *ids;
    double *cosines;
    uint32_t counts[N_LISTS], chosen[N_LISTS];
    double least[N_QUERIES];
} problem;

/* Ids of a list differ; some are -1. Cosines are few, so that ties are common, or rising, so that each is the best. */
static problem make_problem(size_t stride, size_t k, uint32_t *seed) {
    problem made = {.stride = stride,
                    .k = k,
                    .ids = checked(malloc(N_LISTS * stride * sizeof *made.ids)),
                    .cosines = checked(malloc(N_LISTS * stride * sizeof *made.cosines)),
                    .counts = {(uint32_t)stride, draw(seed) % (uint32_t)(stride + 1), (uint32_t)stride + 5},
                    .chosen = {4, 0, 2},
                    .least = {-INFINITY, 0.25, 0.5, -1.0, 0.0}};
    for (size_t list = 0; list < N_LISTS; list++)
        for (size_t i = 0; i < stride; i++) {
            const size_t at = list * stride + i;
            made.ids[at] = draw(seed) % 9 == 0 ? -1 : (int64_t)(i * 7919 % 100003 + (list << 33));
            made.cosines[at] = list == 1 ? (double)i / (double)stride : ((double)(draw(seed) % 9) - 4.0) / 4.0;
        }
    return made;
}

static size_t count_of(const problem *of, size_t list) {
    return of->counts[list] < of->stride ? of->counts[list] : of->stride;
}

/* The first call takes the lists without limits; the second takes them again as other rows, keeping what was there. */
static void expected_lists(const problem *of, int n_calls, int64_t *ids, double *cosines) {
    dv_neighbour *const heap = checked(malloc(of->k * sizeof *heap));
    for (size_t list = 0; list < N_LISTS; list++) {
        const size_t query = of->chosen[list];
        dv_topk best = dv_topk_begin(heap, of->k, n_calls == 1 ? -INFINITY : of->least[query]);
        for (int call = 0; call < n_calls; call++)
            for (size_t i = 0; i < count_of(of, list); i++)
                if (of->ids[list * of->stride + i] >= 0)
                    dv_topk_offer(&best, of->cosines[list * of->stride + i],
                                  of->ids[list * of->stride + i] + (call << 20));
        dv_topk_write(&best, ids + query * of->k, cosines + query * of->k);
    }
    free(heap);
}

static void expect_lists_of_the_heap(const problem *of) {
    const size_t n_of_lists = N_LISTS * of->stride, n_found = N_QUERIES * of->k;
    const dv_scored_lists lists = {on_device(of->ids, n_of_lists * sizeof *of->ids),
                                   on_device(of->cosines, n_of_lists * sizeof *of->cosines), (int64_t)of->stride};
    uint32_t *const counts = on_device(of->counts, sizeof of->counts);
    uint32_t *const chosen = on_device(of->chosen, sizeof of->chosen);
    double *const least = on_device(of->least, sizeof of->least);
    int64_t *const expected_ids = checked(malloc(n_found * sizeof *expected_ids));
    double *const expected = checked(malloc(n_found * sizeof *expected));
    for (size_t i = 0; i < n_found; i++) {
        expected_ids[i] = -77; /* queries without a list stay as they are */
        expected[i] = 77.0;
    }
    int64_t *const ids = on_device(expected_ids, n_found * sizeof *ids);
    double *const cosines = on_device(expected, n_found * sizeof *cosines);
    const int64_t k = (int64_t)of->k;
    assert_int_equal(dv_launch_topk(&lists, N_LISTS, counts, chosen, NULL, k, 0, ids, cosines, NULL), cudaSuccess);
    expected_lists(of, 1, expected_ids, expected);
    expect_on_device(ids, expected_ids, n_found * sizeof *ids);
    expect_on_device(cosines, expected, n_found * sizeof *cosines);

    assert_int_equal(dv_launch_topk(&lists, N_LISTS, counts, chosen, least, k, 0, ids, cosines, NULL), cudaSuccess);
    int64_t *const more = checked(malloc(n_of_lists * sizeof *more));
    for (size_t i = 0; i < n_of_lists; i++) more[i] = of->ids[i] < 0 ? -1 : of->ids[i] + (1 << 20);
    assert_int_equal(cudaMemcpy(lists.ids, more, n_of_lists * sizeof *more, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(dv_launch_topk(&lists, N_LISTS, counts, chosen, least, k, 1, ids, cosines, NULL), cudaSuccess);
    expected_lists(of, 2, expected_ids, expected);
    expect_on_device(ids, expected_ids, n_found * sizeof *ids);
    expect_on_device(cosines, expected, n_found * sizeof *cosines);

    free(more);
    free(expected_ids);
    free(expected);
    free_on_device(lists.ids, lists.cosines, counts, chosen, least, ids, cosines);
    assert_int_equal(simt_n_alive(), 0);
}

static void lists_are_those_of_the_heap(void **state) {
    (void)state;
    const size_t shapes[][2] = {{1, 1},      {40, 7},    {300, 64},    {900, 1},
                                {1500, 300}, {30, 1024}, {2600, 1024}, {2200, 2000}};
    const size_t n_shapes = sizeof shapes / sizeof *shapes;
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        uint32_t state_of_draw = (uint32_t)seed;
        simt_set_seed(seed);
        for (size_t i = seed % 2; i < n_shapes; i += 2) {
            problem made = make_problem(shapes[i][0], shapes[i][1], &state_of_draw);
            expect_lists_of_the_heap(&made);
            free(made.ids);
            free(made.cosines);
        }
    }
}

/* No counts, no choice: the whole of each list, list i for query i. */
static void plain_lists_are_taken_whole(void **state) {
    (void)state;
    const int64_t ids[6] = {5, 2, 9, 3, -1, 1}, expected_ids[8] = {2, 5, 9, -1, 1, 3, -1, -1};
    const double cosines[6] = {0.5, 0.5, -0.25, -1.0, 0.75, 0.0};
    const double expected[8] = {0.5, 0.5, -0.25, -2.0, 0.0, -1.0, -2.0, -2.0};
    const dv_scored_lists lists = {on_device(ids, sizeof ids), on_device(cosines, sizeof cosines), 3};
    int64_t *const found_ids = on_device(NULL, sizeof expected_ids);
    double *const found = on_device(NULL, sizeof expected);
    assert_int_equal(dv_launch_topk(&lists, 2, NULL, NULL, NULL, 4, 0, found_ids, found, NULL), cudaSuccess);
    expect_on_device(found_ids, expected_ids, sizeof expected_ids);
    expect_on_device(found, expected, sizeof expected);
    free_on_device(lists.ids, lists.cosines, found_ids, found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_those_of_the_heap),
        cmocka_unit_test(plain_lists_are_taken_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
