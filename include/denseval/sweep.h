/* sweep.h: a grid of encoders x memory x difficulties, scored in one pass over the queries of each encoder. */
#ifndef DENSEVAL_SWEEP_H
#define DENSEVAL_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/analysis.h"
#include "denseval/cells.h"
#include "denseval/job.h"
#include "denseval/object_counts.h"
#include "denseval/ranks.h"
#include "denseval/report.h"
#include "denseval/run.h"
#include "denseval/status.h"
#include "denseval/sweep_config.h"
#include "denseval/sweep_merge.h"

DV_C_BEGIN

/* How a sweep is run; of these only part, n_resamples, plots, skip_bad and allow_empty change a result.
 * Zero-initialised: the defaults. */
typedef struct dv_sweep_options {
    const char *config_path;       /* of the configuration, for messages; NULL: none */
    const dv_sweep_part *part;     /* NULL: all cells */
    const char *backend, *kernel;  /* as in dv_search_options */
    size_t n_threads;              /* 0 means 1 */
    size_t images_per_block;       /* query images searched together; 0: chosen from memory */
    size_t memory_limit;           /* bytes for bank rows and query blocks; 0: none */
    size_t n_resamples;            /* of the objects, for intervals; 0: none */
    dv_plots plots;                /* of the analysis */
    bool skip_bad;                 /* bad images give no rows and are not scored; else all are listed by dv_log */
    bool allow_empty;              /* a bin of which no image is scored has no values; else DV_E_DATA */
    bool force;                    /* replace what stands in the folder, see dv_sweep_run */
    bool unless_done;              /* leave a folder that holds this very result as it is, see dv_sweep_run */
    const dv_job *job;             /* that the run is part of; NULL: none */
    dv_ranks *ranks;               /* processes that share the sweep, borrowed for the call; NULL: none */
    dv_split split;                /* how they do */
    dv_progress_callback progress; /* query images of all encoders; or NULL */
    void *progress_user;
} dv_sweep_options;

enum { DV_SWEEP_STAGES = 5 };

typedef struct dv_sweep_result {
    dv_cells cells;
    dv_object_counts counts;         /* as object_counts.h5 has them */
    dv_report *report;               /* what results.json holds */
    char *tables;                    /* dv_analysis_table of the cells; NULL: a part, or no cell has a score */
    dv_resources resources;          /* of all starts together, but what a start did behind its last finished block */
    double stage_s[DV_SWEEP_STAGES]; /* wall seconds, see dv_sweep_stages */
    size_t n_restarts;               /* how often the run was interrupted and went on */
    size_t n_skipped_images;         /* bad query images that were left out, of all encoders */
    dv_rank_spent *spent;            /* [n_ranks], of this start, on rank 0; NULL without ranks */
    size_t n_ranks;
    bool finished;       /* `out` held this very result: nothing was done, and all else here is zero, but ... */
    char *finished_json; /* ... the text of its results.json, on rank 0 */
} dv_sweep_result;

/* What stage_s counts. Static lifetime. */
extern const char *const dv_sweep_stages[DV_SWEEP_STAGES];

/* Scores each configuration (encoder, memory, difficulty) on the images of each validation bin, reference bins among
 * them included, as `bank build` and `eval` with the same options do, to the last bit. Writes results.json,
 * results.csv, object_counts.h5, resources.json and the files of dv_analysis_write into `out`; of a part only the first
 * four. All but resources.json are the same bytes whatever backend, threads, blocks, memory limit and interruptions.
 *
 * After every block of query images what it added goes to a journal in `out`. DV_E_INTERRUPTED, and any end of the
 * process, leave it there; the same call goes on from it. A journal of another configuration or of changed inputs is
 * DV_E_DATA, naming both hashes.
 *
 * With unless_done an `out` that holds the whole result of this version, configuration, inputs (by their hashes) and
 * part is left as it is, also where force was asked for; figures and what the run has cost are not looked at. All else
 * is as without it.
 *
 * Of ranks, which all must make the same call, rank 0 alone keeps the folder; a signal to any of them ends all behind
 * the last block in the journal, and any number of them goes on from there.
 *
 * *result, complete on rank 0 alone, is released with dv_sweep_result_clear; zeroed on failure.
 *
 * Fails with DV_E_USAGE (`out`
 * exists and is not a run of this kind, without force), DV_E_DATA (encoders whose classes differ; no labels, bins or
 * class names; a bin without images; a memory that gives an image no row or k more than a bank has: the difficulty is
 * named), DV_E_INTERRUPTED, and as the parts do. */
DV_MUST_USE dv_status dv_sweep_run(const dv_sweep_config *config, const dv_sweep_options *options, const char *out,
                                   dv_sweep_result *result);
void dv_sweep_result_clear(dv_sweep_result *result); /* also on a zeroed struct */

typedef struct dv_sweep_merge_options {
    size_t n_threads; /* 0 means 1 */
    dv_plots plots;   /* of the analysis */
    bool force;       /* replace what stands in the folder */
    bool unless_done; /* leave a folder that holds this very result as it is, see dv_sweep_merged_save */
} dv_sweep_merge_options;

/* Writes what dv_sweep_merge joined as the files of a whole sweep, the analysis included, into a new folder `path`,
 * which is absent or complete; fills merged->tables. In resources.json stands what the parts have spent together; a
 * part without one leaves it out. An existing folder is DV_E_USAGE unless `force`, which replaces one that holds
 * nothing but a result of this program. With `unless_done` a whole result whose results.json has the same bytes is left
 * as it is, and merged->finished is set. Fails with DV_E_MISSING (the sweep has intervals, but its parts no counts),
 * DV_E_IO, DV_E_NOMEM, as dv_analysis_write. */
DV_MUST_USE dv_status dv_sweep_merged_save(dv_sweep_merged *merged, const dv_sweep_merge_options *options,
                                           const char *path);

DV_C_END
#endif
