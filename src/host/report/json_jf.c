#include <math.h>

#include "report/json_jf.h"
#include "report/json_report.h"

static json_t *real_list(dv_report *report, const double *values, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, dv_json_real(values[i]));
    return list;
}

static void set_curve(dv_report *report, json_t *object, const char *const *names, const dv_curve_statistics *curve) {
    dv_report_set(report, object, names[0], dv_json_real(curve->mean));
    dv_report_set(report, object, names[1], dv_json_real(curve->recall));
    dv_report_set(report, object, names[2], dv_json_real(curve->decay));
}

static const char *const j_names[] = {"j_mean", "j_recall", "j_decay"};
static const char *const f_names[] = {"f_mean", "f_recall", "f_decay"};

/* ---- Sequences -----------------------------------------------------------------------------------------------------
 */

/* Where an object is not scored in every scored frame of its sequence: the frames that it is scored in. */
static void set_frame_names(dv_report *report, json_t *made, const dv_jf_sequence *sequence,
                            const dv_jf_object *object) {
    if (object->n_frames == sequence->n_scored_frames) return;
    json_t *const list = json_array();
    for (size_t i = 0; i < object->n_frames; i++)
        dv_report_append(report, list, dv_json_text(sequence->frames[object->frames[i]]));
    dv_report_set(report, made, "frame_names", list);
}

static json_t *object_radii(dv_report *report, const dv_jf_result *result, const dv_jf_sequence *sequence,
                            const dv_jf_object *object) {
    json_t *const list = json_array();
    for (size_t r = 0; r < result->n_radii; r++) {
        json_t *const made = json_object();
        dv_report_set(report, made, "radius_px", dv_json_count(sequence->radii_px[r]));
        set_curve(report, made, f_names, &object->f_statistics[r]);
        dv_report_set(report, made, "f", real_list(report, object->f + r * object->n_frames, object->n_frames));
        dv_report_append(report, list, made);
    }
    return list;
}

static json_t *object_of(dv_report *report, const dv_jf_result *result, const dv_jf_sequence *sequence,
                         const dv_jf_object *object) {
    json_t *const made = json_object();
    dv_report_set(report, made, "id", dv_json_count(object->id));
    dv_report_set(report, made, "matched_id", object->matched_id ? dv_json_count(object->matched_id) : json_null());
    if (object->extra) dv_report_set(report, made, "extra", json_true());
    dv_report_set(report, made, "frames", dv_json_count(object->n_frames));
    dv_report_set(report, made, "jf_mean",
                  dv_json_real((object->j_statistics.mean + object->f_statistics[0].mean) / 2));
    set_curve(report, made, j_names, &object->j_statistics);
    set_curve(report, made, f_names, &object->f_statistics[0]);
    dv_report_set(report, made, "j", real_list(report, object->j, object->n_frames));
    dv_report_set(report, made, "f", real_list(report, object->f, object->n_frames));
    set_frame_names(report, made, sequence, object);
    if (result->n_radii > 1) dv_report_set(report, made, "radii", object_radii(report, result, sequence, object));
    return made;
}

static json_t *size_of(dv_report *report, const dv_jf_sequence *sequence) {
    if (sequence->height == 0) return json_null();
    json_t *const size = json_array();
    dv_report_append(report, size, dv_json_count(sequence->height));
    dv_report_append(report, size, dv_json_count(sequence->width));
    return size;
}

static json_t *scored_names(dv_report *report, const dv_jf_sequence *sequence) {
    json_t *const list = json_array();
    for (size_t i = 0; i < sequence->n_frames; i++)
        if (sequence->scored[i]) dv_report_append(report, list, dv_json_text(sequence->frames[i]));
    return list;
}

static json_t *sequence_of(dv_report *report, const dv_jf_result *result, const dv_jf_sequence *sequence) {
    json_t *const made = json_object(), *const objects = json_array();
    for (size_t i = 0; i < sequence->n_objects; i++)
        dv_report_append(report, objects, object_of(report, result, sequence, &sequence->objects[i]));
    dv_report_set(report, made, "name", dv_json_text(sequence->name));
    dv_report_set(report, made, "size", size_of(report, sequence));
    dv_report_set(report, made, "radius_px", sequence->height ? dv_json_count(sequence->radii_px[0]) : json_null());
    dv_report_set(report, made, "frames", dv_json_count(sequence->n_scored_frames));
    dv_report_set(report, made, "jf_mean", dv_json_real((sequence->j_mean + sequence->f_mean[0]) / 2));
    dv_report_set(report, made, "j_mean", dv_json_real(sequence->j_mean));
    dv_report_set(report, made, "f_mean", dv_json_real(sequence->f_mean[0]));
    dv_report_set(report, made, "objects", objects);
    dv_report_set(report, made, "frame_names", scored_names(report, sequence));
    return made;
}

