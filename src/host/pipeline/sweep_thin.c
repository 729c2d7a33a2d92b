#include "pipeline/sweep_thin.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "pipeline/grid.h"

enum { MOST_ROWS = 1 << 16, MOST_BYTES = 64 << 20 };

static dv_status choose_share(const dv_sweep_plan *plan, double *share) {
    const dv_feature_info *info = plan->info;
    const double image_bytes = (double)info->n_patches * (double)info->dim * (double)dv_dtype_size(info->dtype);
    dv_bank_plan all;
    const dv_status status = dv_bank_plan_join(plan->plans, plan->n_configs, info->n_images, &all);
    if (status == DV_OK) {
        const double by_rows = MOST_ROWS / (double)all.n_filled_max;
        const double by_bytes = MOST_BYTES / (image_bytes * (double)all.n_images);
        *share = by_rows < by_bytes ? by_rows : by_bytes;
    }
    dv_bank_plan_clear(&all);
    return status;
}

/* Multiples of the golden ratio, less their whole part, fill 0..1 evenly and keep no step with the order of a set. */
static bool is_kept(size_t image, double share) {
    return (uint32_t)image * 2654435769U < share * 4294967296.0;
}

static dv_status thin_out(const dv_bank_plan *whole, double share, size_t k, dv_bank_plan *plan) {
    *plan = (dv_bank_plan){.n_classes = whole->n_classes, .passes = whole->passes, .per_image = whole->per_image};
    DV_TRY(dv_alloc(whole->n_images, sizeof *plan->images, "the images of a trial", &plan->images));
    for (size_t i = 0; i < whole->n_images; i++)
        if (i == 0 || is_kept(whole->images[i], share)) plan->images[plan->n_images++] = whole->images[i];
    plan->n_filled_max = plan->n_images * plan->per_image; /* no more than the whole plan has */
    plan->n_rows_fixed = plan->n_filled_max > k ? plan->n_filled_max : k;
    return DV_OK;
}

dv_status dv_sweep_thin_make(const dv_sweep_plan *plan, size_t less, dv_bank_plan **plans) {
    double share = 1;
    *plans = NULL;
    DV_TRY(choose_share(plan, &share));
    if (share > 1) share = 1;
    dv_status status = dv_alloc(plan->n_configs, sizeof **plans, "the banks of a trial", plans);
    for (size_t i = 0; status == DV_OK && i < plan->n_configs; i++)
        status = thin_out(&plan->plans[i], share / (double)less, plan->config->k, &(*plans)[i]);
    if (status != DV_OK) {
        dv_sweep_thin_free(*plans, plan->n_configs);
        *plans = NULL;
    }
    return status;
}

void dv_sweep_thin_free(dv_bank_plan *plans, size_t n_configs) {
    for (size_t i = 0; plans && i < n_configs; i++) dv_bank_plan_clear(&plans[i]);
    free(plans);
}

/* The rows of the plans' union, as if every image gave as many as it may. */
static dv_status count_segments(const dv_bank_plan *plans, size_t n_configs, size_t n_images, size_t *n_segments) {
    dv_bank_plan all;
    dv_grid grid = {0};
    int32_t *image = NULL;
    dv_status status = dv_bank_plan_join(plans, n_configs, n_images, &all);
    if (status == DV_OK) status = dv_alloc(all.n_filled_max, sizeof *image, "the rows of a trial", &image);
    size_t n_rows = 0;
    for (size_t i = 0; status == DV_OK && i < all.n_images; i++)
        for (size_t j = 0; j < all.limits[i]; j++) image[n_rows++] = (int32_t)all.images[i];
    const dv_bank_info bank = {.n_rows = n_rows, .n_images = n_images, .image = image};
    if (status == DV_OK) status = dv_grid_make(&bank, plans, n_configs, &grid);
    *n_segments = grid.n_segments;
    dv_grid_clear(&grid);
    dv_bank_plan_clear(&all);
    free(image);
    return status;
}

dv_status dv_sweep_thin_segments(const dv_sweep_plan *plan, size_t *n_segments) {
    dv_bank_plan *plans;
    *n_segments = 0;
    DV_TRY(dv_sweep_thin_make(plan, 1, &plans));
    const dv_status status = count_segments(plans, plan->n_configs, plan->info->n_images, n_segments);
    dv_sweep_thin_free(plans, plan->n_configs);
    return status;
}
