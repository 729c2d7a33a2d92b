#include "io/json_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "io/json_read.h"
#include "io/name_list.h"

enum { WHERE_SIZE = 256, LONGEST_SIDE = 65535 };

const char *dv_motion_name(dv_motion motion) {
    static const char *const names[DV_N_MOTIONS] = {"dynamic", "static", "environmental"};
    return names[motion];
}

static dv_status read_motion(const json_t *object, const char *where, dv_motion *motion) {
    const char *text;
    DV_TRY(dv_json_text_member(object, where, "motion", &text));
    for (int i = 0; i < DV_N_MOTIONS; i++) {
        *motion = (dv_motion)i;
        if (strcmp(text, dv_motion_name(*motion)) == 0) return DV_OK;
    }
    return dv_fail(DV_E_DATA, "%s: motion: \"%.60s\": must be dynamic, static or environmental", where, text);
}

static dv_status read_object(const char *key, const json_t *value, const char *scene, dv_scene_object *object) {
    char where[WHERE_SIZE];
    uint64_t id;
    snprintf(where, sizeof where, "%.100s: objects: %.60s", scene, key);
    if (*key < '0' || *key > '9' || dv_parse_u64(key, &id) != DV_OK || id < 1 || id > UINT16_MAX)
        return dv_fail(DV_E_DATA, "%s: must be an id 1 to %d", where, UINT16_MAX);
    const char *name = key;
    object->id = (uint16_t)id;
    DV_TRY(read_motion(value, where, &object->motion));
    if (json_object_get(value, "name")) DV_TRY(dv_json_text_member(value, where, "name", &name));
    return dv_strdup(name, &object->name);
}

static int compare_objects(const void *a, const void *b) {
    return (int)((const dv_scene_object *)a)->id - (int)((const dv_scene_object *)b)->id;
}

static dv_status read_objects(const json_t *json, dv_scene *scene) {
    json_t *list;
    DV_TRY(dv_json_member(json, scene->name, "objects", &list));
    DV_TRY(dv_alloc(json_object_size(list), sizeof *scene->objects, "objects of a scene", &scene->objects));
    const char *key;
    json_t *value;
    json_object_foreach(list, key, value)
        DV_TRY(read_object(key, value, scene->name, &scene->objects[scene->n_objects++]));
    qsort(scene->objects, scene->n_objects, sizeof *scene->objects, compare_objects);
    for (size_t i = 1; i < scene->n_objects; i++)
        if (scene->objects[i].id == scene->objects[i - 1].id)
            return dv_fail(DV_E_DATA, "%s: objects: the id %d stands there twice", scene->name, scene->objects[i].id);
    return DV_OK;
}

static dv_status read_cameras(const json_t *json, dv_scene *scene) {
    const char *initial;
    DV_TRY(dv_json_names_member(json, scene->name, "rig", &scene->rig));
    DV_TRY(dv_json_names_member(json, scene->name, "cameras", &scene->cameras));
    for (size_t i = 0; i < scene->cameras.n; i++)
        if (dv_names_find(&scene->rig, scene->cameras.names[i]) == SIZE_MAX)
            return dv_fail(DV_E_DATA, "%s: cameras: \"%.60s\": must be a camera of the rig", scene->name,
                           scene->cameras.names[i]);
    DV_TRY(dv_json_text_member(json, scene->name, "initial_camera", &initial));
    scene->initial_in_rig = dv_names_find(&scene->rig, initial);
    if (scene->initial_in_rig == SIZE_MAX)
        return dv_fail(DV_E_DATA, "%s: initial_camera: \"%.60s\": must be a camera of the rig", scene->name, initial);
    return dv_strdup(initial, &scene->initial_camera);
}

static dv_status read_frames(const json_t *json, dv_scene *scene) {
    const char *reference;
    DV_TRY(dv_json_names_member(json, scene->name, "frames", &scene->frames));
    DV_TRY(dv_json_text_member(json, scene->name, "reference_frame", &reference));
    scene->reference_frame = dv_names_find(&scene->frames, reference);
    if (scene->reference_frame == SIZE_MAX)
        return dv_fail(DV_E_DATA, "%s: reference_frame: \"%.60s\": must be one of the frames", scene->name, reference);
    DV_TRY(dv_json_count_member(json, scene->name, "height", 1, LONGEST_SIDE, &scene->height));
    return dv_json_count_member(json, scene->name, "width", 1, LONGEST_SIDE, &scene->width);
}

static dv_status read_scene(const char *name, const json_t *json, dv_scene *scene) {
    DV_TRY(dv_json_check_name("scenes", name));
    DV_TRY(dv_strdup(name, &scene->name));
    if (!json_is_object(json)) return dv_fail(DV_E_DATA, "%s: must be an object", name);
    DV_TRY(read_cameras(json, scene));
    DV_TRY(read_frames(json, scene));
    return read_objects(json, scene);
}

static dv_status read_scenes(const json_t *root, dv_scenes *scenes) {
    json_t *list;
    DV_TRY(dv_json_member(root, "the file", "scenes", &list));
    DV_TRY(dv_alloc(json_object_size(list), sizeof *scenes->scenes, "scenes", &scenes->scenes));
    const char *name;
    json_t *value;
    json_object_foreach(list, name, value) DV_TRY(read_scene(name, value, &scenes->scenes[scenes->n++]));
    return DV_OK;
}

dv_status dv_scenes_read(const char *path, dv_scenes *scenes) {
    json_t *root;
    memset(scenes, 0, sizeof *scenes);
    DV_TRY(dv_json_load(path, "muvod-scenes v1", &root));
    const dv_status status = dv_context(read_scenes(root, scenes), "%s", path);
    json_decref(root);
    if (status != DV_OK) dv_scenes_clear(scenes);
    return status;
}

static void clear_scene(dv_scene *scene) {
    for (size_t i = 0; i < scene->n_objects; i++) free(scene->objects[i].name);
    free(scene->objects);
    dv_name_list_clear(&scene->rig);
    dv_name_list_clear(&scene->cameras);
    dv_name_list_clear(&scene->frames);
    free(scene->initial_camera);
    free(scene->name);
}

void dv_scenes_clear(dv_scenes *scenes) {
    for (size_t i = 0; i < scenes->n; i++) clear_scene(&scenes->scenes[i]);
    free(scenes->scenes);
    memset(scenes, 0, sizeof *scenes);
}
