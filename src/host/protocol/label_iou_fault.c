#include "protocol/label_iou_fault.h"

#include <stdio.h>

#include "core/check.h"
#include "metrics/pixel_pair.h"

enum { WHERE_SIZE = 128, HINT_SIZE = 96 };

/* "row R column C, label L (N pixels)". text char [WHERE_SIZE]; returned */
static const char *where(const dv_label_map *map, size_t pixel, const char *what, char *text) {
    const uint16_t label = map->labels[pixel];
    size_t n = 0;
    for (size_t i = 0; i < map->height * map->width; i++) n += map->labels[i] == label;
    snprintf(text, WHERE_SIZE, "row %zu column %zu, %s %d (%zu pixel%s)", pixel / map->width, pixel % map->width, what,
             label, n, n == 1 ? "" : "s");
    return text;
}

dv_status dv_label_map_apply(const dv_class_map *map, const dv_label_set *ignored, dv_label_map *truth) {
    char text[WHERE_SIZE];
    const size_t n = truth->height * truth->width;
    for (size_t i = 0; i < n; i++) {
        const uint16_t label = truth->labels[i];
        if (map->target[label] == DV_NO_TARGET && !dv_label_set_has(ignored, label))
            return dv_fail(DV_E_DATA, "%s: is not in the class map", where(truth, i, "label", text));
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t target = map->target[truth->labels[i]];
        if (target != DV_NO_TARGET) truth->labels[i] = (uint16_t)target;
    }
    return DV_OK;
}

/* DV_E_DATA; an ignored label in the prediction is most often one of the truth on the wrong side. */
static dv_status refuse_prediction(const dv_pixel_policy *policy, size_t n_classes, const dv_label_map *pred,
                                   size_t pixel) {
    char text[WHERE_SIZE], hint[HINT_SIZE] = "";
    const uint16_t label = pred->labels[pixel];
    if (dv_label_set_has(&policy->ignored, label))
        snprintf(hint, sizeof hint, "; %d is ignored in the truth alone: are --truth and --pred swapped?", label);
    return dv_fail(DV_E_DATA, "%s: predictions must be below %zu%s", where(pred, pixel, "prediction", text), n_classes,
                   hint);
}

dv_status dv_label_fault(const dv_pixel_policy *policy, size_t n_classes, const dv_label_map *truth,
                         const dv_label_map *pred, bool *of_truth) {
    char text[WHERE_SIZE];
    for (size_t i = 0; i < truth->height * truth->width; i++) {
        const uint16_t label = truth->labels[i];
        if (dv_pixel_kind_of(policy, n_classes, label, pred->labels[i]) != DV_PIXEL_REFUSED) continue;
        *of_truth = label >= n_classes && policy->invalid == DV_INVALID_ERROR;
        if (!*of_truth) return refuse_prediction(policy, n_classes, pred, i);
        return dv_fail(DV_E_DATA, "%s: labels must be below %zu", where(truth, i, "label", text), n_classes);
    }
    *of_truth = false;
    return dv_fail(DV_E_INTERNAL, "a label map was refused, but nothing is wrong with it");
}
