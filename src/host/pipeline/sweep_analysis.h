/* sweep_analysis.h: the analysis that a sweep leaves beside its results. */
#ifndef DV_PIPELINE_SWEEP_ANALYSIS_H
#define DV_PIPELINE_SWEEP_ANALYSIS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/analysis.h"

/* Borrowed for the call. */
typedef struct dv_sweep_analysis {
    const dv_cells *cells;          /* of the whole sweep */
    const dv_object_counts *counts; /* of these cells; n_cells 0: not known */
    dv_absent absent;               /* that the cells were scored under */
    uint64_t seed;
    size_t n_resamples; /* of the objects, for intervals; 0: none */
    size_t n_threads;
    const char *backend;     /* device that resamples, as of dv_device_open; NULL: none is opened, the host does */
    dv_gpu_account *account; /* of that device, as of dv_device_options */
    dv_plots plots;
    dv_report *report; /* settings and inputs; gets the numbers and is written as analysis.json */
} dv_sweep_analysis;

/* Writes the files of dv_analysis_write, without times of the run: these bytes are always the same. Where no cell has a
 * score there are none.
 * *tables  dv_analysis_table, the caller's until free(); left as it is where no cell has a score
 * Fails with DV_E_MISSING (intervals of cells without counts), as dv_device_open, dv_viewpoint_bootstrap_compute and
 * dv_analysis_write. */
DV_MUST_USE dv_status dv_sweep_analysis_write(const dv_sweep_analysis *wanted, const char *folder, char **tables);

#endif
