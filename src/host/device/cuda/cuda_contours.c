/* cuda_contours.c: contours are laid out as bit rows for as many objects at once as MOST_BITS_BYTES, and the memory
 * that is free, allow, and all pairs of these are matched. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_masks.h"
#include "device/cuda/cuda_sizes.h"
#include "kernels/kernels.h"
#include "metrics/matching.h"
#include "metrics/near_set.h"

enum { MOST_PAIRS = 65535 /* of a launch */ };
static const size_t MOST_BITS_BYTES = (size_t)256 << 20; /* bit rows of one side */

/* A run of objects of each side that have bit rows, and the pairs of them, each a number of a pair of the frame. */
typedef struct run {
    const dv_mask_size *truth, *pred;
    size_t n_truth, n_pred, n;
    size_t *index;        /* [n] into the pairs of the frame; owned */
    dv_slot_pair *slots;  /* [n] truth, prediction; owned */
    dv_slot_pair *turned; /* [n] prediction, truth; owned */
} run;

static size_t words_of_object(const dv_cuda_frame *of) {
    return (size_t)(of->height * of->n_row_words);
}

/* Bit rows of n objects. */
static dv_status lay_out(const dv_cuda_frame *of, dv_mask_side *side, const dv_mask_size *objects, size_t n) {
    dv_cuda_counter *const by = of->by;
    DV_TRY(dv_cuda_give_slots(by, side, objects, n));
    DV_TRY(dv_cuda_zeros(by, &side->bits, n * words_of_object(of), sizeof(uint32_t)));
    DV_CUDA_TRY(dv_launch_mask_contours(side->labels.memory, of->height, of->width, side->slot_of.memory, NULL,
                                        side->bits.memory, by->stream),
                "finding contours");
    return dv_cuda_counted(by, DV_OK); /* the table of slots is written anew for the next objects */
}

/* The rows of a disk that a frame can ask for; *last: the last of them. */
static dv_status send_disk(const dv_cuda_frame *of, uint32_t radius_px, int32_t *last) {
    const uint32_t diagonal = (uint32_t)(of->height + of->width); /* and more: a longer radius reaches everything too */
    const uint32_t radius = radius_px < diagonal ? radius_px : diagonal, bottom = (uint32_t)of->height - 1;
    dv_disk disk;
    DV_TRY(dv_disk_create(radius, &disk));
    *last = (int32_t)(radius < bottom ? radius : bottom);
    dv_status status = dv_cuda_send(of->by, &of->by->half_widths, disk.half, (size_t)*last + 1, sizeof *disk.half);
    status = dv_cuda_counted(of->by, status);
    dv_disk_clear(&disk);
    return status;
}

/* One radius and direction; found u64 [n]. */
static dv_status count_near(const dv_cuda_frame *of, const dv_mask_side *own, const dv_mask_side *other,
                            const dv_slot_pair *slots, size_t n, int32_t last, unsigned long long *found) {
    dv_cuda_counter *const by = of->by;
    for (size_t first = 0; first < n; first += MOST_PAIRS) {
        const size_t n_now = n - first < MOST_PAIRS ? n - first : MOST_PAIRS;
        DV_TRY(dv_cuda_send(by, &by->pairs, slots + first, n_now, sizeof *slots));
        DV_TRY(dv_cuda_zeros(by, &by->matched, n_now, sizeof *found));
        DV_CUDA_TRY(dv_launch_mask_near(own->bits.memory, other->bits.memory, of->height, of->width, by->pairs.memory,
                                        (int64_t)n_now, last, by->half_widths.memory, by->matched.memory, by->stream),
                    "matching contours");
        DV_TRY(dv_cuda_receive(by, found + first, &by->matched, n_now * sizeof *found));
        DV_TRY(dv_cuda_counted(by, DV_OK));
    }
    return DV_OK;
}

static dv_status match_by_disks(const dv_cuda_frame *of, const run *r) {
    const dv_cuda_counter *const by = of->by;
    unsigned long long *found;
    DV_TRY(dv_alloc(r->n, sizeof *found, "matched pixels", &found));
    dv_status status = DV_OK;
    for (size_t radius = 0; status == DV_OK && radius < of->counts->n_radii; radius++) {
        int32_t last = 0;
        status = send_disk(of, of->counts->radii_px[radius], &last);
        if (status == DV_OK) status = count_near(of, &by->truth, &by->pred, r->slots, r->n, last, found);
        for (size_t i = 0; status == DV_OK && i < r->n; i++)
            of->counts->pairs[r->index[i]].truth_matched[radius] = found[i];
        if (status == DV_OK) status = count_near(of, &by->pred, &by->truth, r->turned, r->n, last, found);
        for (size_t i = 0; status == DV_OK && i < r->n; i++)
            of->counts->pairs[r->index[i]].pred_matched[radius] = found[i];
    }
    status = dv_cuda_counted(by, status); /* before the memory that it uses goes */
    free(found);
    return status;
}

/* Contours of one side on the host. */
typedef struct outlines {
    uint32_t *bits;   /* [slots, words], owned */
    dv_pixel *pixels; /* room for the longest outline, owned */
} outlines;

/* The pixels of one slot, in order; returns how many. */
static size_t list_pixels(const dv_cuda_frame *of, const outlines *lines, int32_t slot) {
    const uint32_t *const bits = lines->bits + (size_t)slot * words_of_object(of);
    size_t n = 0;
    for (int64_t i = 0; i < of->height * of->n_row_words; i++)
        for (uint32_t left = bits[i]; left; left &= left - 1)
            lines->pixels[n++] =
                (dv_pixel){(uint32_t)(i / of->n_row_words), (uint32_t)(i % of->n_row_words * 32 + __builtin_ctz(left))};
    return n;
}

