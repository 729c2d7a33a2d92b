#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/json_read.h"
#include "protocol/muvod_plan.h"

bool dv_muvod_in_quarter(size_t i, size_t initial) {
    return (i > initial ? i - initial : initial - i) % 4 == 0;
}

static bool is_in(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static bool takes_scene(const dv_muvod_options *options, const dv_scene *scene) {
    return options->n_scenes == 0 || is_in(scene->name, options->scenes, options->n_scenes);
}

static bool takes_camera(const dv_muvod_options *options, const dv_scene *scene, const char *camera) {
    if (options->n_cameras) return is_in(camera, options->cameras, options->n_cameras);
    return !options->quarter || dv_muvod_in_quarter(dv_names_find(&scene->rig, camera), scene->initial_in_rig);
}

static dv_status check_scenes(const dv_muvod_options *options, const dv_scenes *scenes) {
    for (size_t i = 0; i < options->n_scenes; i++) {
        size_t s = 0;
        while (s < scenes->n && strcmp(scenes->scenes[s].name, options->scenes[i]) != 0) s++;
        if (s == scenes->n)
            return dv_fail(DV_E_USAGE, "%s: no scene \"%s\" among its %zu", options->meta, options->scenes[i],
                           scenes->n);
    }
    return DV_OK;
}

static dv_status check_cameras(const dv_muvod_options *options, const dv_scenes *scenes) {
    for (size_t i = 0; i < options->n_cameras; i++) {
        size_t s = 0;
        while (s < scenes->n && (!takes_scene(options, &scenes->scenes[s]) ||
                                 dv_names_find(&scenes->scenes[s].cameras, options->cameras[i]) == SIZE_MAX))
            s++;
        if (s == scenes->n)
            return dv_fail(DV_E_USAGE, "%s: no chosen scene has a camera \"%s\"", options->meta, options->cameras[i]);
    }
    return DV_OK;
}

static void add_cameras(const dv_muvod_options *options, const dv_scene *scene, const uint16_t *ids,
                        dv_muvod_choice *choice) {
    for (size_t i = 0; i < scene->cameras.n; i++) {
        const char *const name = scene->cameras.names[i];
        if (!takes_camera(options, scene, name)) continue;
        choice->entries[choice->n_cameras] = (dv_jf_entry){ids, scene->n_objects, scene->height, scene->width};
        choice->cameras[choice->n_cameras++] = (dv_muvod_camera){
            scene, name, !options->policy.reference_included && strcmp(name, scene->initial_camera) == 0};
    }
    for (size_t i = 0; options->quarter && i < scene->rig.n; i++)
        choice->n_unscored += dv_muvod_in_quarter(i, scene->initial_in_rig) &&
                              dv_names_find(&scene->cameras, scene->rig.names[i]) == SIZE_MAX;
}

static dv_status list_ids(const dv_scene *scene, uint16_t **ids) {
    DV_TRY(dv_alloc(scene->n_objects, sizeof **ids, "ids of a scene", ids));
    for (size_t i = 0; i < scene->n_objects; i++) (*ids)[i] = scene->objects[i].id;
    return DV_OK;
}

dv_status dv_muvod_choose(const dv_muvod_options *options, const dv_scenes *scenes, dv_muvod_choice *choice) {
    size_t n_cameras = 0;
    memset(choice, 0, sizeof *choice);
    DV_TRY(check_scenes(options, scenes));
    DV_TRY(check_cameras(options, scenes));
    for (size_t i = 0; i < scenes->n; i++) n_cameras += scenes->scenes[i].cameras.n;
    DV_TRY(dv_alloc(scenes->n, sizeof(const dv_scene *), "chosen scenes", &choice->scenes));
    DV_TRY(dv_alloc(scenes->n, sizeof(uint16_t *), "ids of scenes", &choice->ids));
    DV_TRY(dv_alloc(scenes->n + 1, sizeof *choice->first_camera, "chosen scenes", &choice->first_camera));
    DV_TRY(dv_alloc(n_cameras, sizeof *choice->cameras, "chosen cameras", &choice->cameras));
    DV_TRY(dv_alloc(n_cameras, sizeof *choice->entries, "chosen cameras", &choice->entries));
    for (size_t i = 0; i < scenes->n; i++) {
        const dv_scene *const scene = &scenes->scenes[i];
        if (!takes_scene(options, scene)) continue;
        DV_TRY(list_ids(scene, &choice->ids[choice->n_scenes]));
        add_cameras(options, scene, choice->ids[choice->n_scenes], choice);
        choice->scenes[choice->n_scenes++] = scene;
        choice->first_camera[choice->n_scenes] = choice->n_cameras;
    }
    return DV_OK;
}

void dv_muvod_choice_clear(dv_muvod_choice *choice) {
    for (size_t i = 0; i < choice->n_scenes; i++) free(choice->ids[i]);
    free(choice->ids);
    free(choice->scenes);
    free(choice->first_camera);
    free(choice->cameras);
    free(choice->entries);
    memset(choice, 0, sizeof *choice);
}
