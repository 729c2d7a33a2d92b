/* sweep_objects.h: the object instances of all encoders of a sweep as one list. */
#ifndef DV_PIPELINE_SWEEP_OBJECTS_H
#define DV_PIPELINE_SWEEP_OBJECTS_H

#include <stddef.h>

#include "pipeline/sweep_plan.h"

typedef struct dv_sweep_objects {
    const char **ids; /* [n], rising by bytes; borrowed from the plans' features */
    size_t n;
    size_t **of_image; /* [n_plans], each [images of the set]: index into ids; SIZE_MAX: of no image to be scored */
    size_t n_plans;
} dv_sweep_objects;

/* Objects of the images of the validation bins. An image without /object_id is an object of its own, called by its id.
 * Release with dv_sweep_objects_clear, also after a failure and on a zeroed struct. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_objects_make(const dv_sweep_plan *plans, size_t n_plans, dv_sweep_objects *objects);
void dv_sweep_objects_clear(dv_sweep_objects *objects);

#endif
