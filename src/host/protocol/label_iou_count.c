#include "protocol/label_iou_count.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/class_mean.h"
#include "core/clock.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "pipeline/mask_pass_prepare.h"
#include "protocol/label_iou_fault.h"

/* What a worker has. */
typedef struct worker {
    dv_label_map truth, pred;
    dv_confusion *image, *total;            /* of the image at hand, of all of this worker */
    dv_confusion *recipes;                  /* of all of this worker; NULL: not wanted */
    dv_boundary *image_boundary, *boundary; /* as image and total; NULL: not wanted */
    uint64_t *truths, *predicted, *correct; /* [n_classes] of the image at hand */
    double read_s, count_s;
} worker;

/* What became of a job. */
typedef struct outcome {
    char truth_hash[DV_HASH_TEXT_SIZE], pred_hash[DV_HASH_TEXT_SIZE];
    char *fault; /* owned; NULL: none */
} outcome;

typedef struct counting {
    const dv_label_iou_options *options;
    const dv_label_plan *plan;
    dv_label_iou_result *result;
    dv_label_parts *parts;
    dv_label_totals totals;
    dv_pool *pool;
    worker *workers;   /* [threads of the pool] */
    outcome *outcomes; /* [n_jobs] */
} counting;

dv_status dv_label_matrix(size_t n_classes, dv_confusion **out) {
    return n_classes > DV_MATRIX_CLASSES ? dv_confusion_create_sparse(n_classes, out)
                                         : dv_confusion_create(n_classes, out);
}

/* ---- One image -----------------------------------------------------------------------------------------------------
 */

/* Puts the name of the map before the message. */
static dv_status of_map(dv_status status, const counting *c, const dv_mask_job *job, bool is_truth) {
    char name[DV_MESSAGE_SIZE / 2];
    if (status == DV_OK) return status;
    dv_mask_set_name_frame(is_truth ? c->plan->truth : c->plan->pred,
                           is_truth ? job->truth_sequence : job->pred_sequence,
                           is_truth ? job->truth_frame : job->pred_frame, name, sizeof name);
    return dv_context(status, "%s", name);
}

static dv_status read_both(const counting *c, const dv_mask_job *job, worker *w, outcome *o) {
    DV_TRY(dv_mask_set_read(c->plan->truth, job->truth_sequence, job->truth_frame, &w->truth, o->truth_hash));
    return dv_mask_set_read(c->plan->pred, job->pred_sequence, job->pred_frame, &w->pred, o->pred_hash);
}

static dv_status prepare(const counting *c, const dv_mask_job *job, worker *w) {
    const dv_label_iou_options *const options = c->options;
    if (w->truth.height != w->pred.height || w->truth.width != w->pred.width) {
        if (!options->resize)
            return of_map(dv_fail(DV_E_DATA, "%zux%zu, truth %zux%zu (height x width)", w->pred.height, w->pred.width,
                                  w->truth.height, w->truth.width),
                          c, job, false);
        DV_TRY(dv_mask_resize(&w->pred, w->truth.height, w->truth.width));
    }
    if (!options->map) return DV_OK;
    return of_map(dv_label_map_apply(options->map, &options->pixels.ignored, &w->truth), c, job, true);
}

static dv_status add(const counting *c, const dv_mask_job *job, const worker *w) {
    bool of_truth;
    const dv_pixel_policy *const policy = &c->options->pixels;
    const dv_status status =
        dv_confusion_add(w->image, policy, w->truth.labels, w->pred.labels, w->truth.height, w->truth.width);
    if (status != DV_E_DATA && status != DV_E_ARG) return status;
    const dv_status fault = dv_label_fault(policy, c->options->n_classes, &w->truth, &w->pred, &of_truth);
    return of_map(fault, c, job, of_truth);
}

/* Counts an image again with nothing ignored, after `add` took it: a prediction that is no class can stand only where
 * the truth was ignored or dropped, and counts for nothing. The maps are of no more use then. */
static dv_status add_to_recipes(const counting *c, worker *w) {
    enum { NOTHING = UINT16_MAX };
    const uint16_t n = (uint16_t)c->options->n_classes, no_class = n;
    uint16_t *const truth = w->truth.labels, *const pred = w->pred.labels;
    dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    dv_label_set_add(&policy.ignored, NOTHING);
    for (size_t i = 0; i < w->truth.height * w->truth.width; i++)
        truth[i] = pred[i] >= n ? NOTHING : truth[i] >= n ? no_class : truth[i];
    return dv_confusion_add(w->recipes, &policy, truth, pred, w->truth.height, w->truth.width);
}

