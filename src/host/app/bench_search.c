/* bench_search.c: the search slot of a device: its load, its time, its memory, and whether it is right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_search_plan.h"
#include "app/bench_searcher.h"
#include "app/message.h"

static const dv_bench_column columns[] = {
    {"backend", "backend", "", -9, 0},
    {"kind", "kind", "", -14, 0},
    {"rows", "rows", "(1)", 8, 0},
    {"dim", "dim", "(1)", 5, 0},
    {"queries", "queries", "(1)", 8, 0},
    {"load_s", "load", "(s)", 7, 2},
    {"p50_ms", "p50", "(ms)", 9, 1},
    {"best_ms", "best", "(ms)", 9, 1},
    {"queries_per_s", "queries", "(1/s)", 9, 0},
    {"rate_gops", "rate", "(Gop/s)", 8, 1},
    {"peak_percent", "peak", "(%)", 6, 1},
    {"candidates_per_query", "candidates", "(1/query)", 11, 1},
    {"uncertified", "uncertified", "(1)", 12, 0},
    {"bytes_per_row", "memory", "(B/row)", 8, 0},
    {"scanned_dim", "scanned", "(dim)", 8, 0},
    {"refined_per_query", "refined", "(1/query)", 9, 0},
    {"scan_peak_percent", "in scan", "(% peak)", 9, 1},
    {"code_percent", "code", "(%)", 5, 0},
    {"seed_percent", "seed", "(%)", 5, 0},
    {"scan_percent", "scan", "(%)", 5, 0},
    {"refine_percent", "refine", "(%)", 6, 0},
    {"score_percent", "score", "(%)", 6, 0},
    {0},
};

/* Queries that are compared: `n_checked` of all, evenly spread. */
typedef struct check {
    const dv_bench_searcher *found;
    const dv_rows *bank;
    size_t n_checked;
    size_t *n_wrong; /* a thread each */
} check;

static size_t checked_query(const check *c, size_t number) {
    return number * c->found->queries.rows.n_rows / c->n_checked;
}

static size_t count_wrong(const check *c, const dv_bench_searcher *right, size_t first) {
    const size_t k = right->k;
    size_t n_wrong = 0;
    for (size_t i = 0; i < right->queries.rows.n_rows; i++) {
        const size_t at = checked_query(c, first + i) * k;
        n_wrong += memcmp(c->found->host_ids + at, right->host_ids + i * k, k * sizeof(int64_t)) != 0 ||
                   memcmp(c->found->host_cosines + at, right->host_cosines + i * k, k * sizeof(double)) != 0;
    }
    return n_wrong;
}

static dv_status check_queries(const check *c, dv_device *reference, size_t first, const dv_rows *queries,
                               size_t *n_wrong) {
    dv_bench_searcher right;
    dv_status status = dv_bench_searcher_open(reference, c->bank, queries, c->found->k, &right);
    if (status == DV_OK) status = dv_bench_searcher_run(&right);
    if (status == DV_OK) status = dv_bench_searcher_download(&right);
    if (status == DV_OK) *n_wrong = count_wrong(c, &right, first);
    dv_bench_searcher_clear(&right);
    return status;
}

/* The reference is one thread wide and slow, so each thread has one of its own. */
static dv_status check_part(void *user, size_t part, size_t n_parts) {
    const check *const c = user;
    const dv_rows *const all = &c->found->queries.rows;
    const size_t first = c->n_checked * part / n_parts, end = c->n_checked * (part + 1) / n_parts;
    const size_t row_bytes = all->dim * dv_dtype_size(all->dtype);
    if (first == end) return DV_OK;
    char *copies;
    DV_TRY(dv_bench_alloc(end - first, row_bytes, "queries", &copies));
    for (size_t i = first; i < end; i++)
        memcpy(copies + (i - first) * row_bytes, (const char *)all->data + checked_query(c, i) * row_bytes, row_bytes);
    const dv_rows queries = {copies, all->dtype, end - first, all->dim};
    dv_device *reference = NULL;
    dv_status status = dv_device_open("reference", NULL, &reference);
    if (status == DV_OK) status = check_queries(c, reference, first, &queries, &c->n_wrong[part]);
    if (reference) reference->ops->close(reference);
    free(copies);
    return status;
}

