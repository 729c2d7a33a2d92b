/* sweep_pass.h: the one pass over the queries of an encoder, for all of its configurations. */
#ifndef DV_PIPELINE_SWEEP_PASS_H
#define DV_PIPELINE_SWEEP_PASS_H

#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/gpu_account.h"
#include "pipeline/sweep_plan.h"
#include "pipeline/tally.h"

/* Places in stage_s of dv_sweep_result. */
enum { DV_STAGE_BANK, DV_STAGE_SEARCH, DV_STAGE_AGGREGATE, DV_STAGE_SEGMENT, DV_STAGE_REPORT };

/* What a pass tells while it runs; a failure ends it and is passed on. */
typedef struct dv_sweep_listener {
    void *user;
    /* The banks are built. n_rows: u64 [n_configs] */
    dv_status (*banks)(void *user, const uint64_t *n_rows);
    /* The first n_done images of the plan are scored or left out; what the last block added is in the tally, and ends
     * there when the call returns DV_OK. */
    dv_status (*block)(void *user, size_t n_done);
} dv_sweep_listener;

/* All borrowed for the call. */
typedef struct dv_sweep_pass {
    const dv_sweep_plan *plan;
    const dv_sweep_options *options;
    const size_t *object_of;  /* [images of the set], see dv_sweep_objects */
    const int32_t *sources;   /* i32 [n_sources], rising: all bank bins of the sweep */
    size_t n_sources, n_done; /* n_done: images of the plan that are scored already */
    dv_pool *pool;
    dv_tally *tally;
    const dv_sweep_listener *listener;
    double *stage_s;         /* f64 [DV_SWEEP_STAGES], wall seconds are added */
    dv_gpu_account *account; /* what is spent on GPUs is added */
} dv_sweep_pass;

/* Fails as dv_sweep_run. */
DV_MUST_USE dv_status dv_sweep_pass_run(const dv_sweep_pass *pass);

#endif
