/* bench_aggregate.c: the vote of the neighbours: how fast pixel counts are gathered and summed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_stages.h"
#include "app/message.h"
#include "denseval/labels.h"
#include "denseval/random.h"

enum { PIXELS = 256, FIRST_STREAM = 1 << 20 };
static const double BETA = 0.02;
static const size_t default_classes[] = {11, 21, 150};

const dv_option dv_bench_aggregate_options[] = {
    {"rows", "N", "rows of the bank [320k]", DV_OPT_SIZE, offsetof(dv_bench_aggregate_args, rows), 1, INT32_MAX},
    {"patches", "N", "patches that vote, all in one call [16384]", DV_OPT_SIZE,
     offsetof(dv_bench_aggregate_args, patches), 1, INT32_MAX},
    {"k", "N", "neighbours of each patch [30]", DV_OPT_COUNT, offsetof(dv_bench_aggregate_args, k), 1, INT32_MAX},
    {"classes", "LIST", "numbers of classes [11,21,150]", DV_OPT_SIZES, offsetof(dv_bench_aggregate_args, classes), 1,
     DV_MAX_CLASSES},
    {0},
};

static const dv_bench_column columns[] = {
    {"backend", "backend", "", -9, 0},
    {"patches", "patches", "(1)", 8, 0},
    {"k", "k", "(1)", 5, 0},
    {"classes", "classes", "(1)", 8, 0},
    {"p50_ms", "p50", "(ms)", 9, 2},
    {"best_ms", "best", "(ms)", 9, 2},
    {"patches_per_s", "patches", "(1/s)", 10, 0},
    {"traffic_gbps", "traffic", "(GB/s)", 8, 2},
    {"peak_percent", "peak", "(%)", 6, 1},
    {0},
};

/* Neighbours and pixel counts in host memory. */
typedef struct votes {
    size_t n_rows, n, k, n_classes;
    int64_t *ids;     /* [n, k]; owned */
    double *cosines;  /* [n, k]; owned */
    uint16_t *counts; /* [n_rows, n_classes]; owned */
} votes;

static void votes_clear(votes *v) {
    free(v->ids);
    free(v->cosines);
    free(v->counts);
}

/* Neighbours anywhere in the bank, cosines falling, and two classes a row: most patches lie on an edge or are pure. */
static dv_status votes_make(const dv_bench_aggregate_args *args, size_t n_classes, uint64_t seed, votes *v) {
    *v = (votes){.n_rows = args->rows, .n = args->patches, .k = args->k, .n_classes = n_classes};
    DV_TRY(dv_bench_alloc(v->n * v->k, sizeof *v->ids, "ids", &v->ids));
    DV_TRY(dv_bench_alloc(v->n * v->k, sizeof *v->cosines, "cosines", &v->cosines));
    DV_TRY(dv_bench_alloc(v->n_rows * n_classes, sizeof *v->counts, "pixel counts", &v->counts));
    for (size_t i = 0; i < v->n * v->k; i++) {
        v->ids[i] = (int64_t)dv_random_below(seed, 0, i, v->n_rows);
        v->cosines[i] = 0.9 - 0.3 * (double)(i % v->k) / (double)v->k;
    }
    for (size_t row = 0; row < v->n_rows; row++) {
        const uint16_t first = (uint16_t)(dv_random_below(seed, FIRST_STREAM, row, 2) * PIXELS / 2);
        uint16_t *const counts = v->counts + row * n_classes;
        counts[dv_random_below(seed, 1, row, n_classes)] = (uint16_t)(PIXELS - first);
        counts[dv_random_below(seed, 2, row, n_classes)] =
            (uint16_t)(counts[dv_random_below(seed, 2, row, n_classes)] + first);
    }
    return DV_OK;
}

/* The same votes in device memory, and the results. */
typedef struct caster {
    dv_device *device;
    const votes *votes;
    void *ids, *cosines, *counts, *soft, *pure; /* device memory */
    double *host_soft;                          /* [n, n_classes]; owned */
    uint16_t *host_pure;                        /* [n]; owned */
} caster;

static void caster_clear(caster *c) {
    void *const memory[] = {c->ids, c->cosines, c->counts, c->soft, c->pure};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) c->device->ops->release(c->device, memory[i]);
    free(c->host_soft);
    free(c->host_pure);
}

