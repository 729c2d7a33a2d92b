/* analysis_gains.c: Experiment C: what a larger memory gains, and its means. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/analysis_parts.h"

/* To three decimals, as the paper prints it. */
static double rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.3f", value);
    return isnan(value) ? NAN : strtod(text, NULL);
}

/* Means over other bins are no gain of the memory. */
static bool over_same_bins(const dv_analysis_run *a, const dv_analysis_run *b) {
    return a->n_missing == b->n_missing && memcmp(a->missing, b->missing, a->n_missing * sizeof *a->missing) == 0;
}

static dv_analysis_gain gain_of(const dv_analysis *analysis, size_t from, size_t to) {
    const dv_analysis_run *const smaller = &analysis->runs[from], *const larger = &analysis->runs[to];
    dv_analysis_gain gain = {.from = from, .to = to, .gain = NAN, .gain_of_rounded = NAN};
    if (!over_same_bins(smaller, larger)) return gain;
    gain.gain = larger->miou - smaller->miou;
    gain.gain_of_rounded = rounded(larger->miou) - rounded(smaller->miou);
    return gain;
}

static int compare_sizes(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* The memory sizes of all runs of one kind, rising. *sizes: the caller's until free() */
static dv_status find_sizes(const dv_analysis *analysis, bool per_image, uint64_t **sizes, size_t *n_sizes) {
    size_t n = 0;
    DV_TRY(dv_alloc(analysis->n_runs, sizeof **sizes, "memory sizes", sizes));
    for (size_t i = 0; i < analysis->n_runs; i++)
        if (analysis->runs[i].per_image == per_image) (*sizes)[n++] = analysis->runs[i].memory;
    if (n > 1) qsort(*sizes, n, sizeof **sizes, compare_sizes);
    *n_sizes = 0;
    for (size_t i = 0; i < n; i++)
        if (*n_sizes == 0 || (*sizes)[i] != (*sizes)[*n_sizes - 1]) (*sizes)[(*n_sizes)++] = (*sizes)[i];
    return DV_OK;
}

static dv_status add_gain(dv_analysis *analysis, size_t from, size_t to) {
    const size_t n = analysis->n_gains;
    if ((n & (n - 1)) == 0) { /* room for as many again whenever n is a power of two, or 0 */
        size_t bytes;
        DV_TRY(dv_mul_size(n ? n : 1, 2 * sizeof *analysis->gains, "gains", &bytes));
        dv_analysis_gain *const grown = realloc(analysis->gains, bytes);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu gains", n + 1);
        analysis->gains = grown;
    }
    analysis->gains[analysis->n_gains++] = gain_of(analysis, from, to);
    return DV_OK;
}

static dv_status compare_two_sizes(dv_analysis *analysis, bool per_image, uint64_t smaller, uint64_t larger) {
    const dv_analysis_run *const runs = analysis->runs;
    for (size_t from = 0; from < analysis->n_runs; from++) {
        if (runs[from].per_image != per_image || runs[from].memory != smaller) continue;
        for (size_t to = from + 1; to < analysis->n_runs; to++)
            if (runs[to].memory == larger && dv_runs_share_encoder(&runs[from], &runs[to]) &&
                dv_runs_share_reference(&runs[from], &runs[to]))
                DV_TRY(add_gain(analysis, from, to));
    }
    return DV_OK;
}

static dv_status compare_sizes_of_kind(dv_analysis *analysis, bool per_image) {
    uint64_t *sizes;
    size_t n_sizes;
    DV_TRY(find_sizes(analysis, per_image, &sizes, &n_sizes));
    dv_status status = DV_OK;
    for (size_t apart = 1; apart < n_sizes; apart++)
        for (size_t i = 0; status == DV_OK && i + apart < n_sizes; i++)
            status = compare_two_sizes(analysis, per_image, sizes[i], sizes[i + apart]);
    free(sizes);
    return status;
}

typedef bool shares_function(const dv_analysis_run *a, const dv_analysis_run *b);

/* Means over the gains of the same two memory sizes that also share their encoder, or their difficulty. */
static dv_status find_means(dv_analysis *analysis, shares_function *shares, dv_analysis_mean_gain **means,
                            size_t *n_means) {
    const dv_analysis_run *const runs = analysis->runs;
    DV_TRY(dv_alloc(analysis->n_gains, sizeof **means, "mean gains", means));
    for (size_t i = 0; i < analysis->n_gains; i++) {
        const dv_analysis_gain *const gain = &analysis->gains[i];
        size_t m = 0;
        for (; m < *n_means; m++)
            if (runs[(*means)[m].from].memory == runs[gain->from].memory &&
                runs[(*means)[m].to].memory == runs[gain->to].memory &&
                runs[(*means)[m].from].per_image == runs[gain->from].per_image &&
                shares(&runs[(*means)[m].from], &runs[gain->from]))
                break;
        if (m == *n_means) (*means)[(*n_means)++] = (dv_analysis_mean_gain){.from = gain->from, .to = gain->to};
        (*means)[m].gain += gain->gain;
        (*means)[m].gain_of_rounded += gain->gain_of_rounded;
        (*means)[m].n++;
    }
    for (size_t m = 0; m < *n_means; m++) {
        (*means)[m].gain /= (double)(*means)[m].n;
        (*means)[m].gain_of_rounded /= (double)(*means)[m].n;
    }
    return DV_OK;
}

dv_status dv_analysis_find_gains(dv_analysis *analysis) {
    DV_TRY(compare_sizes_of_kind(analysis, false));
    DV_TRY(compare_sizes_of_kind(analysis, true));
    DV_TRY(find_means(analysis, dv_runs_share_encoder, &analysis->encoder_gains, &analysis->n_encoder_gains));
    return find_means(analysis, dv_runs_share_reference, &analysis->difficulty_gains, &analysis->n_difficulty_gains);
}