/* After `add` took the image. */
static dv_status add_boundary(const counting *c, worker *w, dv_label_iou_image *image) {
    const dv_label_iou_options *const options = c->options;
    const size_t height = w->truth.height, width = w->truth.width;
    dv_boundary_clear(w->image_boundary);
    DV_TRY(dv_boundary_add(w->image_boundary, &options->pixels, w->truth.labels, w->pred.labels, height, width,
                           dv_boundary_distance_px(options->boundary_ratio, height, width)));
    DV_TRY(dv_boundary_merge(w->boundary, w->image_boundary));
    dv_boundary_iou(w->image_boundary, options->absent, options->excluded, NULL, &image->boundary_miou);
    return DV_OK;
}

static double mean_of(const counting *c, const worker *w, dv_absent absent) {
    dv_class_mean mean = {0};
    for (size_t k = 0; k < c->options->n_classes; k++) {
        double iou;
        const uint64_t either = w->truths[k] + w->predicted[k] - w->correct[k];
        if (c->options->excluded && c->options->excluded[k]) continue;
        if (dv_absent_iou(absent, w->correct[k], either, w->truths[k], &iou)) dv_class_mean_add(&mean, iou);
    }
    return dv_class_mean_value(&mean);
}

static void fill_parts(const counting *c, const worker *w, size_t job) {
    const size_t n = c->options->n_classes;
    if (!c->parts->truths) return;
    memcpy(c->parts->truths + job * n, w->truths, n * sizeof *w->truths);
    memcpy(c->parts->intersections + job * n, w->correct, n * sizeof *w->correct);
    for (size_t k = 0; k < n; k++) c->parts->unions[job * n + k] = w->truths[k] + w->predicted[k] - w->correct[k];
}

static void fill_image(const counting *c, const worker *w, size_t job) {
    dv_label_iou_image *const image = &c->result->images[job];
    dv_confusion_sums(w->image, w->truths, w->predicted, w->correct);
    for (size_t k = 0; k < c->options->n_classes; k++) {
        image->scored_pixels += w->truths[k];
        image->correct_pixels += w->correct[k];
    }
    image->counted = true;
    image->ignored_pixels = dv_confusion_ignored(w->image);
    image->dropped_pixels = dv_confusion_dropped(w->image);
    image->miou = mean_of(c, w, c->options->absent);
    image->miou_truth_only = mean_of(c, w, DV_ABSENT_TRUTH_ONLY);
    fill_parts(c, w, job);
}

/* What fails leaves no trace in the totals. */
static dv_status count(const counting *c, size_t job, worker *w) {
    const dv_mask_job *const what = &c->plan->jobs[job];
    DV_TRY(prepare(c, what, w));
    dv_confusion_clear(w->image);
    DV_TRY(add(c, what, w));
    if (w->boundary) DV_TRY(add_boundary(c, w, &c->result->images[job]));
    if (w->recipes) DV_TRY(add_to_recipes(c, w));
    DV_TRY(dv_confusion_merge(w->total, w->image));
    fill_image(c, w, job);
    return DV_OK;
}

static dv_status run_image(void *context, size_t job, size_t number) {
    counting *const c = context;
    worker *const w = &c->workers[number];
    outcome *const o = &c->outcomes[job];
    DV_TRY(dv_check_interrupted());
    DV_TRY(
        dv_strdup(dv_mask_set_frame(c->plan->truth, c->plan->jobs[job].truth_sequence, c->plan->jobs[job].truth_frame),
                  &c->result->images[job].name));
    const double begin = dv_steady_s();
    dv_status status = read_both(c, &c->plan->jobs[job], w, o);
    const double middle = dv_steady_s();
    w->read_s += middle - begin;
    if (status == DV_OK) {
        status = count(c, job, w);
        w->count_s += dv_steady_s() - middle;
    }
    if (number == 0 && c->options->progress) /* the caller's own thread */
        c->options->progress(c->options->progress_user, "images", job + 1, c->plan->n_jobs);
    if (status != DV_E_DATA && status != DV_E_MISSING) return status;
    return dv_strdup(dv_last_error(), &o->fault);
}

/* ---- All images ----------------------------------------------------------------------------------------------------
 */

static dv_status make_worker(const counting *c, worker *w) {
    const size_t n = c->options->n_classes;
    DV_TRY(dv_label_matrix(n, &w->image));
    DV_TRY(dv_label_matrix(n, &w->total));
    if (c->totals.recipes) DV_TRY(dv_label_matrix(n, &w->recipes));
    if (c->totals.boundary) {
        DV_TRY(dv_boundary_create(n, &w->image_boundary));
        DV_TRY(dv_boundary_create(n, &w->boundary));
    }
    DV_TRY(dv_alloc(n, sizeof *w->truths, "pixels of a class", &w->truths));
    DV_TRY(dv_alloc(n, sizeof *w->predicted, "pixels of a class", &w->predicted));
    return dv_alloc(n, sizeof *w->correct, "pixels of a class", &w->correct);
}