/* *n_wrong: queries that are not bit for bit those of the reference, DV_BENCH_UNCHECKED where none is to be compared */
static dv_status verify(const dv_bench_searcher *found, const dv_rows *bank, size_t n_checked, size_t n_threads,
                        size_t *n_wrong) {
    check c = {found, bank, n_checked, NULL};
    *n_wrong = DV_BENCH_UNCHECKED;
    if (c.n_checked > found->queries.rows.n_rows) c.n_checked = found->queries.rows.n_rows;
    if (c.n_checked == 0) return DV_OK;
    DV_TRY(dv_bench_searcher_download(found));
    DV_TRY(dv_bench_alloc(n_threads, sizeof *c.n_wrong, "counts", &c.n_wrong));
    const dv_status status = dv_bench_parallel(n_threads, check_part, &c);
    if (status == DV_OK) *n_wrong = 0;
    for (size_t i = 0; status == DV_OK && i < n_threads; i++) *n_wrong += c.n_wrong[i];
    free(c.n_wrong);
    return status;
}

/* What the runs said, and what they cost. */
typedef struct measured {
    double load_s, loaded_bytes;
    dv_bench_times times;
    dv_search_stats before, after;
    size_t n_wrong;
} measured;

static void read_stats(const dv_bench_searcher *s, dv_search_stats *stats) {
    if (s->device->ops->search_stats) s->device->ops->search_stats(s->device, s->index, stats);
}

/* NaN where the device does not say. */
static double of_all_runs(const dv_bench_searcher *s, uint64_t before, uint64_t after) {
    return s->device->ops->search_stats ? (double)(after - before) : NAN;
}

/* BLAS and plain double loops work in floating point; what filters by codes is compared with what codes allow. */
static bool is_float(const dv_bench *bench) {
    const char *const name = bench->device->ops->name;
    return strcmp(name, "reference") == 0 || strcmp(name, "faiss") == 0;
}

static double peak_of(const dv_bench *bench) {
    return dv_bench_peak(bench, is_float(bench) ? bench->peaks.fp32_ops_per_s : bench->peaks.int8_ops_per_s);
}

/* What a device tells of its stages, of the warm-up and the timed runs; NaN where it does not. */
typedef struct told {
    double scanned_dim, refined, code_s, seed_s, scan_s, refine_s, score_s, all_s;
} told;