static dv_status read_outlines(const dv_cuda_frame *of, const dv_mask_side *side, const dv_mask_size *objects,
                               size_t n_slots, outlines *lines) {
    const size_t n_words = n_slots * words_of_object(of);
    uint64_t longest = 0;
    for (size_t i = 0; i < n_slots; i++)
        if (objects[i].contour > longest) longest = objects[i].contour;
    DV_TRY(dv_alloc_unset(n_words, sizeof *lines->bits, "contours", &lines->bits));
    DV_TRY(dv_alloc_unset(longest, sizeof *lines->pixels, "contour pixels", &lines->pixels));
    DV_TRY(dv_cuda_receive(of->by, lines->bits, &side->bits, n_words * sizeof *lines->bits));
    return dv_cuda_counted(of->by, DV_OK);
}

/* One to one, on the host: a matching is no work for many threads. */
static dv_status match_one_to_one(const dv_cuda_frame *of, const run *r) {
    outlines truth = {0}, pred = {0};
    dv_status status = read_outlines(of, &of->by->truth, r->truth, r->n_truth, &truth);
    if (status == DV_OK) status = read_outlines(of, &of->by->pred, r->pred, r->n_pred, &pred);
    for (size_t i = 0; status == DV_OK && i < r->n; i++) {
        dv_mask_pair *const pair = &of->counts->pairs[r->index[i]];
        const size_t n_truth = list_pixels(of, &truth, r->slots[i].own);
        const size_t n_pred = list_pixels(of, &pred, r->slots[i].other);
        for (size_t radius = 0; status == DV_OK && radius < of->counts->n_radii; radius++) {
            status = dv_matching_size(truth.pixels, n_truth, pred.pixels, n_pred, (size_t)of->height, (size_t)of->width,
                                      of->counts->radii_px[radius], &pair->truth_matched[radius]);
            pair->pred_matched[radius] = pair->truth_matched[radius];
        }
    }
    free(truth.bits);
    free(truth.pixels);
    free(pred.bits);
    free(pred.pixels);
    return status;
}

static dv_status list_run(const dv_cuda_frame *of, run *r) {
    const dv_mask_counts *const counts = of->counts;
    DV_TRY(dv_alloc(counts->n_pairs, sizeof *r->index, "pairs of objects", &r->index));
    DV_TRY(dv_alloc(counts->n_pairs, sizeof *r->slots, "pairs of objects", &r->slots));
    DV_TRY(dv_alloc(counts->n_pairs, sizeof *r->turned, "pairs of objects", &r->turned));
    for (size_t i = 0; i < counts->n_pairs; i++) {
        const uint32_t truth = of->by->truth.slots[counts->pairs[i].truth_id];
        const uint32_t pred = of->by->pred.slots[counts->pairs[i].pred_id];
        if (!truth || !pred) continue; /* of another run */
        r->index[r->n] = i;
        r->slots[r->n] = (dv_slot_pair){(int32_t)truth - 1, (int32_t)pred - 1};
        r->turned[r->n++] = (dv_slot_pair){(int32_t)pred - 1, (int32_t)truth - 1};
    }
    return DV_OK;
}

static dv_status match_run(const dv_cuda_frame *of, run *r) {
    DV_TRY(lay_out(of, &of->by->truth, r->truth, r->n_truth));
    DV_TRY(lay_out(of, &of->by->pred, r->pred, r->n_pred));
    dv_status status = list_run(of, r);
    if (status == DV_OK && r->n > 0) status = of->by->rules.bipartite ? match_one_to_one(of, r) : match_by_disks(of, r);
    free(r->index);
    free(r->slots);
    free(r->turned);
    return status;
}

/* Makes room for the bit rows of *n objects of each side; of half as many, down to one, where there is no memory for
 * them. */
static dv_status make_room(const dv_cuda_frame *of, size_t *n) {
    dv_cuda_counter *const by = of->by;
    for (;; *n = (*n + 1) / 2) {
        const size_t row_bytes = words_of_object(of) * sizeof(uint32_t);
        const size_t n_truth = dv_smaller(*n, of->counts->n_truth), n_pred = dv_smaller(*n, of->counts->n_pred);
        dv_status status = dv_cuda_buffer_need(&by->truth.bits, n_truth, row_bytes, "contours");
        if (status == DV_OK) status = dv_cuda_buffer_need(&by->pred.bits, n_pred, row_bytes, "contours");
        if (status != DV_E_BACKEND || *n == 1) return status;
        dv_cuda_buffer_clear(&by->truth.bits);
        dv_cuda_buffer_clear(&by->pred.bits);
    }
}

dv_status dv_cuda_match_contours(const dv_cuda_frame *of) {
    const dv_mask_counts *const counts = of->counts;
    if (counts->n_pairs == 0) return DV_OK;
    const size_t fit = MOST_BITS_BYTES / (words_of_object(of) * sizeof(uint32_t)), at_least_one = fit > 0 ? fit : 1;
    size_t most = dv_smaller(at_least_one, counts->n_truth > counts->n_pred ? counts->n_truth : counts->n_pred);
    DV_TRY(make_room(of, &most));
    for (size_t t = 0; t < counts->n_truth; t += most)
        for (size_t p = 0; p < counts->n_pred; p += most) {
            run r = {.truth = counts->truth + t,
                     .pred = counts->pred + p,
                     .n_truth = dv_smaller(most, counts->n_truth - t),
                     .n_pred = dv_smaller(most, counts->n_pred - p)};
            DV_TRY(match_run(of, &r));
        }
    return DV_OK;
}
