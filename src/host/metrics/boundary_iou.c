#include "denseval/boundary_iou.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/class_mean.h"
#include "core/memory.h"
#include "metrics/near_contour.h"
#include "metrics/pixel_pair.h"

enum { NO_CLASS = UINT16_MAX, WORD_BITS = 64 };
_Static_assert(DV_MAX_SPARSE_CLASSES <= UINT16_MAX, "no class may have the label of pixels without class");

/* One label map: without what the policy leaves out, and its pixels near contours. */
typedef struct side {
    uint16_t *labels; /* [capacity], NO_CLASS where there is none; owned */
    dv_near_contour contour;
} side;

struct dv_boundary {
    size_t n_classes;
    uint64_t *truth, *predicted, *both; /* [n_classes], near pixels; owned */
    side sides[2];                      /* scratch: truth, prediction */
    size_t capacity;                    /* pixels of either side */
};

dv_status dv_boundary_create(size_t n_classes, dv_boundary **out) {
    dv_boundary *made;
    *out = NULL;
    if (n_classes < 1 || n_classes > DV_MAX_SPARSE_CLASSES)
        return dv_fail(DV_E_ARG, "%zu classes: must be 1..%d", n_classes, DV_MAX_SPARSE_CLASSES);
    DV_TRY(dv_alloc(1, sizeof *made, "pixels near contours", &made));
    made->n_classes = n_classes;
    dv_status status = dv_alloc(n_classes, sizeof *made->truth, "pixels near contours", &made->truth);
    if (status == DV_OK)
        status = dv_alloc(n_classes, sizeof *made->predicted, "pixels near contours", &made->predicted);
    if (status == DV_OK) status = dv_alloc(n_classes, sizeof *made->both, "pixels near contours", &made->both);
    if (status == DV_OK)
        *out = made;
    else
        dv_boundary_free(made);
    return status;
}

void dv_boundary_free(dv_boundary *boundary) {
    if (!boundary) return;
    for (size_t i = 0; i < 2; i++) {
        free(boundary->sides[i].labels);
        dv_near_contour_free(&boundary->sides[i].contour);
    }
    free(boundary->truth);
    free(boundary->predicted);
    free(boundary->both);
    free(boundary);
}

void dv_boundary_clear(dv_boundary *boundary) {
    const size_t size = boundary->n_classes * sizeof *boundary->truth;
    memset(boundary->truth, 0, size);
    memset(boundary->predicted, 0, size);
    memset(boundary->both, 0, size);
}

size_t dv_boundary_distance_px(double ratio, size_t height, size_t width) {
    const double h = (double)height, w = (double)width;
    const double distance = rint(ratio * sqrt(h * h + w * w));
    if (!(distance > 1)) return 1;
    return distance < (double)SIZE_MAX ? (size_t)distance : SIZE_MAX;
}

/* ---- One label map -------------------------------------------------------------------------------------------------
 */

static dv_status make_room(dv_boundary *boundary, size_t n_pixels) {
    if (n_pixels <= boundary->capacity) return DV_OK;
    boundary->capacity = 0;
    for (size_t i = 0; i < 2; i++) {
        side *const s = &boundary->sides[i];
        free(s->labels);
        s->labels = NULL;
        DV_TRY(dv_alloc_unset(n_pixels, sizeof *s->labels, "labels of a map", &s->labels));
    }
    boundary->capacity = n_pixels;
    return DV_OK;
}

/* What a pair of labels is on either side; false: it may not be counted. */
static bool take_pair(const dv_boundary *boundary, const dv_pixel_policy *policy, uint16_t truth, uint16_t pred,
                      uint16_t *true_class, uint16_t *predicted_class) {
    const dv_pixel_kind kind = dv_pixel_kind_of(policy, boundary->n_classes, truth, pred);
    *true_class = kind == DV_PIXEL_CELL ? truth : NO_CLASS;
    *predicted_class = kind == DV_PIXEL_CELL || kind == DV_PIXEL_FALSE_POSITIVE ? pred : NO_CLASS;
    return kind != DV_PIXEL_REFUSED;
}

/* Is it one label? n at least 1. Label maps are flat in large parts, so it is worth asking. */
static bool is_flat(const uint16_t *labels, size_t n) {
    unsigned differs = 0;
    for (size_t i = 0; i < n; i++) differs |= (unsigned)(labels[i] ^ labels[0]);
    return !differs;
}

static void fill(uint16_t *labels, size_t n, uint16_t label) {
    for (size_t i = 0; i < n; i++) labels[i] = label;
}

/* Fills the labels of both sides of n pixels from `begin` on; returns the first pixel that may not be counted, else
 * their end. */
static size_t take_pixels(dv_boundary *boundary, const dv_pixel_policy *policy, const uint16_t *truth,
                          const uint16_t *pred, size_t begin, size_t n) {
    uint16_t *const of_truth = boundary->sides[0].labels, *const of_pred = boundary->sides[1].labels;
    uint16_t true_class = NO_CLASS, predicted_class = NO_CLASS;
    if (is_flat(truth + begin, n) && is_flat(pred + begin, n)) {
        if (!take_pair(boundary, policy, truth[begin], pred[begin], &true_class, &predicted_class)) return begin;
        fill(of_truth + begin, n, true_class);
        fill(of_pred + begin, n, predicted_class);
        return begin + n;
    }
    for (size_t i = begin; i < begin + n; i++) {
        const bool known = i > begin && truth[i] == truth[i - 1] && pred[i] == pred[i - 1];
        if (!known && !take_pair(boundary, policy, truth[i], pred[i], &true_class, &predicted_class)) return i;
        of_truth[i] = true_class;
        of_pred[i] = predicted_class;
    }
    return begin + n;
}

