/* muvod_plan.h: what of scenes, cameras and frames is scored. */
#ifndef DV_PROTOCOL_MUVOD_PLAN_H
#define DV_PROTOCOL_MUVOD_PLAN_H

#include "denseval/muvod.h"
#include "io/json_scenes.h"
#include "protocol/jf_collect.h"

/* One camera of one scene. */
typedef struct dv_muvod_camera {
    const dv_scene *scene;
    const char *name;
    bool skips_reference; /* the initial camera, whose reference frame is given */
} dv_muvod_camera;

/* Chosen scenes with their cameras, scene after scene. */
typedef struct dv_muvod_choice {
    size_t n_scenes;
    const dv_scene **scenes; /* [n_scenes], owned */
    size_t *first_camera;    /* [n_scenes + 1], owned */
    size_t n_cameras;
    dv_muvod_camera *cameras; /* [n_cameras], owned */
    dv_jf_entry *entries;     /* [n_cameras] objects and size of their scenes; owned */
    uint16_t **ids;           /* [n_scenes] owned */
    size_t n_unscored;        /* of the quarter of a rig, which are no scored cameras */
} dv_muvod_choice;

/* Chooses scenes and cameras. Fails with DV_E_USAGE (a name that no scene has), DV_E_NOMEM.
 * scenes   borrowed until dv_muvod_choice_clear, which is due on failure too */
DV_MUST_USE dv_status dv_muvod_choose(const dv_muvod_options *options, const dv_scenes *scenes,
                                      dv_muvod_choice *choice);
void dv_muvod_choice_clear(dv_muvod_choice *choice);

/* Opens both sides and joins what was chosen: sequences of *result, one a camera, and jobs. What a side lacks is listed
 * and DV_E_MISSING. *plan: release with dv_jf_plan_clear, on failure too */
DV_MUST_USE dv_status dv_muvod_plan_make(const dv_muvod_options *options, const dv_muvod_choice *choice,
                                         const char *pred, dv_jf_plan *plan, dv_jf_result *result);

#endif
