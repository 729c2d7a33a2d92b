/* muvod.h: J&F over the cameras of multi-view scenes (docs/METRICS.md, "MUVOD"). */
#ifndef DENSEVAL_MUVOD_H
#define DENSEVAL_MUVOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/gpu_account.h"
#include "denseval/jf.h"
#include "denseval/names.h"
#include "denseval/status.h"

DV_C_BEGIN

/* How an object moves. */
typedef enum dv_motion { DV_MOTION_DYNAMIC = 0, DV_MOTION_STATIC = 1, DV_MOTION_ENVIRONMENTAL = 2 } dv_motion;
enum { DV_N_MOTIONS = 3 };
/* "dynamic", "static", "environmental". Static lifetime. */
const char *dv_motion_name(dv_motion motion);

/* Which objects of a scene count. */
typedef enum dv_muvod_set {
    DV_MUVOD_BASIC = 0,   /* those that the truth of the initial camera's reference frame shows */
    DV_MUVOD_COMPLETE = 1 /* all that the metadata list */
} dv_muvod_set;
enum { DV_N_MUVOD_SETS = 2 };

/* What the paper leaves open; 0 is the default. */
typedef struct dv_muvod_policy {
    bool reference_included; /* the reference frame of the initial camera is scored too */
    bool visible_frames;     /* frames where the truth shows the object alone */
    bool unseen_scored;      /* an object counts in cameras whose scored frames never show it, too */
    bool pooled_by_object;   /* scenes are means over pairs of object and camera, not over cameras */
} dv_muvod_policy;

typedef struct dv_muvod_options {
    const char *meta;           /* metadata of the scenes: docs/FORMATS.md, "muvod-scenes v1" */
    const char *truth, *pred;   /* SCENE/CAMERA/FRAME.png, or mask files */
    const char *sparse_pred;    /* a second prediction, made from fewer cameras; NULL: none */
    const char *const *cameras; /* [n_cameras] cameras to score, in scenes that have them; none: all */
    size_t n_cameras;
    bool quarter;              /* of the rig: those at a distance of 0, 4, 8, ... from the initial camera */
    const char *const *scenes; /* [n_scenes] scenes to score; none: all */
    size_t n_scenes;
    dv_muvod_set set; /* the main one of the two, both are given */
    dv_muvod_policy policy;
    dv_mask_rules rules; /* bound, radii, bipartite; F at the first radius */
    dv_jf_extra extra_ids;
    bool voc_palette, resize, skip_bad, allow_empty;
    const char *backend;
    size_t n_threads;
    dv_gpu_account *account;       /* what is spent on GPUs is added; NULL: nobody wants it */
    dv_progress_callback progress; /* NULL: none */
    void *progress_user;
} dv_muvod_options;

/* NaN with n = 0 where nothing counts. */
typedef struct dv_muvod_score {
    size_t n; /* cameras of a scene, objects of a camera, scenes of the global means */
    double jf, j, f;
} dv_muvod_score;

/* A scene under one set. */
typedef struct dv_muvod_scores {
    dv_muvod_score all, by_motion[DV_N_MOTIONS];
    dv_muvod_score *cameras; /* [n_cameras of the scene], owned */
    size_t n_objects, n_by_motion[DV_N_MOTIONS];
} dv_muvod_scores;

typedef struct dv_muvod_object {
    uint16_t id;
    dv_motion motion;
    char *name; /* owned */
    bool basic;
} dv_muvod_object;

typedef struct dv_muvod_scene {
    char *name;
    size_t n_cameras;
    char **cameras;        /* [n_cameras] those that were scored, in the order of the metadata; owned */
    size_t first_sequence; /* of the result: one a camera, in that order */
    size_t n_objects;
    dv_muvod_object *objects; /* by id, as those of its sequences; owned */
    dv_muvod_scores sets[DV_N_MUVOD_SETS];
    double sparse_jf; /* of the second prediction, under the main set; NaN: none */
} dv_muvod_scene;

/* Unweighted means over the scenes that have the value. */
typedef struct dv_muvod_global {
    dv_muvod_score all, by_motion[DV_N_MOTIONS]; /* of by_motion jf alone */
} dv_muvod_global;

typedef struct dv_muvod_result {
    dv_jf_result jf; /* sequences SCENE/CAMERA; its means are over their objects, as for the protocols of DAVIS */
    size_t n_scenes;
    dv_muvod_scene *scenes; /* in the order of the metadata, owned */
    dv_muvod_global global[DV_N_MUVOD_SETS];
    bool has_sparse;
    dv_muvod_score global_sparse; /* jf alone */
    char sparse_hash[DV_HASH_TEXT_SIZE];
    uint64_t sparse_bytes;
    size_t n_cameras_unscored; /* of the quarter, which the metadata do not list as scored */
} dv_muvod_result;

/* Scores every scene, camera and frame that the metadata list; as dv_jf_run otherwise. An id that the metadata do not
 * list is bad in the truth, and in the prediction unless extra_ids says otherwise; so are other sizes than theirs.
 * Also fails with DV_E_USAGE: a camera or scene that no metadata list.
 * *result  release with dv_muvod_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_muvod_run(const dv_muvod_options *options, dv_muvod_result *result);
void dv_muvod_result_clear(dv_muvod_result *result);

/* One quarter of a rig: is camera `i` of it taken, where `initial` is the initial one? */
bool dv_muvod_in_quarter(size_t i, size_t initial);

DV_C_END
#endif
