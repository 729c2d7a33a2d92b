/* jf_args.h: the options of `denseval jf`, for the files that run its protocols. */
#ifndef DV_APP_JF_ARGS_H
#define DV_APP_JF_ARGS_H

#include <stdbool.h>

#include "app/command.h"
#include "denseval/jf.h"
#include "denseval/muvod.h"
#include "denseval/report.h"

/* Enums whose order is that of the words in the tables. */
typedef enum dv_jf_matching { DV_JF_MATCHING_DILATE = 0, DV_JF_MATCHING_BIPARTITE = 1 } dv_jf_matching;
typedef enum dv_jf_palette { DV_JF_PALETTE_NONE = 0, DV_JF_PALETTE_VOC = 1 } dv_jf_palette;
typedef enum dv_jf_resize { DV_JF_RESIZE_NONE = 0, DV_JF_RESIZE_NEAREST = 1 } dv_jf_resize;
typedef enum dv_jf_reference { DV_JF_REFERENCE_EXCLUDE = 0, DV_JF_REFERENCE_INCLUDE = 1 } dv_jf_reference;
typedef enum dv_jf_frame_choice { DV_JF_FRAMES_ALL = 0, DV_JF_FRAMES_VISIBLE = 1 } dv_jf_frame_choice;
typedef enum dv_jf_unseen { DV_JF_UNSEEN_SKIP = 0, DV_JF_UNSEEN_SCORE = 1 } dv_jf_unseen;
typedef enum dv_jf_pooling { DV_JF_POOLING_CAMERA = 0, DV_JF_POOLING_OBJECT = 1 } dv_jf_pooling;

typedef struct dv_jf_args {
    const char *truth, *pred, *out;
    dv_jf_protocol protocol;
    dv_jf_matching matching;
    dv_number_list radii_px;
    double bound;
    dv_jf_palette palette;
    dv_jf_resize resize;
    dv_jf_extra extra_ids;
    /* DAVIS alone */
    dv_jf_objects objects;
    dv_jf_ends ends;
    dv_jf_void voids;
    dv_jf_assign assign;
    bool single_object;
    size_t n_worst;
    const char *images;
    bool plots;
    /* MUVOD alone */
    const char *meta, *cameras, *scenes, *sparse_pred;
    dv_muvod_set set;
    dv_jf_reference reference;
    dv_jf_frame_choice frames;
    dv_jf_unseen unseen;
    dv_jf_pooling pooling;
} dv_jf_args;

/* What only these protocols take. */
extern const dv_option dv_jf_davis_options[], dv_jf_muvod_options[];

/* DV_E_USAGE where an option of a table was given. whose: the protocol that it is for */
DV_MUST_USE dv_status dv_jf_args_refuse(const dv_app_context *context, const dv_option *table, const char *whose);

/* The options of the library, resolved (dv_jf_options_resolve); texts are borrowed from `args` and `context`. */
DV_MUST_USE dv_status dv_jf_args_options(const dv_app_context *context, const dv_jf_args *args, dv_jf_options *chosen);

/* Settings that all protocols share: protocol, matching, radius, palette and the like. */
void dv_jf_args_report(dv_report *report, const dv_jf_options *chosen);

/* What a result cost: backend, time of the stages, memory (cmd_jf.c). */
void dv_jf_add_resources(dv_report *report, const dv_app_context *context, const dv_jf_result *result,
                         const dv_resources *resources);

#endif
