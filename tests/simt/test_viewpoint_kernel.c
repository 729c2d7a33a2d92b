/* Scores and curves of the kernel against those of the host, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "differential/resample_set.h"
#include "kernels/kernels.h"
#include "metrics/viewpoint_resample.h"
#include "simt.h"
#include "simt/device_memory.h"

enum { N_INPUTS = 8, N_OUTPUTS = 6, N_SHAPES = 8 };

/* What the draws and the scores point to, on the device. */
typedef struct device_side {
    dv_viewpoint_draws draws;
    dv_viewpoint_scores scores;
    void *in[N_INPUTS], *out[N_OUTPUTS];
    size_t out_bytes[N_OUTPUTS];
    void *weights;
} device_side;

static device_side to_device(const dv_viewpoint_draws *of) {
    const size_t counts = of->n_cells * of->n_objects * of->n_classes * sizeof(uint64_t);
    const size_t miou = of->n_cells * of->n_resamples * sizeof(double),
                 curves = of->n_points * of->n_resamples * sizeof(double),
                 breaks = of->n_curves * of->n_resamples * sizeof(int32_t);
    device_side made = {.draws = *of,
                        .in = {on_device(of->intersections, counts), on_device(of->unions, counts),
                               on_device(of->truths, counts), on_device(of->order, of->n_objects * sizeof *of->order),
                               on_device(of->usable, of->n_cells * sizeof *of->usable),
                               of->excluded ? on_device(of->excluded, of->n_classes * sizeof *of->excluded) : NULL,
                               on_device(of->curve_starts, (of->n_curves + 1) * sizeof *of->curve_starts),
                               on_device(of->curve_cells, of->n_points * sizeof *of->curve_cells)},
                        .out_bytes = {miou, miou, curves, curves, breaks, breaks}};
    for (size_t i = 0; i < N_OUTPUTS; i++) made.out[i] = on_device(NULL, made.out_bytes[i]);
    made.weights = on_device(NULL, dv_launch_viewpoint_workspace((int64_t)of->n_objects, (int64_t)of->n_resamples));
    made.draws.intersections = made.in[0];
    made.draws.unions = made.in[1];
    made.draws.truths = made.in[2];
    made.draws.order = made.in[3];
    made.draws.usable = made.in[4];
    made.draws.excluded = made.in[5];
    made.draws.curve_starts = made.in[6];
    made.draws.curve_cells = made.in[7];
    made.scores = (dv_viewpoint_scores){made.out[0], made.out[1], made.out[2], made.out[3], {made.out[4], made.out[5]}};
    return made;
}

static void free_device(device_side *of) {
    for (size_t i = 0; i < N_INPUTS; i++) assert_int_equal(cudaFree(of->in[i]), cudaSuccess);
    for (size_t i = 0; i < N_OUTPUTS; i++) assert_int_equal(cudaFree(of->out[i]), cudaSuccess);
    assert_int_equal(cudaFree(of->weights), cudaSuccess);
    assert_int_equal(simt_n_alive(), 0);
}

static void resample_on_host(const dv_viewpoint_draws *draws, const dv_viewpoint_scores *scores) {
    dv_pool *pool;
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    assert_int_equal(dv_viewpoint_resample(pool, draws, scores), DV_OK);
    dv_pool_free(pool);
}

static void expect_bits_of_the_host(const resample_shape *shape, uint64_t seed) {
    dv_viewpoint_draws draws;
    dv_viewpoint_scores found, expected;
    resample_set_create(shape, seed, &draws);
    resample_scores_create(&draws, &found);
    resample_scores_create(&draws, &expected);
    resample_on_host(&draws, &expected);
    device_side there = to_device(&draws);
    assert_int_equal(dv_launch_viewpoint(&there.draws, &there.scores, there.weights, NULL), cudaSuccess);
    void *const host[N_OUTPUTS] = {found.miou,  found.miou_objects, found.normalised,
                                   found.steps, found.breaks[0],    found.breaks[1]};
    for (size_t i = 0; i < N_OUTPUTS; i++)
        assert_int_equal(cudaMemcpy(host[i], there.out[i], there.out_bytes[i], cudaMemcpyDeviceToHost), cudaSuccess);
    free_device(&there);
    resample_scores_assert_same(&draws, &found, &expected);
    resample_scores_free(&draws, &found);
    resample_scores_free(&draws, &expected);
    resample_set_free(&draws);
}

/* One object, none, fewer, as many and more than a tile holds; classes that fill the last group and do not; one block
 * of resamples and two; no curves, no cells. */
