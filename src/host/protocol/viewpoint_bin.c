#include "denseval/viewpoint_bin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "protocol/view_object.h"
#include "protocol/view_places.h"
#include "protocol/view_statistics.h"

enum { NAMES_LOGGED = 3 };

typedef struct run {
    const dv_view_options *options;
    dv_view_places places;
    dv_view_result *result;
    dv_fault_list bad, skipped, leftovers;
    size_t n_missing_files; /* bad captures of DV_E_MISSING */
} run;

static dv_status check_options(const dv_view_options *o) {
    if (!o->n_folders) return dv_fail(DV_E_ARG, "no folder is given");
    if (!o->n_bins || o->n_bins > DV_MAX_VIEW_BINS)
        return dv_fail(DV_E_ARG, "%zu bins: must be 1..%d", o->n_bins, DV_MAX_VIEW_BINS);
    for (size_t i = 0; i < o->n_bins; i++)
        if (o->bins[i] < 0 || o->bins[i] > 180 || (i && o->bins[i] <= o->bins[i - 1]))
            return dv_fail(DV_E_ARG, "bin %d: must be 0..180 and rise", (int)o->bins[i]);
    if (!(o->tolerance_deg >= 0)) return dv_fail(DV_E_ARG, "the tolerance must be 0 or more");
    if (o->up && !(fabs(o->up[0]) + fabs(o->up[1]) + fabs(o->up[2]) > 0))
        return dv_fail(DV_E_ARG, "up has no direction");
    if (o->masks && o->layout != DV_VIEW_MVIMGNET) return dv_fail(DV_E_ARG, "masks: only in the layout mvimgnet");
    return DV_OK;
}

static dv_status make_room(run *r) {
    dv_view_result *const result = r->result;
    const size_t n = r->places.n;
    result->n_bins = r->options->n_bins;
    DV_TRY(dv_alloc(n, sizeof *result->objects, "a list of objects", &result->objects));
    DV_TRY(dv_alloc(n, sizeof *result->skipped, "a list of captures", &result->skipped));
    return dv_alloc(n, sizeof *result->classes, "a list of classes", &result->classes);
}

/* The class of a capture is the last one or a new one: captures come sorted. */
static dv_status enter_class(run *r, const dv_view_place *place) {
    dv_view_result *const result = r->result;
    const size_t n = result->n_classes;
    if (!place->class_name) return DV_OK;
    if (n == 0 || strcmp(result->classes[n - 1].name, place->class_name) != 0) {
        DV_TRY(dv_strdup(place->class_name, &result->classes[n].name));
        result->n_classes++;
    }
    result->classes[result->n_classes - 1].n_captures++;
    return DV_OK;
}

static void log_leftovers(run *r, const char *name, const dv_names *names, const char *what) {
    char line[DV_MESSAGE_SIZE];
    size_t length = (size_t)snprintf(line, sizeof line, "%s: %zu %s:", name, names->n, what);
    for (size_t i = 0; i < names->n && i < NAMES_LOGGED && length < sizeof line; i++)
        length += (size_t)snprintf(line + length, sizeof line - length, "%s %s", i ? "," : "", names->names[i]);
    if (names->n > NAMES_LOGGED && length < sizeof line) snprintf(line + length, sizeof line - length, ", ...");
    if (names->n) dv_fault_list_add(&r->leftovers, line);
}

static dv_status add_skipped(run *r, const dv_view_place *place, const char *reason, bool bad) {
    dv_view_skipped *const skipped = &r->result->skipped[r->result->n_skipped];
    DV_TRY(dv_strdup(place->name, &skipped->name));
    r->result->n_skipped++;
    skipped->bad = bad;
    return dv_strdup(reason, &skipped->reason);
}

static dv_status skip(run *r, const dv_view_place *place, const char *reason) {
    char line[DV_MESSAGE_SIZE];
    snprintf(line, sizeof line, "%s: %s", place->name, reason);
    dv_fault_list_add(&r->skipped, line);
    return add_skipped(r, place, reason, false);
}

