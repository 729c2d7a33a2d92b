/* viewpoint_bin.h: camera poses of COLMAP models to viewpoint bins, one frame a bin. */
#ifndef DENSEVAL_VIEWPOINT_BIN_H
#define DENSEVAL_VIEWPOINT_BIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/names.h"
#include "denseval/run.h"
#include "denseval/status.h"

DV_C_BEGIN

enum { DV_MAX_VIEW_BINS = 181 };

typedef enum dv_view_layout {
    DV_VIEW_MODELS = 0,  /* each folder holds a model: images.bin or images.txt, or sub-folders 0, 1, ... of such */
    DV_VIEW_MVIMGNET = 1 /* each folder holds CLASS/INSTANCE/{images,sparse/0} */
} dv_view_layout;

/* Between a frame's camera and that of the reference frame; formulas in docs/METRICS.md, "Viewpoint angles". */
typedef enum dv_view_angle {
    DV_VIEW_ROTATION = 0, /* of the relative rotation, roll included */
    DV_VIEW_AXIS = 1,     /* between the optical axes */
    DV_VIEW_OBJECT = 2    /* unsigned azimuth of the optical axis about `up` */
} dv_view_angle;

typedef enum dv_sparse_model { DV_SPARSE_ZERO = 0, DV_SPARSE_LARGEST = 1 } dv_sparse_model;

typedef struct dv_view_options {
    const char *const *folders; /* [n_folders] */
    size_t n_folders;
    dv_view_layout layout;
    const char
        *masks; /* MVIMGNET: folder of CLASS/INSTANCE/PICTURE.png; a frame without one is not chosen. NULL: none */
    int mask_threshold;  /* 0..65534: masks are read, and one without a pixel above it counts as none; -1: not read */
    const int32_t *bins; /* [n_bins], 0..180 degrees, rising */
    size_t n_bins;
    double tolerance_deg; /* of |angle - bin|; with INFINITY a frame may serve several bins */
    dv_view_angle angle;
    const double *up;      /* f64 [3], OBJECT alone; NULL: normal of the best plane through the camera centres */
    const char *reference; /* name of the frame at angle 0; NULL: the first in natural order */
    dv_sparse_model sparse_model;
    double max_missing; /* share of a class's captures that may be missing, 0..1 */
    bool notebook;      /* choose as the notebook of open-hummingbird-3d-eval does */
    bool skip_bad;
    dv_progress_callback progress; /* NULL: none */
    void *progress_user;
} dv_view_options;

/* A model that was found for an object. */
typedef struct dv_view_model {
    char *number; /* name of its folder; "" where the folder given is the model */
    char *path;
    size_t n_images;
    bool read; /* false: damaged, and not the one in use */
} dv_view_model;

typedef struct dv_view_frame {
    char *name;           /* as in the model */
    double angle_deg;     /* NaN: the notebook's formula has none */
    bool usable;          /* may be chosen: has a mask, or none was asked for */
    char *picture;        /* path; NULL in the layout MODELS */
    char *mask;           /* path; NULL: none */
    uint64_t mask_pixels; /* above the threshold; 0 where masks are not read */
} dv_view_frame;

typedef struct dv_view_choice {
    size_t frame;     /* of the object; SIZE_MAX: the bin is missing, and the angles are NaN */
    double angle_deg; /* with notebook rounded to three decimals, and that of its own pairing of files with angles */
    double error_deg; /* angle - bin */
} dv_view_choice;

typedef struct dv_view_object {
    char *name;             /* CLASS/INSTANCE, or the folder as given */
    size_t class_id;        /* in classes; SIZE_MAX in the layout MODELS */
    char *instance;         /* NULL in the layout MODELS */
    size_t n_models, model; /* which one is in use */
    dv_view_model *models;  /* [n_models], owned */
    size_t n_frames, reference;
    dv_view_frame *frames;   /* [n_frames], natural order of names, owned */
    dv_view_choice *choices; /* [n_bins], owned */
    bool accepted;           /* every bin is filled; with notebook: the largest angle reaches the last bin */
    dv_names pictures_without_pose, frames_without_mask, masks_without_frame; /* leftovers */
} dv_view_object;

/* Over the objects that count: all, with notebook the accepted ones. */
typedef struct dv_view_statistics {
    size_t n_objects, n_accepted;
    size_t *images;                       /* [n_bins] chosen frames of each bin, owned */
    double images_per_bin;                /* their mean */
    double mean_error_deg, std_error_deg; /* of all their errors; sample deviation; NaN where there are too few */
} dv_view_statistics;

typedef struct dv_view_class {
    char *name;
    size_t n_captures, n_missing; /* instance folders, and those that gave no object */
    bool accepted;                /* some object of it is */
    dv_view_statistics statistics;
} dv_view_class;

/* A capture that gave no object. */
typedef struct dv_view_skipped {
    char *name, *reason; /* owned */
    bool bad;            /* left out by skip_bad; else it lacks a model or pictures */
} dv_view_skipped;

typedef struct dv_view_result {
    size_t n_bins, n_objects, n_classes, n_skipped;
    dv_view_object *objects; /* by class, then instance, in natural order; or as given */
    dv_view_class *classes;  /* natural order; none in the layout MODELS */
    dv_view_skipped *skipped;
    dv_view_statistics total; /* over all objects that count */
    bool partial;             /* skip_bad left something out */
} dv_view_result;

/* Reads models, and chooses a frame for each bin: the nearest, ties to the lower name in natural order; within a finite
 * tolerance each frame serves the bin that it is nearest to (half way: the lower). Captures of the layout MVIMGNET
 * without pictures, model or masks are skipped, with a warning; so is every leftover. Bad captures (damaged model, a
 * frame of it without picture, no frame of the name `reference`, no angle) fail the run with DV_E_DATA (DV_E_MISSING
 * where nothing but files is missing) once all were looked at, the first 20 being logged in full; skip_bad leaves them
 * out. Other failures: DV_E_ARG, DV_E_USAGE, DV_E_MISSING (a folder, a model), DV_E_DATA (more of a class is missing
 * than max_missing; no object at all), DV_E_IO, DV_E_NOMEM, DV_E_INTERRUPTED.
 * *result  release with dv_view_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_viewpoint_bin(const dv_view_options *options, dv_view_result *result);
void dv_view_result_clear(dv_view_result *result);

/* The name of a chosen frame in CLASS/BIN/img: INSTANCE_FRAME, with '_' for '/'. *name: the caller's until free() */
DV_MUST_USE dv_status dv_view_link_name(const dv_view_object *object, size_t frame, char **name);

/* Is this object linked: of an accepted class, and with notebook accepted itself? */
bool dv_view_is_linked(const dv_view_options *options, const dv_view_result *result, const dv_view_object *object);

/* Builds FOLDER/CLASS/BIN/{img,mask} of symbolic links to the chosen pictures and masks (LINK_NAME and LINK_NAME.png,
 * as the loader of open-hummingbird-3d-eval reads them), and FOLDER/manifest.json. The folder is complete or absent.
 * manifest  text, borrowed for the call
 * Fails with DV_E_USAGE (the folder exists and force is not given, or it is no result of ours; the layout is not
 * MVIMGNET), DV_E_DATA (two frames with one link name), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_viewpoint_link(const dv_view_options *options, const dv_view_result *result,
                                        const char *folder, bool force, const char *manifest);

DV_C_END
#endif
