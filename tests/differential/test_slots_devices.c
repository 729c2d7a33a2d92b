/* The slots after the search give the bits of the reference on every device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "differential/corpus.h"
#include "differential/resample_set.h"

enum { N_ROWS = 90, N_CLASSES = 5, K = 7, GRID_H = 6, GRID_W = 5, HEIGHT = 31, WIDTH = 26, N_IMAGES = 20 };
enum { N_PATCHES = N_IMAGES * GRID_H * GRID_W, N_PIXELS = HEIGHT * WIDTH };

static uint64_t seed;

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

static void *sent(dv_device *device, const void *host, size_t n_bytes) {
    void *memory;
    assert_ok(device->ops->alloc(device, n_bytes, &memory));
    assert_int_equal((uintptr_t)memory % 64, 0);
    assert_ok(device->ops->upload(device, memory, host, n_bytes));
    return memory;
}

static void fetch(dv_device *device, void *host, void *memory, size_t n_bytes) {
    assert_ok(device->ops->download(device, host, memory, n_bytes));
    assert_ok(device->ops->synchronise(device));
    device->ops->release(device, memory);
}

/* Neighbours with cosines that fall; every tenth patch lacks the last of them. */
static void make_neighbours(int64_t *ids, double *cosines, uint16_t *counts, uint16_t *truth) {
    corpus_random random = {seed};
    for (size_t i = 0; i < (size_t)N_PATCHES * K; i++) {
        ids[i] = (int64_t)corpus_below(&random, N_ROWS);
        cosines[i] = 1.0 - (double)(i % K) * 0.01 - 0.005 * (corpus_unit(&random) + 1);
    }
    for (size_t i = 0; i < (size_t)N_ROWS * N_CLASSES; i++)
        counts[i] = i / N_CLASSES % 2 ? (uint16_t)corpus_below(&random, 200) : (i % N_CLASSES == 0) * 196;
    for (size_t i = 0; i < (size_t)N_IMAGES * N_PIXELS; i++) truth[i] = (uint16_t)corpus_below(&random, N_CLASSES);
}

typedef struct outputs {
    double soft[N_PATCHES * N_CLASSES];
    uint16_t pure[N_PATCHES], pred[N_IMAGES * N_PIXELS];
    uint64_t counts[N_IMAGES][N_CLASSES * N_CLASSES];
} outputs;

typedef struct inputs {
    int64_t ids[N_PATCHES * K];
    double cosines[N_PATCHES * K];
    uint16_t counts[N_ROWS * N_CLASSES], truth[N_IMAGES * N_PIXELS];
} inputs;

static void count(dv_device *device, const uint16_t *truth, const uint16_t *pred, outputs *out) {
    static const dv_pixel_policy policy;
    dv_confusion *confusions[N_IMAGES];
    for (size_t i = 0; i < N_IMAGES; i++) assert_ok(dv_confusion_create(N_CLASSES, &confusions[i]));
    size_t bad = 99;
    assert_ok(device->ops->confusion(device, &policy, truth, pred, N_IMAGES, HEIGHT, WIDTH, confusions, &bad));
    assert_int_equal(bad, 99);
    for (size_t i = 0; i < N_IMAGES; i++) {
        memcpy(out->counts[i], dv_confusion_counts(confusions[i]), sizeof out->counts[i]);
        dv_confusion_free(confusions[i]);
    }
}

static void run(const char *name, size_t n_threads, const inputs *in, outputs *out) {
    const dv_device_options options = {.n_threads = n_threads};
    dv_device *device;
    assert_ok(dv_device_open(name, &options, &device));
    const dv_device_ops *ops = device->ops;
    dv_upsampler *upsampler;
    assert_ok(dv_upsampler_create(GRID_H, GRID_W, HEIGHT, WIDTH, &upsampler));
    int64_t *ids = sent(device, in->ids, sizeof in->ids);
    double *cosines = sent(device, in->cosines, sizeof in->cosines), *soft = sent(device, out->soft, sizeof out->soft);
    uint16_t *counts = sent(device, in->counts, sizeof in->counts), *truth = sent(device, in->truth, sizeof in->truth);
    uint16_t *pure = sent(device, out->pure, sizeof out->pure), *pred = sent(device, out->pred, sizeof out->pred);
    assert_ok(ops->aggregate(device, ids, cosines, N_PATCHES, K, 0.02, counts, N_CLASSES, soft, pure));
    assert_ok(ops->upsample_argmax(device, upsampler, soft, pure, N_IMAGES, N_CLASSES, pred));
    count(device, truth, pred, out);
    fetch(device, out->soft, soft, sizeof out->soft);
    fetch(device, out->pure, pure, sizeof out->pure);
    fetch(device, out->pred, pred, sizeof out->pred);
    ops->release(device, ids);
    ops->release(device, cosines);
    ops->release(device, counts);
    ops->release(device, truth);
    ops->release(device, NULL);
    dv_upsampler_free(upsampler);
    ops->close(device);
}