/* ---- Totals --------------------------------------------------------------------------------------------------------
 */

static json_t *mean_of(dv_report *report, const char *unit, const dv_jf_mean *mean) {
    json_t *const made = json_object();
    dv_report_set(report, made, unit, dv_json_count(mean->n));
    dv_report_set(report, made, "jf_mean", dv_json_real(mean->jf));
    dv_report_set(report, made, "j_mean", dv_json_real(mean->j));
    dv_report_set(report, made, "f_mean", dv_json_real(mean->f));
    return made;
}

static void set_total(dv_report *report, const dv_jf_result *result) {
    json_t *const total = json_object();
    set_curve(report, total, j_names, &result->j_statistics);
    set_curve(report, total, f_names, &result->f_statistics[0]);
    dv_report_real(report, "jf_mean", result->per_object[0].jf);
    const char *name;
    json_t *value;
    json_object_foreach(total, name, value) dv_report_top(report, name, json_incref(value));
    json_decref(total);
    dv_report_count(report, "objects", result->per_object[0].n);
    dv_report_top(report, "per_sequence", mean_of(report, "sequences", &result->per_sequence[0]));
    dv_report_top(report, "per_frame", mean_of(report, "frames", &result->per_frame[0]));
}

/* Radii that were asked for hold in every sequence; one from the diagonal stands with its sequence. */
static void set_radii(dv_report *report, const dv_jf_result *result) {
    json_t *const list = json_array();
    for (size_t r = 0; r < result->n_radii; r++) {
        json_t *const made = json_object();
        dv_report_set(report, made, "radius_px", dv_json_count(result->radii_px[r]));
        dv_report_set(report, made, "jf_mean", dv_json_real(result->per_object[r].jf));
        set_curve(report, made, f_names, &result->f_statistics[r]);
        dv_report_append(report, list, made);
    }
    dv_report_top(report, "radii", list);
}

static void set_extra(dv_report *report, const dv_jf_result *result) {
    json_t *const list = json_array();
    for (size_t i = 0; i < result->n_extra; i++) {
        const dv_jf_extra_id *const extra = &result->extra[i];
        json_t *const made = json_object();
        dv_report_set(report, made, "sequence", dv_json_text(result->sequences[extra->sequence].name));
        dv_report_set(report, made, "id", dv_json_count(extra->id));
        dv_report_set(report, made, "frames", dv_json_count(extra->n_frames));
        dv_report_set(report, made, "pixels", dv_json_count(extra->pixels));
        dv_report_append(report, list, made);
    }
    dv_report_top(report, "extra_ids", list);
}

static void set_skipped(dv_report *report, const dv_jf_result *result) {
    json_t *const list = json_array();
    for (size_t i = 0; i < result->n_sequences; i++) {
        const dv_jf_sequence *const sequence = &result->sequences[i];
        for (size_t frame = 0; frame < sequence->n_frames; frame++) {
            if (!sequence->skipped[frame]) continue;
            json_t *const made = json_object();
            dv_report_set(report, made, "sequence", dv_json_text(sequence->name));
            dv_report_set(report, made, "frame", dv_json_text(sequence->frames[frame]));
            dv_report_append(report, list, made);
        }
    }
    dv_report_top(report, "skipped", list);
}

void dv_report_jf_sequences(dv_report *report, const dv_jf_result *result) {
    json_t *const sequences = json_array();
    for (size_t i = 0; i < result->n_sequences; i++)
        dv_report_append(report, sequences, sequence_of(report, result, &result->sequences[i]));
    dv_report_top(report, "sequences", sequences);
    set_extra(report, result);
    set_skipped(report, result);
    dv_report_count(report, "unused_sequences", result->n_sequences_unused);
    dv_report_count(report, "unused_frames", result->n_frames_unused);
    dv_report_count(report, "ignored_pixels", result->ignored_pixels);
    dv_report_top(report, "same", json_boolean(result->same));
    dv_report_top(report, "partial", json_boolean(result->n_frames_skipped));
}

void dv_report_jf(dv_report *report, const dv_jf_options *options, const dv_jf_result *result) {
    dv_report_hashed_input(report, options->truth, result->truth_bytes, result->truth_hash);
    dv_report_hashed_input(report, options->pred, result->pred_bytes, result->pred_hash);
    set_total(report, result);
    if (result->n_radii > 1) set_radii(report, result);
    dv_report_jf_sequences(report, result);
}
