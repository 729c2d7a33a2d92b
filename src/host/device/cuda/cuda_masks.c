/* cuda_masks.c: labels are counted first; objects then get slots, by which intersections and contours are counted. */
#include "device/cuda/cuda_masks.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_slots.h"
#include "kernels/kernels.h"
#include "metrics/mask_count_rules.h"

dv_status dv_cuda_send(const dv_cuda_counter *by, dv_cuda_buffer *to, const void *host, size_t n, size_t size) {
    to->meter = by->meter;
    DV_TRY(dv_cuda_buffer_need(to, n, size, "masks"));
    return dv_cuda_check(cudaMemcpyAsync(to->memory, host, n * size, cudaMemcpyHostToDevice, by->stream),
                         "copying masks to the device");
}

dv_status dv_cuda_receive(const dv_cuda_counter *by, void *host, const dv_cuda_buffer *from, size_t n_bytes) {
    return dv_cuda_check(cudaMemcpyAsync(host, from->memory, n_bytes, cudaMemcpyDeviceToHost, by->stream),
                         "copying counts of masks from the device");
}

dv_status dv_cuda_zeros(const dv_cuda_counter *by, dv_cuda_buffer *buffer, size_t n, size_t size) {
    buffer->meter = by->meter;
    DV_TRY(dv_cuda_buffer_need(buffer, n, size, "counts of masks"));
    return dv_cuda_check(cudaMemsetAsync(buffer->memory, 0, n * size, by->stream), "clearing counts of masks");
}

dv_status dv_cuda_counted(const dv_cuda_counter *by, dv_status status) {
    return dv_cuda_finish(by->stream, status, "counting masks");
}

dv_status dv_cuda_give_slots(const dv_cuda_counter *by, dv_mask_side *side, const dv_mask_size *objects, size_t n) {
    memset(side->slots, 0, sizeof side->slots);
    for (size_t i = 0; i < n; i++) side->slots[objects[i].id] = (uint32_t)i + 1;
    return dv_cuda_send(by, &side->slot_of, side->slots, DV_N_LABELS, sizeof *side->slots);
}

/* Pixels of every label. */
static dv_status count_labels(const dv_cuda_frame *of, dv_mask_side *side, const uint16_t *labels) {
    dv_cuda_counter *const by = of->by;
    DV_TRY(dv_cuda_send(by, &side->labels, labels, (size_t)of->n_pixels, sizeof *labels));
    DV_TRY(dv_cuda_zeros(by, &side->counts, DV_N_LABELS, sizeof *side->totals));
    DV_CUDA_TRY(dv_launch_mask_labels(side->labels.memory, of->n_pixels, side->counts.memory, by->stream),
                "counting labels");
    return dv_cuda_receive(by, side->totals, &side->counts, DV_N_LABELS * sizeof *side->totals);
}

static size_t n_present(const dv_mask_side *side) {
    size_t n = 0;
    for (size_t label = 1; label < DV_N_LABELS; label++) n += side->totals[label - 1] != 0;
    return n;
}

static void list_objects(const dv_mask_side *side, dv_mask_size *objects, size_t *n) {
    *n = 0;
    for (size_t label = 1; label < DV_N_LABELS; label++)
        if (side->totals[label - 1])
            objects[(*n)++] = (dv_mask_size){.id = (uint16_t)label, .pixels = side->totals[label - 1]};
}

static void add_pair(dv_mask_counts *counts, uint16_t truth_id, uint16_t pred_id) {
    counts->pairs[counts->n_pairs++] = (dv_mask_pair){.truth_id = truth_id, .pred_id = pred_id};
}

/* Objects of both sides, and the pairs of them that are looked at. */
static dv_status list_pairs(const dv_cuda_frame *of) {
    const dv_cuda_counter *const by = of->by;
    dv_mask_counts *const counts = of->counts;
    const size_t n_truth = n_present(&by->truth), n_pred = n_present(&by->pred);
    size_t most = n_truth < n_pred ? n_truth : n_pred;
    if (by->rules.all_pairs) DV_TRY(dv_mul_size(n_truth, n_pred, "pairs of objects", &most));
    DV_TRY(dv_mask_counts_reserve(counts, n_truth, n_pred, most));
    list_objects(&by->truth, counts->truth, &counts->n_truth);
    list_objects(&by->pred, counts->pred, &counts->n_pred);
    counts->n_pairs = 0;
    for (size_t t = 0; t < n_truth; t++) {
        const uint16_t id = counts->truth[t].id;
        for (size_t p = 0; by->rules.all_pairs && p < n_pred; p++) add_pair(counts, id, counts->pred[p].id);
        if (!by->rules.all_pairs && by->pred.totals[id - 1]) add_pair(counts, id, id);
    }
    return DV_OK;
}

