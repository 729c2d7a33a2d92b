/* The slots of masks of the cuda device against those of the reference device, number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_slots.h"
#include "device/reference/reference_masks.h"
#include "differential/mask_maps.h"
#include "simt.h"
#include "simt/device_memory.h"

enum { MOST_PIXELS = 48 * 70 };

typedef struct frame {
    size_t height, width;
    uint16_t truth[MOST_PIXELS], pred[MOST_PIXELS];
} frame;

static dv_cuda_gpu gpu; /* counters need its meter alone, and go without */
static dv_cuda_device device = {.gpus = {.each = &gpu, .n = 1}};

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

static void expect_equal(const dv_mask_counts *found, const dv_mask_counts *expected) {
    assert_int_equal(found->n_truth, expected->n_truth);
    assert_int_equal(found->n_pred, expected->n_pred);
    assert_int_equal(found->n_pairs, expected->n_pairs);
    assert_int_equal(found->n_radii, expected->n_radii);
    for (size_t i = 0; i < found->n_truth; i++) {
        assert_int_equal(found->truth[i].id, expected->truth[i].id);
        assert_int_equal(found->truth[i].pixels, expected->truth[i].pixels);
        assert_int_equal(found->truth[i].contour, expected->truth[i].contour);
    }
    for (size_t i = 0; i < found->n_pred; i++) {
        assert_int_equal(found->pred[i].id, expected->pred[i].id);
        assert_int_equal(found->pred[i].pixels, expected->pred[i].pixels);
        assert_int_equal(found->pred[i].contour, expected->pred[i].contour);
    }
    for (size_t i = 0; i < found->n_pairs; i++) {
        const dv_mask_pair *const a = &found->pairs[i], *const b = &expected->pairs[i];
        assert_int_equal(a->truth_id, b->truth_id);
        assert_int_equal(a->pred_id, b->pred_id);
        assert_int_equal(a->intersection, b->intersection);
        assert_memory_equal(a->truth_matched, b->truth_matched, sizeof a->truth_matched);
        assert_memory_equal(a->pred_matched, b->pred_matched, sizeof a->pred_matched);
    }
}

/* Both counters see all frames, so that their memory grows and is used again. */
static void compare(const dv_mask_rules *rules, const frame *frames, size_t n) {
    void *counter, *expecting;
    dv_mask_counts found = {0}, expected = {0};
    assert_ok(dv_cuda_counter_open(&device.base, rules, &counter));
    assert_ok(dv_reference_counter_open(NULL, rules, &expecting));
    for (size_t i = 0; i < n; i++) {
        const frame *const f = &frames[i];
        assert_ok(dv_cuda_count_masks(&device.base, counter, f->truth, f->pred, f->height, f->width, &found));
        assert_ok(dv_reference_count_masks(NULL, expecting, f->truth, f->pred, f->height, f->width, &expected));
        expect_equal(&found, &expected);
    }
    dv_cuda_counter_close(&device.base, counter);
    dv_cuda_counter_close(&device.base, NULL);
    dv_reference_counter_close(NULL, expecting);
    dv_mask_counts_clear(&found);
    dv_mask_counts_clear(&expected);
    assert_int_equal(simt_n_alive(), 0);
}

static void fill(corpus_random *random, mask_kind kind, size_t n_ids, size_t height, size_t width, frame *out) {
    out->height = height;
    out->width = width;
    mask_map_fill(random, kind, n_ids, height, width, out->truth);
    if (corpus_below(random, 2))
        mask_map_disturb(random, out->truth, height, width, out->pred);
    else
        mask_map_fill(random, kind, n_ids, height, width, out->pred);
}

static void counts_are_those_of_the_reference(void **state) {
    (void)state;
    static frame frames[3];
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        corpus_random random = {seed};
        const dv_mask_rules rules[] = {{.bound = 0.03},
                                       {.n_radii = 4, .radii_px = {0, 1, 5, UINT32_MAX}, .all_pairs = true},
                                       {.n_radii = 2, .radii_px = {2, 33}, .bipartite = true, .all_pairs = true},
                                       {.areas_only = true, .all_pairs = true}};
        fill(&random, (mask_kind)(seed % MASKS_N_KINDS), 4, 9, 33, &frames[0]);
        fill(&random, MASKS_BLOBS, 5, 1 + corpus_below(&random, 20), 1 + corpus_below(&random, 70), &frames[1]);
        fill(&random, MASKS_STRIPES, 2, 1, 64, &frames[2]);
        compare(&rules[seed % 4], frames, 3);
    }
}

