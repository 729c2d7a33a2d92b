/* bench_jf.c: the counting of masks: how fast contours are taken and matched. The maps are made in bench_jf_maps.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_jf_maps.h"
#include "app/bench_stages.h"
#include "app/message.h"

enum { SMALL_HEIGHT = 96, SMALL_WIDTH = 171, LARGEST = 16384, LARGEST_OBJECTS = 10 };
static const size_t default_objects[] = {1, 3, 10, 50}, largest_objects[] = {LARGEST_OBJECTS};
static const size_t default_sizes[][2] = {{480, 854}, {1080, 1920}, {2160, 3840}, {LARGEST, LARGEST}};
static const size_t MOST_BYTES = (size_t)256 << 20; /* of the maps of a row, unless a single frame takes more */

const dv_option dv_bench_jf_options[] = {
    {"frames", "N", "frames of a row, fewer where they are large [16]", DV_OPT_COUNT,
     offsetof(dv_bench_jf_args, frames), 1, 65536},
    {"height", "N", "pixels of a column, with --width [480 to 16384]", DV_OPT_COUNT, offsetof(dv_bench_jf_args, height),
     1, 65535},
    {"width", "N", "pixels of a row, with --height", DV_OPT_COUNT, offsetof(dv_bench_jf_args, width), 1, 65535},
    {"objects", "LIST", "numbers of objects in a frame [1,3,10,50]", DV_OPT_SIZES, offsetof(dv_bench_jf_args, objects),
     1, DV_BENCH_MOST_BLOBS},
    {"matching", "dilate|bipartite", "what a matched contour pixel is [dilate]", DV_OPT_CHOICE,
     offsetof(dv_bench_jf_args, matching), 0, 0},
    {0},
};

static const dv_bench_column columns[] = {
    {"backend", "backend", "", -9, 0},     {"height", "height", "(px)", 7, 0},
    {"width", "width", "(px)", 7, 0},      {"objects", "objects", "(1)", 8, 0},
    {"frames", "frames", "(1)", 7, 0},     {"p50_ms", "p50", "(ms)", 9, 2},
    {"best_ms", "best", "(ms)", 9, 2},     {"object_frame_ms", "a thread", "(ms/obj)", 9, 4},
    {"rate_fps", "rate", "(1/s)", 9, 1},   {"traffic_gbps", "traffic", "(GB/s)", 8, 2},
    {"peak_percent", "peak", "(%)", 6, 1}, {0},
};

/* Counters of one device, one a thread, and what they found in each frame. */
typedef struct counting {
    dv_device *device;
    const dv_bench_blobs *blobs;
    dv_mask_rules rules;
    size_t n_threads;
    void **counters;        /* [n_threads]; owned, each too */
    dv_mask_counts *counts; /* [n_frames]; owned, each too */
} counting;

static void counting_clear(counting *c) {
    for (size_t i = 0; c->counters && i < c->n_threads; i++) c->device->ops->counter_close(c->device, c->counters[i]);
    for (size_t i = 0; c->counts && i < c->blobs->n_frames; i++) dv_mask_counts_clear(&c->counts[i]);
    free(c->counters);
    free(c->counts);
}

static dv_status counting_open(dv_device *device, const dv_bench_blobs *blobs, bool bipartite, size_t n_threads,
                               counting *c) {
    *c = (counting){.device = device, .blobs = blobs, .n_threads = n_threads};
    c->rules = (dv_mask_rules){.bound = 0.008, .bipartite = bipartite};
    DV_TRY(dv_bench_alloc(n_threads, sizeof *c->counters, "counters", &c->counters));
    DV_TRY(dv_bench_alloc(blobs->n_frames, sizeof *c->counts, "counts", &c->counts));
    for (size_t i = 0; i < n_threads; i++) DV_TRY(device->ops->counter_open(device, &c->rules, &c->counters[i]));
    return DV_OK;
}

static dv_status count_part(void *user, size_t part, size_t n_parts) {
    const counting *const c = user;
    const dv_bench_blobs *const b = c->blobs;
    for (size_t i = part; i < b->n_frames; i += n_parts) {
        const size_t at = i * b->height * b->width;
        DV_TRY(c->device->ops->count_masks(c->device, c->counters[part], b->truth + at, b->pred + at, b->height,
                                           b->width, &c->counts[i]));
    }
    return DV_OK;
}

static dv_status count(void *user) {
    return dv_bench_parallel(((counting *)user)->n_threads, count_part, user);
}

static bool is_same_size(const dv_mask_size *a, const dv_mask_size *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i].id != b[i].id || a[i].pixels != b[i].pixels || a[i].contour != b[i].contour) return false;
    return true;
}

static bool is_same(const dv_mask_counts *a, const dv_mask_counts *b) {
    if (a->n_truth != b->n_truth || a->n_pred != b->n_pred || a->n_pairs != b->n_pairs) return false;
    if (!is_same_size(a->truth, b->truth, a->n_truth) || !is_same_size(a->pred, b->pred, a->n_pred)) return false;
    for (size_t i = 0; i < a->n_pairs; i++) {
        const dv_mask_pair *const p = &a->pairs[i], *const q = &b->pairs[i];
        if (p->truth_id != q->truth_id || p->pred_id != q->pred_id || p->intersection != q->intersection ||
            p->truth_matched[0] != q->truth_matched[0] || p->pred_matched[0] != q->pred_matched[0])
            return false;
    }
    return true;
}

