/* cpu_search.c: tiles of queries times tiles of unit rows in f32, a threshold that no row of the answer can miss, then
 * the canonical cosine of what is left. Which rows are left never matters to the result, only that none is missing. */
#include "device/cpu/cpu_search.h"

#include <math.h>

#include "core/check.h"
#include "device/cpu/cpu_plan.h"
#include "search/blas.h"
#include "search/bound.h"
#include "search/exact_scan.h"
#include "search/unit.h"

typedef struct job {
    const dv_cpu_index *index;
    const dv_queries *queries;
    const dv_cpu_plan *plan;
    dv_cpu_memory *memory;
    int64_t *ids;
    double *cosines;
} job;

static int32_t hidden_group(const job *j, size_t query) {
    return j->queries->group ? j->queries->group[query] : -1;
}

static double prepare(const job *j, size_t query, double *values) {
    const dv_rows *rows = &j->queries->rows;
    return dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, dv_simd_best(), values, NULL);
}

/* The unit rows of a tile of queries, and their empty lists. */
static dv_status begin_tile(const job *j, size_t first, size_t n, dv_cpu_scratch *s, dv_cpu_lists *tile) {
    const dv_cpu_plan *p = j->plan;
    for (size_t i = 0; i < n; i++) {
        const double norm = prepare(j, first + i, s->values);
        if (!isfinite(norm)) return dv_fail(DV_E_ARG, "query %zu: features must be finite", first + i);
        dv_unit_row(s->values, norm, p->dim, s->queries + i * p->dim);
        tile->lists[i] = dv_candidates_begin(tile->scores + i * p->capacity, tile->rows + i * p->capacity, p->capacity,
                                             p->k, j->index->bound);
        if (norm == 0.0) tile->lists[i].threshold = INFINITY; /* all rows tie; settled without candidates */
    }
    return DV_OK;
}

static void scan_rows(const job *j, size_t first_query, size_t n, size_t begin, size_t end, dv_cpu_scratch *s,
                      dv_cpu_lists *tile) {
    const dv_cpu_plan *p = j->plan;
    const int32_t *group = j->index->base.group;
    for (size_t row = begin; row < end; row += p->tile_rows) {
        const size_t n_rows = end - row < p->tile_rows ? end - row : p->tile_rows;
        dv_blas_scores(s->queries, n, j->index->unit + row * p->dim, n_rows, p->dim, s->scores);
        for (size_t i = 0; i < n; i++) {
            float *scores = s->scores + i * n_rows;
            const int32_t hidden = hidden_group(j, first_query + i);
            if (hidden != -1) dv_hide_scores(scores, group + row, hidden, n_rows);
            dv_scan_scores(&tile->lists[i], scores, n_rows, (int32_t)row, j->index->next, s->maxima);
        }
    }
}

/* What a float score must reach, over the lists of all parts. */
static float common_threshold(const dv_cpu_lists *parts, size_t n_parts, size_t at, float *gathered) {
    const dv_candidates *first = &parts[0].lists[at];
    size_t n = 0;
    for (size_t part = 0; part < n_parts; part++) {
        const dv_candidates *list = &parts[part].lists[at];
        for (size_t i = 0; i < list->n; i++) gathered[n++] = list->scores[i];
    }
    return n < first->k ? -INFINITY : dv_bound_threshold(dv_kth_largest(gathered, n, first->k), first->bound);
}

static void rescore(const job *j, const dv_candidates *list, float threshold, double norm, dv_cpu_scratch *s,
                    dv_topk *best) {
    for (size_t i = 0; i < list->n; i++) {
        if (list->scores[i] < threshold) continue;
        const size_t row = (size_t)list->rows[i];
        dv_topk_offer(best, dv_score(&j->index->base.scored, row, s->values, norm), (int64_t)row);
        s->n_candidates++;
    }
}

