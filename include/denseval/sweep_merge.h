/* sweep_merge.h: a sweep in parts (`sweep --cells A/B`), and joining them (`sweep merge`). */
#ifndef DENSEVAL_SWEEP_MERGE_H
#define DENSEVAL_SWEEP_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/analysis.h"
#include "denseval/cells.h"
#include "denseval/labels.h"
#include "denseval/object_counts.h"
#include "denseval/report.h"
#include "denseval/status.h"

DV_C_BEGIN

/* Names of the files in a result folder that a merge reads. */
#define DV_SWEEP_RESULTS "results.json"
#define DV_SWEEP_COUNTS "object_counts.h5"

/* The cells of one part. Zero-initialised but n_cells = all cells: the whole sweep. */
typedef struct dv_sweep_part {
    size_t part, n_parts; /* part 1..n_parts; n_parts 0: not split */
    size_t first, n;      /* cells first .. first + n - 1 ... */
    size_t n_cells;       /* ... of so many in all */
} dv_sweep_part;

/* Splits n_cells (>= 1) as "A/B" says: contiguous, the first n_cells % B parts one longer (10 in 4: 3, 3, 2, 2).
 * text  NULL: one part, the whole. Fails with DV_E_USAGE: not "A/B" with 1 <= A <= B, more parts than cells. */
DV_MUST_USE dv_status dv_sweep_split(const char *text, size_t n_cells, dv_sweep_part *out);

/* Puts `part` into the results of a part: {index, count, first_cell, cells, all_cells, configuration, inputs}, the last
 * two being hashes (dv_hash_bytes). Does nothing where part->n_parts is 0: the whole has no such key. */
void dv_report_sweep_part(dv_report *report, const dv_sweep_part *part, const char *configuration_hash,
                          const char *inputs_hash);

/* What the unsplit run would have left. */
typedef struct dv_sweep_merged {
    char *json; /* text of results.json, byte for byte */
    dv_cells cells;
    dv_object_counts counts; /* n_cells 0 where no part has DV_SWEEP_COUNTS */
    size_t n_parts;
    dv_report *analysis; /* of analysis.json, without numbers yet: settings and inputs of the sweep */
    dv_absent absent;    /* settings of the sweep that its intervals depend on */
    uint64_t seed;
    size_t n_resamples;     /* of the objects; 0: none */
    dv_resources resources; /* of all parts, as if one had run after the other; all that is not known is 0 */
    dv_run_times times;     /* of the parts that have a resources.json, in order */
    bool has_resources;     /* all have one */
    bool finished;          /* dv_sweep_merged_save found this very result, see unless_done */
    char *tables;           /* dv_analysis_table of the cells, from dv_sweep_merged_save; NULL: no cell has a score */
} dv_sweep_merged;

/* Joins the result folders of all parts, given in any order; a part may come twice where both hold the same.
 * *out   release with dv_sweep_merged_clear; zeroed on failure
 * Fails with DV_E_MISSING (no results.json in a folder; parts that are not there: all are named), DV_E_DATA (not the
 * result of a part; another configuration, other inputs, another number of parts, a part twice with different values,
 * cells that are not those of the part: both files are named), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_merge(const char *const *folders, size_t n_folders, dv_sweep_merged *out);
void dv_sweep_merged_clear(dv_sweep_merged *merged); /* also on a zeroed struct */

DV_C_END
#endif
