/* bench_confusion.c: the count of true and predicted classes: how fast label maps are gone through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_stages.h"
#include "app/message.h"
#include "denseval/confusion.h"
#include "denseval/random.h"

enum { REGION = 16, VOID_LABEL = 255 };
static const size_t default_classes[] = {11, 21, 150};

const dv_option dv_bench_confusion_options[] = {
    {"images", "N", "images, all in one call [32]", DV_OPT_COUNT, offsetof(dv_bench_confusion_args, images), 1, 65536},
    {"height", "N", "pixels of a column [512]", DV_OPT_COUNT, offsetof(dv_bench_confusion_args, height), 1, 65535},
    {"width", "N", "pixels of a row [512]", DV_OPT_COUNT, offsetof(dv_bench_confusion_args, width), 1, 65535},
    {"classes", "LIST", "numbers of classes [11,21,150]", DV_OPT_SIZES, offsetof(dv_bench_confusion_args, classes), 1,
     DV_MAX_CLASSES},
    {0},
};

static const dv_bench_column columns[] = {
    {"backend", "backend", "", -9, 0},
    {"images", "images", "(1)", 7, 0},
    {"height", "height", "(px)", 7, 0},
    {"width", "width", "(px)", 7, 0},
    {"classes", "classes", "(1)", 8, 0},
    {"p50_ms", "p50", "(ms)", 9, 2},
    {"best_ms", "best", "(ms)", 9, 2},
    {"rate_gpxps", "rate", "(Gpx/s)", 8, 3},
    {"traffic_gbps", "traffic", "(GB/s)", 8, 2},
    {"peak_percent", "peak", "(%)", 6, 1},
    {0},
};

/* Label maps in host memory, one confusion matrix an image. */
typedef struct maps {
    size_t n_images, height, width, n_classes;
    uint16_t *truth, *pred;  /* [n_images, height, width]; owned */
    dv_pixel_policy *policy; /* owned: it is 8 KiB */
} maps;

static void maps_clear(maps *m) {
    free(m->truth);
    free(m->pred);
    free(m->policy);
}

/* Squares of one class, one in sixteen void; a fifth of the squares is predicted as any class. */
static dv_status maps_make(const dv_bench_confusion_args *args, size_t n_classes, uint64_t seed, maps *m) {
    *m = (maps){.n_images = args->images, .height = args->height, .width = args->width, .n_classes = n_classes};
    const size_t n = m->n_images * m->height * m->width;
    DV_TRY(dv_bench_alloc(n, sizeof *m->truth, "true labels", &m->truth));
    DV_TRY(dv_bench_alloc(n, sizeof *m->pred, "predictions", &m->pred));
    DV_TRY(dv_bench_alloc(1, sizeof *m->policy, "policy", &m->policy));
    const bool has_void = n_classes <= VOID_LABEL;
    if (has_void) dv_label_set_add(&m->policy->ignored, VOID_LABEL);
    for (size_t i = 0; i < n; i++) {
        const size_t row = i / m->width, column = i % m->width;
        const uint64_t region = (row / REGION << 16) + column / REGION;
        if (column % REGION || row % REGION) { /* as the pixel to the left, or the one above */
            const size_t from = column % REGION ? i - 1 : i - m->width;
            m->truth[i] = m->truth[from];
            m->pred[i] = m->pred[from];
            continue;
        }
        const uint16_t label = (uint16_t)dv_random_below(seed, 0, region, n_classes);
        m->truth[i] = has_void && dv_random_below(seed, 1, region, 16) == 0 ? VOID_LABEL : label;
        m->pred[i] =
            dv_random_below(seed, 2, region, 5) ? label : (uint16_t)dv_random_below(seed, 3, region, n_classes);
    }
    return DV_OK;
}

typedef struct counter {
    dv_device *device;
    const maps *maps;
    void *truth, *pred;      /* device memory */
    dv_confusion **matrices; /* [n_images]; owned, each too */
} counter;

