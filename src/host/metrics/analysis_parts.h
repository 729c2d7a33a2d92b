/* analysis_parts.h: the steps of dv_analysis_compute. Each takes what the ones before it have filled in. */
#ifndef DV_METRICS_ANALYSIS_PARTS_H
#define DV_METRICS_ANALYSIS_PARTS_H

#include "denseval/analysis.h"

/* Place of a bin among the bins; SIZE_MAX: it is none of them. */
size_t dv_analysis_place(const dv_analysis *analysis, int32_t bin);

/* Same encoder and kind of memory? */
bool dv_runs_share_encoder(const dv_analysis_run *a, const dv_analysis_run *b);
bool dv_runs_share_reference(const dv_analysis_run *a, const dv_analysis_run *b);

DV_MUST_USE dv_status dv_analysis_find_runs(dv_analysis *analysis);
DV_MUST_USE dv_status dv_analysis_score_runs(dv_analysis *analysis);  /* Experiment A */
DV_MUST_USE dv_status dv_analysis_find_curves(dv_analysis *analysis); /* Experiment B */
DV_MUST_USE dv_status dv_analysis_find_gains(dv_analysis *analysis);  /* Experiment C */

void dv_analysis_curve_clear(dv_analysis_curve *curve);

#endif
