#include "metrics/contour_partners.h"

#include <stdlib.h>

#include "core/memory.h"
#include "metrics/matching.h"

static void unpack(const dv_contour_object *object, dv_pixel *pixels) {
    for (size_t i = 0; i < object->n; i++)
        pixels[i] = (dv_pixel){.y = object->contour[i] >> 16, .x = object->contour[i] & 0xffff};
}

dv_status dv_contour_partners(const dv_contour_object *truth, const dv_contour_object *pred, size_t height,
                              size_t width, const uint32_t *radii_px, size_t n_radii, uint64_t *partners) {
    dv_pixel *pixels; /* of the truth, then of the prediction */
    DV_TRY(dv_alloc_unset(truth->n + pred->n, sizeof *pixels, "pixels of contours", &pixels));
    unpack(truth, pixels);
    unpack(pred, pixels + truth->n);
    dv_status status = DV_OK;
    for (size_t r = 0; r < n_radii && status == DV_OK; r++)
        status =
            dv_matching_size(pixels, truth->n, pixels + truth->n, pred->n, height, width, radii_px[r], &partners[r]);
    free(pixels);
    return status;
}