static dv_status allocate(counting *c) {
    const size_t n_jobs = c->plan->n_jobs;
    size_t n_threads = c->options->n_threads ? c->options->n_threads : 1;
    if (n_threads > n_jobs) n_threads = n_jobs ? n_jobs : 1;
    DV_TRY(dv_alloc(n_jobs, sizeof *c->result->images, "images", &c->result->images));
    c->result->n_images = n_jobs;
    for (size_t i = 0; i < n_jobs; i++) {
        dv_label_iou_image *const image = &c->result->images[i];
        image->miou = image->miou_truth_only = image->boundary_miou = NAN;
    }
    DV_TRY(dv_alloc(n_jobs, sizeof *c->outcomes, "what became of images", &c->outcomes));
    DV_TRY(dv_alloc(n_threads, sizeof *c->workers, "workers on label maps", &c->workers));
    DV_TRY(dv_pool_create(n_threads, &c->pool));
    for (size_t i = 0; i < n_threads; i++) DV_TRY(make_worker(c, &c->workers[i]));
    return dv_label_matrix(c->options->n_classes, &c->result->confusion);
}

static void clear_worker(worker *w) {
    dv_label_map_clear(&w->truth);
    dv_label_map_clear(&w->pred);
    dv_confusion_free(w->image);
    dv_confusion_free(w->total);
    dv_confusion_free(w->recipes);
    dv_boundary_free(w->image_boundary);
    dv_boundary_free(w->boundary);
    free(w->truths);
    free(w->predicted);
    free(w->correct);
}

static void release(counting *c) {
    for (size_t i = 0; c->pool && i < dv_pool_threads(c->pool); i++) clear_worker(&c->workers[i]);
    for (size_t i = 0; c->outcomes && i < c->plan->n_jobs; i++) free(c->outcomes[i].fault);
    dv_pool_free(c->pool);
    free(c->workers);
    free(c->outcomes);
}

/* Lists the faults in the order of the images. */
static dv_status judge(const counting *c) {
    dv_fault_list faults = {.left_out = c->options->skip_bad};
    for (size_t i = 0; i < c->plan->n_jobs; i++)
        if (c->outcomes[i].fault) dv_fault_list_add(&faults, c->outcomes[i].fault);
    c->result->n_left_out += faults.n;
    c->result->n_scored = c->plan->n_jobs - faults.n;
    return dv_fault_list_judge(&faults, DV_E_DATA, "images are bad");
}

static void chain_hashes(const counting *c) {
    dv_label_iou_result *const result = c->result;
    result->same = c->plan->n_jobs > 0;
    for (size_t i = 0; i < c->plan->n_jobs; i++) {
        const dv_mask_job *const job = &c->plan->jobs[i];
        const outcome *const o = &c->outcomes[i];
        dv_mask_set_chain_hash(c->plan->truth, job->truth_sequence, job->truth_frame, o->truth_hash,
                               result->truth_hash);
        dv_mask_set_chain_hash(c->plan->pred, job->pred_sequence, job->pred_frame, o->pred_hash, result->pred_hash);
        result->same &= result->images[i].counted && strcmp(o->truth_hash, o->pred_hash) == 0;
    }
}

/* Whole numbers: the order of the workers cannot matter. */
static dv_status sum_up(const counting *c) {
    for (size_t i = 0; i < dv_pool_threads(c->pool); i++) {
        DV_TRY(dv_confusion_merge(c->result->confusion, c->workers[i].total));
        if (c->totals.recipes) DV_TRY(dv_confusion_merge(c->totals.recipes, c->workers[i].recipes));
        if (c->totals.boundary) DV_TRY(dv_boundary_merge(c->totals.boundary, c->workers[i].boundary));
        c->result->read_s += c->workers[i].read_s;
        c->result->count_s += c->workers[i].count_s;
    }
    return DV_OK;
}

/* Images that were counted move up, so that their rows are the first n_scored. */
static void close_gaps(const counting *c) {
    const size_t n = c->options->n_classes;
    uint64_t *const all[] = {c->parts->intersections, c->parts->unions, c->parts->truths};
    for (size_t part = 0; c->parts->truths && part < sizeof all / sizeof *all; part++)
        for (size_t i = 0, to = 0; i < c->plan->n_jobs; i++)
            if (c->result->images[i].counted) memmove(all[part] + to++ * n, all[part] + i * n, n * sizeof **all);
}

dv_status dv_label_count(const dv_label_iou_options *options, const dv_label_plan *plan, const dv_label_totals *totals,
                         dv_label_parts *parts, dv_label_iou_result *result) {
    counting c = {.options = options, .plan = plan, .result = result, .parts = parts, .totals = *totals};
    dv_status status = allocate(&c);
    if (status == DV_OK) status = dv_pool_run(c.pool, plan->n_jobs, run_image, &c);
    if (status == DV_OK && options->progress)
        options->progress(options->progress_user, "images", plan->n_jobs, plan->n_jobs);
    if (status == DV_OK) status = judge(&c);
    if (status == DV_OK) status = sum_up(&c);
    if (status == DV_OK) {
        chain_hashes(&c);
        close_gaps(&c);
    }
    release(&c);
    return status;
}
