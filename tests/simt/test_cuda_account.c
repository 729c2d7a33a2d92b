/* What the cuda device tells of its time and memory, and the GPUs that it is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "denseval/device.h"
#include "device/cuda/cuda_device.h"
#include "differential/mask_maps.h"
#include "differential/resample_set.h"
#include "simt.h"

enum { N_ROWS = 300, DIM = 8, K = 3, HEIGHT = 24, WIDTH = 40, N_THREADS = 3, ONE_GIB = 1 << 30 };

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

static int one_device(void **state) {
    (void)state;
    simt_set_devices(1, ONE_GIB);
    return 0;
}

static dv_device *open_for(dv_gpu_account *account) {
    const dv_device_options options = {.account = account};
    dv_device *device;
    assert_ok(dv_device_open("cuda", &options, &device));
    return device;
}

static const float *some_rows(void) {
    static float rows[N_ROWS * DIM];
    for (size_t i = 0; i < N_ROWS * DIM; i++) rows[i] = (float)(i * i % 97) - 40;
    return rows;
}

/* n queries for their neighbours in the bank. */
static dv_status search(dv_device *device, size_t n) {
    const dv_device_ops *const ops = device->ops;
    const dv_bank_rows bank = {{some_rows(), DV_F32, N_ROWS, DIM}, NULL};
    const dv_queries queries = {.rows = {some_rows(), DV_F32, n, DIM}};
    void *index = NULL, *ids = NULL, *cosines = NULL;
    dv_status status = ops->bank_load(device, &bank, &index);
    if (status == DV_OK) status = ops->alloc(device, n * K * sizeof(int64_t), &ids);
    if (status == DV_OK) status = ops->alloc(device, n * K * sizeof(double), &cosines);
    if (status == DV_OK) status = ops->search(device, index, &queries, K, ids, cosines);
    const dv_status last = ops->synchronise(device);
    ops->release(device, cosines);
    ops->release(device, ids);
    ops->bank_free(device, index);
    return status != DV_OK ? status : last;
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

static dv_status count_masks(dv_device *device) {
    const dv_mask_rules rules = {.n_radii = 1, .radii_px = {2}, .all_pairs = true};
    uint16_t truth[HEIGHT * WIDTH], pred[HEIGHT * WIDTH];
    dv_mask_counts counts = {0};
    corpus_random random = {1};
    void *counter;
    mask_map_fill(&random, MASKS_BLOBS, 5, HEIGHT, WIDTH, truth);
    mask_map_disturb(&random, truth, HEIGHT, WIDTH, pred);
    dv_status status = device->ops->counter_open(device, &rules, &counter);
    if (status == DV_OK) status = device->ops->count_masks(device, counter, truth, pred, HEIGHT, WIDTH, &counts);
    device->ops->counter_close(device, counter);
    dv_mask_counts_clear(&counts);
    return status;
}

static dv_status copy(dv_device *device) {
    const dv_device_ops *const ops = device->ops;
    void *memory = NULL;
    dv_status status = ops->alloc(device, DIM * sizeof(float), &memory);
    if (status == DV_OK) status = ops->upload(device, memory, some_rows(), DIM * sizeof(float));
    const dv_status last = ops->synchronise(device);
    ops->release(device, memory);
    return status != DV_OK ? status : last;
}

static dv_status confuse(dv_device *device) {
    const dv_device_ops *const ops = device->ops;
    const dv_pixel_policy policy = {.invalid = DV_INVALID_DROP};
    const uint16_t labels[DIM] = {0, 1, 1, 0, 1, 0, 0, 1};
    dv_confusion *matrix;
    void *there = NULL;
    assert_ok(dv_confusion_create(2, &matrix));
    dv_status status = ops->alloc(device, sizeof labels, &there);
    if (status == DV_OK) status = ops->upload(device, there, labels, sizeof labels);
    if (status == DV_OK) status = ops->confusion(device, &policy, there, there, 1, 1, DIM, &matrix, NULL);
    ops->release(device, there);
    dv_confusion_free(matrix);
    return status;
}

static dv_status search_a_little(dv_device *device) {
    return search(device, 5);
}

static dv_status (*const kinds[])(dv_device *) = {copy, confuse, search_a_little, resample, count_masks};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void time_grows_with_work_and_stands_still_without(void **state) {
    (void)state;
    for (int n_gpus = 1; n_gpus <= 3; n_gpus += 2) {
        simt_set_devices(n_gpus, ONE_GIB);
        dv_gpu_account account = {0};
        const double start_s = dv_steady_s();
        dv_device *const device = open_for(&account);
        assert_int_equal(account.n_gpus, n_gpus);
        assert_true(account.gpu_s == 0);
        for (size_t i = 0; i < 2 * N_KINDS; i++) {
            const double before_s = account.gpu_s;
            assert_ok(kinds[i % N_KINDS](device));
            assert_true(account.gpu_s > before_s);
        }
        const double at_rest_s = account.gpu_s;
        void *memory;
        assert_ok(device->ops->alloc(device, 100, &memory));
        device->ops->release(device, memory);
        assert_ok(device->ops->synchronise(device));
        device->ops->close(device);
        assert_true(account.gpu_s == at_rest_s);
        assert_true(account.gpu_s <= n_gpus * (dv_steady_s() - start_s));
        assert_int_equal(simt_n_alive(), 0);
    }
}

/* A launch that fails leaves no meter running: then what comes next would add nothing. */
static void time_goes_on_after_a_failure(void **state) {
    (void)state;
    dv_gpu_account account = {0};
    dv_device *const device = open_for(&account);
    for (size_t i = 1; i < N_KINDS; i++) { /* a copy launches nothing */
        simt_fail_launch(1);
        assert_int_equal(kinds[i](device), DV_E_BACKEND);
        simt_fail_launch(0);
        assert_ok(device->ops->synchronise(device));
        const double before_s = account.gpu_s;
        assert_ok(kinds[i](device));
        assert_true(account.gpu_s > before_s);
    }
    device->ops->close(device);
}

/* What is queued and never waited for is told when the device is closed. */
static void time_ends_with_the_device(void **state) {
    (void)state;
    dv_gpu_account account = {0};
    dv_device *const device = open_for(&account);
    void *memory;
    assert_ok(device->ops->alloc(device, DIM, &memory));
    assert_ok(device->ops->upload(device, memory, some_rows(), DIM));
    assert_true(account.gpu_s == 0);
    device->ops->release(device, memory);
    device->ops->close(device);
    assert_true(account.gpu_s > 0);
}

static void *count_some(void *device) {
    for (size_t i = 0; i < 4; i++)
        if (count_masks(device) != DV_OK) return device;
    return NULL;
}

/* The sum of their times would be up to three times the wall clock. */
static void work_that_overlaps_counts_once(void **state) {
    (void)state;
    dv_gpu_account account = {0};
    pthread_t threads[N_THREADS];
    void *failed;
    dv_device *const device = open_for(&account);
    const double start_s = dv_steady_s();
    for (size_t i = 0; i < N_THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, count_some, device), 0);
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_true(account.gpu_s > 0 && account.gpu_s <= dv_steady_s() - start_s);
    device->ops->close(device);
}

