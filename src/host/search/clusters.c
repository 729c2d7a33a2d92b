#include "search/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/blas.h"
#include "search/sample.h"
#include "search/topk.h"
#include "search/unit.h"

enum {
    SAMPLE_ROWS = 2048,
    SAMPLE_QUERIES = 32,
    LEAST_ROWS = 16384, /* a smaller bank has no more candidates than are soon scored */
    MOST_DIM = 4096,
    MANY_CANDIDATES = 4000, /* a query */
    NEIGHBOURS = 30,        /* a query's usual number */
    MOST_CLUSTERS = DV_MOST_PARTS - 1,
    LEAST_MEMBERS = 24, /* of the sample: more than a hundredth of the bank */
    FEW_ROWS = 20,      /* one of so many */
    ROWS_A_TASK = 256
};
static const float CODE_SLACK = 0.04F; /* twice the bound of codes of whole rows, about */
/* Rows of a cluster have at least that cosine with one of them; the closest clusters are found first. */
static const float DENSITIES[] = {0.95F, 0.8F, 0.45F};
enum { N_DENSITIES = sizeof DENSITIES / sizeof *DENSITIES };

typedef struct finder {
    dv_row_source source;
    size_t n;        /* of the sample */
    float *unit;     /* f32 [n, dim] */
    float *cosines;  /* f32 [n, n] */
    int *cluster_of; /* [n], -1: none */
    size_t n_clusters;
    float *middles; /* f32 [MOST_CLUSTERS, dim] */
    float *squares; /* f32 [MOST_CLUSTERS], of the middles */
} finder;

static dv_status take_sample(finder *f) {
    const size_t dim = f->source.scored->rows.dim;
    double *values;
    DV_TRY(dv_alloc(dv_prepared_size(dim), sizeof *values, "row scratch", &values));
    for (size_t i = 0; i < f->n; i++) {
        const size_t row = dv_sample_row(f->source.scored->rows.n_rows, f->n, i);
        dv_scaled_row(f->source.scored, row, values);
        dv_unit_row(values, f->source.scored->norms[row], dim, f->unit + i * dim);
    }
    free(values);
    return DV_OK;
}

/* Cosines of a few rows of the sample, evenly spread, with all of it: the first rows of f->cosines, for now. */
static dv_status take_queries(finder *f) {
    const size_t dim = f->source.scored->rows.dim;
    float *queries;
    DV_TRY(dv_alloc(SAMPLE_QUERIES * dim, sizeof *queries, "sample", &queries));
    for (size_t i = 0; i < SAMPLE_QUERIES; i++)
        memcpy(queries + i * dim, f->unit + dv_sample_row(f->n, SAMPLE_QUERIES, i) * dim, dim * sizeof *queries);
    dv_blas_products(queries, SAMPLE_QUERIES, f->unit, f->n, dim, f->cosines);
    free(queries);
    return DV_OK;
}

