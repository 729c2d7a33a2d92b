#include "protocol/view_object.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/name_list.h"

void dv_view_object_clear(dv_view_object *object) {
    for (size_t i = 0; i < object->n_models; i++) {
        free(object->models[i].number);
        free(object->models[i].path);
    }
    for (size_t i = 0; i < object->n_frames; i++) {
        free(object->frames[i].name);
        free(object->frames[i].picture);
        free(object->frames[i].mask);
    }
    dv_name_list_clear(&object->pictures_without_pose);
    dv_name_list_clear(&object->frames_without_mask);
    dv_name_list_clear(&object->masks_without_frame);
    free(object->name);
    free(object->instance);
    free(object->models);
    free(object->frames);
    free(object->choices);
    *object = (dv_view_object){0};
}

static dv_status fill(const dv_view_options *options, const dv_view_capture *capture, dv_view_object *object,
                      dv_colmap_model *model, const char **reason) {
    DV_TRY(dv_strdup(capture->name, &object->name));
    if (capture->instance) DV_TRY(dv_strdup(capture->instance, &object->instance));
    DV_TRY(dv_view_read_model(options, capture, object, model, reason));
    if (!*reason) DV_TRY(dv_view_find_pictures(capture, object, reason));
    if (!*reason) DV_TRY(dv_view_find_masks(options, capture, object, reason));
    if (*reason) return DV_OK;
    DV_TRY(dv_view_measure(options, model, object));
    return dv_view_choose(options, object);
}

dv_status dv_view_object_make(const dv_view_options *options, const dv_view_capture *capture, dv_view_object *object,
                              const char **reason) {
    dv_colmap_model model = {0};
    *object = (dv_view_object){.class_id = SIZE_MAX};
    *reason = NULL;
    const dv_status status = fill(options, capture, object, &model, reason);
    dv_colmap_clear(&model);
    return status;
}
