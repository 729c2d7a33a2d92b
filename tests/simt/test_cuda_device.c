/* The cuda device where something is missing, old, small or fails, and pixel counts under each policy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/device.h"
#include "device/cuda/cuda_slots.h"
#include "differential/resample_set.h"
#include "simt.h"

enum { N_IMAGES = 3, HEIGHT = 5, WIDTH = 37, N_PIXELS = HEIGHT * WIDTH, N_CLASSES = 4, ONE_GIB = 1 << 30 };

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

static int one_device(void **state) {
    (void)state;
    simt_set_devices(1, ONE_GIB);
    return 0;
}

static void expect_refused(const char *message) {
    dv_device *device = (void *)&device;
    assert_int_equal(dv_device_open("cuda", NULL, &device), DV_E_BACKEND);
    assert_null(device);
    assert_string_equal(dv_last_error(), message);
}

static void machines_that_cannot_run_it_say_why(void **state) {
    (void)state;
    simt_set_devices(-1, 0);
    expect_refused("cuda: no NVIDIA driver is installed");
    simt_set_devices(0, 0);
    expect_refused("cuda: no CUDA device is visible");
    simt_set_devices(1, ONE_GIB);
    simt_set_driver(12040);
    expect_refused("cuda: the NVIDIA driver is for CUDA up to 12.4, this build needs 13.0");
    simt_set_devices(1, ONE_GIB);
    simt_set_capability(7, 5);
    expect_refused("cuda: emulated device 0 has compute capability 7.5, 8.0 or later is needed");
    simt_set_capability(9, 0);
    dv_device *device;
    assert_ok(dv_device_open("cuda", NULL, &device));
    const dv_device_ops *const ops = device->ops;
    ops->close(device);
    ops->close(NULL);
    assert_int_equal(simt_n_alive(), 0);
}

static void the_automatic_choice_is_a_gpu_where_there_is_one(void **state) {
    (void)state;
    dv_device *device;
    assert_ok(dv_device_open("auto", NULL, &device));
    assert_string_equal(device->ops->name, "cuda");
    device->ops->close(device);
    simt_set_devices(0, 0);
    assert_ok(dv_device_open("auto", NULL, &device));
    assert_string_equal(device->ops->name, "cpu");
    device->ops->close(device);
}

/* Only by name, so that a scan kernel of the cpu that the environment names is no obstacle. */
static void wgmma_is_refused_where_it_is_not_built(void **state) {
    (void)state;
    simt_set_devices(1, ONE_GIB);
    simt_set_capability(9, 0);
    dv_device *device = (void *)&device;
    const char *const names[] = {"wgmma", "wgmma-pair"};
    for (size_t i = 0; i < 2; i++) {
        const dv_device_options options = {.kernel = names[i]};
        assert_int_equal(dv_device_open("cuda", &options, &device), DV_E_BACKEND);
        assert_null(device);
        assert_non_null(strstr(dv_last_error(), "not in this build (DENSEVAL_WGMMA is OFF)"));
    }
    const dv_device_options other = {.kernel = "avx2"};
    assert_ok(dv_device_open("cuda", &other, &device));
    device->ops->close(device);
    assert_int_equal(simt_n_alive(), 0);
}

static void memory_that_is_too_small_is_told_in_bytes(void **state) {
    (void)state;
    dv_device *device;
    void *memory = (void *)&device, *other;
    simt_set_devices(1, 1 << 20);
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_ok(device->ops->alloc(device, 1000, &other));
    assert_int_equal(device->ops->alloc(device, (1 << 20) - 999, &memory), DV_E_BACKEND);
    assert_null(memory);
    assert_string_equal(dv_last_error(), "a buffer: no device memory for 1047577 bytes, 1047576 of 1048576 are free");
    device->ops->release(device, other);
    assert_ok(device->ops->alloc(device, (1 << 20) - 999, &memory)); /* the failure is over */
    device->ops->release(device, memory);
    assert_ok(device->ops->alloc(device, 0, &memory));
    assert_non_null(memory);
    device->ops->release(device, memory);
    device->ops->close(device);
    assert_int_equal(simt_n_alive(), 0);
}