/* From candidates to the answer of one query. parts [n_parts], the lists of its tile; `at` its place in the tile. */
static void settle(const job *j, size_t query, size_t at, dv_cpu_lists *parts, dv_cpu_scratch *s) {
    const dv_cpu_plan *p = j->plan;
    const double norm = prepare(j, query, s->values);
    bool overflowed = false;
    for (size_t part = 0; part < p->n_parts; part++) overflowed |= parts[part].lists[at].overflowed;
    dv_topk best = dv_topk_begin(s->heap, p->k);
    if (overflowed || norm == 0.0) {
        s->n_candidates +=
            dv_exact_scan(&j->index->base.scored, j->index->base.group, hidden_group(j, query), s->values, norm, &best);
        s->n_uncertified += overflowed;
    } else if (p->n_parts == 1) {
        dv_candidates_tighten(&parts[0].lists[at]);
        rescore(j, &parts[0].lists[at], -INFINITY, norm, s, &best);
    } else {
        const float threshold = common_threshold(parts, p->n_parts, at, s->gathered);
        for (size_t part = 0; part < p->n_parts; part++) rescore(j, &parts[part].lists[at], threshold, norm, s, &best);
    }
    dv_topk_write(&best, j->ids + query * p->k, j->cosines + query * p->k);
}

static dv_status search_tile(void *context, size_t task, size_t worker) {
    const job *j = context;
    const dv_cpu_plan *p = j->plan;
    dv_cpu_scratch *s = &j->memory->workers[worker];
    const size_t tile = task / p->n_parts, part = task % p->n_parts;
    dv_cpu_lists *lists = &j->memory->lists[p->n_parts > 1 ? task : worker];
    const size_t first = tile * p->tile_queries, begin = part * p->part_rows;
    const size_t n = p->n_queries - first < p->tile_queries ? p->n_queries - first : p->tile_queries;
    const size_t end = p->n_rows - begin < p->part_rows ? p->n_rows : begin + p->part_rows;
    dv_blas_single_thread();
    DV_TRY(begin_tile(j, first, n, s, lists));
    scan_rows(j, first, n, begin, end, s, lists);
    if (p->n_parts == 1)
        for (size_t i = 0; i < n; i++) settle(j, first + i, i, lists, s);
    return DV_OK;
}

static dv_status settle_query(void *context, size_t query, size_t worker) {
    const job *j = context;
    const dv_cpu_plan *p = j->plan;
    const size_t tile = query / p->tile_queries;
    settle(j, query, query % p->tile_queries, &j->memory->lists[tile * p->n_parts], &j->memory->workers[worker]);
    return DV_OK;
}

dv_status dv_cpu_search(dv_device *device, void *opaque, const dv_queries *queries, size_t k, int64_t *ids,
                        double *cosines) {
    const dv_host_device *host = (const dv_host_device *)device;
    dv_cpu_index *index = opaque;
    DV_TRY(dv_host_check_search(&index->base, queries, k));
    const size_t n_threads = dv_pool_threads(host->pool);
    const dv_rows *rows = &index->base.scored.rows;
    dv_cpu_plan plan;
    dv_cpu_plan_make(&host->options, n_threads, queries->rows.n_rows, rows->n_rows, rows->dim, k, &plan);
    dv_cpu_memory memory;
    job j = {index, queries, &plan, &memory, ids, cosines};
    dv_status status = dv_cpu_memory_create(&plan, n_threads, &memory);
    if (status == DV_OK) status = dv_pool_run(host->pool, plan.n_tiles * plan.n_parts, search_tile, &j);
    if (status == DV_OK && plan.n_parts > 1) status = dv_pool_run(host->pool, plan.n_queries, settle_query, &j);
    if (status == DV_OK) {
        index->base.stats.n_queries += plan.n_queries;
        for (size_t i = 0; i < memory.n_workers; i++) {
            index->base.stats.n_candidates += memory.workers[i].n_candidates;
            index->base.stats.n_uncertified += memory.workers[i].n_uncertified;
        }
    }
    dv_cpu_memory_free(&memory);
    return status;
}