static dv_status count_intersections(const dv_cuda_frame *of) {
    dv_cuda_counter *const by = of->by;
    const dv_mask_counts *const counts = of->counts;
    const bool all_pairs = by->rules.all_pairs;
    const size_t n = all_pairs ? counts->n_pairs : counts->n_truth;
    if (counts->n_pairs == 0) return DV_OK;
    unsigned long long *found;
    DV_TRY(dv_alloc(n, sizeof *found, "intersections of objects", &found));
    dv_status status = dv_cuda_zeros(by, &by->joint, n, sizeof *found);
    if (status == DV_OK)
        status = dv_cuda_check(dv_launch_mask_joint(by->truth.labels.memory, by->pred.labels.memory, of->n_pixels,
                                                    by->truth.slot_of.memory, by->pred.slot_of.memory,
                                                    (int64_t)counts->n_pred, all_pairs, by->joint.memory, by->stream),
                               "counting intersections");
    if (status == DV_OK) status = dv_cuda_receive(by, found, &by->joint, n * sizeof *found);
    status = dv_cuda_counted(by, status);
    for (size_t i = 0; status == DV_OK && i < counts->n_pairs; i++)
        counts->pairs[i].intersection = found[all_pairs ? i : by->truth.slots[counts->pairs[i].truth_id] - 1U];
    free(found);
    return status;
}

/* Contour pixels of all objects of a side. */
static dv_status count_contours(const dv_cuda_frame *of, dv_mask_side *side, dv_mask_size *objects, size_t n) {
    const dv_cuda_counter *const by = of->by;
    if (n == 0) return DV_OK;
    DV_TRY(dv_cuda_zeros(by, &side->counts, n, sizeof *side->totals));
    DV_CUDA_TRY(dv_launch_mask_contours(side->labels.memory, of->height, of->width, side->slot_of.memory,
                                        side->counts.memory, NULL, by->stream),
                "finding contours");
    DV_TRY(dv_cuda_receive(by, side->totals, &side->counts, n * sizeof *side->totals));
    DV_TRY(dv_cuda_counted(by, DV_OK));
    for (size_t i = 0; i < n; i++) objects[i].contour = side->totals[i];
    return DV_OK;
}

static dv_status count_frame(const dv_cuda_frame *of, const uint16_t *truth, const uint16_t *pred) {
    dv_cuda_counter *const by = of->by;
    dv_mask_counts *const counts = of->counts;
    DV_TRY(count_labels(of, &by->truth, truth));
    DV_TRY(count_labels(of, &by->pred, pred));
    DV_TRY(dv_cuda_counted(by, DV_OK));
    DV_TRY(list_pairs(of));
    DV_TRY(dv_cuda_give_slots(by, &by->truth, counts->truth, counts->n_truth));
    DV_TRY(dv_cuda_give_slots(by, &by->pred, counts->pred, counts->n_pred));
    DV_TRY(count_intersections(of));
    if (by->rules.areas_only) return DV_OK;
    DV_TRY(count_contours(of, &by->truth, counts->truth, counts->n_truth));
    DV_TRY(count_contours(of, &by->pred, counts->pred, counts->n_pred));
    return dv_cuda_match_contours(of);
}

dv_status dv_cuda_count_masks(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                              size_t height, size_t width, dv_mask_counts *counts) {
    dv_cuda_counter *const by = counter;
    DV_TRY(dv_mask_rules_apply(&by->rules, height, width, counts));
    DV_TRY(dv_cuda_enter((const dv_cuda_device *)device));
    const int64_t h = (int64_t)height, w = (int64_t)width;
    const dv_cuda_frame of = {by, h, w, h * w, (w + 31) / 32, counts};
    dv_cuda_meter_start(by->meter);
    const dv_status status = dv_cuda_counted(by, count_frame(&of, truth, pred));
    dv_cuda_meter_stop(by->meter);
    return status;
}

dv_status dv_cuda_counter_open(dv_device *device, const dv_mask_rules *rules, void **counter) {
    *counter = NULL;
    DV_TRY(dv_mask_rules_check(rules));
    DV_TRY(dv_cuda_enter((const dv_cuda_device *)device));
    dv_cuda_counter *made;
    DV_TRY(dv_alloc(1, sizeof *made, "a counter of masks", &made));
    made->rules = *rules;
    made->meter = made->truth.bits.meter = made->pred.bits.meter = ((const dv_cuda_device *)device)->gpus.each[0].meter;
    const dv_status status =
        dv_cuda_check(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking), "opening a stream");
    if (status == DV_OK)
        *counter = made;
    else
        free(made);
    return status;
}

static void clear_side(dv_mask_side *side) {
    dv_cuda_buffer_clear(&side->labels);
    dv_cuda_buffer_clear(&side->slot_of);
    dv_cuda_buffer_clear(&side->counts);
    dv_cuda_buffer_clear(&side->bits);
}

void dv_cuda_counter_close(dv_device *device, void *counter) {
    dv_cuda_counter *const by = counter;
    if (!by) return;
    /* Where a call fails here the device failed before, which was told. */
    (void)cudaSetDevice(((const dv_cuda_device *)device)->number);
    (void)cudaStreamSynchronize(by->stream);
    clear_side(&by->truth);
    clear_side(&by->pred);
    dv_cuda_buffer_clear(&by->joint);
    dv_cuda_buffer_clear(&by->pairs);
    dv_cuda_buffer_clear(&by->half_widths);
    dv_cuda_buffer_clear(&by->matched);
    (void)cudaStreamDestroy(by->stream);
    free(by);
}
