#include "io/json_targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/json_read.h"
#include "io/name_list.h"

enum { WHERE_SIZE = 128, LONGEST_SIDE = 65535 };

const char *dv_object_category_name(dv_object_category category) {
    static const char *const names[DV_N_OBJECT_CATEGORIES] = {"dominant", "occluded", "small", "complex"};
    return names[category];
}

static dv_status read_category(const json_t *json, const char *where, dv_object_category *category) {
    const char *text;
    DV_TRY(dv_json_text_member(json, where, "category", &text));
    for (int i = 0; i < DV_N_OBJECT_CATEGORIES; i++) {
        *category = (dv_object_category)i;
        if (strcmp(text, dv_object_category_name(*category)) == 0) return DV_OK;
    }
    return dv_fail(DV_E_DATA, "%s: category: \"%.60s\": must be dominant, occluded, small or complex", where, text);
}

static void remove_name(dv_names *names, size_t at) {
    free(names->names[at]);
    names->n--;
    memmove(names->names + at, names->names + at + 1, (names->n - at) * sizeof *names->names);
}

static dv_status read_views(const json_t *json, const char *where, dv_object_target *target) {
    const char *reference;
    DV_TRY(dv_json_names_member(json, where, "views", &target->views));
    DV_TRY(dv_json_text_member(json, where, "reference_view", &reference));
    const size_t at = dv_names_find(&target->views, reference);
    if (at == SIZE_MAX)
        return dv_fail(DV_E_DATA, "%s: reference_view: \"%.60s\": must be one of the views", where, reference);
    if (target->views.n == 1)
        return dv_fail(DV_E_DATA, "%s: views: the reference view \"%.60s\" alone: must be more", where, reference);
    remove_name(&target->views, at);
    return dv_strdup(reference, &target->reference_view);
}

static dv_status read_target(const char *id, const json_t *json, dv_object_target *target) {
    char where[WHERE_SIZE];
    const char *scene;
    DV_TRY(dv_json_check_name("targets", id));
    snprintf(where, sizeof where, "targets: %.100s", id);
    if (!json_is_object(json)) return dv_fail(DV_E_DATA, "%s: must be an object", where);
    DV_TRY(dv_strdup(id, &target->id));
    DV_TRY(dv_json_text_member(json, where, "scene", &scene));
    DV_TRY(dv_strdup(scene, &target->scene));
    DV_TRY(read_category(json, where, &target->category));
    return read_views(json, where, target);
}

/* Both sides or none. */
static dv_status read_size(const json_t *root, dv_targets *targets) {
    if (!json_object_get(root, "height") && !json_object_get(root, "width")) return DV_OK;
    DV_TRY(dv_json_count_member(root, "the file", "height", 1, LONGEST_SIDE, &targets->height));
    return dv_json_count_member(root, "the file", "width", 1, LONGEST_SIDE, &targets->width);
}

static dv_status read_targets(const json_t *root, dv_targets *targets) {
    json_t *list;
    DV_TRY(read_size(root, targets));
    DV_TRY(dv_json_member(root, "the file", "targets", &list));
    DV_TRY(dv_alloc(json_object_size(list), sizeof *targets->targets, "targets", &targets->targets));
    const char *id;
    json_t *value;
    json_object_foreach(list, id, value) DV_TRY(read_target(id, value, &targets->targets[targets->n++]));
    return DV_OK;
}

dv_status dv_targets_read(const char *path, dv_targets *targets) {
    json_t *root;
    memset(targets, 0, sizeof *targets);
    DV_TRY(dv_json_load(path, "objects3d-targets v1", &root));
    const dv_status status = dv_context(read_targets(root, targets), "%s", path);
    json_decref(root);
    if (status != DV_OK) dv_targets_clear(targets);
    return status;
}

void dv_targets_clear(dv_targets *targets) {
    for (size_t i = 0; i < targets->n; i++) {
        dv_object_target *const target = &targets->targets[i];
        free(target->id);
        free(target->scene);
        free(target->reference_view);
        dv_name_list_clear(&target->views);
    }
    free(targets->targets);
    memset(targets, 0, sizeof *targets);
}