static void every_shape_and_policy_gives_the_bits_of_the_host(void **state) {
    (void)state;
    const resample_shape shapes[N_SHAPES] = {{1, 1, 1, 1, 1, DV_ABSENT_SKIP, false},
                                             {6, 7, 5, 9, 4, 0, false},
                                             {5, 32, 4, 3, 3, 0, true},
                                             {3, 70, 9, 3, 2, 0, false},
                                             {3, 0, 3, 2, 2, 0, true},
                                             {4, 5, 16, 131, 3, 0, true},
                                             {2, 3, 2, 2, 0, 0, false},
                                             {0, 4, 3, 2, 2, 0, false}};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++)
        for (size_t i = 0; i < N_SHAPES; i++) {
            resample_shape shape = shapes[i];
            shape.absent = (dv_absent)((seed + i) % 4);
            simt_set_seed(seed);
            expect_bits_of_the_host(&shape, 100 * seed + i + 1);
        }
}

/* (.8, .3, .8, .2) over one object, and the same with a hole, whatever is drawn: the steps are those of the formula. */
static void curves_worked_out_by_hand(void **state) {
    (void)state;
    const uint64_t both[4] = {8, 3, 8, 2}, either[4] = {10, 10, 10, 10};
    const size_t order[1] = {0}, starts[4] = {0, 4, 7, 8};
    const bool usable[4] = {true, true, true, true};
    const int64_t cells[8] = {0, 1, 2, 3, 0, -1, 3, -1};
    const dv_viewpoint_draws draws = {.n_cells = 4,
                                      .n_objects = 1,
                                      .n_classes = 1,
                                      .intersections = both,
                                      .unions = either,
                                      .truths = either,
                                      .order = order,
                                      .usable = usable,
                                      .n_resamples = 1,
                                      .n_curves = 3,
                                      .n_points = 8,
                                      .curve_starts = starts,
                                      .curve_cells = cells,
                                      .threshold = 0.1};
    const double miou[4] = {0.8, 0.3, 0.8, 0.2}, none[4] = {NAN, NAN, NAN, NAN};
    const double normalised[8] = {1.0, 0.3 / 0.8, 1.0, 0.2 / 0.8, 1.0, NAN, 0.2 / 0.8, NAN};
    const double steps[8] = {0.3 / 0.8 - 1.0, 1.0 - 0.3 / 0.8, 0.2 / 0.8 - 1.0, NAN, NAN, NAN, NAN, NAN};
    const int32_t validation[3] = {3, -1, -1}, all[3] = {1, -1, -1};
    device_side there = to_device(&draws);
    assert_int_equal(dv_launch_viewpoint(&there.draws, &there.scores, there.weights, NULL), cudaSuccess);
    expect_on_device(there.out[0], miou, sizeof miou);
    expect_on_device(there.out[1], none, sizeof none);
    expect_on_device(there.out[2], normalised, sizeof normalised);
    expect_on_device(there.out[3], steps, sizeof steps);
    expect_on_device(there.out[4], validation, sizeof validation);
    expect_on_device(there.out[5], all, sizeof all);
    free_device(&there);
}

static void no_resample_is_no_launch(void **state) {
    (void)state;
    const dv_viewpoint_draws draws = {.n_cells = 1, .n_objects = 1, .n_classes = 1, .n_curves = 1};
    simt_fail_launch(1);
    assert_int_equal(dv_launch_viewpoint(&draws, &(dv_viewpoint_scores){0}, NULL, NULL), cudaSuccess);
    simt_fail_launch(0);
}

static void failed_launches_are_told(void **state) {
    (void)state;
    const resample_shape shape = {2, 3, 4, 2, 1, DV_ABSENT_SKIP, false};
    dv_viewpoint_draws draws;
    resample_set_create(&shape, 1, &draws);
    for (int n = 1; n <= 3; n++) {
        device_side there = to_device(&draws);
        simt_fail_launch(n);
        assert_int_equal(dv_launch_viewpoint(&there.draws, &there.scores, there.weights, NULL),
                         cudaErrorLaunchOutOfResources);
        simt_fail_launch(0);
        (void)cudaGetLastError();
        free_device(&there);
    }
    resample_set_free(&draws);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_and_policy_gives_the_bits_of_the_host),
        cmocka_unit_test(curves_worked_out_by_hand),
        cmocka_unit_test(no_resample_is_no_launch),
        cmocka_unit_test(failed_launches_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