static dv_status take_bad(run *r, const dv_view_place *place, dv_status status) {
    if (status != DV_E_DATA && status != DV_E_MISSING) return status;
    char reason[DV_MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", dv_last_error());
    dv_fault_list_add(&r->bad, reason);
    r->n_missing_files += status == DV_E_MISSING;
    return add_skipped(r, place, reason, true);
}

static void keep(run *r, const dv_view_place *place, dv_view_object *object) {
    dv_view_result *const result = r->result;
    log_leftovers(r, place->name, &object->pictures_without_pose, "pictures are not in the model");
    log_leftovers(r, place->name, &object->frames_without_mask, "frames have no mask");
    log_leftovers(r, place->name, &object->masks_without_frame, "masks have no frame");
    if (place->class_name) object->class_id = result->n_classes - 1;
    result->objects[result->n_objects++] = *object;
    *object = (dv_view_object){0};
}

static dv_status take_one(run *r, const dv_view_place *place) {
    const dv_view_capture capture = {
        .name = place->name, .folder = place->folder, .instance = place->instance, .masks = place->masks};
    dv_view_object object;
    const char *reason;
    DV_TRY(enter_class(r, place));
    dv_status status = dv_view_object_make(r->options, &capture, &object, &reason);
    const bool gives_object = status == DV_OK && !reason;
    if (place->class_name) r->result->classes[r->result->n_classes - 1].n_missing += !gives_object;
    if (gives_object)
        keep(r, place, &object);
    else
        status = status == DV_OK ? skip(r, place, reason) : take_bad(r, place, status);
    dv_view_object_clear(&object);
    return status;
}

static dv_status judge_bad(run *r) {
    dv_fault_list_end(&r->skipped);
    dv_fault_list_end(&r->leftovers);
    dv_fault_list_end(&r->bad);
    r->result->partial = r->bad.n > 0;
    if (!r->bad.n || r->options->skip_bad) return DV_OK;
    const dv_status status = r->n_missing_files == r->bad.n ? DV_E_MISSING : DV_E_DATA;
    if (r->bad.n == 1) return dv_fail(status, "%s", r->bad.first);
    return dv_fail(status, "%zu of %zu captures are bad, the first: %s", r->bad.n, r->places.n, r->bad.first);
}

static dv_status judge_missing(const run *r) {
    dv_fault_list classes = {0};
    for (size_t c = 0; c < r->result->n_classes; c++) {
        const dv_view_class *const of_class = &r->result->classes[c];
        char line[DV_MESSAGE_SIZE];
        const double share = (double)of_class->n_missing / (double)of_class->n_captures;
        if (!(share > r->options->max_missing)) continue;
        snprintf(line, sizeof line,
                 "class %s: %zu of %zu captures are missing, a share of %.3f: --max-missing allows %g", of_class->name,
                 of_class->n_missing, of_class->n_captures, share, r->options->max_missing);
        dv_fault_list_add(&classes, line);
    }
    dv_fault_list_end(&classes);
    if (classes.n == 1) return dv_fail(DV_E_DATA, "%s", classes.first);
    if (classes.n)
        return dv_fail(DV_E_DATA, "%zu of %zu classes lack captures, the first: %s", classes.n, r->result->n_classes,
                       classes.first);
    if (!r->result->n_objects)
        return dv_fail(DV_E_DATA, "none of %zu captures could be used: nothing to choose from", r->places.n);
    return DV_OK;
}

static void log_unaccepted(const run *r) {
    for (size_t c = 0; c < r->result->n_classes; c++)
        if (!r->result->classes[c].accepted)
            dv_log(DV_LOG_WARNING, "class %s: not accepted: no object of it %s", r->result->classes[c].name,
                   r->options->notebook ? "reaches the last bin" : "fills every bin");
}

static dv_status run_all(run *r) {
    const dv_view_options *const o = r->options;
    DV_TRY(dv_view_places_find(o, &r->places));
    DV_TRY(make_room(r));
    for (size_t i = 0; i < r->places.n; i++) {
        DV_TRY(dv_check_interrupted());
        if (o->progress) o->progress(o->progress_user, "captures", i, r->places.n);
        DV_TRY(take_one(r, &r->places.places[i]));
    }
    if (o->progress) o->progress(o->progress_user, "captures", r->places.n, r->places.n);
    DV_TRY(judge_bad(r));
    DV_TRY(judge_missing(r));
    DV_TRY(dv_view_statistics_fill(o, r->result));
    log_unaccepted(r);
    return DV_OK;
}

dv_status dv_viewpoint_bin(const dv_view_options *options, dv_view_result *result) {
    *result = (dv_view_result){0};
    DV_TRY(check_options(options));
    run *r;
    DV_TRY(dv_alloc(1, sizeof *r, "a run", &r));
    r->options = options;
    r->result = result;
    r->bad.left_out = options->skip_bad;
    r->skipped.left_out = r->leftovers.left_out = true;
    const dv_status status = run_all(r);
    dv_view_places_clear(&r->places);
    free(r);
    if (status != DV_OK) dv_view_result_clear(result);
    return status;
}

void dv_view_result_clear(dv_view_result *result) {
    for (size_t i = 0; i < result->n_objects; i++) dv_view_object_clear(&result->objects[i]);
    for (size_t i = 0; i < result->n_classes; i++) {
        free(result->classes[i].name);
        free(result->classes[i].statistics.images);
    }
    for (size_t i = 0; i < result->n_skipped; i++) {
        free(result->skipped[i].name);
        free(result->skipped[i].reason);
    }
    free(result->objects);
    free(result->classes);
    free(result->skipped);
    free(result->total.images);
    *result = (dv_view_result){0};
}