static size_t peaks_of(int n_gpus) {
    size_t sum = 0;
    for (int i = 0; i < n_gpus; i++) sum += simt_peak_bytes(i);
    return sum;
}

/* To the byte what the runtime was asked for: banks on one GPU, on each of three, and split among them. */
static void memory_is_what_was_allocated_at_most(void **state) {
    (void)state;
    static const dv_cuda_layout layouts[] = {DV_CUDA_REPLICATED, DV_CUDA_REPLICATED, DV_CUDA_SPLIT};
    for (size_t i = 0; i < 3; i++) {
        const int n_gpus = i == 0 ? 1 : 3;
        simt_set_devices(n_gpus, ONE_GIB);
        dv_gpu_account account = {0};
        dv_device *const device = open_for(&account);
        ((dv_cuda_device *)device)->spread.layout = layouts[i];
        assert_int_equal(account.memory_bytes, 0);
        for (size_t kind = 0; kind < N_KINDS; kind++) {
            assert_ok(kinds[kind](device));
            assert_int_equal(account.memory_bytes, peaks_of(n_gpus));
        }
        if (layouts[i] == DV_CUDA_REPLICATED && n_gpus > 1) { /* so many that two replicas answer */
            assert_ok(search(device, 130));
            assert_int_equal(account.memory_bytes, peaks_of(n_gpus));
        }
        device->ops->close(device);
        assert_int_equal(account.memory_bytes, peaks_of(n_gpus));
        assert_int_equal(simt_n_alive(), 0);
    }
}

