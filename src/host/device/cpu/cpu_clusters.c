#include "device/cpu/cpu_clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/bound.h"
#include "search/exact_scan.h"
#include "search/merge.h"
#include "search/query_limits.h"

enum { QUERIES_A_TASK = 64 };

typedef struct job {
    dv_host_device *host;
    dv_cpu_index *index;
    const dv_queries *queries;
    size_t k;
    double *middles;     /* f64 [queries, parts]: <query, mu>, INFINITY where the part has no centre */
    double *norms;       /* f64 [queries] */
    size_t *best;        /* [queries]: the part whose middle is nearest */
    double *scratch;     /* f64 [threads, 2, padded dim]: a query, and it turned */
    dv_neighbour *heaps; /* [threads, k] */
    dv_merge *merge;
    /* Queries that go to one part, copied together, and what they find there. */
    char *rows;
    int32_t *group;
    double *least;
    size_t *chosen;
    int64_t *ids;    /* i64 [queries, k] */
    double *cosines; /* f64 [queries, k] */
} job;

/* All rows tie for a query of length 0: the first ones that it sees. */
static void settle_zero_query(const job *j, size_t query, size_t worker, const double *values) {
    const dv_host_index *base = &j->index->base;
    dv_topk best = dv_topk_begin(j->heaps + worker * j->k, j->k, dv_query_least(j->queries, query));
    (void)dv_exact_scan(&base->scored, base->group, dv_query_hidden(j->queries, query), values, 0.0, &best);
    dv_topk_write(&best, j->ids + query * j->k, j->cosines + query * j->k);
    dv_merge_add_queries(j->merge, query, 1, j->ids + query * j->k, j->cosines + query * j->k, j->k);
}

/* How far a query is from the middle of each cluster. */
static dv_status measure(void *context, size_t task, size_t worker) {
    const job *j = context;
    const dv_rows *rows = &j->queries->rows;
    const dv_clusters *clusters = &j->index->clusters;
    const dv_dot_kernel dot = dv_dot_kernel_for(DV_F64, dv_simd_best());
    const dv_turn *turn = clusters->parts[0].turn;
    const size_t padded = dv_padded_dim(rows->dim), dim = turn ? padded : rows->dim;
    double *values = j->scratch + 2 * worker * padded, *turned = turn ? values + padded : values;
    const size_t first = task * QUERIES_A_TASK;
    for (size_t q = first; q < rows->n_rows && q < first + QUERIES_A_TASK; q++) {
        const double norm = dv_prepare_row(dv_row_at(rows, q), rows->dtype, rows->dim, dv_simd_best(), values, NULL);
        if (!isfinite(norm)) return dv_fail(DV_E_ARG, "query %zu: features must be finite", q);
        j->norms[q] = norm;
        if (norm == 0.0) settle_zero_query(j, q, worker, values);
        if (turn) dv_turn_copy(turn, rows->dim, values, turned);
        double most = -INFINITY;
        for (size_t part = 0; norm > 0.0 && part < clusters->n; part++) {
            const double *mu = clusters->parts[part].codes.centre.mu;
            const double middle = mu ? dot(turned, mu, dim, (dv_scale){1.0, 1.0}) / norm : INFINITY;
            j->middles[q * clusters->n + part] = middle;
            if (mu && middle > most) most = middle, j->best[q] = part;
        }
    }
    return DV_OK;
}

/* The least cosine that still matters to a query. */
static double least_of(const job *j, size_t query) {
    const double known = dv_merge_least(j->merge, query), asked = dv_query_least(j->queries, query);
    return known > asked ? known : asked;
}

/* Does a query go to a part, in the first turn or in the second? */
static bool goes_to(const job *j, size_t query, size_t part, bool first_turn) {
    const double eta = dv_bound_canonical(j->queries->rows.dim);
    if (j->norms[query] == 0.0) return false;
    if (first_turn || part == j->best[query]) return first_turn && part == j->best[query];
    const double middle = j->middles[query * j->index->clusters.n + part];
    return dv_cluster_reach(&j->index->clusters.parts[part], middle) + eta >= least_of(j, query);
}

/* Copies the queries that go to a part together; returns how many. */
static size_t gather(const job *j, size_t part, bool first_turn) {
    const dv_rows *rows = &j->queries->rows;
    const size_t row_bytes = rows->dim * dv_dtype_size(rows->dtype);
    size_t n = 0;
    for (size_t q = 0; q < rows->n_rows; q++) {
        if (!goes_to(j, q, part, first_turn)) continue;
        memcpy(j->rows + n * row_bytes, dv_row_at(rows, q), row_bytes);
        j->group[n] = dv_query_hidden(j->queries, q);
        j->least[n] = least_of(j, q);
        j->chosen[n++] = q;
    }
    return n;
}

