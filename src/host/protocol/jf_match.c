#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/assignment.h"
#include "protocol/jf_sequence.h"

static uint16_t highest_proposal(const dv_jf_frames *frames) {
    uint16_t highest = 0;
    for (size_t i = 0; i < frames->n_pred; i++)
        if (frames->pred[i].id > highest) highest = frames->pred[i].id;
    return highest;
}

/* What a pair is worth: its mean J, or half the sum of mean J and mean F, over the frames it is scored in. */
static double worth(const dv_jf_options *options, const dv_jf_frames *frames, uint16_t truth_id, uint16_t pred_id) {
    const dv_jf_span span = dv_jf_span_of(options, frames, truth_id, pred_id, false);
    double sum_j = 0, sum_f = 0;
    size_t n = 0;
    for (size_t frame = 0; frame < frames->n_frames; frame++) {
        double j, f[DV_MAX_RADII] = {0};
        if (!dv_jf_span_has(options, frames, &span, pred_id, frame)) continue;
        dv_jf_frames_score(frames, frame, truth_id, pred_id, &j, f);
        sum_j += j;
        sum_f += f[0];
        n++;
    }
    if (n == 0) return 0;
    if (options->assign == DV_JF_ASSIGN_J) return sum_j / (double)n;
    return (sum_j / (double)n + sum_f / (double)n) / 2;
}

/* cost  f64 [n_ids, n_columns]: column c is proposal c + 1, an empty one above the highest */
static void fill_costs(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids, size_t n_ids,
                       size_t n_proposals, size_t n_columns, double *cost) {
    for (size_t i = 0; i < n_ids; i++) {
        double *const row = cost + i * n_columns;
        for (size_t c = 0; c < n_proposals; c++) row[c] = -worth(options, frames, ids[i], (uint16_t)(c + 1));
        const double empty = n_columns > n_proposals ? -worth(options, frames, ids[i], 0) : 0;
        for (size_t c = n_proposals; c < n_columns; c++) row[c] = empty;
    }
}

static dv_status assign(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids, size_t n_ids,
                        uint16_t *matched) {
    const size_t n_proposals = highest_proposal(frames), n_columns = n_proposals > n_ids ? n_proposals : n_ids;
    size_t n_costs, *column_of = NULL;
    double *cost;
    DV_TRY(dv_mul_size(n_ids, n_columns, "an assignment", &n_costs));
    DV_TRY(dv_alloc_unset(n_costs, sizeof *cost, "an assignment", &cost));
    dv_status status = dv_alloc(n_ids, sizeof *column_of, "an assignment", &column_of);
    if (status == DV_OK) {
        fill_costs(options, frames, ids, n_ids, n_proposals, n_columns, cost);
        status = dv_assignment_solve(cost, n_ids, n_columns, column_of);
    }
    for (size_t i = 0; status == DV_OK && i < n_ids; i++)
        matched[i] = column_of[i] < n_proposals ? (uint16_t)(column_of[i] + 1) : 0;
    free(column_of);
    free(cost);
    return status;
}

static bool is_shown(const dv_jf_frames *frames, uint16_t pred_id) {
    for (size_t i = 0; i < frames->n_pred; i++)
        if (frames->pred[i].id == pred_id) return true;
    return false;
}

dv_status dv_jf_match(const dv_jf_options *options, const dv_jf_frames *frames, const uint16_t *ids, size_t n_ids,
                      uint16_t *matched) {
    if (n_ids == 0) return DV_OK;
    if (!dv_jf_seeks_assignment(options)) {
        memcpy(matched, ids, n_ids * sizeof *ids);
        return DV_OK;
    }
    DV_TRY(assign(options, frames, ids, n_ids, matched));
    for (size_t i = 0; i < n_ids; i++)
        if (!is_shown(frames, matched[i])) matched[i] = 0;
    return DV_OK;
}