static int by_count(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Candidates that codes of whole rows would leave, as the sample has them, of all but a quarter of the queries: where
 * copies of a few rows are all that is near, some queries find none of them in the sample. */
static double expected_candidates(const finder *f) {
    const double rows = (double)f->source.scored->rows.n_rows;
    const size_t wanted = (size_t)NEIGHBOURS * f->n / f->source.scored->rows.n_rows + 1;
    size_t n_near[SAMPLE_QUERIES] = {0};
    for (size_t i = 0; i < SAMPLE_QUERIES; i++) {
        const float *cosines = f->cosines + i * f->n;
        const float least = dv_kth_largest(cosines, f->n, wanted + 1) - CODE_SLACK; /* itself is one */
        for (size_t row = 0; row < f->n; row++) n_near[i] += cosines[row] >= least;
    }
    qsort(n_near, SAMPLE_QUERIES, sizeof *n_near, by_count);
    const size_t quartile = (size_t)SAMPLE_QUERIES * 3 / 4;
    return rows * (double)n_near[quartile] / (double)f->n;
}

/* The row with the most free rows around it; *n_members: how many. */
static size_t densest(const finder *f, float density, size_t *n_members) {
    size_t best = 0;
    *n_members = 0;
    for (size_t i = 0; i < f->n; i++) {
        size_t n = 0;
        if (f->cluster_of[i] >= 0) continue;
        for (size_t j = 0; j < f->n; j++) n += f->cluster_of[j] < 0 && f->cosines[i * f->n + j] >= density;
        if (n > *n_members) *n_members = n, best = i;
    }
    return best;
}

static void take_cluster(finder *f, size_t row, float density) {
    const size_t dim = f->source.scored->rows.dim;
    float *middle = f->middles + f->n_clusters * dim, square = 0.0F;
    size_t n = 0;
    memset(middle, 0, dim * sizeof *middle);
    for (size_t j = 0; j < f->n; j++) {
        if (f->cluster_of[j] >= 0 || f->cosines[row * f->n + j] < density) continue;
        f->cluster_of[j] = (int)f->n_clusters;
        for (size_t e = 0; e < dim; e++) middle[e] += f->unit[j * dim + e];
        n++;
    }
    for (size_t e = 0; e < dim; e++) {
        middle[e] /= (float)n;
        square += middle[e] * middle[e];
    }
    f->squares[f->n_clusters++] = square;
}

static void find_clusters(finder *f) {
    for (size_t i = 0; i < f->n; i++) f->cluster_of[i] = -1;
    for (size_t d = 0; d < N_DENSITIES; d++)
        while (f->n_clusters < MOST_CLUSTERS) {
            size_t n_members;
            const size_t row = densest(f, DENSITIES[d], &n_members);
            if (n_members < LEAST_MEMBERS) break;
            take_cluster(f, row, DENSITIES[d]);
        }
}

/* Is the sample, but for a few rows, one cluster? Then the bank has a common direction, and needs no parts. */
static bool is_one_cluster(const finder *f) {
    size_t n_members = 0;
    for (size_t i = 0; i < f->n; i++) n_members += f->cluster_of[i] == 0;
    return n_members * FEW_ROWS >= f->n * (FEW_ROWS - 1);
}

static dv_status look(finder *f, bool *worth_it) {
    const size_t dim = f->source.scored->rows.dim;
    DV_TRY(dv_alloc(f->n * dim, sizeof *f->unit, "sample", &f->unit));
    DV_TRY(dv_alloc(f->n * f->n, sizeof *f->cosines, "sample", &f->cosines));
    DV_TRY(take_sample(f));
    dv_blas_single_thread();
    DV_TRY(take_queries(f));
    *worth_it = expected_candidates(f) > MANY_CANDIDATES;
    if (!*worth_it) return DV_OK;
    dv_blas_products(f->unit, f->n, f->unit, f->n, dim, f->cosines);
    DV_TRY(dv_alloc(f->n, sizeof *f->cluster_of, "clusters", &f->cluster_of));
    DV_TRY(dv_alloc(MOST_CLUSTERS * dim, sizeof *f->middles, "clusters", &f->middles));
    DV_TRY(dv_alloc(MOST_CLUSTERS, sizeof *f->squares, "clusters", &f->squares));
    find_clusters(f);
    return DV_OK;
}

typedef struct assignment {
    const finder *f;
    int32_t *part_of; /* i32 [rows]: a cluster, or n_clusters */
    double *values;   /* f64 [threads, prepared size] */
    float *unit;      /* f32 [threads, ROWS_A_TASK, dim] */
    float *products;  /* f32 [threads, ROWS_A_TASK, n_clusters] */
} assignment;

/* The nearest middle, if the row is nearer to it than to the origin. */
static int32_t nearest(const finder *f, const float *products) {
    float best = 0.0F;
    int32_t part = (int32_t)f->n_clusters;
    for (size_t c = 0; c < f->n_clusters; c++) {
        const float gain = 2.0F * products[c] - f->squares[c]; /* 1 - |x - mu|^2 */
        if (gain > best) best = gain, part = (int32_t)c;
    }
    return part;
}

static dv_status assign_rows(void *context, size_t task, size_t worker) {
    const assignment *j = context;
    const dv_scored_rows *scored = j->f->source.scored;
    const size_t dim = scored->rows.dim, first = task * ROWS_A_TASK, left = scored->rows.n_rows - first;
    const size_t n = left < ROWS_A_TASK ? left : ROWS_A_TASK, n_clusters = j->f->n_clusters;
    double *values = j->values + worker * dv_prepared_size(dim);
    float *unit = j->unit + worker * ROWS_A_TASK * dim, *products = j->products + worker * ROWS_A_TASK * n_clusters;
    for (size_t i = 0; i < n; i++) {
        dv_scaled_row(scored, first + i, values);
        dv_unit_row(values, scored->norms[first + i], dim, unit + i * dim);
    }
    dv_blas_single_thread();
    dv_blas_products(unit, n, j->f->middles, n_clusters, dim, products);
    for (size_t i = 0; i < n; i++) j->part_of[first + i] = nearest(j->f, products + i * n_clusters);
    return DV_OK;
}

static dv_status assign(const finder *f, dv_pool *pool, int32_t *part_of) {
    const size_t dim = f->source.scored->rows.dim, n_threads = dv_pool_threads(pool),
                 n_rows = f->source.scored->rows.n_rows;
    assignment j = {.f = f, .part_of = part_of};
    size_t n_values, n_unit, n_products;
    DV_TRY(dv_mul_size(n_threads, dv_prepared_size(dim), "row scratch", &n_values));
    DV_TRY(dv_mul_size(n_threads, ROWS_A_TASK * dim, "row scratch", &n_unit));
    DV_TRY(dv_mul_size(n_threads, ROWS_A_TASK * f->n_clusters, "row scratch", &n_products));
    dv_status status = dv_alloc(n_values, sizeof *j.values, "row scratch", &j.values);
    if (status == DV_OK) status = dv_alloc(n_unit, sizeof *j.unit, "row scratch", &j.unit);
    if (status == DV_OK) status = dv_alloc(n_products, sizeof *j.products, "row scratch", &j.products);
    if (status == DV_OK) status = dv_pool_run(pool, (n_rows + ROWS_A_TASK - 1) / ROWS_A_TASK, assign_rows, &j);
    free(j.values);
    free(j.unit);
    free(j.products);
    return status;
}

/* The rows of a part, rising, to rows i32 [n_rows]. */
static dv_row_set rows_of(const int32_t *part_of, size_t n_rows, size_t part, int32_t *rows) {
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++)
        if ((size_t)part_of[row] == part) rows[n++] = (int32_t)row;
    return (dv_row_set){rows, n};
}