static dv_status search_part(const job *j, size_t part, bool first_turn) {
    const dv_rows *rows = &j->queries->rows;
    const dv_coded_bank *coded = &j->index->clusters.parts[part];
    const size_t n = gather(j, part, first_turn), k = j->k < coded->codes.n_rows ? j->k : coded->codes.n_rows;
    const dv_queries queries = {
        .rows = {.data = j->rows, .dtype = rows->dtype, .n_rows = n, .dim = rows->dim},
        .group = j->queries->group ? j->group : NULL,
        .least = j->least,
    };
    if (n == 0) return DV_OK;
    DV_TRY(dv_cpu_search_coded(j->host, &j->index->base, coded, &queries, k, j->ids, j->cosines));
    for (size_t i = 0; i < n; i++)
        dv_merge_add_queries(j->merge, j->chosen[i], 1, j->ids + i * k, j->cosines + i * k, k);
    return DV_OK;
}

static dv_status search_parts(job *j) {
    const size_t n = j->queries->rows.n_rows, n_tasks = (n + QUERIES_A_TASK - 1) / QUERIES_A_TASK;
    DV_TRY(dv_pool_run(j->host->pool, n_tasks, measure, j));
    for (int turn = 0; turn < 2; turn++)
        for (size_t part = 0; part < j->index->clusters.n; part++) DV_TRY(search_part(j, part, turn == 0));
    return DV_OK;
}

static dv_status allocate(job *j) {
    const dv_rows *rows = &j->queries->rows;
    const size_t n = rows->n_rows, n_threads = dv_pool_threads(j->host->pool);
    size_t n_middles, n_places, n_values, n_heaps;
    DV_TRY(dv_mul_size(n, j->index->clusters.n, "queries", &n_middles));
    DV_TRY(dv_mul_size(n, j->k, "neighbours", &n_places));
    DV_TRY(dv_mul_size(n_threads, 2 * dv_padded_dim(rows->dim), "queries", &n_values));
    DV_TRY(dv_mul_size(n_threads, j->k, "neighbours", &n_heaps));
    DV_TRY(dv_alloc(n_middles, sizeof *j->middles, "queries", &j->middles));
    DV_TRY(dv_alloc(n, sizeof *j->norms, "queries", &j->norms));
    DV_TRY(dv_alloc(n, sizeof *j->best, "queries", &j->best));
    DV_TRY(dv_alloc(n_values, sizeof *j->scratch, "queries", &j->scratch));
    DV_TRY(dv_alloc(n_heaps, sizeof *j->heaps, "neighbours", &j->heaps));
    DV_TRY(dv_merge_create(n, j->k, &j->merge));
    DV_TRY(dv_alloc(n, rows->dim * dv_dtype_size(rows->dtype), "queries", &j->rows));
    DV_TRY(dv_alloc(n, sizeof *j->group, "queries", &j->group));
    DV_TRY(dv_alloc(n, sizeof *j->least, "queries", &j->least));
    DV_TRY(dv_alloc(n, sizeof *j->chosen, "queries", &j->chosen));
    DV_TRY(dv_alloc(n_places, sizeof *j->ids, "neighbours", &j->ids));
    return dv_alloc(n_places, sizeof *j->cosines, "neighbours", &j->cosines);
}

static void release(job *j) {
    void *const owned[] = {j->middles, j->norms, j->best,   j->scratch, j->heaps,  j->rows,
                           j->group,   j->least, j->chosen, j->ids,     j->cosines};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    dv_merge_free(j->merge);
}

dv_status dv_cpu_search_clusters(dv_host_device *host, dv_cpu_index *index, const dv_queries *queries, size_t k,
                                 int64_t *ids, double *cosines) {
    job j = {.host = host, .index = index, .queries = queries, .k = k};
    const uint64_t n_before = index->base.stats.n_queries;
    dv_status status = allocate(&j);
    if (status == DV_OK) status = search_parts(&j);
    if (status == DV_OK) {
        index->base.stats.n_queries = n_before + queries->rows.n_rows; /* a query goes to several parts */
        memcpy(ids, dv_merge_ids(j.merge), queries->rows.n_rows * k * sizeof *ids);
        memcpy(cosines, dv_merge_cosines(j.merge), queries->rows.n_rows * k * sizeof *cosines);
    }
    release(&j);
    return status;
}
