#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/plane.h"
#include "metrics/viewpoint_angle.h"
#include "protocol/view_object.h"

static dv_status find_reference(const dv_view_options *options, dv_view_object *object) {
    object->reference = 0;
    if (!options->reference) return DV_OK;
    for (size_t i = 0; i < object->n_frames; i++) {
        object->reference = i;
        if (strcmp(object->frames[i].name, options->reference) == 0) return DV_OK;
    }
    return dv_fail(DV_E_DATA, "%s: no image is called %s, which --reference names", object->models[object->model].path,
                   options->reference);
}

static dv_status find_up(const dv_view_options *options, const dv_colmap_model *model, const char *path, double *up) {
    if (options->up) {
        memcpy(up, options->up, 3 * sizeof *up);
        return DV_OK;
    }
    double *centres;
    DV_TRY(dv_alloc(model->n_images, 3 * sizeof *centres, "camera centres", &centres));
    for (size_t i = 0; i < model->n_images; i++)
        dv_camera_centre(model->images[i].rotation, model->images[i].translation, centres + 3 * i);
    const bool found = dv_plane_normal(centres, model->n_images, up);
    free(centres);
    return found ? DV_OK : dv_fail(DV_E_DATA, "%s: its camera centres span no plane: say --up", path);
}

static dv_status along_up(const char *path, const dv_view_frame *frame) {
    return dv_fail(DV_E_DATA, "%s: image %s: looks along the up axis, so it has no azimuth", path, frame->name);
}

static dv_status measure_azimuths(const dv_view_options *options, const dv_colmap_model *model,
                                  dv_view_object *object) {
    const char *const path = object->models[object->model].path;
    double up[3];
    DV_TRY(find_up(options, model, path, up));
    const double *const origin = model->images[object->reference].rotation;
    double none;
    if (!dv_angle_azimuth(origin, origin, up, &none)) return along_up(path, &object->frames[object->reference]);
    for (size_t i = 0; i < object->n_frames; i++)
        if (!dv_angle_azimuth(origin, model->images[i].rotation, up, &object->frames[i].angle_deg))
            return along_up(path, &object->frames[i]);
    return DV_OK;
}

dv_status dv_view_measure(const dv_view_options *options, const dv_colmap_model *model, dv_view_object *object) {
    DV_TRY(find_reference(options, object));
    if (options->angle == DV_VIEW_OBJECT) return measure_azimuths(options, model, object);
    const dv_colmap_image *const origin = &model->images[object->reference];
    for (size_t i = 0; i < object->n_frames; i++) {
        const dv_colmap_image *const image = &model->images[i];
        double *const angle_deg = &object->frames[i].angle_deg;
        if (options->angle == DV_VIEW_AXIS)
            *angle_deg = dv_angle_axis(origin->rotation, image->rotation);
        else if (!options->notebook)
            *angle_deg = dv_angle_rotation(origin->rotation, image->rotation);
        else
            *angle_deg = i == object->reference ? 0 : dv_angle_trace(origin->stored, image->stored);
    }
    return DV_OK;
}
