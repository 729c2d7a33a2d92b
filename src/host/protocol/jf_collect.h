/* jf_collect.h: takes the counts of a pass and turns them into scores, a sequence at a time. */
#ifndef DV_PROTOCOL_JF_COLLECT_H
#define DV_PROTOCOL_JF_COLLECT_H

#include "core/fault_list.h"
#include "protocol/jf_frames.h"
#include "protocol/jf_plan.h"

/* What metadata say of a sequence: its objects and its size are theirs, not the masks'. */
typedef struct dv_jf_entry {
    const uint16_t *ids; /* [n_ids], rising; borrowed */
    size_t n_ids, height, width;
} dv_jf_entry;

typedef struct dv_jf_collector {
    const dv_jf_options *options; /* resolved */
    const dv_jf_plan *plan;
    const dv_jf_entry *entries; /* [n_sequences]; NULL: there are no metadata */
    dv_jf_result *result;
    dv_jf_frames frames; /* of the sequence that is being counted */
    size_t sequence;     /* its index */
    size_t extra_capacity;
    dv_fault_list faults;
} dv_jf_collector;

/* Begins with the first sequence; `options`, `plan` and `result` are set. */
DV_MUST_USE dv_status dv_jf_collect_begin(dv_jf_collector *collector);
/* A dv_mask_pass.take; user: the collector */
dv_status dv_jf_collect_take(void *user, size_t job, const dv_mask_counts *counts);
/* Scores what is left, then fails with DV_E_DATA where frames or ids were bad and skip_bad is not set. */
DV_MUST_USE dv_status dv_jf_collect_end(dv_jf_collector *collector);
void dv_jf_collect_clear(dv_jf_collector *collector);

#endif
