/* sweep_args.h: what `sweep` is called with, for the run and for its Slurm script. */
#ifndef DV_APP_SWEEP_ARGS_H
#define DV_APP_SWEEP_ARGS_H

#include <stdbool.h>

#include "app/context.h"
#include "denseval/sweep.h"

typedef struct dv_sweep_args {
    const char *out, *cells;
    dv_exclude exclude;
    size_t bootstrap, block_images, jobs, gpus;
    dv_plots plots;
    bool print_slurm, unless_done;
} dv_sweep_args;

/* The library's options, but part and job; texts are borrowed from the arguments. */
dv_sweep_options dv_sweep_args_options(const dv_app_context *context, const dv_sweep_args *args);

/* DV_E_USAGE where the result would take the place of an input. path  of the configuration */
DV_MUST_USE dv_status dv_sweep_check_target(const char *out, const char *path, const dv_sweep_config *config);

/* Prints the script of --print-slurm. Fails as dv_sweep_forecast_make, DV_E_USAGE (--cells), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_print_slurm(const dv_app_context *context, const dv_sweep_args *args,
                                           const dv_sweep_config *config);

#endif
