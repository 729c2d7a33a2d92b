/* What is counted batch by batch: smaller batches where memory is refused, with the same counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "denseval/device.h"
#include "differential/mask_maps.h"
#include "differential/resample_set.h"
#include "simt.h"

enum {
    N_IMAGES = 5,
    N_PIXELS = 36,
    N_CLASSES = 20, /* 3384 bytes an image, 8192 beside them */
    N_CELLS = N_CLASSES * N_CLASSES,
    HEIGHT = 24,
    WIDTH = 40,
    N_IDS = 5,
    ONE_GIB = 1 << 30
};

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

typedef struct image_counts {
    uint64_t of[N_IMAGES][N_CELLS];
} image_counts;

/* counts are filled in where it succeeds. */
static dv_status count_images(dv_device *device, image_counts *counts) {
    const dv_device_ops *const ops = device->ops;
    uint16_t labels[N_IMAGES * N_PIXELS];
    dv_confusion *matrices[N_IMAGES];
    void *truth, *pred;
    for (size_t i = 0; i < N_IMAGES; i++) assert_ok(dv_confusion_create(N_CLASSES, &matrices[i]));
    assert_ok(ops->alloc(device, sizeof labels, &truth));
    assert_ok(ops->alloc(device, sizeof labels, &pred));
    for (size_t i = 0; i < N_IMAGES * N_PIXELS; i++) labels[i] = (uint16_t)(i * i / 7 % N_CLASSES);
    assert_ok(ops->upload(device, truth, labels, sizeof labels));
    assert_ok(ops->synchronise(device));
    for (size_t i = 0; i < N_IMAGES * N_PIXELS; i++) labels[i] = (uint16_t)(i * i / 5 % N_CLASSES);
    assert_ok(ops->upload(device, pred, labels, sizeof labels));
    const dv_pixel_policy policy = {.invalid = DV_INVALID_ERROR};
    const dv_status status = ops->confusion(device, &policy, truth, pred, N_IMAGES, N_PIXELS, 1, matrices, NULL);
    for (size_t i = 0; i < N_IMAGES; i++) {
        memcpy(counts->of[i], dv_confusion_counts(matrices[i]), sizeof counts->of[i]);
        dv_confusion_free(matrices[i]);
    }
    ops->release(device, truth);
    ops->release(device, pred);
    return status;
}

/* Three images and two, two by two, one by one; then there is not even room for one. */
static void images_are_counted_in_smaller_batches(void **state) {
    (void)state;
    static const size_t most_bytes[] = {20000, 15000, 12000, 11000};
    static image_counts expected, found;
    dv_device *device, *reference;
    assert_ok(dv_device_open("reference", NULL, &reference));
    assert_ok(count_images(reference, &expected));
    reference->ops->close(reference);
    for (size_t i = 0; i < 4; i++) {
        assert_ok(dv_device_open("cuda", NULL, &device));
        simt_fail_allocation_above(most_bytes[i]);
        assert_int_equal(count_images(device, &found), i < 3 ? DV_OK : DV_E_BACKEND);
        simt_fail_allocation_above(0);
        if (i < 3) assert_memory_equal(&found, &expected, sizeof expected);
        device->ops->close(device);
        assert_int_equal(simt_n_alive(), 0);
    }
    assert_string_equal(dv_last_error(),
                        "a workspace: no device memory for 11576 bytes, 1073741104 of 1073741824 are free");
}

static void resamples_are_drawn_in_smaller_batches(void **state) {
    (void)state;
    const resample_shape shape = {4, 6, 3, 64, 3, DV_ABSENT_SKIP, true}; /* 576 bytes of counts, 2048 of scores */
    dv_viewpoint_draws draws;
    dv_viewpoint_scores expected, found;
    dv_device *device, *reference;
    resample_set_create(&shape, 5, &draws);
    resample_scores_create(&draws, &expected);
    assert_ok(dv_device_open("reference", NULL, &reference));
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_ok(reference->ops->resample(reference, &draws, &expected));
    for (size_t most_bytes = 600; most_bytes < 5000; most_bytes *= 3) {
        resample_scores_create(&draws, &found);
        simt_fail_allocation_above(most_bytes);
        assert_ok(device->ops->resample(device, &draws, &found));
        simt_fail_allocation_above(0);
        resample_scores_assert_same(&draws, &found, &expected);
        resample_scores_free(&draws, &found);
    }
    resample_scores_free(&draws, &expected);
    resample_set_free(&draws);
    device->ops->close(device);
    reference->ops->close(reference);
    assert_int_equal(simt_n_alive(), 0);
}

static void assert_same_pairs(const dv_mask_counts *found, const dv_mask_counts *expected) {
    assert_int_equal(found->n_pairs, expected->n_pairs);
    for (size_t i = 0; i < found->n_pairs; i++) {
        assert_int_equal(found->pairs[i].intersection, expected->pairs[i].intersection);
        assert_int_equal(found->pairs[i].truth_matched[0], expected->pairs[i].truth_matched[0]);
        assert_int_equal(found->pairs[i].pred_matched[0], expected->pairs[i].pred_matched[0]);
    }
}

/* Each allocation is refused once: that is told, but for the bit rows of both sides, which are then fewer. */
static void contours_are_matched_in_smaller_runs(void **state) {
    (void)state;
    const dv_mask_rules rules = {.n_radii = 1, .radii_px = {2}, .all_pairs = true};
    uint16_t truth[HEIGHT * WIDTH], pred[HEIGHT * WIDTH];
    corpus_random random = {1};
    mask_map_fill(&random, MASKS_BLOBS, N_IDS, HEIGHT, WIDTH, truth);
    mask_map_disturb(&random, truth, HEIGHT, WIDTH, pred);
    dv_device *device, *reference;
    dv_mask_counts expected = {0}, found = {0};
    void *counter;
    assert_ok(dv_device_open("reference", NULL, &reference));
    assert_ok(dv_device_open("cuda", NULL, &device));
    assert_ok(reference->ops->counter_open(reference, &rules, &counter));
    assert_ok(reference->ops->count_masks(reference, counter, truth, pred, HEIGHT, WIDTH, &expected));
    reference->ops->counter_close(reference, counter);
    assert_true(expected.n_truth > 1 && expected.n_pred > 1);
    size_t n = 12, n_right = 0;
    for (size_t at = 1; at <= n; at++) {
        assert_ok(device->ops->counter_open(device, &rules, &counter));
        const size_t before = simt_n_allocations();
        simt_fail_allocation((int)at);
        const dv_status status = device->ops->count_masks(device, counter, truth, pred, HEIGHT, WIDTH, &found);
        simt_fail_allocation(0);
        if (status == DV_OK) {
            assert_same_pairs(&found, &expected);
            n_right++;
        } else {
            assert_int_equal(status, DV_E_BACKEND);
        }
        assert_true(simt_n_allocations() - before >= at); /* so one was refused */
        device->ops->counter_close(device, counter);
    }
    assert_int_equal(n_right, 2);
    dv_mask_counts_clear(&expected);
    dv_mask_counts_clear(&found);
    device->ops->close(device);
    reference->ops->close(reference);
    assert_int_equal(simt_n_alive(), 0);
}

static int one_device(void **state) {
    (void)state;
    simt_set_devices(1, ONE_GIB);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_counted_in_smaller_batches),
        cmocka_unit_test(resamples_are_drawn_in_smaller_batches),
        cmocka_unit_test(contours_are_matched_in_smaller_runs),
    };
    return cmocka_run_group_tests(tests, one_device, NULL);
}
