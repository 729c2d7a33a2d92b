#include "protocol/jf_collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "protocol/jf_sequence.h"

enum { NAME_SIZE = DV_MESSAGE_SIZE / 2, VOID_ID = 255 };

static dv_jf_sequence *current(const dv_jf_collector *c) {
    return &c->result->sequences[c->sequence];
}

/* ---- Ids that the prediction alone has -----------------------------------------------------------------------------
 */

static void name_predicted(const dv_jf_collector *c, size_t frame, char *name, size_t size) {
    const dv_mask_set *const pred = c->plan->pred;
    const size_t sequence = dv_mask_set_find_sequence(pred, current(c)->name);
    dv_mask_set_name_frame(pred, sequence, dv_mask_set_find_frame(pred, sequence, current(c)->frames[frame]), name,
                           size);
}

static uint64_t pixels_in(const dv_jf_frames *frames, size_t frame, uint16_t id) {
    const dv_jf_frame *const f = &frames->frames[frame];
    for (size_t i = 0; i < f->n_pred; i++)
        if (frames->pred[f->first_pred + i].id == id) return frames->pred[f->first_pred + i].pixels;
    return 0;
}

/* One fault an id, at the first frame that shows it. */
static void add_extra_fault(dv_jf_collector *c, const dv_jf_extra_id *extra) {
    char name[NAME_SIZE], message[DV_MESSAGE_SIZE], more[NAME_SIZE / 4] = "";
    size_t frame = 0;
    while (!dv_jf_frames_pred_has(&c->frames, frame, extra->id)) frame++;
    name_predicted(c, frame, name, sizeof name);
    if (extra->n_frames > 1)
        snprintf(more, sizeof more, ", %llu in %zu frames", (unsigned long long)extra->pixels, extra->n_frames);
    snprintf(message, sizeof message, "%s: id %d: %llu pixels%s: no object of the %s has this id%s", name, extra->id,
             (unsigned long long)pixels_in(&c->frames, frame, extra->id), more, c->entries ? "metadata" : "truth",
             extra->id == VOID_ID && !c->entries
                 ? "; for masks of 0 and 255 there are --protocol davis2016 and --single-object"
                 : "");
    dv_fault_list_add(&c->faults, message);
}

static void leave_out_frames(dv_jf_collector *c, uint16_t id) {
    for (size_t frame = 0; frame < c->frames.n_frames; frame++)
        if (dv_jf_frames_pred_has(&c->frames, frame, id)) dv_jf_frames_leave_out(&c->frames, frame);
}

static dv_status keep_extra(dv_jf_collector *c, const dv_jf_extra_id *extra, size_t n_extra) {
    dv_jf_result *const result = c->result;
    size_t n, n_bytes;
    if (n_extra == 0) return DV_OK;
    DV_TRY(dv_add_size(result->n_extra, n_extra, "ids of the prediction alone", &n));
    if (n > c->extra_capacity) {
        DV_TRY(dv_mul_size(n + n / 2, sizeof *result->extra, "ids of the prediction alone", &n_bytes));
        dv_jf_extra_id *const made = realloc(result->extra, n_bytes);
        if (!made) return dv_fail(DV_E_NOMEM, "no memory for ids of the prediction alone");
        result->extra = made;
        c->extra_capacity = n + n / 2;
    }
    for (size_t i = 0; i < n_extra; i++) {
        result->extra[result->n_extra + i] = extra[i];
        result->extra[result->n_extra + i].sequence = c->sequence;
    }
    result->n_extra = n;
    return DV_OK;
}

static dv_status judge_extra(dv_jf_collector *c, const dv_jf_extra_id *extra, size_t n_extra) {
    if (c->options->extra_ids == DV_JF_EXTRA_ERROR) {
        for (size_t i = 0; i < n_extra; i++) add_extra_fault(c, &extra[i]);
        for (size_t i = 0; i < n_extra; i++) leave_out_frames(c, extra[i].id);
    }
    return keep_extra(c, extra, n_extra);
}

/* ---- What metadata say ---------------------------------------------------------------------------------------------
 */

