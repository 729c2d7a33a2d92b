/* objects.h: IoU of objects that were segmented in 3D, from their masks in several views (docs/METRICS.md, "3D
 * targets"). */
#ifndef DENSEVAL_OBJECTS_H
#define DENSEVAL_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/box.h"
#include "denseval/gpu_account.h"
#include "denseval/hash.h"
#include "denseval/names.h"
#include "denseval/run.h"
#include "denseval/status.h"

DV_C_BEGIN

/* What makes a target hard; each has one. */
typedef enum dv_object_category {
    DV_OBJECT_DOMINANT = 0,
    DV_OBJECT_OCCLUDED = 1,
    DV_OBJECT_SMALL = 2,
    DV_OBJECT_COMPLEX = 3
} dv_object_category;
enum { DV_N_OBJECT_CATEGORIES = 4 };

/* "dominant", ... Static. */
const char *dv_object_category_name(dv_object_category category);

/* How the views of a target become one IoU. The reference view, which was prompted, is never one of them; a view is
 * hidden where its truth is empty. */
typedef enum dv_object_views {
    DV_OBJECT_VIEWS_SHOWN = 0,  /* mean over the views that are not hidden */
    DV_OBJECT_VIEWS_ALL = 1,    /* mean over all; a hidden one is 1 where the prediction is empty too, else 0 */
    DV_OBJECT_VIEWS_POOLED = 2, /* sum of intersections over sum of unions of the views that are not hidden */
    DV_OBJECT_VIEWS_FIRST = 3   /* the first one that is not hidden */
} dv_object_views;
enum { DV_N_OBJECT_VIEWS = 4 };

/* One target, as the file of targets describes it. */
typedef struct dv_object_target {
    char *id, *scene, *reference_view; /* owned */
    dv_object_category category;
    dv_names views; /* without the reference view, in the order of the file; owned */
} dv_object_target;

/* A folder of predictions, and what tables call it. Texts are borrowed for the call. */
typedef struct dv_objects_method {
    const char *name, *pred;
} dv_objects_method;

/* Texts are borrowed for the call. */
typedef struct dv_objects_options {
    const char *targets; /* denseval's "objects3d-targets v1", JSON */
    const char *truth;   /* folder TARGET/VIEW.png, or a mask file in HDF5 */
    size_t n_methods;    /* at least 1 */
    const dv_objects_method *methods;
    dv_object_views views;
    bool skip_bad, allow_empty;
    const char *backend;
    size_t n_threads;
    dv_gpu_account *account;       /* what is spent on GPUs is added; NULL: nobody wants it */
    dv_progress_callback progress; /* NULL: none */
    void *progress_user;
} dv_objects_options;

/* A view of a target: whatever is not 0 is object. */
typedef struct dv_object_view {
    bool counted; /* false: bad or missing, and left out by skip_bad */
    uint64_t truth_pixels, pred_pixels, intersection;
} dv_object_view;

/* A target by one method. */
typedef struct dv_object_score {
    dv_object_view *views; /* [n of the target's views], owned */
    size_t n_shown, n_hidden;
    double iou[DV_N_OBJECT_VIEWS]; /* by each dv_object_views; NaN: no view to score */
} dv_object_score;

/* The IoU of some targets; those without one are not among them. */
typedef struct dv_object_group {
    const char *name; /* "all", a category, or a scene; borrowed from the result */
    dv_box box;
    double *values; /* f64 [box.n], rising; owned */
} dv_object_group;

/* All targets by one method. */
typedef struct dv_objects_scores {
    char *name, *pred;        /* owned */
    dv_object_score *targets; /* [n_targets of the result], owned */
    dv_object_group all, categories[DV_N_OBJECT_CATEGORIES];
    dv_object_group *scenes;                 /* [n_scenes of the result], owned */
    double mean_of_category_means;           /* of the categories that have a target with an IoU; NaN: none has */
    size_t n_views_left_out;                 /* by skip_bad */
    size_t n_targets_unused, n_views_unused; /* of the prediction, which the file of targets does not have */
    size_t n_mixed;                          /* masks, on both sides, with more than one value besides 0 */
    bool same;                               /* truth and prediction hold the same masks */
    uint64_t pred_bytes;
    char pred_hash[DV_HASH_TEXT_SIZE]; /* of all masks' names and contents, in order */
} dv_objects_scores;

typedef struct dv_objects_result {
    size_t n_targets;
    dv_object_target *targets; /* in the order of the file; owned */
    size_t n_scenes;
    const char **scenes; /* [n_scenes], in the order of their first targets; owned, the names are the targets' */
    size_t n_methods;
    dv_objects_scores *methods; /* in the order given; owned */
    uint64_t truth_bytes;
    char truth_hash[DV_HASH_TEXT_SIZE]; /* as above */
    double read_s, count_s;             /* seconds of all threads together */
} dv_objects_result;

/* How many views the IoU of a target rests on. */
size_t dv_object_views_scored(const dv_object_score *score, dv_object_views views);

/* Scores every target of the file by every method. Targets and views are joined by name; what is missing on either side
 * is listed and DV_E_MISSING, what the prediction has beside is logged as a warning. Bad masks (unreadable; sizes that
 * differ, from each other or from those of the file) are listed, the first 20 in full, and fail the run with DV_E_DATA
 * once all were looked at; skip_bad leaves bad and missing ones out. No target with an IoU is DV_E_DATA unless
 * allow_empty. Other failures: DV_E_ARG (no method), DV_E_USAGE (backend; methods of one name), DV_E_BACKEND, DV_E_IO,
 * DV_E_NOMEM, DV_E_INTERRUPTED. *result  release with dv_objects_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_objects_run(const dv_objects_options *options, dv_objects_result *result);
void dv_objects_result_clear(dv_objects_result *result);

DV_C_END
#endif