static told tell(const dv_bench_shape *shape, const measured *m) {
    const dv_search_stats *a = &m->before, *b = &m->after;
    if (b->n_stages == 0) return (told){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    told t = {.scanned_dim = (double)(b->head_dim ? b->head_dim : shape->dim),
              .refined = (double)(b->n_refined - a->n_refined),
              .code_s = b->code_s - a->code_s,
              .seed_s = b->seed_s - a->seed_s,
              .scan_s = b->scan_s - a->scan_s,
              .refine_s = b->refine_s - a->refine_s,
              .score_s = b->score_s - a->score_s};
    t.all_s = t.code_s + t.seed_s + t.scan_s + t.refine_s + t.score_s;
    return t;
}

static void add_row(dv_bench *bench, const dv_bench_shape *shape, const dv_bench_searcher *s, const measured *m) {
    const double n = (double)shape->n_queries, p50_s = m->times.p50_s;
    const double rate = 2 * n * (double)shape->n_rows * (double)shape->dim / p50_s;
    const double n_asked = n * (double)(bench->args->runs + bench->args->warm_up);
    const double source_bytes = (double)(shape->dim * dv_dtype_size(shape->dtype));
    const double candidates = of_all_runs(s, m->before.n_candidates, m->after.n_candidates);
    const told t = tell(shape, m);
    const dv_bench_cell cells[] = {
        {.text = s->device->ops->name},
        {.text = dv_bench_kind_name(shape->kind)},
        {.number = (double)shape->n_rows},
        {.number = (double)shape->dim},
        {.number = n},
        {.number = m->load_s},
        {.number = p50_s * 1e3},
        {.number = m->times.best_s * 1e3},
        {.number = n / p50_s},
        {.number = rate / 1e9},
        {.number = 100 * rate / peak_of(bench)},
        {.number = candidates / n_asked},
        {.number = of_all_runs(s, m->before.n_uncertified, m->after.n_uncertified) /
                   (double)(bench->args->runs + bench->args->warm_up)},
        {.number = dv_bench_on_host(bench) ? source_bytes + fmax(m->loaded_bytes, 0) / (double)shape->n_rows : NAN},
        {.number = t.scanned_dim},
        {.number = t.refined / n_asked},
        {.number = 100 * 2 * n_asked * (double)shape->n_rows * t.scanned_dim / t.scan_s *
                   (double)bench->context->n_threads / peak_of(bench)},
        {.number = 100 * t.code_s / t.all_s},
        {.number = 100 * t.seed_s / t.all_s},
        {.number = 100 * t.scan_s / t.all_s},
        {.number = 100 * t.refine_s / t.all_s},
        {.number = 100 * t.score_s / t.all_s},
    };
    dv_bench_row(bench, cells, m->n_wrong);
}

typedef struct stage {
    dv_bench *bench;
    const dv_bench_search_args *args;
} stage;

static dv_status measure(const stage *st, const dv_bench_data *data, dv_bench_searcher *s, measured *m) {
    dv_bench *const bench = st->bench;
    const double before_bytes = dv_bench_resident_bytes(), start_s = dv_bench_now_s();
    DV_TRY(dv_bench_searcher_open(bench->device, &data->bank, &data->queries, st->args->k, s));
    m->load_s = dv_bench_now_s() - start_s;
    const double answers_bytes = (double)(data->queries.n_rows * st->args->k) * 16; /* in device memory */
    m->loaded_bytes = dv_bench_resident_bytes() - before_bytes - answers_bytes;
    DV_TRY(dv_bench_searcher_run(s));
    DV_TRY(verify(s, &data->bank, st->args->verify, bench->context->n_threads, &m->n_wrong));
    read_stats(s, &m->before);
    DV_TRY(dv_bench_time(bench, dv_bench_searcher_run, s, &m->times));
    read_stats(s, &m->after);
    return DV_OK;
}

static dv_status bench_shape(void *user, const dv_bench_shape *shape, const dv_bench_data *data) {
    const stage *const st = user;
    dv_bench_searcher s = {0};
    measured m = {0};
    const dv_status status = measure(st, data, &s, &m);
    if (status == DV_OK) add_row(st->bench, shape, &s, &m);
    dv_bench_searcher_clear(&s);
    return status;
}

dv_status dv_bench_search(dv_bench *bench, const dv_bench_search_args *args) {
    char note[DV_BENCH_NOTE_SIZE];
    stage st = {bench, args};
    snprintf(note, sizeof note, "bank: %s   k %zu   verified queries %zu   peak: %s",
             dv_dtype_name((dv_dtype)(args->dtype + 1)), args->k,
             args->verify < args->queries ? args->verify : args->queries,
             dv_bench_on_host(bench) ? is_float(bench) ? "fp32" : "int8" : "none of a GPU");
    dv_bench_begin(bench, "search", columns, note);
    if (bench->report) {
        dv_report_setting_count(bench->report, "k", args->k);
        dv_report_setting_count(bench->report, "verify", args->verify);
        dv_report_setting_text(bench->report, "dtype", dv_dtype_name((dv_dtype)(args->dtype + 1)));
        for (size_t i = 0; i < args->features.n; i++) dv_report_input(bench->report, args->features.paths[i]);
    }
    DV_TRY(dv_bench_search_each(bench->context, args, bench_shape, &st));
    return dv_bench_search_peers(bench, args);
}