/* Counted by hand: ids of one and two bytes, and the largest. The contour of a single pixel in the first of two rows is
 * itself and the one on its left. */
static void ids_of_two_bytes_are_counted(void **state) {
    (void)state;
    static const uint16_t truth[12] = {0, 255, 0, 256, 0, 65535, 0, 0, 0, 0, 0, 0};
    static const uint16_t pred[12] = {0, 255, 0, 0, 256, 65535, 0, 0, 0, 0, 0, 65535};
    const dv_mask_rules rules = {.n_radii = 2, .radii_px = {0, 1}};
    void *counter;
    dv_mask_counts counts = {0};
    simt_set_seed(0);
    assert_ok(dv_cuda_counter_open(&device.base, &rules, &counter));
    assert_ok(dv_cuda_count_masks(&device.base, counter, truth, pred, 2, 6, &counts));
    assert_int_equal(counts.n_truth, 3);
    assert_int_equal(counts.n_pairs, 3);
    const uint16_t ids[3] = {255, 256, 65535};
    const uint64_t intersections[3] = {1, 0, 1}, contours[3] = {2, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(counts.truth[i].id, ids[i]);
        assert_int_equal(counts.truth[i].pixels, 1);
        assert_int_equal(counts.truth[i].contour, contours[i]);
        assert_int_equal(counts.pairs[i].truth_id, ids[i]);
        assert_int_equal(counts.pairs[i].intersection, intersections[i]);
    }
    assert_int_equal(counts.pred[2].pixels, 2);
    assert_int_equal(counts.pairs[0].truth_matched[0], 2);
    assert_int_equal(counts.pairs[1].truth_matched[0], 1); /* columns 2, 3 and 3, 4 */
    assert_int_equal(counts.pairs[1].truth_matched[1], 2);
    dv_cuda_counter_close(&device.base, counter);
    dv_mask_counts_clear(&counts);
}

/* One frame on a counter of its own, while the n-th call that `plan` speaks of fails; 0: none does. Returns how it
 * went.
 */
static dv_status count_once(void (*plan)(int), int n, const frame *f, dv_mask_counts *counts) {
    const dv_mask_rules rules = {.n_radii = 1, .radii_px = {2}, .all_pairs = true};
    void *counter;
    assert_ok(dv_cuda_counter_open(&device.base, &rules, &counter));
    plan(n);
    const dv_status status = dv_cuda_count_masks(&device.base, counter, f->truth, f->pred, f->height, f->width, counts);
    plan(0);
    if (status != DV_OK) {
        assert_int_equal(status, DV_E_BACKEND);
        if (plan == simt_fail_allocation) assert_non_null(strstr(dv_last_error(), "no device memory for "));
        /* the counter is as good as before */
        assert_ok(dv_cuda_count_masks(&device.base, counter, f->truth, f->pred, f->height, f->width, counts));
    }
    dv_cuda_counter_close(&device.base, counter);
    assert_int_equal(simt_n_alive(), 0);
    return status;
}

static void failures_leave_no_memory_and_no_count(void **state) {
    (void)state;
    static frame f;
    corpus_random random = {1};
    dv_mask_counts expected = {0}, counts = {0};
    fill(&random, MASKS_BLOBS, 3, 9, 33, &f);
    const size_t before = simt_n_allocations();
    assert_ok(count_once(simt_fail_allocation, 0, &f, &expected));
    const int n_allocations = (int)(simt_n_allocations() - before);
    int n_told = 0, n_launches = 0;
    for (int n = 1; n <= n_allocations; n++) { /* bit rows are asked for again, for fewer objects */
        n_told += count_once(simt_fail_allocation, n, &f, &counts) != DV_OK;
        expect_equal(&counts, &expected);
    }
    assert_in_range(n_told, 5, n_allocations - 1);
    while (count_once(simt_fail_launch, ++n_launches, &f, &counts) != DV_OK) expect_equal(&counts, &expected);
    assert_true(n_launches > 8);
    dv_mask_counts_clear(&counts);
    dv_mask_counts_clear(&expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_reference),
        cmocka_unit_test(ids_of_two_bytes_are_counted),
        cmocka_unit_test(failures_leave_no_memory_and_no_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
