/* The kernel's counts against those of dv_confusion_add. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "denseval/confusion.h"
#include "kernels/kernels.h"
#include "simt.h"
#include "simt/device_memory.h"

typedef struct problem {
    size_t n_images, height, width, n_classes;
    dv_pixel_policy policy;
    uint16_t *truth, *pred;
} problem;

/* Runs of random length; some labels are 255 and some are no class. */
static void fill(problem *of, uint32_t seed, bool faults) {
    const size_t n = of->n_images * of->height * of->width;
    uint16_t truth = 0, pred = 0;
    for (size_t i = 0; i < n; i++) {
        if (draw(&seed) % 5 == 0) truth = (uint16_t)(draw(&seed) % of->n_classes);
        if (draw(&seed) % 5 == 0) pred = (uint16_t)(draw(&seed) % of->n_classes);
        if (draw(&seed) % 23 == 0) truth = 255;
        if (faults && draw(&seed) % 29 == 0) truth = (uint16_t)(of->n_classes + draw(&seed) % 3);
        of->truth[i] = truth;
        of->pred[i] = pred;
    }
}

static problem make_problem(size_t n_images, size_t height, size_t width, size_t n_classes) {
    const size_t n = n_images * height * width;
    problem made = {.n_images = n_images,
                    .height = height,
                    .width = width,
                    .n_classes = n_classes,
                    .truth = checked(calloc(n, sizeof(uint16_t))),
                    .pred = checked(calloc(n, sizeof(uint16_t)))};
    dv_label_set_add(&made.policy.ignored, 255);
    return made;
}

static void free_problem(problem *old) {
    free(old->truth);
    free(old->pred);
}

typedef struct found {
    dv_image_counts *images;
    uint64_t *counts, *false_positives;
} found;

static void run(const problem *of, found *result) {
    const size_t n = of->n_images * of->height * of->width, n_cells = of->n_classes * of->n_classes;
    result->images = checked(calloc(of->n_images, sizeof *result->images));
    result->counts = checked(calloc(of->n_images * n_cells, sizeof *result->counts));
    result->false_positives = checked(calloc(of->n_images * of->n_classes, sizeof *result->false_positives));
    for (size_t i = 0; i < of->n_images; i++) result->images[i].first_fault = UINT64_MAX;
    const size_t bytes[] = {of->n_images * sizeof *result->images, of->n_images * n_cells * sizeof(uint64_t),
                            of->n_images * of->n_classes * sizeof(uint64_t)};
    void *const truth = on_device(of->truth, n * sizeof(uint16_t)), *const pred =
                                                                        on_device(of->pred, n * sizeof(uint16_t));
    void *const ignored = on_device(of->policy.ignored.bits, sizeof of->policy.ignored.bits);
    void *const images = on_device(result->images, bytes[0]), *const counts = on_device(result->counts, bytes[1]);
    void *const false_positives = on_device(result->false_positives, bytes[2]);
    assert_int_equal(dv_launch_confusion(truth, pred, (int64_t)of->n_images, (int64_t)(of->height * of->width),
                                         (int64_t)of->n_classes, ignored, of->policy.invalid, images, counts,
                                         false_positives, NULL),
                     cudaSuccess);
    assert_int_equal(cudaMemcpy(result->images, images, bytes[0], cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(result->counts, counts, bytes[1], cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(result->false_positives, false_positives, bytes[2], cudaMemcpyDeviceToHost),
                     cudaSuccess);
    free_on_device(truth, pred, ignored, images, counts, false_positives);
    assert_int_equal(simt_n_alive(), 0);
}

static void free_found(found *old) {
    free(old->images);
    free(old->counts);
    free(old->false_positives);
}

static void expect_counts_of_the_host(const problem *of) {
    found result;
    run(of, &result);
    const size_t n_pixels = of->height * of->width, n_cells = of->n_classes * of->n_classes;
    for (size_t i = 0; i < of->n_images; i++) {
        dv_confusion *expected;
        assert_int_equal(dv_confusion_create(of->n_classes, &expected), DV_OK);
        assert_int_equal(dv_confusion_add(expected, &of->policy, of->truth + i * n_pixels, of->pred + i * n_pixels,
                                          of->height, of->width),
                         DV_OK);
        assert_memory_equal(result.counts + i * n_cells, dv_confusion_counts(expected), n_cells * sizeof(uint64_t));
        assert_memory_equal(result.false_positives + i * of->n_classes, dv_confusion_false_positives(expected),
                            of->n_classes * sizeof(uint64_t));
        assert_true(result.images[i].ignored == dv_confusion_ignored(expected));
        assert_true(result.images[i].dropped == dv_confusion_dropped(expected));
        assert_true(result.images[i].first_fault == UINT64_MAX);
        dv_confusion_free(expected);
    }
    free_found(&result);
}

/* Matrices in shared memory and too large for it; a ragged last stripe. */
static void every_policy_gives_the_counts_of_the_host(void **state) {
    (void)state;
    const dv_invalid_labels policies[] = {DV_INVALID_ERROR, DV_INVALID_DROP, DV_INVALID_FALSE_POSITIVE};
    const size_t classes[] = {1, 21, 110, 111, 151};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++)
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
            simt_set_seed(seed);
            problem made = make_problem(1 + i % 2, 13, 41, classes[i]);
            made.policy.invalid = policies[(seed + i) % 3];
            fill(&made, (uint32_t)(seed + 3 * i), made.policy.invalid != DV_INVALID_ERROR);
            expect_counts_of_the_host(&made);
            free_problem(&made);
        }
}

static void several_stripes_add_up(void **state) {
    (void)state;
    problem made = make_problem(1, 130, 257, 5);
    fill(&made, 11, false);
    expect_counts_of_the_host(&made);
    free_problem(&made);
}

static void lowest_fault_of_each_image_is_told(void **state) {
    (void)state;
    problem made = make_problem(2, 10, 40, 3);
    made.truth[400 + 17] = made.truth[400 + 390] = 3; /* a label that is no class, in the second image alone */
    made.pred[400 + 30] = 3;
    found result;
    run(&made, &result);
    assert_true(result.images[0].first_fault == UINT64_MAX);
    assert_int_equal(result.images[1].first_fault, 17);
    free_found(&result);
    free_problem(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_gives_the_counts_of_the_host),
        cmocka_unit_test(several_stripes_add_up),
        cmocka_unit_test(lowest_fault_of_each_image_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
