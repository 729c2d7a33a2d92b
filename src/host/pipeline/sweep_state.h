/* sweep_state.h: how far a sweep has come, as its journal tells. */
#ifndef DV_PIPELINE_SWEEP_STATE_H
#define DV_PIPELINE_SWEEP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/sweep.h"
#include "pipeline/journal.h"
#include "pipeline/run_folder.h"
#include "pipeline/sweep_plan.h"
#include "pipeline/tally.h"

/* Time and memory; in a record those since the record before it. */
typedef struct dv_sweep_spent {
    double wall_s, cpu_s, stage_s[DV_SWEEP_STAGES];
    uint64_t max_rss_bytes;
    dv_gpu_account gpu;
} dv_sweep_spent;

/* What was spent later. */
void dv_sweep_spent_add(dv_sweep_spent *sum, const dv_sweep_spent *spent);

typedef struct dv_sweep_progress {
    uint64_t *bank_rows; /* u64 [n_configs]; NULL: not known yet */
    bool banks_recorded; /* the journal has them */
    size_t n_done;       /* images of the plan that were scored or left out */
    dv_tally tally;      /* zeroed before the first block */
} dv_sweep_progress;

typedef struct dv_sweep_state {
    const dv_sweep_plan *plans;   /* [n_encoders]; borrowed */
    const dv_tally_shape *shapes; /* [n_encoders]; borrowed */
    size_t n_encoders;
    dv_sweep_progress *encoders; /* [n_encoders] */
    uint64_t n_starts;           /* that finished a block */
    bool started;                /* this start is one of them */
    dv_sweep_spent spent;        /* of all starts, up to the last record */
} dv_sweep_state;

/* Nothing done. Release with dv_sweep_state_clear, also after a failure and on a zeroed struct. */
DV_MUST_USE dv_status dv_sweep_state_make(const dv_sweep_plan *plans, const dv_tally_shape *shapes, size_t n_encoders,
                                          dv_sweep_state *state);
void dv_sweep_state_clear(dv_sweep_state *state);

/* Makes the tally of an encoder, where there is none yet. */
DV_MUST_USE dv_status dv_sweep_state_tally(dv_sweep_state *state, size_t encoder);

/* Takes a record of the journal in: a dv_journal_visit, user is the state. DV_E_DATA for what is none of ours. */
dv_status dv_sweep_state_visit(void *state, const dv_journal_record *record);

/* Tells all ranks how far rank 0 has come, by its journal. Every rank must call it. */
DV_MUST_USE dv_status dv_sweep_state_share(dv_ranks *ranks, dv_sweep_state *state);

/* Takes in the sizes of an encoder's banks. They go into the journal with the encoder's first block: a start that
 * finishes no block leaves no record, so nothing of it stays in the way of another run. */
DV_MUST_USE dv_status dv_sweep_state_banks(dv_sweep_state *state, size_t encoder, const uint64_t *n_rows);

/* Adds the block of an encoder's tally that ends at image n_done to state and journal, behind the records that are due
 * before it. spent: since the record before */
DV_MUST_USE dv_status dv_sweep_state_block(dv_sweep_state *state, dv_run_folder *folder, size_t encoder, size_t n_done,
                                           const dv_sweep_spent *spent);

#endif
