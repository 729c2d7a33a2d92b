/* label_iou.h: IoU of label maps against label maps: folders of PNG or stacks in HDF5 (docs/METRICS.md, "Label maps").
 */
#ifndef DENSEVAL_LABEL_IOU_H
#define DENSEVAL_LABEL_IOU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bootstrap.h"
#include "denseval/class_map.h"
#include "denseval/confusion.h"
#include "denseval/hash.h"
#include "denseval/iou.h"
#include "denseval/labels.h"
#include "denseval/run.h"
#include "denseval/status.h"

DV_C_BEGIN

enum { DV_MATRIX_CLASSES = 1024 }; /* with more, only pairs of classes that occur are counted (a sparse matrix) */
enum { DV_FOODSEG103_CLASSES = 104, DV_FOODSEG103_IGNORED = 255 }; /* background and 103 ingredients */

/* The names of the classes, [DV_FOODSEG103_CLASSES]. Static. */
const char *const *dv_foodseg103_class_names(void);

/* Texts and pointers are borrowed for the call. */
typedef struct dv_label_iou_options {
    const char *truth, *pred; /* folder of PNG files, or an HDF5 file with /labels */
    size_t n_classes;         /* 1..DV_MAX_SPARSE_CLASSES, background included */
    dv_pixel_policy pixels;
    dv_absent absent;
    const bool *excluded;    /* bool [n_classes] or NULL: left out of the means alone */
    const dv_class_map *map; /* applied to the truth, once, before all else; ignored labels that it does not list stay.
                                NULL: none */
    bool resize;             /* a prediction of another size is resized by nearest sampling; else refused */
    double boundary_ratio;   /* what is near a contour, in diagonals of the image (dv_boundary_distance_px); 0: no
                                boundary IoU */
    bool recipes;            /* DV_FOODSEG103_CLASSES classes: also the recipes of FoodSeg103 */
    bool skip_bad, allow_empty;
    size_t n_resamples; /* bootstrap over images; 0: none */
    uint64_t seed;
    size_t n_threads;
    dv_progress_callback progress; /* NULL: none */
    void *progress_user;
} dv_label_iou_options;

/* One image. */
typedef struct dv_label_iou_image {
    char *name;   /* owned */
    bool counted; /* false: bad, and left out by skip_bad; the numbers are then 0 and NaN */
    uint64_t scored_pixels, ignored_pixels, dropped_pixels, correct_pixels;
    double miou;            /* of its own counts, by the policy in force */
    double miou_truth_only; /* the same over the classes of its truth */
    double boundary_miou;   /* NaN where it was not asked for, too */
} dv_label_iou_image;

/* The recipe of FoodSeg103: nothing is ignored (the prediction where the truth is no class is a false positive) and an
 * absent class scores 1; over classes 0..102 as it is written, and over the ingredients 1..103. */
typedef struct dv_label_iou_recipes {
    double miou_0_102, miou_1_103;
} dv_label_iou_recipes;

typedef struct dv_label_iou_result {
    size_t n_images;
    dv_label_iou_image *images; /* [n_images], in natural order of their names; owned */
    size_t n_scored;            /* images that were counted */
    size_t n_left_out;          /* bad ones and those without prediction, by skip_bad */
    size_t n_unused;            /* predictions without truth */
    bool same;                  /* the files of both sides are the same, byte by byte */
    dv_confusion *confusion;    /* of all images; sparse with more than DV_MATRIX_CLASSES classes; owned */
    dv_iou iou;
    double *boundary_iou; /* [n_classes], owned; NULL where it was not asked for */
    double boundary_miou; /* NaN where it was not asked for, as the next one */
    double boundary_mean_of_images;
    double mean_of_images;        /* mean of the images' miou, over those that have one */
    size_t n_mapped;              /* classes that the map leads to, but for 0, ignored and excluded ones; 0: no map */
    double mapped_miou;           /* mean over them alone; NaN without a map */
    dv_label_iou_recipes recipes; /* NaN where they were not asked for */
    dv_interval interval;         /* of miou; n_resamples 0 without bootstrap */
    uint64_t truth_bytes, pred_bytes;
    char truth_hash[DV_HASH_TEXT_SIZE], pred_hash[DV_HASH_TEXT_SIZE]; /* of all names and contents, in order */
    double read_s, count_s;                                           /* seconds of all threads together */
} dv_label_iou_result;

/* Scores every label map of the truth by the prediction of the same name. What the prediction lacks is listed and
 * DV_E_MISSING, what it has beside is logged as a warning. Bad images (unreadable, sizes that differ, labels that are
 * no class: the first pixel is named and how many there are) are listed, the first 20 in full, and fail the run with
 * DV_E_DATA once all were looked at; skip_bad leaves bad and missing ones out. Nothing to score is DV_E_DATA unless
 * allow_empty. Other failures: DV_E_ARG (n_classes), DV_E_IO, DV_E_NOMEM, DV_E_INTERRUPTED.
 * *result  release with dv_label_iou_result_clear; zeroed on failure */
DV_MUST_USE dv_status dv_label_iou_run(const dv_label_iou_options *options, dv_label_iou_result *result);
void dv_label_iou_result_clear(dv_label_iou_result *result);

DV_C_END
#endif