/* Where a part is coded about: the middle of its cluster, or nothing. */
static dv_status part_centre(const finder *f, size_t part, dv_row_set set, dv_centre *out) {
    const size_t dim = f->source.scored->rows.dim;
    double *mu;
    *out = (dv_centre){0};
    if (part == f->n_clusters) return DV_OK;
    DV_TRY(dv_alloc(dv_padded_dim(dim), sizeof *mu, "clusters", &mu));
    for (size_t e = 0; e < dim; e++) mu[e] = (double)f->middles[part * dim + e];
    if (f->source.turn) dv_turn_apply(f->source.turn, mu);
    const dv_status status = dv_centre_about(f->source, set, mu, out);
    free(mu);
    return status;
}

static dv_status code_parts(const finder *f, const int32_t *group, const float *peaks, size_t tile_rows, dv_pool *pool,
                            const int32_t *part_of, int32_t *rows, dv_clusters *out) {
    DV_TRY(dv_alloc(f->n_clusters + 1, sizeof *out->parts, "clusters", &out->parts));
    for (size_t part = 0; part <= f->n_clusters; part++) {
        const dv_row_set set = rows_of(part_of, f->source.scored->rows.n_rows, part, rows);
        dv_centre centre;
        if (set.n == 0) continue;
        DV_TRY(part_centre(f, part, set, &centre));
        out->parts[out->n].turn = f->source.turn;
        DV_TRY(dv_codes_create(f->source, set, group, peaks, centre, tile_rows, pool, &out->parts[out->n].codes));
        out->n++;
    }
    return DV_OK;
}

static dv_status create_parts(const finder *f, const int32_t *group, const float *peaks, size_t tile_rows,
                              dv_pool *pool, dv_clusters *out) {
    int32_t *part_of = NULL, *rows = NULL;
    dv_status status = dv_alloc(f->source.scored->rows.n_rows, sizeof *part_of, "clusters", &part_of);
    if (status == DV_OK) status = dv_alloc(f->source.scored->rows.n_rows, sizeof *rows, "clusters", &rows);
    if (status == DV_OK) status = assign(f, pool, part_of);
    if (status == DV_OK) status = code_parts(f, group, peaks, tile_rows, pool, part_of, rows, out);
    free(part_of);
    free(rows);
    return status;
}

static bool may_be_cut(size_t n_rows, size_t dim) {
    return n_rows >= LEAST_ROWS && dim <= MOST_DIM;
}

size_t dv_clusters_create_bytes(size_t n_rows, size_t dim, size_t n_threads) {
    if (!may_be_cut(n_rows, dim)) return 0;
    const size_t sample = (SAMPLE_ROWS * (dim + SAMPLE_ROWS) + SAMPLE_QUERIES * dim) * sizeof(float);
    const size_t middles = MOST_CLUSTERS * (dim + 1) * sizeof(float) + dv_padded_dim(dim) * sizeof(double);
    const size_t task = ROWS_A_TASK * (dim + MOST_CLUSTERS) * sizeof(float) + dv_prepared_size(dim) * sizeof(double);
    return sample + middles + n_threads * task + n_rows * 2 * sizeof(int32_t);
}

dv_status dv_clusters_create(dv_row_source source, const int32_t *group, const float *peaks, size_t tile_rows,
                             dv_pool *pool, dv_clusters *out) {
    bool worth_it = false;
    finder f = {.source = source, .n = SAMPLE_ROWS};
    *out = (dv_clusters){0};
    if (!may_be_cut(source.scored->rows.n_rows, source.scored->rows.dim)) return DV_OK;
    dv_status status = look(&f, &worth_it);
    if (status == DV_OK && worth_it && f.n_clusters > 0 && !is_one_cluster(&f))
        status = create_parts(&f, group, peaks, tile_rows, pool, out);
    free(f.unit);
    free(f.cosines);
    free(f.cluster_of);
    free(f.middles);
    free(f.squares);
    if (status != DV_OK) dv_clusters_free(out);
    return status;
}

void dv_clusters_free(dv_clusters *clusters) {
    for (size_t i = 0; i < clusters->n; i++) dv_coded_bank_free(&clusters->parts[i]);
    free(clusters->parts);
    *clusters = (dv_clusters){0};
}
