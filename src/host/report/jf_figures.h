/* jf_figures.h: pictures and figures of a result folder of jf. */
#ifndef DV_REPORT_JF_FIGURES_H
#define DV_REPORT_JF_FIGURES_H

#include "denseval/report.h"

/* FOLDER/worst/SEQUENCE_FRAME_ID.png for each of figures->worst, from the masks as they are read again. Fails as
 * dv_jf_save does. */
DV_MUST_USE dv_status dv_jf_draw_worst(const char *folder, const dv_jf_result *result, const dv_jf_figures *figures);

/* FOLDER/curves-01.svg and .png, and so on: J and F over frames, a panel a sequence. Fails as dv_plot_figure_draw. */
DV_MUST_USE dv_status dv_jf_draw_curves(const char *folder, const dv_jf_result *result);

#endif