static void devices_after_each_other_add_up(void **state) {
    (void)state;
    dv_gpu_account account = {0};
    dv_device *device = open_for(&account);
    assert_ok(search_a_little(device));
    device->ops->close(device);
    const dv_gpu_account first = account;
    device = open_for(&account);
    assert_ok(copy(device));
    device->ops->close(device);
    assert_int_equal(account.n_gpus, 1);
    assert_true(account.gpu_s > first.gpu_s);
    assert_int_equal(account.memory_bytes, first.memory_bytes);
}

static void only_the_gpus_that_are_named_are_used(void **state) {
    (void)state;
    simt_set_devices(5, ONE_GIB);
    simt_set_capability_of(0, 7, 5); /* is none of the usable ones */
    dv_gpu_account account = {0};
    dv_device_options options = {.first_gpu = 1, .n_gpus = 2, .account = &account};
    dv_device *device;
    assert_ok(dv_device_open("cuda", &options, &device));
    assert_int_equal(account.n_gpus, 2);
    assert_ok(search_a_little(device));
    device->ops->close(device);
    for (int i = 0; i < 5; i++) assert_int_equal(simt_peak_bytes(i) > 0, i == 2 || i == 3);
    options.n_gpus = 4;
    assert_int_equal(dv_device_open("cuda", &options, &device), DV_E_ARG);
    assert_string_equal(dv_last_error(), "cuda: GPUs 1 to 4: there are 4");
    assert_int_equal(simt_n_alive(), 0);
}

static void sets_of_gpus_are_told_apart(void **state) {
    (void)state;
    dv_gpu_set two, same, three, other;
    simt_set_devices(2, ONE_GIB);
    assert_true(dv_device_gpus("cuda", &two));
    assert_true(dv_device_gpus(NULL, &same));
    assert_int_equal(two.n, 2);
    assert_true(two.identity == same.identity);
    simt_set_devices(3, ONE_GIB);
    assert_true(dv_device_gpus("auto", &three));
    assert_int_equal(three.n, 3);
    assert_true(three.identity != two.identity);
    simt_set_capability_of(0, 7, 5);
    assert_true(dv_device_gpus("cuda", &other));
    assert_int_equal(other.n, 2);
    assert_true(other.identity != two.identity);
    simt_set_devices(0, 0);
    assert_true(dv_device_gpus("cuda", &other));
    assert_int_equal(other.n, 0);
    assert_false(dv_device_gpus("cpu", &other));
    assert_false(dv_device_gpus("reference", &other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(time_grows_with_work_and_stands_still_without, one_device),
        cmocka_unit_test_setup(time_goes_on_after_a_failure, one_device),
        cmocka_unit_test_setup(time_ends_with_the_device, one_device),
        cmocka_unit_test_setup(work_that_overlaps_counts_once, one_device),
        cmocka_unit_test_setup(memory_is_what_was_allocated_at_most, one_device),
        cmocka_unit_test_setup(devices_after_each_other_add_up, one_device),
        cmocka_unit_test_setup(only_the_gpus_that_are_named_are_used, one_device),
        cmocka_unit_test_setup(sets_of_gpus_are_told_apart, one_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
