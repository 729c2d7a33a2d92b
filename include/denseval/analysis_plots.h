/* analysis_plots.h: the figures of a viewpoint analysis. */
#ifndef DENSEVAL_ANALYSIS_PLOTS_H
#define DENSEVAL_ANALYSIS_PLOTS_H

#include <stdbool.h>

#include "denseval/analysis.h"
#include "denseval/status.h"
#include "denseval/viewpoint_bootstrap.h"

DV_C_BEGIN

/* Draws every figure of docs/FORMATS.md, "Plots", for which the analysis has values, into a folder that exists; figures
 * that are there are replaced.
 * bootstrap  bands and the figures that need one; NULL: none
 * required   false: without gnuplot, or when it fails, a warning is logged and nothing more is drawn
 * Fails as dv_plot_figure_draw. */
DV_MUST_USE dv_status dv_plot_analysis(const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap,
                                       bool required, const char *folder);

DV_C_END
#endif
