#include "metrics/mask_count_rules.h"

enum { LONGEST_SIDE = 65535 };

/* Times the longest diagonal, 92679.7, that is below 2^31. */
static const double LARGEST_BOUND = 20000.0;

dv_status dv_mask_rules_check(const dv_mask_rules *rules) {
    if (rules->n_radii > DV_MAX_RADII)
        return dv_fail(DV_E_ARG, "%zu radii: there may be %d", rules->n_radii, (int)DV_MAX_RADII);
    if (!rules->areas_only && rules->n_radii == 0 && !(rules->bound > 0.0 && rules->bound <= LARGEST_BOUND))
        return dv_fail(DV_E_ARG, "bound %g: must be above 0 and at most %g", rules->bound, LARGEST_BOUND);
    return DV_OK;
}

dv_status dv_mask_rules_apply(const dv_mask_rules *rules, size_t height, size_t width, dv_mask_counts *counts) {
    if (height < 1 || height > LONGEST_SIDE || width < 1 || width > LONGEST_SIDE)
        return dv_fail(DV_E_ARG, "frame of %zu x %zu pixels: sides must be 1 to %d", height, width, (int)LONGEST_SIDE);
    counts->height = height;
    counts->width = width;
    counts->n_radii = 0;
    if (rules->areas_only) return DV_OK;
    counts->n_radii = rules->n_radii ? rules->n_radii : 1;
    if (rules->n_radii == 0) counts->radii_px[0] = dv_mask_radius(rules->bound, height, width);
    for (size_t i = 0; i < rules->n_radii; i++) counts->radii_px[i] = rules->radii_px[i];
    return DV_OK;
}
