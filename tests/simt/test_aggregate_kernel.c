/* The kernel's soft labels against those of dv_aggregate, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "denseval/aggregate.h"
#include "kernels/kernels.h"
#include "simt.h"
#include "simt/device_memory.h"

typedef struct problem {
    size_t n, k, n_classes, n_rows;
    int64_t *ids;
    double *cosines;
    uint16_t *counts;
} problem;

/* Lists of random length up to k, some empty; falling cosines; rows of one class, of several and of none. */
static problem make_problem(size_t n, size_t k, size_t n_classes, uint32_t seed) {
    problem made = {n,
                    k,
                    n_classes,
                    50,
                    checked(malloc(n * k * sizeof(int64_t))),
                    checked(malloc(n * k * sizeof(double))),
                    checked(calloc(50 * n_classes, sizeof(uint16_t)))};
    for (size_t row = 1; row < made.n_rows; row++)
        for (uint32_t i = 0; i < row % 4; i++)
            made.counts[row * n_classes + draw(&seed) % n_classes] = (uint16_t)(draw(&seed) % (row % 2 ? 200 : 65536));
    for (size_t query = 0; query < n; query++) {
        const size_t length = query % 3 == 0 ? k : draw(&seed) % (k + 1);
        double cosine = 1.0;
        for (size_t j = 0; j < k; j++) {
            cosine -= (double)(draw(&seed) % 1000) / 1e5;
            made.ids[query * k + j] = j < length ? (int64_t)(draw(&seed) % made.n_rows) : -1;
            made.cosines[query * k + j] = j < length ? cosine : -2.0;
        }
    }
    return made;
}

static void free_problem(problem *old) {
    free(old->ids);
    free(old->cosines);
    free(old->counts);
}

static void expect_equal_bits(const problem *of, double beta) {
    const size_t soft_bytes = of->n * of->n_classes * sizeof(double), pure_bytes = of->n * sizeof(uint16_t);
    int64_t *const ids = on_device(of->ids, of->n * of->k * sizeof *ids);
    double *const cosines = on_device(of->cosines, of->n * of->k * sizeof *cosines);
    uint16_t *const counts = on_device(of->counts, of->n_rows * of->n_classes * sizeof *counts);
    double *const soft = on_device(NULL, soft_bytes);
    uint16_t *const pure = on_device(NULL, pure_bytes);
    void *const workspace = on_device(NULL, dv_launch_aggregate_workspace((int64_t)of->n, (int64_t)of->k));
    assert_int_equal(dv_launch_aggregate(ids, cosines, (int64_t)of->n, (int64_t)of->k, beta, counts,
                                         (int64_t)of->n_classes, soft, pure, workspace, NULL),
                     cudaSuccess);

    double *const found = checked(malloc(2 * soft_bytes)), *const expected = found + of->n * of->n_classes;
    uint16_t *const found_pure = checked(malloc(2 * pure_bytes)), *const expected_pure = found_pure + of->n;
    assert_int_equal(cudaMemcpy(found, soft, soft_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(found_pure, pure, pure_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    dv_aggregate(of->ids, of->cosines, of->n, of->k, beta, of->counts, of->n_classes, expected, expected_pure);
    assert_memory_equal(found, expected, soft_bytes);
    assert_memory_equal(found_pure, expected_pure, pure_bytes);

    free(found);
    free(found_pure);
    void *const memory[] = {ids, cosines, counts, soft, pure, workspace};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) assert_int_equal(cudaFree(memory[i]), cudaSuccess);
    assert_int_equal(simt_n_alive(), 0);
}

/* Fewer, as many and more neighbours and classes than a warp has lanes, and more than the host keeps weights of. */
static void every_shape_gives_the_bits_of_the_host(void **state) {
    (void)state;
    const size_t shapes[][3] = {{1, 1, 1}, {9, 30, 16}, {4, 32, 32}, {5, 33, 65}, {3, 64, 150}, {2, 300, 3}};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            simt_set_seed(seed);
            problem made = make_problem(shapes[i][0], shapes[i][1], shapes[i][2], (uint32_t)(seed + i));
            expect_equal_bits(&made, i % 2 ? 0.02 : 1e-4);
            free_problem(&made);
        }
}

static void no_query_is_no_launch(void **state) {
    (void)state;
    simt_fail_launch(1);
    assert_int_equal(dv_launch_aggregate(NULL, NULL, 0, 30, 0.02, NULL, 16, NULL, NULL, NULL, NULL), cudaSuccess);
    simt_fail_launch(0);
}

static void failed_launch_is_told(void **state) {
    (void)state;
    simt_fail_launch(1);
    assert_int_equal(dv_launch_aggregate(NULL, NULL, 1, 30, 0.02, NULL, 16, NULL, NULL, NULL, NULL),
                     cudaErrorLaunchOutOfResources);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_gives_the_bits_of_the_host),
        cmocka_unit_test(no_query_is_no_launch),
        cmocka_unit_test(failed_launch_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
