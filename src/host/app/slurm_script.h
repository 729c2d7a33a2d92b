/* slurm_script.h: a Slurm script for a sweep (`sweep --print-slurm`). */
#ifndef DV_APP_SLURM_SCRIPT_H
#define DV_APP_SLURM_SCRIPT_H

#include "denseval/sweep_estimate.h"

/* Texts are borrowed for the call. */
typedef struct dv_slurm_script {
    const char *config_path, *out; /* as given */
    const char *sweep_options;     /* to be passed on, separated by spaces */
    const char *merge_options;
    size_t n_cells, n_threads, n_gpus;
    const dv_sweep_forecast *forecast;
} dv_slurm_script;

/* Writes to standard output what configs/slurm/sweep.sbatch is, with the names, numbers and estimates of this sweep.
 * Fails with DV_E_IO (no current folder), DV_E_NOMEM. */
DV_MUST_USE dv_status dv_slurm_script_print(const dv_slurm_script *script);

#endif
