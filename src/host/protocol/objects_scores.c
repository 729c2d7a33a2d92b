#include "protocol/objects_scores.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/jf_statistics.h"

static double over(double sum, size_t n) {
    return n ? sum / (double)n : (double)NAN;
}

void dv_object_score_fill(dv_object_score *score, size_t n_views) {
    double first = NAN, shown = 0.0, hidden = 0.0;
    uint64_t intersections = 0, unions = 0;
    score->n_shown = score->n_hidden = 0;
    for (size_t i = 0; i < n_views; i++) {
        const dv_object_view *const view = &score->views[i];
        if (!view->counted) continue;
        const double iou = dv_jaccard(view->intersection, view->truth_pixels, view->pred_pixels);
        if (view->truth_pixels == 0) {
            score->n_hidden++;
            hidden += iou;
            continue;
        }
        if (score->n_shown++ == 0) first = iou;
        shown += iou;
        intersections += view->intersection;
        unions += view->truth_pixels + view->pred_pixels - view->intersection;
    }
    score->iou[DV_OBJECT_VIEWS_SHOWN] = over(shown, score->n_shown);
    score->iou[DV_OBJECT_VIEWS_ALL] = over(shown + hidden, score->n_shown + score->n_hidden);
    score->iou[DV_OBJECT_VIEWS_POOLED] = unions ? (double)intersections / (double)unions : (double)NAN;
    score->iou[DV_OBJECT_VIEWS_FIRST] = first;
}

size_t dv_object_views_scored(const dv_object_score *score, dv_object_views views) {
    if (views == DV_OBJECT_VIEWS_ALL) return score->n_shown + score->n_hidden;
    if (views == DV_OBJECT_VIEWS_FIRST) return score->n_shown ? 1 : 0;
    return score->n_shown;
}

/* ---- Groups --------------------------------------------------------------------------------------------------------
 */

/* The targets of a category or a scene: NULL and -1 take all. */
typedef struct selection {
    int category;
    const char *scene;
} selection;

static bool is_in(const dv_object_target *target, selection which) {
    if (which.category >= 0 && target->category != (dv_object_category)which.category) return false;
    return !which.scene || strcmp(target->scene, which.scene) == 0;
}

static dv_status fill_group(const dv_objects_result *result, const dv_objects_scores *scores, dv_object_views views,
                            selection which, const char *name, dv_object_group *group) {
    size_t n = 0;
    group->name = name;
    DV_TRY(dv_alloc(result->n_targets, sizeof *group->values, "the IoU of targets", &group->values));
    for (size_t t = 0; t < result->n_targets; t++) {
        const double iou = scores->targets[t].iou[views];
        if (is_in(&result->targets[t], which) && !isnan(iou)) group->values[n++] = iou;
    }
    return dv_box_compute(group->values, n, group->values, &group->box);
}

dv_status dv_objects_scores_group(const dv_objects_result *result, dv_object_views views, dv_objects_scores *scores) {
    double sum = 0.0;
    size_t n = 0;
    DV_TRY(fill_group(result, scores, views, (selection){-1, NULL}, "all", &scores->all));
    for (int c = 0; c < DV_N_OBJECT_CATEGORIES; c++) {
        dv_object_group *const group = &scores->categories[c];
        DV_TRY(fill_group(result, scores, views, (selection){c, NULL}, dv_object_category_name((dv_object_category)c),
                          group));
        if (group->box.n == 0) continue;
        sum += group->box.mean;
        n++;
    }
    scores->mean_of_category_means = over(sum, n);
    DV_TRY(dv_alloc(result->n_scenes, sizeof *scores->scenes, "scenes", &scores->scenes));
    for (size_t s = 0; s < result->n_scenes; s++)
        DV_TRY(fill_group(result, scores, views, (selection){-1, result->scenes[s]}, result->scenes[s],
                          &scores->scenes[s]));
    return DV_OK;
}
