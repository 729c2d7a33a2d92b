#include "search/faiss/search_faiss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/blas.h"
#include "search/bound.h"
#include "search/exact_scan.h"
#include "search/faiss/faiss_engine.h"
#include "search/query_limits.h"
#include "search/topk.h"
#include "search/unit.h"

enum {
    SHARD_ROWS = 100000,
    MOST_SHARDS = 8,
    ROWS_AT_ONCE = 4096, /* added to FAISS */
    TILE_QUERIES = 512,
    BESIDE = 16,            /* neighbours beyond k that are asked for first */
    BESIDE_MASKED = 64,     /* and beyond 2 k where some may be hidden */
    PRODUCT_ROWS = 1024,    /* that FAISS multiplies at once */
    PACKED_BYTES = 8 << 20, /* what BLAS copies for a product, a thread, about */
    MOST_DOUBLINGS = 4,     /* before a query is scanned in full */
    BUFFER_PLACES = 1 << 20 /* neighbours that one worker holds, unless one query has more */
};

struct dv_faiss_index {
    const dv_scored_rows *scored;
    const int32_t *group;
    dv_faiss_engine *engine;
    double bound;
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t choose_shards(size_t n_rows, size_t shard_rows) {
    const size_t rows = shard_rows ? shard_rows : SHARD_ROWS;
    return least((n_rows - 1) / rows + 1, MOST_SHARDS);
}

static dv_status add_rows(dv_faiss_index *index, dv_pool *pool) {
    const dv_rows *rows = &index->scored->rows;
    size_t n_values;
    DV_TRY(dv_mul_size(least(ROWS_AT_ONCE, rows->n_rows), rows->dim, "unit rows", &n_values));
    float *unit;
    DV_TRY(dv_alloc(n_values, sizeof *unit, "unit rows", &unit));
    dv_status status = DV_OK;
    for (size_t first = 0; status == DV_OK && first < rows->n_rows; first += ROWS_AT_ONCE) {
        const size_t n = least(ROWS_AT_ONCE, rows->n_rows - first);
        status = dv_unit_rows(index->scored, first, n, pool, unit);
        if (status == DV_OK) status = dv_faiss_engine_add(index->engine, unit, n);
    }
    free(unit);
    return status;
}

size_t dv_faiss_scratch_bytes(size_t dim, size_t k, size_t n_threads) {
    const size_t n_first = k + BESIDE_MASKED;
    const size_t n_places = least(TILE_QUERIES * n_first, BUFFER_PLACES) + (n_first << MOST_DOUBLINGS);
    const size_t query_bytes = dim * sizeof(float) + sizeof(size_t) + PRODUCT_ROWS * sizeof(float);
    const size_t worker_bytes = n_places * (sizeof(float) + sizeof(int64_t)) + TILE_QUERIES * query_bytes;
    return ROWS_AT_ONCE * dim * sizeof(float) + n_threads * (worker_bytes + PACKED_BYTES);
}

dv_status dv_faiss_index_create(const dv_scored_rows *scored, const int32_t *group, size_t shard_rows, dv_pool *pool,
                                dv_faiss_index **out) {
    *out = NULL;
    const dv_rows *rows = &scored->rows;
    dv_faiss_index *made;
    DV_TRY(dv_alloc(1, sizeof *made, "FAISS index", &made));
    *made = (dv_faiss_index){.scored = scored, .group = group, .bound = dv_bound_f32(rows->dim)};
    dv_status status =
        dv_faiss_engine_create(rows->dim, rows->n_rows, choose_shards(rows->n_rows, shard_rows), &made->engine);
    if (status == DV_OK) status = add_rows(made, pool);
    if (status != DV_OK) {
        dv_faiss_index_free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

void dv_faiss_index_free(dv_faiss_index *index) {
    if (!index) return;
    dv_faiss_engine_free(index->engine);
    free(index);
}

/* What one worker works in. */
typedef struct scratch {
    double *values;     /* f64 [prepared size], one query */
    float *unit;        /* f32 [tile_queries, dim], queries that wait for an answer */
    size_t *waiting;    /* [tile_queries], their numbers */
    float *scores;      /* f32 [n_places] */
    int64_t *ids;       /* i64 [n_places] */
    dv_neighbour *heap; /* [k] */
    dv_search_stats stats;
} scratch;

typedef struct job {
    const dv_faiss_index *index;
    const dv_queries *queries;
    size_t k, n_first; /* n_first: neighbours that are asked for first */
    size_t tile_queries, n_places;
    scratch *workers;
    int64_t *ids;
    double *cosines;
} job;

static double prepare(const job *j, size_t query, double *values) {
    const dv_rows *rows = &j->queries->rows;
    return dv_prepare_row(dv_row_at(rows, query), rows->dtype, rows->dim, dv_simd_best(), values, NULL);
}

static void scan(const job *j, size_t query, double norm, scratch *s) {
    dv_topk best = dv_topk_begin(s->heap, j->k, dv_query_least(j->queries, query));
    s->stats.n_candidates +=
        dv_exact_scan(j->index->scored, j->index->group, dv_query_hidden(j->queries, query), s->values, norm, &best);
    dv_topk_write(&best, j->ids + query * j->k, j->cosines + query * j->k);
}

/* Scores what FAISS found for a query. Only visible rows that come within 2 E of the k-th of them can be among the k
 * best; scores fall, so the rest is passed over. *n_found: how many ids were valid. */
static dv_status rescore(const job *j, size_t query, double norm, const float *scores, const int64_t *ids, size_t n,
                         scratch *s, dv_topk *best, size_t *n_found) {
    const int32_t hidden = dv_query_hidden(j->queries, query);
    float threshold = -INFINITY;
    size_t n_visible = 0;
    *n_found = 0;
    for (size_t i = 0; i < n; i++) {
        if (ids[i] < 0) continue;
        const size_t row = (size_t)ids[i];
        if (row >= j->index->scored->rows.n_rows)
            return dv_fail(DV_E_INTERNAL, "FAISS found row %zu: there is none", row);
        ++*n_found;
        if ((hidden != -1 && j->index->group[row] == hidden) || scores[i] < threshold) continue;
        if (++n_visible == j->k) threshold = dv_bound_threshold(scores[i], j->index->bound);
        const double cosine = dv_score(j->index->scored, row, s->values, norm);
        if (!(fabs(cosine - (double)scores[i]) <= j->index->bound))
            return dv_fail(DV_E_BACKEND,
                           "FAISS: product %.9g of query %zu and row %zu, cosine %.9g: not what single "
                           "precision gives, so it proves nothing",
                           (double)scores[i], query, row, cosine);
        dv_topk_offer(best, cosine, (int64_t)row);
        s->stats.n_candidates++;
    }
    return DV_OK;
}

/* Answers a query from n neighbours of FAISS's, if they prove the answer. A row that FAISS left out has a float score
 * of at most the last one's, hence a cosine of at most that plus E: below the k-th cosine, it is out, ties included. */
static dv_status answer(const job *j, size_t query, const float *scores, const int64_t *ids, size_t n, scratch *s,
                        bool *certified) {
    const double norm = prepare(j, query, s->values);
    dv_topk best = dv_topk_begin(s->heap, j->k, dv_query_least(j->queries, query));
    size_t n_found;
    DV_TRY(rescore(j, query, norm, scores, ids, n, s, &best, &n_found));
    const bool all = n == j->index->scored->rows.n_rows;
    const double rest = (double)scores[n - 1] + j->index->bound;
    *certified = n_found == n &&
                 (all || rest < best.least || (best.n == j->k && best.heap[0].cosine > rest)); /* [0]: the k-th */
    if (*certified) dv_topk_write(&best, j->ids + query * j->k, j->cosines + query * j->k);
    return DV_OK;
}

/* Asks FAISS for n neighbours of the waiting queries. Those that are answered leave the row. */
static dv_status ask(const job *j, size_t n, size_t *n_waiting, scratch *s) {
    const size_t dim = j->queries->rows.dim, at_once = j->n_places / n;
    size_t kept = 0;
    for (size_t first = 0; first < *n_waiting; first += at_once) {
        const size_t n_asked = least(at_once, *n_waiting - first);
        DV_TRY(dv_faiss_engine_search(j->index->engine, s->unit + first * dim, n_asked, n, s->scores, s->ids));
        for (size_t i = 0; i < n_asked; i++) {
            const size_t query = s->waiting[first + i];
            bool certified;
            DV_TRY(answer(j, query, s->scores + i * n, s->ids + i * n, n, s, &certified));
            if (certified) continue;
            memmove(s->unit + kept * dim, s->unit + (first + i) * dim, dim * sizeof *s->unit);
            s->waiting[kept++] = query;
        }
    }
    *n_waiting = kept;
    return DV_OK;
}

static dv_status search_tile(void *context, size_t tile, size_t worker) {
    const job *j = context;
    const dv_rows *rows = &j->queries->rows;
    const size_t most = dv_faiss_engine_most(j->index->engine), begin = tile * j->tile_queries;
    const size_t end = rows->n_rows - begin < j->tile_queries ? rows->n_rows : begin + j->tile_queries;
    scratch *s = &j->workers[worker];
    size_t n_waiting = 0;
    for (size_t query = begin; query < end; query++) {
        const double norm = prepare(j, query, s->values);
        if (!isfinite(norm)) return dv_fail(DV_E_ARG, "query %zu: features must be finite", query);
        if (norm == 0.0) {
            scan(j, query, norm, s); /* all rows tie: the first ones */
            continue;
        }
        dv_unit_row(s->values, norm, rows->dim, s->unit + n_waiting * rows->dim);
        s->waiting[n_waiting++] = query;
    }
    dv_blas_single_thread();
    size_t n = j->n_first;
    for (int doubling = 0; n_waiting > 0 && doubling <= MOST_DOUBLINGS; doubling++) {
        DV_TRY(ask(j, n, &n_waiting, s));
        if (n == most) break;
        n = n > most / 2 ? most : 2 * n;
    }
    for (size_t i = 0; i < n_waiting; i++) scan(j, s->waiting[i], prepare(j, s->waiting[i], s->values), s);
    s->stats.n_uncertified += n_waiting;
    s->stats.n_queries += end - begin;
    return DV_OK;
}

static dv_status create_scratch(const job *j, scratch *s) {
    const size_t dim = j->queries->rows.dim;
    size_t n_unit;
    DV_TRY(dv_mul_size(j->tile_queries, dim, "query tile", &n_unit));
    DV_TRY(dv_alloc(dv_prepared_size(dim), sizeof *s->values, "query", &s->values));
    DV_TRY(dv_alloc(n_unit, sizeof *s->unit, "query tile", &s->unit));
    DV_TRY(dv_alloc(j->tile_queries, sizeof *s->waiting, "query tile", &s->waiting));
    DV_TRY(dv_alloc(j->n_places, sizeof *s->scores, "FAISS scores", &s->scores));
    DV_TRY(dv_alloc(j->n_places, sizeof *s->ids, "FAISS ids", &s->ids));
    return dv_alloc(j->k, sizeof *s->heap, "neighbours", &s->heap);
}

static void free_scratch(scratch *s) {
    free(s->values);
    free(s->unit);
    free(s->waiting);
    free(s->scores);
    free(s->ids);
    free(s->heap);
}

/* How many neighbours are asked for, and how many queries at once. */
static void make_plan(job *j, size_t tile_queries) {
    const size_t most_at_once = dv_faiss_engine_most(j->index->engine), n = j->queries->rows.n_rows;
    const size_t beside = j->queries->group ? j->k + BESIDE_MASKED : BESIDE;
    j->n_first = j->k > most_at_once - least(beside, most_at_once) ? most_at_once : j->k + beside;
    size_t most = j->n_first; /* after all doublings */
    for (int i = 0; i < MOST_DOUBLINGS; i++) most = most > most_at_once / 2 ? most_at_once : 2 * most;
    const size_t fit = BUFFER_PLACES / j->n_first;
    j->tile_queries = tile_queries ? tile_queries : least(TILE_QUERIES, fit > 1 ? fit : 1);
    j->tile_queries = least(j->tile_queries, n > 0 ? n : 1);
    j->n_places = least(j->tile_queries, fit > 1 ? fit : 1) * j->n_first;
    if (j->n_places < most) j->n_places = most;
}

dv_status dv_faiss_search(const dv_faiss_index *index, const dv_queries *queries, size_t k, size_t tile_queries,
                          dv_pool *pool, int64_t *ids, double *cosines, dv_search_stats *stats) {
    job j = {.index = index, .queries = queries, .k = k, .ids = ids, .cosines = cosines};
    make_plan(&j, tile_queries);
    const size_t n_workers = dv_pool_threads(pool),
                 n_tiles = (queries->rows.n_rows + j.tile_queries - 1) / j.tile_queries;
    DV_TRY(dv_alloc(n_workers, sizeof *j.workers, "workers", &j.workers));
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < n_workers; i++) status = create_scratch(&j, &j.workers[i]);
    if (status == DV_OK) status = dv_pool_run(pool, n_tiles, search_tile, &j);
    for (size_t i = 0; i < n_workers; i++) {
        if (status == DV_OK) {
            stats->n_queries += j.workers[i].stats.n_queries;
            stats->n_candidates += j.workers[i].stats.n_candidates;
            stats->n_uncertified += j.workers[i].stats.n_uncertified;
        }
        free_scratch(&j.workers[i]);
    }
    free(j.workers);
    return status;
}
