/* Banks of dense clusters: where parts are found and where not, that they share out the rows, and that no cosine lies
 * beyond what a part says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "differential/corpus.h"
#include "search/clusters.h"

enum { N_ROWS = 20000, DIM = 50, N_QUERIES = 8 };
static uint64_t seed;

/* WIDE: clusters whose rows codes of whole rows tell apart. */
typedef enum shape {
    ORDINARY,
    NEAR_DUPLICATES,
    ONE_CLUSTER,
    WIDE,
    TIGHT,
    LOOSE,
    WITH_NOISE,
    WITH_ZEROS,
    N_SHAPES
} shape;

/* Parts that are to be found, and how many of them are clusters. */
static const size_t n_parts[N_SHAPES] = {[TIGHT] = 4, [LOOSE] = 4, [WITH_NOISE] = 4, [WITH_ZEROS] = 4};
static const size_t n_clusters[N_SHAPES] = {[TIGHT] = 4, [LOOSE] = 4, [WITH_NOISE] = 3, [WITH_ZEROS] = 3};

/* Element i of direction number `which`: far from parallel to the others. */
static double direction(size_t which, size_t i) {
    return cos((double)((which + 1) * (i + 1)) + (double)(which * which));
}

static void fill(corpus_random *random, shape kind, size_t row, float *values) {
    const size_t cluster = kind == ONE_CLUSTER ? 0 : row % 4;
    const double jitter = kind == WIDE ? 0.4 : kind == LOOSE ? 0.15 : kind == TIGHT ? 1e-3 : 0.1;
    const double size = 0.5 + (double)(row % 7);
    for (size_t i = 0; i < DIM; i++) {
        const double x = corpus_unit(random);
        values[i] = (float)(size * (direction(cluster, i) + jitter * x));
        if (kind == ORDINARY || (kind == WITH_NOISE && cluster == 3 && row % 3 > 0)) values[i] = (float)x;
        if (kind == NEAR_DUPLICATES) values[i] = (float)(direction(row % 2000, i) + 1e-4 * x);
        if (kind == WITH_NOISE && cluster == 3 && row % 3 == 0) values[i] = (float)-x;
        if (kind == WITH_ZEROS && cluster == 3) values[i] = 0.0F;
    }
}

typedef struct fixture {
    corpus c;
    dv_pool *pool;
    float *peaks;
    dv_scored_rows scored;
    dv_turn turn; /* without signs: none */
    dv_clusters clusters;
} fixture;