static void devices_vote_paint_and_count_alike(void **state) {
    (void)state;
    inputs *in = calloc(1, sizeof *in);
    outputs *expected = calloc(1, sizeof *expected), *out = calloc(1, sizeof *out);
    assert_true(in && expected && out);
    make_neighbours(in->ids, in->cosines, in->counts, in->truth);
    run("reference", 1, in, expected);
    assert_true(expected->soft[0] > 0.0);
    const char *name;
    for (size_t i = 0; (name = corpus_device(i)); i++)
        for (size_t n_threads = 1; n_threads <= 4; n_threads *= 2) {
            memset(out, 0xee, sizeof *out);
            run(name, n_threads, in, out);
            assert_memory_equal(out, expected, sizeof *out);
        }
    free(in);
    free(expected);
    free(out);
}

static void lowest_image_at_fault_is_named(void **state) {
    (void)state;
    uint16_t *truth = calloc((size_t)N_IMAGES * N_PIXELS, sizeof *truth);
    assert_non_null(truth);
    const uint16_t *pred = truth;
    uint16_t *bad_truth = calloc((size_t)N_IMAGES * N_PIXELS, sizeof *bad_truth);
    assert_non_null(bad_truth);
    bad_truth[3 * N_PIXELS + WIDTH + 2] = 77;
    bad_truth[4 * N_PIXELS] = 99;
    bad_truth[19 * N_PIXELS] = 99;
    for (size_t i = 0; i < 8; i++) {
        const char *name = i == 0 ? "reference" : corpus_device(i - 1);
        if (!name) break;
        const dv_device_options options = {.n_threads = 4};
        static const dv_pixel_policy policy;
        dv_device *device;
        assert_ok(dv_device_open(name, &options, &device));
        dv_confusion *confusions[N_IMAGES];
        for (size_t j = 0; j < N_IMAGES; j++) assert_ok(dv_confusion_create(N_CLASSES, &confusions[j]));
        uint16_t *there = sent(device, bad_truth, (size_t)N_IMAGES * N_PIXELS * sizeof *bad_truth);
        uint16_t *pred_there = sent(device, pred, (size_t)N_IMAGES * N_PIXELS * sizeof *pred);
        size_t bad = 0;
        assert_int_equal(
            device->ops->confusion(device, &policy, there, pred_there, N_IMAGES, HEIGHT, WIDTH, confusions, &bad),
            DV_E_DATA);
        assert_int_equal(bad, 3);
        assert_string_equal(dv_last_error(), "image 3: row 1 column 2, label 77: labels must be below 5");
        for (size_t j = 0; j < N_IMAGES; j++) dv_confusion_free(confusions[j]);
        device->ops->release(device, there);
        device->ops->release(device, pred_there);
        device->ops->close(device);
    }
    free(truth);
    free(bad_truth);
}

static void resample_on(const char *name, size_t n_threads, const dv_viewpoint_draws *draws,
                        const dv_viewpoint_scores *scores) {
    const dv_device_options options = {.n_threads = n_threads};
    dv_device *device;
    assert_ok(dv_device_open(name, &options, &device));
    assert_ok(device->ops->resample(device, draws, scores));
    device->ops->close(device);
}

static void devices_resample_alike(void **state) {
    (void)state;
    const resample_shape shapes[] = {{9, 21, 6, 37, 5, DV_ABSENT_SKIP, false},
                                     {4, 40, 17, 20, 3, DV_ABSENT_TRUTH_ONLY, true},
                                     {5, 1, 3, 11, 4, DV_ABSENT_ZERO, true},
                                     {3, 0, 2, 5, 2, DV_ABSENT_ONE, false}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        dv_viewpoint_draws draws;
        dv_viewpoint_scores expected;
        resample_set_create(&shapes[i], seed + i, &draws);
        resample_scores_create(&draws, &expected);
        resample_on("reference", 1, &draws, &expected);
        const char *name;
        for (size_t j = 0; (name = corpus_device(j)); j++)
            for (size_t n_threads = 1; n_threads <= 4; n_threads *= 2) {
                dv_viewpoint_scores found;
                resample_scores_create(&draws, &found);
                resample_on(name, n_threads, &draws, &found);
                resample_scores_assert_same(&draws, &found, &expected);
                resample_scores_free(&draws, &found);
            }
        resample_scores_free(&draws, &expected);
        resample_set_free(&draws);
    }
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_vote_paint_and_count_alike),
        cmocka_unit_test(lowest_image_at_fault_is_named),
        cmocka_unit_test(devices_resample_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
