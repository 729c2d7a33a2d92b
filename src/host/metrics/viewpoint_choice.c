#include "metrics/viewpoint_choice.h"

#include <math.h>

static const double GRAINS = 1e9; /* a degree */

/* Distance in grains of 1e-9 degrees; angles and bins are 0..180, so it fits by far. */
static int64_t distance(double angle_deg, int32_t bin) {
    return llround(fabs(angle_deg - bin) * GRAINS);
}

static size_t nearest_bin(double angle_deg, const int32_t *bins, size_t n_bins) {
    size_t best = 0;
    for (size_t bin = 1; bin < n_bins; bin++)
        if (distance(angle_deg, bins[bin]) < distance(angle_deg, bins[best])) best = bin;
    return best;
}

/* Gives the frame to the bin where it is nearer than the one that the bin has. */
static void offer(const double *angles_deg, size_t frame, int32_t bin, size_t *taken) {
    if (*taken == DV_NO_FRAME || distance(angles_deg[frame], bin) < distance(angles_deg[*taken], bin)) *taken = frame;
}

void dv_choose_frames(const double *angles_deg, const bool *usable, size_t n_frames, const int32_t *bins, size_t n_bins,
                      double tolerance_deg, size_t *frames) {
    for (size_t bin = 0; bin < n_bins; bin++) frames[bin] = DV_NO_FRAME;
    for (size_t frame = 0; frame < n_frames; frame++) {
        if (!usable[frame]) continue;
        if (isinf(tolerance_deg)) {
            for (size_t bin = 0; bin < n_bins; bin++) offer(angles_deg, frame, bins[bin], &frames[bin]);
            continue;
        }
        const size_t bin = nearest_bin(angles_deg[frame], bins, n_bins);
        if ((double)distance(angles_deg[frame], bins[bin]) <= round(tolerance_deg * GRAINS))
            offer(angles_deg, frame, bins[bin], &frames[bin]);
    }
}

void dv_choose_frames_notebook(const double *angles_deg, const bool *usable, size_t n_frames, const int32_t *bins,
                               size_t n_bins, double tolerance_deg, size_t *frames) {
    for (size_t bin = 0; bin < n_bins; bin++) {
        size_t best = DV_NO_FRAME;
        for (size_t frame = 0; frame < n_frames; frame++) {
            if (!usable[frame]) continue;
            if (best == DV_NO_FRAME || fabs(angles_deg[frame] - bins[bin]) < fabs(angles_deg[best] - bins[bin]))
                best = frame;
        }
        if (best != DV_NO_FRAME && fabs(angles_deg[best] - bins[bin]) > tolerance_deg) best = DV_NO_FRAME;
        frames[bin] = best;
    }
}

double dv_round_notebook(double angle_deg) {
    return rint(angle_deg * 1000) / 1000;
}

void dv_error_statistics(const double *errors_deg, size_t n, double *mean_deg, double *std_deg) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += errors_deg[i];
    *mean_deg = n ? sum / (double)n : NAN;
    for (size_t i = 0; i < n; i++) squares += (errors_deg[i] - *mean_deg) * (errors_deg[i] - *mean_deg);
    *std_deg = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}
