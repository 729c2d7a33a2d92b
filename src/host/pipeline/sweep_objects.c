#include "pipeline/sweep_objects.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

static const char *object_id(const dv_feature_info *info, size_t image) {
    return info->object_ids ? info->object_ids[image] : info->image_ids[image];
}

static int compare_ids(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static dv_status list_ids(const dv_sweep_plan *plans, dv_sweep_objects *objects) {
    size_t n = 0;
    for (size_t i = 0; i < objects->n_plans; i++) n += plans[i].info->n_images;
    DV_TRY(dv_alloc(n, sizeof *objects->ids, "the objects", &objects->ids));
    n = 0;
    for (size_t i = 0; i < objects->n_plans; i++)
        for (size_t image = 0; image < plans[i].info->n_images; image++)
            if (plans[i].bin_of[image] != SIZE_MAX) objects->ids[n++] = object_id(plans[i].info, image);
    qsort(objects->ids, n, sizeof *objects->ids, compare_ids);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(objects->ids[i], objects->ids[i - 1]) != 0) objects->ids[objects->n++] = objects->ids[i];
    return DV_OK;
}

static dv_status find_images(const dv_sweep_plan *plan, const dv_sweep_objects *objects, size_t **out) {
    DV_TRY(dv_alloc(plan->info->n_images, sizeof **out, "the objects of the images", out));
    for (size_t image = 0; image < plan->info->n_images; image++) {
        const char *const id = object_id(plan->info, image);
        const char **const found = bsearch(&id, objects->ids, objects->n, sizeof *objects->ids, compare_ids);
        (*out)[image] = found ? (size_t)(found - objects->ids) : SIZE_MAX;
    }
    return DV_OK;
}

dv_status dv_sweep_objects_make(const dv_sweep_plan *plans, size_t n_plans, dv_sweep_objects *objects) {
    *objects = (dv_sweep_objects){.n_plans = n_plans};
    DV_TRY(list_ids(plans, objects));
    DV_TRY(dv_alloc(n_plans, sizeof *objects->of_image, "the objects of the images", &objects->of_image));
    for (size_t i = 0; i < n_plans; i++) DV_TRY(find_images(&plans[i], objects, &objects->of_image[i]));
    return DV_OK;
}

void dv_sweep_objects_clear(dv_sweep_objects *objects) {
    for (size_t i = 0; objects->of_image && i < objects->n_plans; i++) free(objects->of_image[i]);
    free(objects->of_image);
    free(objects->ids);
    *objects = (dv_sweep_objects){0};
}
