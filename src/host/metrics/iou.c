#include "denseval/iou.h"

#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/assignment.h"
#include "metrics/absent.h"

/* Row and column sums of a matrix, and what is read from it. */
typedef struct sums {
    const uint64_t *counts; /* [n, n]; borrowed; NULL of a sparse matrix, which is not relabelled */
    size_t n;
    uint64_t *truth;     /* [n] */
    uint64_t *predicted; /* [n], by column, before relabelling, false positives of invalid labels included */
    uint64_t *correct;   /* [n]: the diagonal */
} sums;

static dv_status sums_init(sums *s, const dv_confusion *confusion) {
    *s = (sums){.counts = dv_confusion_counts(confusion), .n = dv_confusion_classes(confusion)};
    DV_TRY(dv_alloc(s->n, sizeof *s->truth, "pixels of a class", &s->truth));
    DV_TRY(dv_alloc(s->n, sizeof *s->predicted, "pixels of a class", &s->predicted));
    DV_TRY(dv_alloc(s->n, sizeof *s->correct, "pixels of a class", &s->correct));
    dv_confusion_sums(confusion, s->truth, s->predicted, s->correct);
    return DV_OK;
}

static void sums_clear(sums *s) {
    free(s->truth);
    free(s->predicted);
    free(s->correct);
}

/* Pixels that are class t in truth and p in prediction. */
static uint64_t both_of(const sums *s, size_t t, size_t p) {
    return t == p ? s->correct[t] : s->counts[t * s->n + p];
}

/* Pixels that are class t in truth or p in prediction. */
static uint64_t union_of(const sums *s, size_t t, size_t p) {
    return s->truth[t] + s->predicted[p] - both_of(s, t, p);
}

/* column_of[t] = predicted class that counts as class t. */
static dv_status match_classes(const sums *s, size_t *column_of) {
    size_t n_cells;
    double *cost;
    DV_TRY(dv_mul_size(s->n, s->n, "costs of relabelling", &n_cells));
    DV_TRY(dv_alloc(n_cells, sizeof *cost, "costs of relabelling", &cost));
    for (size_t t = 0; t < s->n; t++)
        for (size_t p = 0; p < s->n; p++) {
            double iou;
            dv_absent_iou(DV_ABSENT_ZERO, both_of(s, t, p), union_of(s, t, p), s->truth[t], &iou);
            cost[t * s->n + p] = 1.0 - iou;
        }
    const dv_status status = dv_assignment_solve(cost, s->n, s->n, column_of);
    free(cost);
    return status;
}

static dv_status iou_init(dv_iou *out, size_t n_classes) {
    *out = (dv_iou){.n_classes = n_classes};
    DV_TRY(dv_alloc(n_classes, sizeof *out->iou, "IoU of a class", &out->iou));
    DV_TRY(dv_alloc(n_classes, sizeof *out->accuracy, "accuracy of a class", &out->accuracy));
    DV_TRY(dv_alloc(n_classes, sizeof *out->truth_pixels, "pixels of a class", &out->truth_pixels));
    DV_TRY(dv_alloc(n_classes, sizeof *out->predicted_pixels, "pixels of a class", &out->predicted_pixels));
    DV_TRY(dv_alloc(n_classes, sizeof *out->relabel, "relabelling", &out->relabel));
    return DV_OK;
}

static double mean_of(double sum, size_t n) {
    return n > 0 ? sum / (double)n : (double)NAN;
}

static void fill(dv_iou *out, const sums *s, const dv_iou_policy *policy, const size_t *column_of) {
    double iou_sum = 0.0, accuracy_sum = 0.0;
    size_t n_iou = 0, n_accuracy = 0;
    uint64_t correct = 0, counted = 0;
    for (size_t t = 0; t < s->n; t++) {
        const size_t p = column_of[t];
        const uint64_t both = both_of(s, t, p), truth = s->truth[t];
        const bool in_means = !policy->excluded || !policy->excluded[t];
        out->relabel[p] = t;
        out->truth_pixels[t] = truth;
        out->predicted_pixels[t] = s->predicted[p];
        out->accuracy[t] = truth > 0 ? (double)both / (double)truth : (double)NAN;
        if (dv_absent_iou(policy->absent, both, union_of(s, t, p), truth, &out->iou[t]) && in_means) {
            iou_sum += out->iou[t];
            n_iou++;
        }
        if (truth > 0 && in_means) {
            accuracy_sum += out->accuracy[t];
            n_accuracy++;
        }
        correct += both;
        counted += truth;
    }
    out->miou = mean_of(iou_sum, n_iou);
    out->mean_accuracy = mean_of(accuracy_sum, n_accuracy);
    out->pixel_accuracy = counted > 0 ? (double)correct / (double)counted : (double)NAN;
}

dv_status dv_iou_compute(const dv_confusion *confusion, const dv_iou_policy *policy, dv_iou *out) {
    const size_t n = dv_confusion_classes(confusion);
    sums s = {0};
    size_t *column_of = NULL;
    *out = (dv_iou){0};
    dv_status status = dv_absent_check(policy->absent);
    if (status == DV_OK && policy->hungarian && !dv_confusion_counts(confusion))
        status = dv_fail(DV_E_ARG, "relabelling a sparse confusion matrix: its classes are too many");
    if (status == DV_OK) status = sums_init(&s, confusion);
    if (status == DV_OK) status = iou_init(out, n);
    if (status == DV_OK) status = dv_alloc(n, sizeof *column_of, "relabelling", &column_of);
    if (status == DV_OK) {
        for (size_t c = 0; c < n; c++) column_of[c] = c;
        if (policy->hungarian) status = match_classes(&s, column_of);
    }
    if (status == DV_OK)
        fill(out, &s, policy, column_of);
    else
        dv_iou_clear(out);
    free(column_of);
    sums_clear(&s);
    return status;
}

void dv_iou_clear(dv_iou *iou) {
    free(iou->iou);
    free(iou->accuracy);
    free(iou->truth_pixels);
    free(iou->predicted_pixels);
    free(iou->relabel);
    *iou = (dv_iou){0};
}