static dv_status caster_open(dv_device *device, const votes *v, caster *c) {
    const size_t n_votes = v->n * v->k, n_soft = v->n * v->n_classes;
    *c = (caster){.device = device, .votes = v};
    DV_TRY(dv_bench_alloc(n_soft, sizeof *c->host_soft, "soft labels", &c->host_soft));
    DV_TRY(dv_bench_alloc(v->n, sizeof *c->host_pure, "pure labels", &c->host_pure));
    DV_TRY(dv_bench_device_memory(device, v->ids, n_votes * sizeof *v->ids, &c->ids));
    DV_TRY(dv_bench_device_memory(device, v->cosines, n_votes * sizeof *v->cosines, &c->cosines));
    DV_TRY(dv_bench_device_memory(device, v->counts, v->n_rows * v->n_classes * sizeof *v->counts, &c->counts));
    DV_TRY(dv_bench_device_memory(device, NULL, n_soft * sizeof *c->host_soft, &c->soft));
    return dv_bench_device_memory(device, NULL, v->n * sizeof *c->host_pure, &c->pure);
}

static dv_status cast(void *user) {
    const caster *const c = user;
    const votes *const v = c->votes;
    DV_TRY(c->device->ops->aggregate(c->device, c->ids, c->cosines, v->n, v->k, BETA, c->counts, v->n_classes, c->soft,
                                     c->pure));
    return c->device->ops->synchronise(c->device);
}

static dv_status cast_and_download(caster *c) {
    const votes *const v = c->votes;
    const size_t soft_bytes = v->n * v->n_classes * sizeof *c->host_soft, pure_bytes = v->n * sizeof *c->host_pure;
    DV_TRY(cast(c));
    DV_TRY(c->device->ops->download(c->device, c->host_soft, c->soft, soft_bytes));
    DV_TRY(c->device->ops->download(c->device, c->host_pure, c->pure, pure_bytes));
    return c->device->ops->synchronise(c->device);
}

/* *n_wrong: patches whose soft label has other bits than the reference's */
static dv_status verify(const caster *found, size_t *n_wrong) {
    const votes *const v = found->votes;
    dv_device *reference;
    caster right;
    DV_TRY(dv_device_open("reference", NULL, &reference));
    dv_status status = caster_open(reference, v, &right);
    if (status == DV_OK) status = cast_and_download(&right);
    *n_wrong = 0;
    for (size_t i = 0; status == DV_OK && i < v->n; i++) {
        const size_t at = i * v->n_classes;
        *n_wrong += memcmp(found->host_soft + at, right.host_soft + at, v->n_classes * sizeof(double)) != 0 ||
                    found->host_pure[i] != right.host_pure[i];
    }
    caster_clear(&right);
    reference->ops->close(reference);
    return status;
}

/* What must be read and written at least: a row's counts, an id and a cosine for each vote, the soft labels. */
static double traffic_bytes(const votes *v) {
    const double vote = (double)(v->n_classes * sizeof(uint16_t) + sizeof(int64_t) + sizeof(double));
    return (double)v->n * ((double)v->k * vote + (double)(v->n_classes * sizeof(double) + sizeof(uint16_t)));
}

static dv_status bench_votes(dv_bench *bench, const votes *v) {
    caster c;
    size_t n_wrong = 0;
    dv_bench_times times = {0};
    dv_status status = caster_open(bench->device, v, &c);
    if (status == DV_OK) status = cast_and_download(&c);
    if (status == DV_OK) status = verify(&c, &n_wrong);
    if (status == DV_OK) status = dv_bench_time(bench, cast, &c, &times);
    caster_clear(&c);
    if (status != DV_OK) return status;
    const double rate = traffic_bytes(v) / times.p50_s;
    const dv_bench_cell cells[] = {
        {.text = bench->device->ops->name},
        {.number = (double)v->n},
        {.number = (double)v->k},
        {.number = (double)v->n_classes},
        {.number = times.p50_s * 1e3},
        {.number = times.best_s * 1e3},
        {.number = (double)v->n / times.p50_s},
        {.number = rate / 1e9},
        {.number = 100 * rate / dv_bench_peak(bench, bench->peaks.read_bytes_per_s)},
    };
    dv_bench_row(bench, cells, n_wrong);
    return DV_OK;
}

dv_status dv_bench_aggregate(dv_bench *bench, const dv_bench_aggregate_args *args) {
    char note[DV_BENCH_NOTE_SIZE];
    const dv_sizes classes =
        dv_sizes_or(&args->classes, default_classes, sizeof default_classes / sizeof *default_classes);
    snprintf(note, sizeof note, "bank: %zu rows   beta %g   every patch verified   peak: read", args->rows, BETA);
    dv_bench_begin(bench, "aggregate", columns, note);
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < classes.n; i++) {
        votes v;
        status = votes_make(args, classes.values[i], bench->context->common.seed, &v);
        if (status == DV_OK) status = bench_votes(bench, &v);
        votes_clear(&v);
    }
    return status;
}
