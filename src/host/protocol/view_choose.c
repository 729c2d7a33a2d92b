#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/viewpoint_choice.h"
#include "protocol/view_object.h"

/* What the choice works on, in its own order of frames. */
typedef struct candidates {
    size_t *frames;     /* [n_frames] of the object; owned */
    double *angles_deg; /* [n_frames], owned */
    bool *usable;       /* [n_frames], owned */
    size_t *chosen;     /* [n_bins] places in these lists; owned */
} candidates;

static dv_status make_candidates(const dv_view_options *options, const dv_view_object *object, candidates *c) {
    const size_t n = object->n_frames;
    DV_TRY(dv_alloc(n, sizeof *c->frames, "candidates", &c->frames));
    DV_TRY(dv_alloc(n, sizeof *c->angles_deg, "candidates", &c->angles_deg));
    DV_TRY(dv_alloc(n, sizeof *c->usable, "candidates", &c->usable));
    DV_TRY(dv_alloc(options->n_bins, sizeof *c->chosen, "candidates", &c->chosen));
    for (size_t i = 0; i < n; i++) {
        c->frames[i] = i;
        c->angles_deg[i] = object->frames[i].angle_deg;
    }
    return DV_OK;
}

static void clear_candidates(candidates *c) {
    free(c->frames);
    free(c->angles_deg);
    free(c->usable);
    free(c->chosen);
}

static int compare_as_text(const void *a, const void *b, void *object) {
    const dv_view_frame *const frames = ((const dv_view_object *)object)->frames;
    return strcmp(frames[*(const size_t *)a].name, frames[*(const size_t *)b].name);
}

/* The pictures that the notebook lists: others do not upset its count. */
static bool is_listed(const char *name) {
    const size_t length = strlen(name);
    return length >= 4 && strcasecmp(name + length - 4, ".jpg") == 0 && !strstr(name, "_bg_removed");
}

/* The notebook sorts poses by number but files as text, and pairs them by place: files without padding get the angle of
 * another. Where the counts differ it stops. */
static dv_status pair_by_place(dv_view_object *object, candidates *c) {
    size_t n_files = object->n_frames;
    for (size_t i = 0; i < object->pictures_without_pose.n; i++)
        n_files += is_listed(object->pictures_without_pose.names[i]);
    if (n_files != object->n_frames)
        return dv_fail(DV_E_DATA, "%s: %zu images but %zu angles: the notebook takes no such capture",
                       object->models[object->model].path, n_files, object->n_frames);
    qsort_r(c->frames, object->n_frames, sizeof *c->frames, compare_as_text, object);
    for (size_t i = 0; i < object->n_frames; i++) c->angles_deg[i] = dv_round_notebook(object->frames[i].angle_deg);
    return DV_OK;
}

static bool reaches_last_bin(const dv_view_options *options, const dv_view_object *object, const candidates *c) {
    for (size_t i = 0; i < object->n_frames; i++)
        if (c->angles_deg[i] >= options->bins[options->n_bins - 1]) return true;
    return false;
}

static dv_status choose(const dv_view_options *options, dv_view_object *object, candidates *c) {
    DV_TRY(make_candidates(options, object, c));
    if (options->notebook) DV_TRY(pair_by_place(object, c));
    for (size_t i = 0; i < object->n_frames; i++) c->usable[i] = object->frames[c->frames[i]].usable;
    const size_t n = object->n_frames, n_bins = options->n_bins;
    (options->notebook ? dv_choose_frames_notebook : dv_choose_frames)(c->angles_deg, c->usable, n, options->bins,
                                                                       n_bins, options->tolerance_deg, c->chosen);
    DV_TRY(dv_alloc(n_bins, sizeof *object->choices, "chosen frames", &object->choices));
    object->accepted = true;
    for (size_t bin = 0; bin < n_bins; bin++) {
        const size_t place = c->chosen[bin];
        const bool missing = place == DV_NO_FRAME;
        const double angle_deg = missing ? NAN : c->angles_deg[place];
        object->choices[bin] = (dv_view_choice){.frame = missing ? SIZE_MAX : c->frames[place],
                                                .angle_deg = angle_deg,
                                                .error_deg = angle_deg - options->bins[bin]};
        if (missing) object->accepted = false;
    }
    if (options->notebook) object->accepted = reaches_last_bin(options, object, c);
    return DV_OK;
}

dv_status dv_view_choose(const dv_view_options *options, dv_view_object *object) {
    candidates c = {0};
    const dv_status status = choose(options, object, &c);
    clear_candidates(&c);
    return status;
}
