/* resample_set.h: seeded counts of objects to resample, and what comes of them, between guards. */
#ifndef DV_TEST_RESAMPLE_SET_H
#define DV_TEST_RESAMPLE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/viewpoint_resample.h"

typedef struct resample_shape {
    size_t n_cells, n_objects, n_classes, n_resamples, n_curves;
    dv_absent absent;
    bool excludes; /* every third class is left out of the means */
} resample_shape;

/* Classes that an object has or has not, in truth or in prediction alone; cells without a pixel, cells without a right
 * one, cells that are not usable; counts of a few pixels and of more than 2^32; curves of one bin to six, some bins
 * without a cell. Release with resample_set_free. */
void resample_set_create(const resample_shape *shape, uint64_t seed, dv_viewpoint_draws *out);
void resample_set_free(dv_viewpoint_draws *draws);

/* Arrays that hold anything but scores. Release with resample_scores_free, which looks at the guards. */
void resample_scores_create(const dv_viewpoint_draws *draws, dv_viewpoint_scores *out);
void resample_scores_free(const dv_viewpoint_draws *draws, dv_viewpoint_scores *scores);

/* Fails unless all bits are the same. */
void resample_scores_assert_same(const dv_viewpoint_draws *draws, const dv_viewpoint_scores *found,
                                 const dv_viewpoint_scores *expected);

#endif