/* Counts of all frames by a device that is opened for it. Whatever the outcome, counting_clear and close. */
static dv_status count_by_reference(const dv_bench_blobs *blobs, bool bipartite, dv_device **reference, counting *c) {
    DV_TRY(dv_device_open("reference", NULL, reference));
    DV_TRY(counting_open(*reference, blobs, bipartite, 1, c));
    return count(c);
}

/* *n_wrong: small frames with as many objects whose counts are not the reference's */
static dv_status verify(const dv_bench *bench, const dv_bench_jf_args *args, size_t n_objects, size_t *n_wrong) {
    const bool bipartite = args->matching == 1;
    dv_bench_blobs blobs;
    dv_device *reference = NULL;
    counting found = {0}, right = {0};
    *n_wrong = 0;
    dv_status status = dv_bench_blobs_make(args->frames < 4 ? args->frames : 4, n_objects, SMALL_HEIGHT, SMALL_WIDTH,
                                           bench->context->common.seed, &blobs);
    if (status == DV_OK) status = counting_open(bench->device, &blobs, bipartite, bench->context->n_threads, &found);
    if (status == DV_OK) status = count(&found);
    if (status == DV_OK) status = count_by_reference(&blobs, bipartite, &reference, &right);
    for (size_t i = 0; status == DV_OK && i < blobs.n_frames; i++)
        *n_wrong += !is_same(&found.counts[i], &right.counts[i]);
    counting_clear(&found);
    counting_clear(&right);
    if (reference) reference->ops->close(reference);
    dv_bench_blobs_clear(&blobs);
    return status;
}

static void add_row(dv_bench *bench, const counting *c, const dv_bench_times *times, size_t n_wrong) {
    const dv_bench_blobs *const b = c->blobs;
    const double frames = (double)b->n_frames, pixels = (double)b->height * (double)b->width;
    const double bytes_per_s = frames * pixels * (double)(sizeof *b->truth + sizeof *b->pred) / times->p50_s;
    const size_t n_busy = c->n_threads < b->n_frames ? c->n_threads : b->n_frames;
    const dv_bench_cell cells[] = {
        {.text = bench->device->ops->name},
        {.number = (double)b->height},
        {.number = (double)b->width},
        {.number = (double)b->n_objects},
        {.number = frames},
        {.number = times->p50_s * 1e3},
        {.number = times->best_s * 1e3},
        {.number = times->p50_s * 1e3 * (double)n_busy / (frames * (double)b->n_objects)},
        {.number = frames / times->p50_s},
        {.number = bytes_per_s / 1e9},
        {.number = 100 * bytes_per_s / dv_bench_peak(bench, bench->peaks.read_bytes_per_s)},
    };
    dv_bench_row(bench, cells, n_wrong);
}

static dv_status bench_size(dv_bench *bench, const dv_bench_jf_args *args, size_t height, size_t width,
                            size_t n_objects) {
    const size_t fit = MOST_BYTES / (height * width * 2 * sizeof(uint16_t)), most = fit ? fit : 1;
    const size_t n_frames = args->frames < most ? args->frames : most;
    dv_bench_blobs blobs;
    counting c = {0};
    size_t n_wrong = 0;
    dv_bench_times times = {0};
    dv_status status = dv_bench_blobs_make(n_frames, n_objects, height, width, bench->context->common.seed, &blobs);
    if (status == DV_OK) status = verify(bench, args, n_objects, &n_wrong);
    if (status == DV_OK)
        status = counting_open(bench->device, &blobs, args->matching == 1, bench->context->n_threads, &c);
    if (status == DV_OK) status = dv_bench_time(bench, count, &c, &times);
    if (status == DV_OK) add_row(bench, &c, &times, n_wrong);
    counting_clear(&c);
    dv_bench_blobs_clear(&blobs);
    return status;
}

dv_status dv_bench_jf_check(const dv_bench_jf_args *args) {
    if (!args->height == !args->width) return DV_OK;
    return dv_app_fail(DV_E_USAGE, "bench jf: --height and --width go together");
}

dv_status dv_bench_jf(dv_bench *bench, const dv_bench_jf_args *args) {
    const dv_sizes objects =
        dv_sizes_or(&args->objects, default_objects, sizeof default_objects / sizeof *default_objects);
    char note[DV_BENCH_NOTE_SIZE];
    snprintf(
        note, sizeof note,
        "maps: u16, blobs   bound 0.008   matching %s   verified: frames of %d x %d with as many objects   peak: read",
        args->matching == 1 ? "bipartite" : "dilate", (int)SMALL_HEIGHT, (int)SMALL_WIDTH);
    dv_bench_begin(bench, "jf", columns, note);
    dv_status status = DV_OK;
    if (args->height) {
        for (size_t i = 0; status == DV_OK && i < objects.n; i++)
            status = bench_size(bench, args, args->height, args->width, objects.values[i]);
        return status;
    }
    for (size_t s = 0; s < sizeof default_sizes / sizeof *default_sizes; s++) {
        const size_t height = default_sizes[s][0], width = default_sizes[s][1];
        const dv_sizes numbers = height == LARGEST ? dv_sizes_or(&args->objects, largest_objects, 1) : objects;
        for (size_t i = 0; status == DV_OK && i < numbers.n; i++)
            status = bench_size(bench, args, height, width, numbers.values[i]);
    }
    return status;
}