typedef struct labels {
    uint16_t truth[N_IMAGES * N_PIXELS], pred[N_IMAGES * N_PIXELS];
} labels;

/* Classes 0..3, label 255 and, where `invalid`, label 9. */
static labels make_labels(bool invalid) {
    labels made;
    uint32_t random = 1;
    for (size_t i = 0; i < N_IMAGES * N_PIXELS; i++) {
        random = random * 1664525u + 1013904223u;
        const uint16_t label = (uint16_t)(random >> 16 & 7);
        made.truth[i] = label < N_CLASSES ? label : label == 5 && invalid ? 9 : 255;
        made.pred[i] = (uint16_t)(random >> 24 & 3);
    }
    return made;
}

/* Counts on a device; *matrices are the caller's where it succeeds. */
static dv_status count(dv_device *device, const dv_pixel_policy *policy, const labels *of, dv_confusion **matrices) {
    const dv_device_ops *const ops = device->ops;
    void *truth = NULL, *pred = NULL;
    for (size_t i = 0; i < N_IMAGES; i++) assert_ok(dv_confusion_create(N_CLASSES, &matrices[i]));
    dv_status status = ops->alloc(device, sizeof of->truth, &truth);
    if (status == DV_OK) status = ops->alloc(device, sizeof of->pred, &pred);
    if (status == DV_OK) status = ops->upload(device, truth, of->truth, sizeof of->truth);
    if (status == DV_OK) status = ops->upload(device, pred, of->pred, sizeof of->pred);
    if (status == DV_OK) status = ops->confusion(device, policy, truth, pred, N_IMAGES, HEIGHT, WIDTH, matrices, NULL);
    const dv_status last = ops->synchronise(device);
    ops->release(device, truth);
    ops->release(device, pred);
    if (status == DV_OK) status = last;
    if (status != DV_OK)
        for (size_t i = 0; i < N_IMAGES; i++) dv_confusion_free(matrices[i]);
    return status;
}

static void expect_equal(const dv_confusion *a, const dv_confusion *b) {
    assert_memory_equal(dv_confusion_counts(a), dv_confusion_counts(b), N_CLASSES * N_CLASSES * sizeof(uint64_t));
    assert_memory_equal(dv_confusion_false_positives(a), dv_confusion_false_positives(b), N_CLASSES * sizeof(uint64_t));
    assert_int_equal(dv_confusion_ignored(a), dv_confusion_ignored(b));
    assert_int_equal(dv_confusion_dropped(a), dv_confusion_dropped(b));
}

static void every_policy_counts_as_the_reference(void **state) {
    (void)state;
    static const dv_invalid_labels kinds[] = {DV_INVALID_ERROR, DV_INVALID_DROP, DV_INVALID_FALSE_POSITIVE};
    dv_device *device, *reference;
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_ok(dv_device_open("reference", NULL, &reference));
    for (size_t i = 0; i < 3; i++) {
        const labels of = make_labels(kinds[i] != DV_INVALID_ERROR);
        dv_pixel_policy policy = {.invalid = kinds[i]};
        dv_label_set_add(&policy.ignored, 255);
        dv_confusion *found[N_IMAGES], *expected[N_IMAGES];
        assert_ok(count(device, &policy, &of, found));
        assert_ok(count(reference, &policy, &of, expected));
        assert_true(dv_confusion_ignored(expected[0]) > 0);
        for (size_t j = 0; j < N_IMAGES; j++) {
            expect_equal(found[j], expected[j]);
            dv_confusion_free(found[j]);
            dv_confusion_free(expected[j]);
        }
    }
    device->ops->close(device);
    reference->ops->close(reference);
}

static void unknown_policies_are_the_callers_fault(void **state) {
    (void)state;
    const dv_pixel_policy policy = {.invalid = (dv_invalid_labels)7};
    const labels of = make_labels(true);
    dv_confusion *matrices[N_IMAGES];
    dv_device *device;
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_int_equal(count(device, &policy, &of, matrices), DV_E_ARG);
    assert_string_equal(dv_last_error(), "image 0: invalid-labels policy 7: there is no such policy");
    device->ops->close(device);
}

