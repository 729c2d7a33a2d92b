#include "protocol/view_statistics.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/viewpoint_choice.h"

/* Of the objects of one class, or of all for class SIZE_MAX. errors_deg: room for n_objects * n_bins */
static dv_status collect(const dv_view_options *options, const dv_view_result *result, size_t class_id,
                         double *errors_deg, dv_view_statistics *statistics) {
    size_t n_errors = 0;
    DV_TRY(dv_alloc(result->n_bins, sizeof *statistics->images, "images of each bin", &statistics->images));
    for (size_t i = 0; i < result->n_objects; i++) {
        const dv_view_object *const object = &result->objects[i];
        if (class_id != SIZE_MAX && object->class_id != class_id) continue;
        statistics->n_accepted += object->accepted;
        if (options->notebook && !object->accepted) continue;
        statistics->n_objects++;
        for (size_t bin = 0; bin < result->n_bins; bin++) {
            if (object->choices[bin].frame == SIZE_MAX) continue;
            statistics->images[bin]++;
            errors_deg[n_errors++] = object->choices[bin].error_deg;
        }
    }
    statistics->images_per_bin = (double)n_errors / (double)result->n_bins;
    dv_error_statistics(errors_deg, n_errors, &statistics->mean_error_deg, &statistics->std_error_deg);
    return DV_OK;
}

dv_status dv_view_statistics_fill(const dv_view_options *options, dv_view_result *result) {
    size_t n_errors;
    double *errors_deg;
    DV_TRY(dv_mul_size(result->n_objects, result->n_bins, "errors of all frames", &n_errors));
    DV_TRY(dv_alloc(n_errors, sizeof *errors_deg, "errors of all frames", &errors_deg));
    dv_status status = collect(options, result, SIZE_MAX, errors_deg, &result->total);
    for (size_t c = 0; c < result->n_classes && status == DV_OK; c++) {
        dv_view_class *const of_class = &result->classes[c];
        status = collect(options, result, c, errors_deg, &of_class->statistics);
        of_class->accepted = of_class->statistics.n_accepted > 0;
    }
    free(errors_deg);
    return status;
}
