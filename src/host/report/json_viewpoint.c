#include <math.h>
#include <stdlib.h>

#include "report/json_report.h"

static json_t *list_of(dv_report *report, const dv_names *names) {
    json_t *const list = json_array();
    for (size_t i = 0; i < names->n; i++) dv_report_append(report, list, dv_json_text(names->names[i]));
    return list;
}

static json_t *text_or_null(const char *text) {
    return text ? dv_json_text(text) : json_null();
}

static json_t *list_models(dv_report *report, const dv_view_object *object) {
    json_t *const list = json_array();
    for (size_t i = 0; i < object->n_models; i++) {
        const dv_view_model *const model = &object->models[i];
        json_t *const made = json_object();
        dv_report_set(report, made, "path", dv_json_text(model->path));
        dv_report_set(report, made, "images", model->read ? dv_json_count(model->n_images) : json_null());
        dv_report_set(report, made, "used", json_boolean(i == object->model));
        dv_report_append(report, list, made);
    }
    return list;
}

static json_t *list_frames(dv_report *report, const dv_view_object *object) {
    json_t *const list = json_array();
    for (size_t i = 0; i < object->n_frames; i++) {
        json_t *const made = json_object();
        dv_report_set(report, made, "name", dv_json_text(object->frames[i].name));
        dv_report_set(report, made, "angle_deg", dv_json_real(object->frames[i].angle_deg));
        dv_report_append(report, list, made);
    }
    return list;
}

static json_t *list_bins(dv_report *report, const dv_view_options *options, const dv_view_object *object) {
    json_t *const list = json_array();
    for (size_t bin = 0; bin < options->n_bins; bin++) {
        const dv_view_choice *const choice = &object->choices[bin];
        const dv_view_frame *const frame = choice->frame == SIZE_MAX ? NULL : &object->frames[choice->frame];
        json_t *const made = json_object();
        dv_report_set(report, made, "bin", json_integer(options->bins[bin]));
        dv_report_set(report, made, "frame", text_or_null(frame ? frame->name : NULL));
        dv_report_set(report, made, "angle_deg", dv_json_real(choice->angle_deg));
        dv_report_set(report, made, "error_deg", dv_json_real(choice->error_deg));
        if (options->mask_threshold >= 0)
            dv_report_set(report, made, "mask_pixels", frame ? dv_json_count(frame->mask_pixels) : json_null());
        dv_report_append(report, list, made);
    }
    return list;
}

static void add_object(dv_report *report, const dv_view_options *options, const dv_view_object *object, json_t *list) {
    json_t *const made = json_object();
    dv_report_set(report, made, "name", dv_json_text(object->name));
    dv_report_set(report, made, "accepted", json_boolean(object->accepted));
    dv_report_set(report, made, "reference", dv_json_text(object->frames[object->reference].name));
    dv_report_set(report, made, "models", list_models(report, object));
    dv_report_set(report, made, "frames", list_frames(report, object));
    dv_report_set(report, made, "bins", list_bins(report, options, object));
    dv_report_set(report, made, "pictures_without_pose", list_of(report, &object->pictures_without_pose));
    dv_report_set(report, made, "frames_without_mask", list_of(report, &object->frames_without_mask));
    dv_report_set(report, made, "masks_without_frame", list_of(report, &object->masks_without_frame));
    dv_report_append(report, list, made);
}

static void set_statistics(dv_report *report, json_t *object, const dv_view_statistics *statistics, size_t n_bins) {
    json_t *const images = json_array();
    for (size_t bin = 0; bin < n_bins; bin++) dv_report_append(report, images, dv_json_count(statistics->images[bin]));
    dv_report_set(report, object, "mean_error_deg", dv_json_real(statistics->mean_error_deg));
    dv_report_set(report, object, "std_error_deg", dv_json_real(statistics->std_error_deg));
    dv_report_set(report, object, "images_per_bin", dv_json_real(statistics->images_per_bin));
    dv_report_set(report, object, "images", images);
    dv_report_set(report, object, "objects", dv_json_count(statistics->n_objects));
    dv_report_set(report, object, "accepted_objects", dv_json_count(statistics->n_accepted));
}