static void counter_clear(counter *c) {
    c->device->ops->release(c->device, c->truth);
    c->device->ops->release(c->device, c->pred);
    for (size_t i = 0; c->matrices && i < c->maps->n_images; i++) dv_confusion_free(c->matrices[i]);
    free(c->matrices);
}

static dv_status counter_open(dv_device *device, const maps *m, counter *c) {
    const size_t n_bytes = m->n_images * m->height * m->width * sizeof *m->truth;
    *c = (counter){.device = device, .maps = m};
    DV_TRY(dv_bench_alloc(m->n_images, sizeof(dv_confusion *), "matrices", &c->matrices));
    for (size_t i = 0; i < m->n_images; i++) DV_TRY(dv_confusion_create(m->n_classes, &c->matrices[i]));
    DV_TRY(dv_bench_device_memory(device, m->truth, n_bytes, &c->truth));
    return dv_bench_device_memory(device, m->pred, n_bytes, &c->pred);
}

static dv_status count(void *user) {
    const counter *const c = user;
    const maps *const m = c->maps;
    for (size_t i = 0; i < m->n_images; i++) dv_confusion_clear(c->matrices[i]);
    return c->device->ops->confusion(c->device, m->policy, c->truth, c->pred, m->n_images, m->height, m->width,
                                     c->matrices, NULL);
}

/* *n_wrong: images whose counts are not the reference's */
static dv_status verify(const counter *found, size_t *n_wrong) {
    const maps *const m = found->maps;
    dv_device *reference;
    counter right;
    DV_TRY(dv_device_open("reference", NULL, &reference));
    dv_status status = counter_open(reference, m, &right);
    if (status == DV_OK) status = count(&right);
    *n_wrong = 0;
    for (size_t i = 0; status == DV_OK && i < m->n_images; i++)
        *n_wrong += memcmp(dv_confusion_counts(found->matrices[i]), dv_confusion_counts(right.matrices[i]),
                           m->n_classes * m->n_classes * sizeof(uint64_t)) != 0;
    counter_clear(&right);
    reference->ops->close(reference);
    return status;
}

static dv_status bench_maps(dv_bench *bench, const maps *m) {
    counter c;
    size_t n_wrong = 0;
    dv_bench_times times = {0};
    dv_status status = counter_open(bench->device, m, &c);
    if (status == DV_OK) status = count(&c);
    if (status == DV_OK) status = verify(&c, &n_wrong);
    if (status == DV_OK) status = dv_bench_time(bench, count, &c, &times);
    counter_clear(&c);
    if (status != DV_OK) return status;
    const double pixels_per_s = (double)(m->n_images * m->height * m->width) / times.p50_s;
    const double bytes_per_s = pixels_per_s * (double)(sizeof *m->truth + sizeof *m->pred);
    const dv_bench_cell cells[] = {
        {.text = bench->device->ops->name},
        {.number = (double)m->n_images},
        {.number = (double)m->height},
        {.number = (double)m->width},
        {.number = (double)m->n_classes},
        {.number = times.p50_s * 1e3},
        {.number = times.best_s * 1e3},
        {.number = pixels_per_s / 1e9},
        {.number = bytes_per_s / 1e9},
        {.number = 100 * bytes_per_s / dv_bench_peak(bench, bench->peaks.read_bytes_per_s)},
    };
    dv_bench_row(bench, cells, n_wrong);
    return DV_OK;
}

dv_status dv_bench_confusion(dv_bench *bench, const dv_bench_confusion_args *args) {
    const dv_sizes classes =
        dv_sizes_or(&args->classes, default_classes, sizeof default_classes / sizeof *default_classes);
    dv_bench_begin(bench, "confusion", columns, "maps: u16, squares of 16 pixels   every image verified   peak: read");
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < classes.n; i++) {
        maps m;
        status = maps_make(args, classes.values[i], bench->context->common.seed, &m);
        if (status == DV_OK) status = bench_maps(bench, &m);
        maps_clear(&m);
    }
    return status;
}