static size_t take_all(dv_boundary *boundary, const dv_pixel_policy *policy, const uint16_t *truth,
                       const uint16_t *pred, size_t n_pixels) {
    size_t at = 0;
    while (at < n_pixels) {
        const size_t n = n_pixels - at < WORD_BITS ? n_pixels - at : WORD_BITS;
        const size_t end = take_pixels(boundary, policy, truth, pred, at, n);
        if (end < at + n) return end;
        at = end;
    }
    return at;
}

static void add_pixels(uint64_t *counts, uint16_t label, uint64_t bits) {
    if (label != NO_CLASS) counts[label] += (uint64_t)__builtin_popcountll(bits);
}

static void count_bits(const uint16_t *labels, uint64_t bits, uint64_t *counts) {
    for (; bits; bits &= bits - 1) {
        const uint16_t label = labels[__builtin_ctzll(bits)];
        if (label != NO_CLASS) counts[label]++;
    }
}

/* The bits of pixels that are the same on both sides. */
static uint64_t same_bits(const uint16_t *truth, const uint16_t *pred, size_t n) {
    uint64_t same = 0;
    for (size_t i = 0; i < n; i++) same |= (uint64_t)(truth[i] == pred[i]) << i;
    return same;
}

/* Counts the pixels of a word of bits; truth, pred  u16 [n] of its pixels */
static void count_word(dv_boundary *boundary, const uint16_t *truth, const uint16_t *pred, size_t n,
                       uint64_t near_truth, uint64_t near_pred) {
    if (is_flat(truth, n) && is_flat(pred, n)) {
        add_pixels(boundary->truth, truth[0], near_truth);
        add_pixels(boundary->predicted, pred[0], near_pred);
        if (truth[0] == pred[0]) add_pixels(boundary->both, truth[0], near_truth & near_pred);
        return;
    }
    count_bits(truth, near_truth, boundary->truth);
    count_bits(pred, near_pred, boundary->predicted);
    count_bits(truth, near_truth & near_pred & same_bits(truth, pred, n), boundary->both);
}

static void count(dv_boundary *boundary, size_t height, size_t width) {
    const side *const t = &boundary->sides[0], *const p = &boundary->sides[1];
    const size_t stride = t->contour.stride;
    for (size_t y = 0; y < height; y++)
        for (size_t word = 0; word < stride; word++) {
            const size_t x = word * WORD_BITS, at = y * width + x;
            const uint64_t near_truth = t->contour.near[y * stride + word];
            const uint64_t near_pred = p->contour.near[y * stride + word];
            if (near_truth | near_pred)
                count_word(boundary, t->labels + at, p->labels + at, width - x < WORD_BITS ? width - x : WORD_BITS,
                           near_truth, near_pred);
        }
}

dv_status dv_boundary_add(dv_boundary *boundary, const dv_pixel_policy *policy, const uint16_t *truth,
                          const uint16_t *pred, size_t height, size_t width, size_t distance_px) {
    size_t n_pixels;
    DV_TRY(dv_pixel_policy_check(policy));
    if (!distance_px) return dv_fail(DV_E_ARG, "a distance of 0 pixels from a contour: must be at least 1");
    DV_TRY(dv_mul_size(height, width, "pixels of a label map", &n_pixels));
    if (!n_pixels) return DV_OK;
    DV_TRY(make_room(boundary, n_pixels));
    const size_t fault = take_all(boundary, policy, truth, pred, n_pixels);
    if (fault < n_pixels)
        return dv_pixel_refuse(policy, boundary->n_classes, truth[fault], pred[fault], fault / width, fault % width);
    for (size_t i = 0; i < 2; i++) {
        side *const s = &boundary->sides[i];
        DV_TRY(dv_near_contour_find(&s->contour, s->labels, height, width, distance_px));
    }
    count(boundary, height, width);
    return DV_OK;
}

/* ---- Scores --------------------------------------------------------------------------------------------------------
 */

dv_status dv_boundary_merge(dv_boundary *boundary, const dv_boundary *other) {
    if (other->n_classes != boundary->n_classes)
        return dv_fail(DV_E_ARG, "merging pixels near contours of %zu and %zu classes: they must agree",
                       boundary->n_classes, other->n_classes);
    for (size_t c = 0; c < boundary->n_classes; c++) {
        boundary->truth[c] += other->truth[c];
        boundary->predicted[c] += other->predicted[c];
        boundary->both[c] += other->both[c];
    }
    return DV_OK;
}

void dv_boundary_iou(const dv_boundary *boundary, dv_absent absent, const bool *excluded, double *iou, double *miou) {
    dv_class_mean mean = {0};
    for (size_t c = 0; c < boundary->n_classes; c++) {
        double of_class;
        const uint64_t both = boundary->both[c], either = boundary->truth[c] + boundary->predicted[c] - both;
        const bool counts = dv_absent_iou(absent, both, either, boundary->truth[c], &of_class);
        if (counts && !(excluded && excluded[c])) dv_class_mean_add(&mean, of_class);
        if (iou) iou[c] = of_class;
    }
    *miou = dv_class_mean_value(&mean);
}