static int compare_ids(const void *a, const void *b) {
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static void name_truth(const dv_jf_collector *c, size_t frame, char *name, size_t size) {
    const dv_mask_set *const truth = c->plan->truth;
    const size_t sequence = dv_mask_set_find_sequence(truth, current(c)->name);
    dv_mask_set_name_frame(truth, sequence, dv_mask_set_find_frame(truth, sequence, current(c)->frames[frame]), name,
                           size);
}

static bool is_shown_before(const dv_jf_frames *frames, size_t frame, uint16_t id) {
    for (size_t i = 0; i < frame; i++)
        if (dv_jf_frames_truth_has(frames, i, id)) return true;
    return false;
}

/* One fault for each id of the truth that the metadata do not list, at the first frame that shows it. */
static void judge_truth(dv_jf_collector *c, const dv_jf_entry *entry) {
    char name[NAME_SIZE], message[DV_MESSAGE_SIZE];
    for (size_t frame = 0; frame < c->frames.n_frames; frame++) {
        const dv_jf_frame *const f = &c->frames.frames[frame];
        for (size_t i = f->first_truth; i < f->first_truth + f->n_truth; i++) {
            const dv_jf_size *const found = &c->frames.truth[i];
            if (bsearch(&found->id, entry->ids, entry->n_ids, sizeof found->id, compare_ids) ||
                is_shown_before(&c->frames, frame, found->id))
                continue;
            name_truth(c, frame, name, sizeof name);
            snprintf(message, sizeof message, "%s: id %d: %lu pixels: no object of the metadata has this id", name,
                     found->id, (unsigned long)found->pixels);
            dv_fault_list_add(&c->faults, message);
        }
    }
}

static dv_status check_size(const dv_jf_collector *c, const dv_mask_counts *counts) {
    if (!c->entries) return DV_OK;
    const dv_jf_entry *const entry = &c->entries[c->sequence];
    if (counts->height == entry->height && counts->width == entry->width) return DV_OK;
    return dv_fail(DV_E_DATA, "%zux%zu, the metadata say %zux%zu (height x width)", counts->height, counts->width,
                   entry->height, entry->width);
}

/* The objects of the current sequence; *ids: the caller's until free() */
static dv_status list_objects(dv_jf_collector *c, uint16_t **ids, size_t *n_ids) {
    if (!c->entries) return dv_jf_objects_list(c->options, &c->frames, ids, n_ids);
    const dv_jf_entry *const entry = &c->entries[c->sequence];
    judge_truth(c, entry);
    DV_TRY(dv_alloc(entry->n_ids, sizeof **ids, "objects of a sequence", ids));
    memcpy(*ids, entry->ids, entry->n_ids * sizeof **ids);
    *n_ids = entry->n_ids;
    return DV_OK;
}

/* ---- Sequence after sequence ---------------------------------------------------------------------------------------
 */

/* The objects are found before frames are left out: their truth is good. */
static dv_status score_sequence(dv_jf_collector *c) {
    uint16_t *ids;
    size_t n_ids, n_extra;
    dv_jf_extra_id *extra = NULL;
    DV_TRY(list_objects(c, &ids, &n_ids));
    dv_status status = dv_jf_extra_list(c->options, &c->frames, ids, n_ids, &extra, &n_extra);
    if (status == DV_OK) status = judge_extra(c, extra, n_extra);
    if (status == DV_OK) status = dv_jf_sequence_score(c->options, &c->frames, ids, n_ids, extra, n_extra, current(c));
    free(extra);
    free(ids);
    return status;
}

static dv_status finish_sequence(dv_jf_collector *c) {
    dv_jf_sequence *const sequence = current(c);
    DV_TRY(score_sequence(c));
    for (size_t frame = 0; frame < sequence->n_frames; frame++) c->result->n_frames_skipped += sequence->skipped[frame];
    if (isnan(sequence->j_mean) && c->faults.n == 0)
        dv_log(DV_LOG_WARNING, "%s: sequence %s is not scored: %zu frames, %zu of them scored, %zu objects",
               c->options->truth, sequence->name, sequence->n_frames, sequence->n_scored_frames, sequence->n_objects);
    c->sequence++;
    return c->sequence < c->result->n_sequences ? dv_jf_frames_begin(&c->frames, current(c)->n_frames) : DV_OK;
}

dv_status dv_jf_collect_begin(dv_jf_collector *collector) {
    collector->sequence = 0;
    collector->faults.left_out = collector->options->skip_bad;
    return dv_jf_frames_begin(&collector->frames, current(collector)->n_frames);
}

dv_status dv_jf_collect_take(void *user, size_t job, const dv_mask_counts *counts) {
    dv_jf_collector *const c = user;
    const dv_mask_job *const what = &c->plan->jobs[job];
    const dv_jf_place *const place = &c->plan->places[job];
    while (c->sequence < place->sequence) DV_TRY(finish_sequence(c));
    dv_status status = check_size(c, counts);
    if (status == DV_OK) status = dv_jf_frames_add(&c->frames, place->frame, counts);
    if (status != DV_E_DATA) return status;
    char name[NAME_SIZE], message[DV_MESSAGE_SIZE];
    dv_mask_set_name_frame(c->plan->truth, what->truth_sequence, what->truth_frame, name, sizeof name);
    snprintf(message, sizeof message, "%s: %.*s", name, NAME_SIZE / 2, dv_last_error());
    dv_fault_list_add(&c->faults, message);
    return DV_OK;
}

dv_status dv_jf_collect_end(dv_jf_collector *collector) {
    while (collector->sequence < collector->result->n_sequences) DV_TRY(finish_sequence(collector));
    return dv_fault_list_judge(&collector->faults, DV_E_DATA, "frames or ids are bad");
}

void dv_jf_collect_clear(dv_jf_collector *collector) {
    dv_jf_frames_clear(&collector->frames);
}
