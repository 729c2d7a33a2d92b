/* viewpoint_choice.h: which frame stands for which viewpoint bin, and how far off the frames are. */
#ifndef DV_METRICS_VIEWPOINT_CHOICE_H
#define DV_METRICS_VIEWPOINT_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DV_NO_FRAME SIZE_MAX

/* The nearest frame of each bin; ties go to the lower frame. Distances are compared after rounding to 1e-9 degrees.
 * With a finite tolerance a frame serves one bin, its nearest (half way: the lower), and only within the tolerance;
 * with an infinite one each bin takes its nearest frame, whatever the distance, and a frame may serve several bins.
 * angles_deg  f64 [n_frames], finite
 * usable      bool [n_frames]: frames that may be chosen
 * bins        i32 [n_bins], degrees, rising
 * frames      [n_bins], written: a frame, or DV_NO_FRAME */
void dv_choose_frames(const double *angles_deg, const bool *usable, size_t n_frames, const int32_t *bins, size_t n_bins,
                      double tolerance_deg, size_t *frames);

/* The rule of open-hummingbird-3d-eval's notebook: each bin takes the first of the frames nearest to it as doubles; a
 * NaN is never nearer, but stays where it comes first. Arguments as above; angles may be NaN, and beyond the tolerance
 * there is none. */
void dv_choose_frames_notebook(const double *angles_deg, const bool *usable, size_t n_frames, const int32_t *bins,
                               size_t n_bins, double tolerance_deg, size_t *frames);

/* Three decimals, halves to even, as the notebook rounds before it chooses. NaN stays. */
double dv_round_notebook(double angle_deg);

/* Mean and sample deviation (n - 1); NaN where there are too few. errors_deg  f64 [n] */
void dv_error_statistics(const double *errors_deg, size_t n, double *mean_deg, double *std_deg);

#endif
