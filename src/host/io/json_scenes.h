/* json_scenes.h: metadata of multi-view scenes (docs/FORMATS.md, "muvod-scenes v1"). */
#ifndef DV_IO_JSON_SCENES_H
#define DV_IO_JSON_SCENES_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/muvod.h"

typedef struct dv_scene_object {
    uint16_t id;
    dv_motion motion;
    char *name; /* owned */
} dv_scene_object;

typedef struct dv_scene {
    char *name; /* owned */
    dv_names rig, cameras, frames;
    char *initial_camera;   /* of the rig; owned */
    size_t initial_in_rig;  /* its place there */
    size_t reference_frame; /* of frames */
    size_t height, width;
    size_t n_objects;
    dv_scene_object *objects; /* by id, owned */
} dv_scene;

typedef struct dv_scenes {
    size_t n;
    dv_scene *scenes; /* in the order of the file, owned */
} dv_scenes;

/* Reads and checks the metadata: names are names of folders and files, cameras stand in the rig, ids are 1..65535.
 * Fails as dv_json_load does. *scenes: release with dv_scenes_clear; zeroed on failure */
DV_MUST_USE dv_status dv_scenes_read(const char *path, dv_scenes *scenes);
void dv_scenes_clear(dv_scenes *scenes);

#endif