static void add_class(dv_report *report, const dv_view_class *of_class, size_t n_bins, json_t *list) {
    json_t *const made = json_object();
    dv_report_set(report, made, "name", dv_json_text(of_class->name));
    dv_report_set(report, made, "accepted", json_boolean(of_class->accepted));
    set_statistics(report, made, &of_class->statistics, n_bins);
    dv_report_set(report, made, "captures", dv_json_count(of_class->n_captures));
    dv_report_set(report, made, "missing_captures", dv_json_count(of_class->n_missing));
    dv_report_append(report, list, made);
}

static void add_skipped(dv_report *report, const dv_view_skipped *skipped, json_t *list) {
    json_t *const made = json_object();
    dv_report_set(report, made, "name", dv_json_text(skipped->name));
    dv_report_set(report, made, "reason", dv_json_text(skipped->reason));
    dv_report_set(report, made, "bad", json_boolean(skipped->bad));
    dv_report_append(report, list, made);
}

static void add_inputs(dv_report *report, const dv_view_result *result) {
    for (size_t i = 0; i < result->n_objects; i++) {
        const dv_view_object *const object = &result->objects[i];
        for (size_t m = 0; m < object->n_models; m++) dv_report_input(report, object->models[m].path);
    }
}

void dv_report_viewpoint_bin(dv_report *report, const dv_view_options *options, const dv_view_result *result) {
    json_t *const objects = json_array(), *const classes = json_array(), *const skipped = json_array();
    json_t *const total = json_object();
    add_inputs(report, result);
    for (size_t i = 0; i < result->n_objects; i++) add_object(report, options, &result->objects[i], objects);
    for (size_t i = 0; i < result->n_classes; i++) add_class(report, &result->classes[i], result->n_bins, classes);
    for (size_t i = 0; i < result->n_skipped; i++) add_skipped(report, &result->skipped[i], skipped);
    set_statistics(report, total, &result->total, result->n_bins);
    dv_report_top(report, "objects", objects);
    dv_report_top(report, "classes", classes);
    dv_report_top(report, "total", total);
    dv_report_top(report, "skipped", skipped);
    dv_report_top(report, "partial", json_boolean(result->partial));
}

static void add_link(dv_report *report, const dv_view_options *options, const dv_view_result *result,
                     const dv_view_object *object, size_t bin, json_t *list) {
    const char *const class_name = result->classes[object->class_id].name;
    const dv_view_choice *const choice = &object->choices[bin];
    const dv_view_frame *const frame = &object->frames[choice->frame];
    char *name = NULL, *picture = NULL, *mask = NULL;
    if (dv_view_link_name(object, choice->frame, &name) != DV_OK ||
        asprintf(&picture, "%s/%d/img/%s", class_name, (int)options->bins[bin], name) < 0 ||
        asprintf(&mask, "%s/%d/mask/%s.png", class_name, (int)options->bins[bin], name) < 0) {
        dv_report_append(report, list, NULL); /* keeps the failure */
    } else {
        json_t *const made = json_object();
        dv_report_set(report, made, "class", dv_json_text(class_name));
        dv_report_set(report, made, "bin", json_integer(options->bins[bin]));
        dv_report_set(report, made, "object", dv_json_text(object->name));
        dv_report_set(report, made, "frame", dv_json_text(frame->name));
        dv_report_set(report, made, "angle_deg", dv_json_real(choice->angle_deg));
        dv_report_set(report, made, "error_deg", dv_json_real(choice->error_deg));
        dv_report_set(report, made, "img", dv_json_text(picture));
        dv_report_set(report, made, "mask", text_or_null(frame->mask ? mask : NULL));
        dv_report_append(report, list, made);
    }
    free(name);
    free(picture);
    free(mask);
}

void dv_report_view_manifest(dv_report *report, const dv_view_options *options, const dv_view_result *result) {
    json_t *const list = json_array();
    add_inputs(report, result);
    for (size_t i = 0; i < result->n_objects; i++) {
        const dv_view_object *const object = &result->objects[i];
        if (!dv_view_is_linked(options, result, object)) continue;
        for (size_t bin = 0; bin < result->n_bins; bin++)
            if (object->choices[bin].frame != SIZE_MAX) add_link(report, options, result, object, bin, list);
    }
    dv_report_top(report, "images", list);
    dv_report_top(report, "partial", json_boolean(result->partial));
}