/* Few resamples at a time, one where none fits, and all at once. */
static void batches_of_resamples_give_the_same_bits(void **state) {
    (void)state;
    const resample_shape shape = {4, 6, 3, 7, 3, DV_ABSENT_SKIP, true};
    dv_viewpoint_draws draws;
    dv_viewpoint_scores expected, found;
    resample_set_create(&shape, 5, &draws);
    resample_scores_create(&draws, &expected);
    dv_device *device, *reference;
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_ok(dv_device_open("reference", NULL, &reference));
    assert_ok(reference->ops->resample(reference, &draws, &expected));
    const size_t a_resample = shape.n_objects * 4 + shape.n_cells * 16 + draws.n_points * 16 + shape.n_curves * 8;
    const size_t most_bytes[] = {0, 3 * a_resample, 4 * a_resample - 1, 7 * a_resample, SIZE_MAX};
    for (size_t i = 0; i < sizeof most_bytes / sizeof *most_bytes; i++) {
        resample_scores_create(&draws, &found);
        assert_ok(dv_cuda_resample_within(device, &draws, &found, most_bytes[i]));
        resample_scores_assert_same(&draws, &found, &expected);
        resample_scores_free(&draws, &found);
    }
    resample_scores_free(&draws, &expected);
    resample_set_free(&draws);
    device->ops->close(device);
    reference->ops->close(reference);
    assert_int_equal(simt_n_alive(), 0);
}

static dv_status resample(dv_device *device) {
    const resample_shape shape = {2, 3, 2, 4, 1, DV_ABSENT_SKIP, true};
    dv_viewpoint_draws draws;
    dv_viewpoint_scores scores;
    resample_set_create(&shape, 5, &draws);
    resample_scores_create(&draws, &scores);
    const dv_status status = device->ops->resample(device, &draws, &scores);
    resample_scores_free(&draws, &scores);
    resample_set_free(&draws);
    return status;
}

/* A small search and a small vote. */
static dv_status search_and_vote(dv_device *device) {
    static const float rows[12] = {1, 0, 0, 1, 1, 1, 2, 1, 1, 2, -1, 3};
    static const uint16_t pixels[6 * 2] = {4, 0, 0, 4, 2, 2, 1, 3, 3, 1, 4, 0};
    enum { N = 2, K = 3 };
    const dv_device_ops *const ops = device->ops;
    const dv_bank_rows bank = {{rows, DV_F32, 6, 2}, NULL};
    const dv_queries queries = {.rows = {rows + 4, DV_F32, N, 2}};
    void *index = NULL, *memory[5] = {0};
    const size_t sizes[5] = {N * K * sizeof(int64_t), N * K * sizeof(double), sizeof pixels, N * 2 * sizeof(double),
                             N * sizeof(uint16_t)};
    dv_status status = ops->bank_load(device, &bank, &index);
    for (size_t i = 0; status == DV_OK && i < 5; i++) status = ops->alloc(device, sizes[i], &memory[i]);
    if (status == DV_OK) status = ops->upload(device, memory[2], pixels, sizeof pixels);
    if (status == DV_OK) status = ops->search(device, index, &queries, K, memory[0], memory[1]);
    if (status == DV_OK)
        status = ops->aggregate(device, memory[0], memory[1], N, K, 0.02, memory[2], 2, memory[3], memory[4]);
    const dv_status last = ops->synchronise(device);
    for (size_t i = 0; i < 5; i++) ops->release(device, memory[i]);
    ops->bank_free(device, index);
    return status != DV_OK ? status : last;
}

static dv_status work(dv_device *device) {
    const dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    const labels of = make_labels(true);
    dv_confusion *matrices[N_IMAGES];
    dv_status status = search_and_vote(device);
    if (status != DV_OK) return status;
    status = count(device, &policy, &of, matrices);
    for (size_t i = 0; status == DV_OK && i < N_IMAGES; i++) dv_confusion_free(matrices[i]);
    return status;
}

