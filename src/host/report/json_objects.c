#include <math.h>

#include "report/json_report.h"

/* ---- Targets -------------------------------------------------------------------------------------------------------
 */

static json_t *view_of(dv_report *report, const char *name, const dv_object_view *view) {
    json_t *const made = json_object();
    const uint64_t either = view->truth_pixels + view->pred_pixels - view->intersection;
    dv_report_set(report, made, "view", dv_json_text(name));
    dv_report_set(report, made, "iou",
                  dv_json_real(either ? (double)view->intersection / (double)either : (double)NAN));
    dv_report_set(report, made, "hidden", json_boolean(view->truth_pixels == 0));
    dv_report_set(report, made, "truth_pixels", dv_json_count(view->truth_pixels));
    dv_report_set(report, made, "pred_pixels", dv_json_count(view->pred_pixels));
    dv_report_set(report, made, "intersection", dv_json_count(view->intersection));
    dv_report_set(report, made, "union", dv_json_count(either));
    return made;
}

static json_t *target_of(dv_report *report, const dv_objects_options *options, const dv_object_target *target,
                         const dv_object_score *score) {
    json_t *const made = json_object(), *const views = json_array();
    dv_report_set(report, made, "id", dv_json_text(target->id));
    dv_report_set(report, made, "category", json_string(dv_object_category_name(target->category)));
    dv_report_set(report, made, "scene", dv_json_text(target->scene));
    dv_report_set(report, made, "iou", dv_json_real(score->iou[options->views]));
    dv_report_set(report, made, "views_scored", dv_json_count(dv_object_views_scored(score, options->views)));
    dv_report_set(report, made, "views_hidden", dv_json_count(score->n_hidden));
    for (size_t i = 0; i < target->views.n; i++)
        if (score->views[i].counted)
            dv_report_append(report, views, view_of(report, target->views.names[i], &score->views[i]));
    dv_report_set(report, made, "views", views);
    return made;
}

static json_t *targets_of(dv_report *report, const dv_objects_options *options, const dv_objects_result *result,
                          const dv_objects_scores *scores) {
    json_t *const list = json_array();
    for (size_t t = 0; t < result->n_targets; t++)
        dv_report_append(report, list, target_of(report, options, &result->targets[t], &scores->targets[t]));
    return list;
}

/* ---- Groups --------------------------------------------------------------------------------------------------------
 */

static void set_group(dv_report *report, json_t *made, const dv_object_group *group) {
    const dv_box *const box = &group->box;
    const struct {
        const char *name;
        double value;
    } reals[] = {{"mean", box->mean},
                 {"std", box->sd},
                 {"min", box->min},
                 {"q1", box->q1},
                 {"median", box->median},
                 {"q3", box->q3},
                 {"max", box->max},
                 {"whisker_low", box->whisker_low},
                 {"whisker_high", box->whisker_high}};
    json_t *const outliers = json_array();
    dv_report_set(report, made, "n", dv_json_count(box->n));
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        dv_report_set(report, made, reals[i].name, dv_json_real(reals[i].value));
    for (size_t i = 0; i < box->n; i++)
        if (i < box->n_low || i >= box->n - box->n_high)
            dv_report_append(report, outliers, dv_json_real(group->values[i]));
    dv_report_set(report, made, "outliers", outliers);
}

static json_t *group_of(dv_report *report, const dv_object_group *group) {
    json_t *const made = json_object();
    set_group(report, made, group);
    return made;
}

static json_t *categories_of(dv_report *report, const dv_objects_scores *scores) {
    json_t *const made = json_object();
    dv_report_set(report, made, scores->all.name, group_of(report, &scores->all));
    for (int c = 0; c < DV_N_OBJECT_CATEGORIES; c++)
        dv_report_set(report, made, scores->categories[c].name, group_of(report, &scores->categories[c]));
    return made;
}

static json_t *scenes_of(dv_report *report, const dv_objects_result *result, const dv_objects_scores *scores) {
    json_t *const list = json_array();
    for (size_t s = 0; s < result->n_scenes; s++) {
        json_t *const made = json_object();
        dv_report_set(report, made, "name", dv_json_text(scores->scenes[s].name));
        set_group(report, made, &scores->scenes[s]);
        dv_report_append(report, list, made);
    }
    return list;
}

/* ---- Methods -------------------------------------------------------------------------------------------------------
 */

/* The keys of one method, in a new object. */
static json_t *scores_of(dv_report *report, const dv_objects_options *options, const dv_objects_result *result,
                         const dv_objects_scores *scores) {
    json_t *const made = json_object();
    dv_report_set(report, made, "name", dv_json_text(scores->name));
    dv_report_set(report, made, "targets", targets_of(report, options, result, scores));
    dv_report_set(report, made, "categories", categories_of(report, scores));
    dv_report_set(report, made, "mean_of_category_means", dv_json_real(scores->mean_of_category_means));
    dv_report_set(report, made, "scenes", scenes_of(report, result, scores));
    dv_report_set(report, made, "mixed_masks", dv_json_count(scores->n_mixed));
    dv_report_set(report, made, "unused_targets", dv_json_count(scores->n_targets_unused));
    dv_report_set(report, made, "unused_views", dv_json_count(scores->n_views_unused));
    dv_report_set(report, made, "left_out_views", dv_json_count(scores->n_views_left_out));
    dv_report_set(report, made, "same", json_boolean(scores->same));
    return made;
}

void dv_report_objects(dv_report *report, const dv_objects_options *options, const dv_objects_result *result) {
    json_t *const methods = json_array();
    size_t n_left_out = 0;
    dv_report_input(report, options->targets);
    dv_report_hashed_input(report, options->truth, result->truth_bytes, result->truth_hash);
    for (size_t i = 0; i < result->n_methods; i++) {
        const dv_objects_scores *const scores = &result->methods[i];
        dv_report_hashed_input(report, scores->pred, scores->pred_bytes, scores->pred_hash);
        dv_report_append(report, methods, scores_of(report, options, result, scores));
        n_left_out += scores->n_views_left_out;
    }
    const char *name;
    json_t *value;
    json_object_foreach(json_array_get(methods, 0), name, value) dv_report_top(report, name, json_incref(value));
    if (result->n_methods > 1) dv_report_top(report, "methods", json_incref(methods));
    json_decref(methods);
    dv_report_top(report, "partial", json_boolean(n_left_out));
}
