#include <math.h>

#include "report/json_jf.h"
#include "report/json_report.h"

static const char *const motion_keys[DV_N_MOTIONS] = {"jf_dynamic", "jf_static", "jf_environmental"};

static void set_score(dv_report *report, json_t *made, const dv_muvod_score *score) {
    dv_report_set(report, made, "jf", dv_json_real(score->jf));
    dv_report_set(report, made, "j", dv_json_real(score->j));
    dv_report_set(report, made, "f", dv_json_real(score->f));
}

static void set_scores(dv_report *report, json_t *made, const dv_muvod_score *all, const dv_muvod_score *by_motion) {
    set_score(report, made, all);
    for (int i = 0; i < DV_N_MOTIONS; i++) dv_report_set(report, made, motion_keys[i], dv_json_real(by_motion[i].jf));
}

static json_t *cameras_of(dv_report *report, const dv_muvod_scene *scene, const dv_muvod_scores *scores) {
    json_t *const list = json_array();
    for (size_t i = 0; i < scene->n_cameras; i++) {
        json_t *const made = json_object();
        dv_report_set(report, made, "name", dv_json_text(scene->cameras[i]));
        set_score(report, made, &scores->cameras[i]);
        dv_report_set(report, made, "objects", dv_json_count(scores->cameras[i].n));
        dv_report_append(report, list, made);
    }
    return list;
}

static json_t *object_counts(dv_report *report, const dv_muvod_scores *scores) {
    json_t *const made = json_object();
    dv_report_set(report, made, "objects", dv_json_count(scores->n_objects));
    for (int i = 0; i < DV_N_MOTIONS; i++)
        dv_report_set(report, made, dv_motion_name((dv_motion)i), dv_json_count(scores->n_by_motion[i]));
    return made;
}

/* Scores, cameras and numbers of objects under one set. */
static void set_set(dv_report *report, json_t *made, const dv_muvod_scene *scene, const dv_muvod_scores *scores) {
    set_scores(report, made, &scores->all, scores->by_motion);
    dv_report_set(report, made, "object_counts", object_counts(report, scores));
    dv_report_set(report, made, "cameras", cameras_of(report, scene, scores));
}

static json_t *objects_of(dv_report *report, const dv_muvod_scene *scene) {
    json_t *const list = json_array();
    for (size_t i = 0; i < scene->n_objects; i++) {
        const dv_muvod_object *const object = &scene->objects[i];
        json_t *const made = json_object();
        dv_report_set(report, made, "id", dv_json_count(object->id));
        dv_report_set(report, made, "name", dv_json_text(object->name));
        dv_report_set(report, made, "motion", json_string(dv_motion_name(object->motion)));
        dv_report_set(report, made, "basic", json_boolean(object->basic));
        dv_report_append(report, list, made);
    }
    return list;
}

static void set_sparse(dv_report *report, json_t *made, double jf, double sparse_jf) {
    dv_report_set(report, made, "sparse_jf", dv_json_real(sparse_jf));
    dv_report_set(report, made, "difference", dv_json_real(fabs(jf - sparse_jf)));
}

static json_t *scene_of(dv_report *report, const dv_muvod_options *options, const dv_muvod_result *result,
                        const dv_muvod_scene *scene) {
    const dv_muvod_set other = options->set == DV_MUVOD_BASIC ? DV_MUVOD_COMPLETE : DV_MUVOD_BASIC;
    json_t *const made = json_object(), *const beside = json_object();
    dv_report_set(report, made, "name", dv_json_text(scene->name));
    set_set(report, made, scene, &scene->sets[options->set]);
    if (result->has_sparse) set_sparse(report, made, scene->sets[options->set].all.jf, scene->sparse_jf);
    dv_report_set(report, made, "objects", objects_of(report, scene));
    set_set(report, beside, scene, &scene->sets[other]);
    dv_report_set(report, made, other == DV_MUVOD_BASIC ? "basic" : "complete", beside);
    return made;
}

static json_t *global_of(dv_report *report, const dv_muvod_global *global) {
    json_t *const made = json_object(), *const scenes = json_object();
    set_scores(report, made, &global->all, global->by_motion);
    dv_report_set(report, scenes, "jf", dv_json_count(global->all.n));
    for (int i = 0; i < DV_N_MOTIONS; i++)
        dv_report_set(report, scenes, motion_keys[i], dv_json_count(global->by_motion[i].n));
    dv_report_set(report, made, "scenes", scenes);
    return made;
}

static void set_inputs(dv_report *report, const dv_muvod_options *options, const dv_muvod_result *result) {
    dv_report_input(report, options->meta);
    dv_report_hashed_input(report, options->truth, result->jf.truth_bytes, result->jf.truth_hash);
    dv_report_hashed_input(report, options->pred, result->jf.pred_bytes, result->jf.pred_hash);
    if (result->has_sparse)
        dv_report_hashed_input(report, options->sparse_pred, result->sparse_bytes, result->sparse_hash);
}

void dv_report_muvod(dv_report *report, const dv_muvod_options *options, const dv_muvod_result *result) {
    const dv_muvod_score *const all = &result->global[options->set].all;
    json_t *const scenes = json_array(), *const global = json_object();
    set_inputs(report, options, result);
    dv_report_real(report, "jf_mean", all->jf);
    dv_report_real(report, "j_mean", all->j);
    dv_report_real(report, "f_mean", all->f);
    for (size_t i = 0; i < result->n_scenes; i++)
        dv_report_append(report, scenes, scene_of(report, options, result, &result->scenes[i]));
    dv_report_top(report, "scenes", scenes);
    dv_report_set(report, global, "basic", global_of(report, &result->global[DV_MUVOD_BASIC]));
    dv_report_set(report, global, "complete", global_of(report, &result->global[DV_MUVOD_COMPLETE]));
    if (result->has_sparse) set_sparse(report, global, all->jf, result->global_sparse.jf);
    dv_report_top(report, "global", global);
    dv_report_count(report, "unscored_cameras", result->n_cameras_unscored);
    dv_report_jf_sequences(report, &result->jf);
}