/* The first device that is new enough has the memory that callers see; one that is too old is as if it were not there.
 */
static void devices_that_are_too_old_are_passed_over(void **state) {
    (void)state;
    dv_device *device;
    simt_set_devices(4, ONE_GIB);
    simt_set_capability_of(0, 7, 5);
    simt_set_capability_of(2, 7, 0);
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_int_equal(simt_n_alive(), 2); /* a stream each */
    assert_ok(work(device));
    simt_set_free_memory(1, 0);
    void *memory;
    assert_int_equal(device->ops->alloc(device, 1, &memory), DV_E_BACKEND);
    simt_set_free_memory(1, ONE_GIB);
    simt_set_free_memory(3, 0);
    assert_int_equal(search_and_vote(device), DV_E_BACKEND);
    assert_ptr_equal(strstr(dv_last_error(), "device 3: "), dv_last_error());
    device->ops->close(device);
    simt_set_capability(7, 5);
    expect_refused("cuda: emulated device 0 has compute capability 7.5, 8.0 or later is needed");
    assert_int_equal(simt_n_alive(), 0);
}

/* Allocations and launches that fail one after the other; the device goes on working. */
static void expect_failures_told(dv_status (*run)(dv_device *device), void (*plan)(int), int step, int least) {
    int n = 0;
    for (dv_status status = DV_E_BACKEND; status != DV_OK;) {
        dv_device *device;
        assert_ok(dv_device_open("cuda", NULL, &device));
        plan(n += step);
        status = run(device);
        plan(0);
        if (status != DV_OK) {
            assert_int_equal(status, DV_E_BACKEND);
            assert_true(strlen(dv_last_error()) > 0);
            assert_ok(run(device));
        }
        device->ops->close(device);
        assert_int_equal(simt_n_alive(), 0);
    }
    assert_true(n > least);
}

static void whatever_fails_is_told_and_leaves_nothing(void **state) {
    (void)state;
    expect_failures_told(work, simt_fail_allocation, 1, 5);
    expect_failures_told(work, simt_fail_launch, 1, 5);
    expect_failures_told(resample, simt_fail_allocation, 1, 7); /* room for scores is asked for again */
    expect_failures_told(resample, simt_fail_launch, 1, 3);
}

static void on_several_devices_too(void **state) {
    (void)state;
    simt_set_devices(2, ONE_GIB);
    expect_failures_told(work, simt_fail_allocation, 7, 5);
    expect_failures_told(work, simt_fail_launch, 7, 5);
}

/* A kernel that breaks the device: the failure comes with a later call, and closing is still possible. */
static void broken_devices_say_so_and_can_be_closed(void **state) {
    (void)state;
    for (int n = 1; n < 6; n++) {
        dv_device *device;
        simt_set_devices(1, ONE_GIB);
        assert_ok(dv_device_open("cuda", NULL, &device));
        simt_fail_run(n);
        assert_int_equal(work(device), DV_E_INTERNAL);
        assert_non_null(strstr(dv_last_error(), "illegal memory access"));
        device->ops->close(device);
    }
    simt_set_devices(1, ONE_GIB);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(machines_that_cannot_run_it_say_why, one_device),
        cmocka_unit_test_setup(the_automatic_choice_is_a_gpu_where_there_is_one, one_device),
        cmocka_unit_test_setup(wgmma_is_refused_where_it_is_not_built, one_device),
        cmocka_unit_test_setup(memory_that_is_too_small_is_told_in_bytes, one_device),
        cmocka_unit_test_setup(every_policy_counts_as_the_reference, one_device),
        cmocka_unit_test_setup(unknown_policies_are_the_callers_fault, one_device),
        cmocka_unit_test_setup(batches_of_resamples_give_the_same_bits, one_device),
        cmocka_unit_test_setup(devices_that_are_too_old_are_passed_over, one_device),
        cmocka_unit_test_setup(whatever_fails_is_told_and_leaves_nothing, one_device),
        cmocka_unit_test_setup(on_several_devices_too, one_device),
        cmocka_unit_test_setup(broken_devices_say_so_and_can_be_closed, one_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
