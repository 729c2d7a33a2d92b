/* bench_peers.c: the search of a device beside what others search with on it: the same banks, the same run, in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_search_plan.h"
#include "app/bench_searcher.h"
#include "app/message.h"
#include "denseval/device_peers.h"

static const dv_bench_column columns[] = {
    {"engine", "engine", "", -13, 0},       {"kind", "kind", "", -14, 0},
    {"rows", "rows", "(1)", 8, 0},          {"dim", "dim", "(1)", 5, 0},
    {"queries", "queries", "(1)", 8, 0},    {"load_s", "load", "(s)", 7, 2},
    {"p50_ms", "p50", "(ms)", 9, 3},        {"best_ms", "best", "(ms)", 9, 3},
    {"worst_ms", "worst", "(ms)", 9, 3},    {"queries_per_s", "queries", "(1/s)", 9, 0},
    {"rate_gops", "rate", "(Gop/s)", 9, 1}, {"x_ours", "x ours", "(1)", 7, 2},
    {"recall", "recall", "(1)", 9, 6},      {0},
};

typedef struct stage {
    dv_bench *bench;
    const dv_bench_search_args *args;
} stage;

/* A shape with its data, and what the device's own search said of it. */
typedef struct shape_run {
    const stage *stage;
    const dv_bench_shape *shape;
    const dv_bench_data *data;
    dv_bench_searcher own;
    dv_bench_times own_times;
} shape_run;

typedef struct engine_row {
    const char *name;
    double load_s, recall;
    dv_bench_times times;
    size_t n_wrong;
} engine_row;

static void add_row(const shape_run *run, const engine_row *engine) {
    const dv_bench_shape *const shape = run->shape;
    const double n = (double)shape->n_queries, p50_s = engine->times.p50_s;
    const dv_bench_cell cells[] = {
        {.text = engine->name},
        {.text = dv_bench_kind_name(shape->kind)},
        {.number = (double)shape->n_rows},
        {.number = (double)shape->dim},
        {.number = n},
        {.number = engine->load_s},
        {.number = p50_s * 1e3},
        {.number = engine->times.best_s * 1e3},
        {.number = engine->times.worst_s * 1e3},
        {.number = n / p50_s},
        {.number = 2 * n * (double)shape->n_rows * (double)shape->dim / p50_s / 1e9},
        {.number = p50_s / run->own_times.p50_s},
        {.number = engine->recall},
    };
    dv_bench_row(run->stage->bench, cells, engine->n_wrong);
}

static dv_status run_own(shape_run *run) {
    dv_bench *const bench = run->stage->bench;
    engine_row own = {.name = bench->device->ops->name, .recall = 1, .n_wrong = DV_BENCH_NOT_PROMISED};
    const double start_s = dv_bench_now_s();
    DV_TRY(
        dv_bench_searcher_open(bench->device, &run->data->bank, &run->data->queries, run->stage->args->k, &run->own));
    own.load_s = dv_bench_now_s() - start_s;
    DV_TRY(dv_bench_time(bench, dv_bench_searcher_run, &run->own, &own.times));
    DV_TRY(dv_bench_searcher_download(&run->own));
    run->own_times = own.times;
    add_row(run, &own);
    return DV_OK;
}

static int by_id(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Ids that two lists share. Both are sorted. a, b  i64 [k], no id twice in one */
static size_t n_shared(int64_t *a, int64_t *b, size_t k) {
    size_t n = 0;
    qsort(a, k, sizeof *a, by_id);
    qsort(b, k, sizeof *b, by_id);
    for (size_t i = 0, j = 0; i < k && j < k;) {
        n += a[i] == b[j];
        if (a[i] <= b[j])
            i++;
        else
            j++;
    }
    return n;
}

/* Compares with the device's own ids. found  i64 [queries, k]; scratch i64 [k] */
static void compare(const shape_run *run, int64_t *found, int64_t *scratch, engine_row *engine) {
    const size_t n = run->shape->n_queries, k = run->own.k;
    size_t n_found = 0, n_other = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t *const right = run->own.host_ids + i * k;
        n_other += memcmp(right, found + i * k, k * sizeof *right) != 0;
        memcpy(scratch, right, k * sizeof *right);
        n_found += n_shared(scratch, found + i * k, k);
    }
    engine->recall = (double)n_found / (double)(n * k);
    if (engine->n_wrong != DV_BENCH_NOT_PROMISED) engine->n_wrong = n_other;
}

static dv_status check_peer(const shape_run *run, const dv_device_peer *peer, void *opened, engine_row *engine) {
    const size_t n_ids = run->shape->n_queries * run->own.k;
    int64_t *found;
    DV_TRY(peer->search(opened));
    DV_TRY(dv_bench_alloc(n_ids + run->own.k, sizeof *found, "ids", &found));
    const dv_status status = peer->ids(opened, found);
    if (status == DV_OK) compare(run, found, found + n_ids, engine);
    free(found);
    return status;
}

static dv_status run_peer(const shape_run *run, const dv_device_peer *peer) {
    dv_bench *const bench = run->stage->bench;
    const dv_peer_task task = {.device = bench->device,
                               .bank = run->data->bank,
                               .queries = run->data->queries,
                               .k = run->own.k,
                               .n_threads = bench->context->n_threads};
    engine_row engine = {.name = peer->name, .n_wrong = peer->is_exact ? 0 : DV_BENCH_NOT_PROMISED};
    void *opened;
    const double start_s = dv_bench_now_s();
    dv_status status = peer->open(&task, &opened);
    engine.load_s = dv_bench_now_s() - start_s;
    if (status == DV_OK) status = check_peer(run, peer, opened, &engine);
    if (status == DV_OK) status = dv_bench_time(bench, peer->search, opened, &engine.times);
    if (status == DV_OK) add_row(run, &engine);
    if (status == DV_E_BACKEND) { /* the library or memory for it is missing here: the others go on */
        dv_bench_remark(bench, peer->name, dv_app_message());
        status = DV_OK;
    }
    if (opened) peer->close(opened);
    return status;
}

static dv_status bench_shape(void *user, const dv_bench_shape *shape, const dv_bench_data *data) {
    shape_run run = {.stage = user, .shape = shape, .data = data};
    const dv_device_peer *const *const peers = dv_device_peers(run.stage->bench->device);
    dv_status status = run_own(&run);
    for (size_t i = 0; status == DV_OK && peers[i]; i++) status = run_peer(&run, peers[i]);
    dv_bench_searcher_clear(&run.own);
    return status;
}

dv_status dv_bench_search_peers(dv_bench *bench, const dv_bench_search_args *args) {
    char note[DV_BENCH_NOTE_SIZE];
    stage st = {bench, args};
    if (!dv_device_peers(bench->device)[0]) return DV_OK;
    snprintf(
        note, sizeof note,
        "bank: %s   k %zu   x ours: that engine's p50 over ours   recall: of our ids   wrong: queries with others, "
        "of engines that promise ours",
        dv_dtype_name((dv_dtype)(args->dtype + 1)), args->k);
    dv_bench_begin(bench, "search-peers", columns, note);
    return dv_bench_search_each(bench->context, args, bench_shape, &st);
}