static void fixture_create(fixture *f, shape kind, bool turned) {
    corpus_random random = {seed + (uint64_t)kind};
    *f = (fixture){0};
    corpus_create(CORPUS_RANDOM, DV_F32, N_ROWS, 1, DIM, seed, &f->c);
    for (size_t i = 0; i < N_ROWS; i++) fill(&random, kind, i, (float *)f->c.bank_data + i * DIM);
    f->peaks = calloc(N_ROWS, sizeof *f->peaks);
    assert_non_null(f->peaks);
    assert_int_equal(dv_pool_create(2, &f->pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(&f->c.bank.rows, dv_simd_best(), f->pool, f->peaks, &f->scored), DV_OK);
    if (turned) assert_int_equal(dv_turn_create(DIM, &f->turn), DV_OK);
    const dv_row_source source = {&f->scored, turned ? &f->turn : NULL};
    assert_int_equal(dv_clusters_create(source, NULL, f->peaks, 0, f->pool, &f->clusters), DV_OK);
}

static void fixture_free(fixture *f) {
    dv_clusters_free(&f->clusters);
    dv_turn_free(&f->turn);
    dv_scored_rows_free(&f->scored);
    dv_pool_free(f->pool);
    free(f->peaks);
    corpus_free(&f->c);
}

static size_t count_clusters(const dv_clusters *clusters) {
    size_t n = 0;
    for (size_t part = 0; part < clusters->n; part++) n += clusters->parts[part].codes.centre.mu != NULL;
    return n;
}

static void clusters_are_found_where_they_are(void **state) {
    (void)state;
    for (int kind = 0; kind < N_SHAPES; kind++) {
        fixture f;
        fixture_create(&f, (shape)kind, false);
        assert_int_equal(f.clusters.n, n_parts[kind]);
        assert_int_equal(count_clusters(&f.clusters), n_clusters[kind]);
        for (size_t part = 0; part < f.clusters.n; part++) /* rows of clusters lie with their own */
            for (size_t i = 1; part < n_clusters[kind] && i < f.clusters.parts[part].codes.n_rows; i++)
                if (n_clusters[kind] == 4)
                    assert_int_equal(f.clusters.parts[part].codes.rows[i] % 4,
                                     f.clusters.parts[part].codes.rows[0] % 4);
        fixture_free(&f);
    }
}

static void every_row_is_in_one_part(void **state) {
    (void)state;
    for (int kind = TIGHT; kind < N_SHAPES; kind++) {
        fixture f;
        unsigned char seen[N_ROWS] = {0};
        fixture_create(&f, (shape)kind, false);
        for (size_t part = 0; part < f.clusters.n; part++) {
            const dv_codes *codes = &f.clusters.parts[part].codes;
            for (size_t i = 0; i < codes->n_rows; i++) {
                assert_in_range(codes->rows[i], 0, N_ROWS - 1);
                assert_int_equal(seen[codes->rows[i]]++, 0);
            }
        }
        for (size_t row = 0; row < N_ROWS; row++) assert_int_equal(seen[row], 1);
        fixture_free(&f);
    }
}

/* A row of length 1, in 64-bit mantissas, turned where rows are; zeros for a zero row. Returns its number of elements.
 */
static size_t exact_row(const fixture *f, const float *row, long double *out) {
    const size_t n = f->turn.signs ? f->turn.size : DIM;
    long double squares = 0;
    for (size_t i = 0; i < DIM; i++) squares += (long double)row[i] * row[i];
    for (size_t i = 0; i < n; i++) out[i] = i < DIM && squares > 0 ? row[i] / sqrtl(squares) : 0;
    if (!f->turn.signs) return n;
    for (size_t i = 0; i < n; i++) out[i] = f->turn.signs[i] > 0 ? out[i] : -out[i];
    for (size_t half = 1; half < f->turn.block; half *= 2)
        for (size_t i = 0; i < n; i++)
            if (!(i & half)) {
                const long double a = out[i], b = out[i + half];
                out[i] = (a + b) / sqrtl(2);
                out[i + half] = (a - b) / sqrtl(2);
            }
    return n;
}

/* |x - mu| of a row of a part. */
static long double distance(const fixture *f, const dv_codes *codes, size_t i) {
    long double x[64], squares = 0;
    const size_t n = exact_row(f, (const float *)f->c.bank_data + (size_t)codes->rows[i] * DIM, x);
    for (size_t e = 0; e < n; e++) squares += (x[e] - codes->centre.mu[e]) * (x[e] - codes->centre.mu[e]);
    return sqrtl(squares);
}

static void extents_bound_the_rows_of_a_cluster(void **state) {
    (void)state;
    for (int kind = TIGHT; kind < N_SHAPES; kind++)
        for (int turned = 0; turned < 2; turned++) {
            fixture f;
            fixture_create(&f, (shape)kind, turned);
            for (size_t part = 0; part < n_clusters[kind]; part++) {
                const dv_codes *codes = &f.clusters.parts[part].codes;
                long double farthest = 0;
                for (size_t i = 0; i < codes->n_rows; i++) farthest = fmaxl(farthest, distance(&f, codes, i));
                assert_true(farthest <= codes->extent);
                assert_true(farthest >= 0.999L * codes->extent); /* and not by much */
            }
            fixture_free(&f);
        }
}

/* The largest cosine of a query of length 1, turned as rows are, with a row of a part; *middle: with its middle. */
static long double largest_cosine(const fixture *f, const dv_codes *codes, const long double *query, double *middle) {
    long double most = -1, along = 0;
    for (size_t i = 0; i < codes->n_rows; i++) {
        long double x[64], cosine = 0;
        const size_t n = exact_row(f, (const float *)f->c.bank_data + (size_t)codes->rows[i] * DIM, x);
        for (size_t e = 0; e < n; e++) cosine += query[e] * x[e];
        most = fmaxl(most, cosine);
    }
    for (size_t e = 0; e < codes->centre.dim; e++) along += query[e] * codes->centre.mu[e];
    *middle = (double)along;
    return most;
}

/* The direction in which the row that is farthest from the middle lies: the query of the largest cosine. */
static void farthest_direction(const fixture *f, const dv_codes *codes, long double *query) {
    size_t farthest = 0;
    for (size_t i = 1; i < codes->n_rows; i++)
        if (distance(f, codes, i) > distance(f, codes, farthest)) farthest = i;
    const long double length = distance(f, codes, farthest);
    const size_t n = exact_row(f, (const float *)f->c.bank_data + (size_t)codes->rows[farthest] * DIM, query);
    for (size_t e = 0; e < n; e++) query[e] = (query[e] - codes->centre.mu[e]) / length;
}

static void no_cosine_is_beyond_the_reach_of_a_part(void **state) {
    (void)state;
    for (int kind = TIGHT; kind < N_SHAPES; kind++)
        for (int turned = 0; turned < 2; turned++) {
            fixture f;
            corpus_random random = {seed};
            fixture_create(&f, (shape)kind, turned);
            for (size_t part = 0; part < n_clusters[kind]; part++)
                for (size_t q = 0; q < N_QUERIES; q++) {
                    const dv_coded_bank *bank = &f.clusters.parts[part];
                    float values[DIM];
                    long double query[64];
                    double middle;
                    fill(&random, q % 2 ? ORDINARY : TIGHT, q, values);
                    (void)exact_row(&f, values, query);
                    if (q == 0) farthest_direction(&f, &bank->codes, query);
                    const long double most = largest_cosine(&f, &bank->codes, query, &middle);
                    const double reach = dv_cluster_reach(bank, middle);
                    assert_true(most <= reach);                                         /* (16.1) */
                    if (q == 0) assert_true(reach - most <= 1e-3 * bank->codes.extent); /* and it can come near */
                }
            fixture_free(&f);
        }
}

/* What is in no cluster has no middle: nothing keeps a query away. */
static void the_rest_is_always_within_reach(void **state) {
    (void)state;
    fixture f;
    fixture_create(&f, WITH_NOISE, false);
    const dv_coded_bank *rest = &f.clusters.parts[f.clusters.n - 1];
    assert_null(rest->codes.centre.mu);
    assert_true(dv_cluster_reach(rest, INFINITY) >= 1.0);
    fixture_free(&f);
}

static void parts_repeat_whatever_the_threads(void **state) {
    (void)state;
    fixture f;
    dv_pool *pool;
    dv_clusters again;
    fixture_create(&f, WITH_NOISE, false);
    assert_int_equal(dv_pool_create(1, &pool), DV_OK);
    assert_int_equal(dv_clusters_create((dv_row_source){&f.scored, NULL}, NULL, f.peaks, 0, pool, &again), DV_OK);
    assert_int_equal(again.n, f.clusters.n);
    for (size_t part = 0; part < again.n; part++) {
        const dv_codes *a = &f.clusters.parts[part].codes, *b = &again.parts[part].codes;
        assert_int_equal(a->n_rows, b->n_rows);
        assert_memory_equal(a->rows, b->rows, a->n_rows * sizeof *a->rows);
        assert_true(a->extent == b->extent);
    }
    dv_clusters_free(&again);
    dv_pool_free(pool);
    fixture_free(&f);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_found_where_they_are),
        cmocka_unit_test(every_row_is_in_one_part),
        cmocka_unit_test(extents_bound_the_rows_of_a_cluster),
        cmocka_unit_test(no_cosine_is_beyond_the_reach_of_a_part),
        cmocka_unit_test(the_rest_is_always_within_reach),
        cmocka_unit_test(parts_repeat_whatever_the_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
