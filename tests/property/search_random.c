/* Many random small searches on the cpu device, every kernel, block, tile and thread count in turn, against the
 * reference, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/corpus.h"

enum { N_CASES = 10000, MOST_ROWS = 4000, MOST_QUERIES = 40, MOST_DIM = 150 };

static uint64_t seed;

typedef enum rows_kind {
    FROM_CORPUS, /* all kinds of corpus.h */
    NEAR_DUPLICATES,
    CLUSTER, /* about one direction, some rows zero, opposite or anywhere */
    ONE_HOT,
    CONSTANT_SIGN,
    TIE_STORM,
    MIXED_NORMS,
    N_KINDS
} rows_kind;

/* Fills one row of a kind that corpus.h does not have. */
static void fill(rows_kind kind, corpus_random *random, const double *centre, size_t dim, double *values) {
    const double norm = kind == MIXED_NORMS ? ldexp(1.0, (int)corpus_below(random, 12) - 6) : 1.0;
    const size_t hot = corpus_below(random, dim), odd = kind == CLUSTER ? corpus_below(random, 100) : 100;
    const double jitter = kind == CLUSTER ? ldexp(1.0, -2 * (int)(centre[0] * 12)) : 0.0;
    for (size_t i = 0; i < dim; i++) {
        const double x = corpus_unit(random);
        values[i] = x * norm;
        if (kind == NEAR_DUPLICATES) values[i] = centre[i] + 1e-7 * x;
        if (kind == CLUSTER && odd > 2) values[i] = centre[i] + jitter * x;
        if (kind == CLUSTER && odd < 2) values[i] = odd ? 0.0 : -centre[i];
        if (kind == ONE_HOT) values[i] = i == hot ? (x < 0 ? -1.0 : 1.0) : 0.0;
        if (kind == CONSTANT_SIGN) values[i] = fabs(x) + 1e-3;
        if (kind == TIE_STORM) values[i] = x < 0 ? -1.0 : 1.0; /* few dimensions: few different rows */
    }
}

/* Overwrites what the corpus made. */
static void refill(rows_kind kind, corpus_random *random, corpus *c) {
    double centre[MOST_DIM], row[MOST_DIM];
    const size_t dim = c->bank.rows.dim, size = dv_dtype_size(c->bank.rows.dtype) * dim;
    fill(CONSTANT_SIGN, random, NULL, dim, centre);
    for (size_t i = 0; i < c->bank.rows.n_rows + c->queries.rows.n_rows; i++) {
        const bool query = i >= c->bank.rows.n_rows;
        fill(kind, random, centre, dim, row);
        char *to = query ? (char *)c->query_data + (i - c->bank.rows.n_rows) * size : (char *)c->bank_data + i * size;
        corpus_store(row, dim, c->bank.rows.dtype, to);
    }
}

/* Mostly tiny; now and then large enough for seeds, chunks and overflowing lists. */
static size_t random_rows(corpus_random *random) {
    const size_t scale = corpus_below(random, 40);
    if (scale == 0) return 700 + corpus_below(random, corpus_below(random, 8) ? 800 : MOST_ROWS - 700);
    return 1 + corpus_below(random, scale < 6 ? 400 : 60);
}

static void search_one(corpus_random *random, int number) {
    static const dv_dtype dtypes[] = {DV_F16, DV_BF16, DV_F32, DV_F64};
    const rows_kind kind = (rows_kind)corpus_below(random, N_KINDS);
    const size_t n_rows = random_rows(random), few = n_rows > 400;
    const size_t dim = 1 + corpus_below(random, corpus_below(random, 5) == 0 ? MOST_DIM - 1 : few ? 12 : 20);
    const size_t n_queries = 1 + corpus_below(random, few ? 3 : corpus_below(random, 6) ? 4 : MOST_QUERIES - 1);
    corpus c;
    corpus_create((corpus_kind)corpus_below(random, CORPUS_N_KINDS), dtypes[corpus_below(random, 4)], n_rows, n_queries,
                  dim, corpus_next(random), &c);
    if (kind != FROM_CORPUS) refill(kind, random, &c);
    if (corpus_below(random, 3) == 0) c.bank.group = c.bank_group, c.queries.group = c.query_group;
    if (c.bank.group && corpus_below(random, 2)) { /* hardly anything is visible */
        for (size_t i = 0; i < n_rows; i++) c.bank_group[i] = corpus_below(random, 10) ? 7 : 1;
        for (size_t i = 0; i < n_queries; i++) c.query_group[i] = 7;
    }
    const size_t k = 1 + corpus_below(random, corpus_below(random, 4) ? (n_rows < 12 ? n_rows : 12) : n_rows);
    const dv_device_options options = {.n_threads = 1 + corpus_below(random, 3),
                                       .tile_rows = corpus_below(random, 3) ? 0 : 1 + corpus_below(random, 130),
                                       .tile_queries = corpus_below(random, 3) ? 0 : 1 + corpus_below(random, 40),
                                       .n_stages = corpus_below(random, 3),
                                       .head_dim = corpus_below(random, 2) ? 0 : corpus_below(random, 200),
                                       .kernel = corpus_kernel("cpu", corpus_below(random, 1000))};
    char what[256];
    snprintf(
        what, sizeof what,
        "case %d: kind %d of %s, %s %zu x %zu, %zu queries, k %zu, tile %zu x %zu, %zu threads, %s, %zu stages, %zu",
        number, (int)kind, corpus_kind_name(c.kind), dv_dtype_name(c.bank.rows.dtype), n_rows, dim, n_queries, k,
        options.tile_queries, options.tile_rows, options.n_threads, options.kernel, options.n_stages, options.head_dim);
    corpus_answer expected, answer;
    double least[MOST_QUERIES];
    if (corpus_below(random, 4) == 0) { /* at, above or below cosines of the answer */
        corpus_search("reference", NULL, &c.bank, &c.queries, k, 1, &expected);
        for (size_t i = 0; i < n_queries; i++)
            least[i] = expected.cosines[i * k + corpus_below(random, k)] + ldexp(corpus_unit(random), -(int)i % 60);
        if (corpus_below(random, 2)) least[0] = expected.cosines[corpus_below(random, k)]; /* ties with it stay */
        c.queries.least = least;
        corpus_answer_free(&expected);
    }
    corpus_search("reference", NULL, &c.bank, &c.queries, k, 1, &expected);
    corpus_search("cpu", &options, &c.bank, &c.queries, k, 1 + corpus_below(random, 2), &answer);
    corpus_assert_same(&expected, k, &answer, k, n_queries, what);
    corpus_answer_free(&expected);
    corpus_answer_free(&answer);
    corpus_free(&c);
}

static void random_searches_equal_the_reference(void **state) {
    (void)state;
    corpus_random random = {seed};
    const int n_cases = (int)corpus_rounds(N_CASES);
    for (int i = 0; i < n_cases; i++) search_one(&random, i);
}

/* A bank of one tight cluster: centred codes tell its rows apart, where codes of whole rows would let all pass. */
static void tight_bank_has_few_candidates(void **state) {
    (void)state;
    enum { N = 20000, DIM = 96, QUERIES = 4, NEIGHBOURS = 10 };
    corpus_random random = {seed};
    corpus c;
    corpus_create(CORPUS_RANDOM, DV_F32, N, QUERIES, DIM, seed, &c);
    for (size_t i = 0; i < (size_t)N * DIM; i++)
        ((float *)c.bank_data)[i] = (float)(cos((double)(i % DIM)) + 1e-3 * corpus_unit(&random));
    for (size_t i = 0; i < (size_t)(QUERIES - 1) * DIM; i++) /* the last one comes from elsewhere */
        ((float *)c.query_data)[i] = (float)(cos((double)(i % DIM)) + 1e-3 * corpus_unit(&random));
    corpus_answer expected, answer;
    corpus_search("reference", NULL, &c.bank, &c.queries, NEIGHBOURS, 1, &expected);
    corpus_search("cpu", NULL, &c.bank, &c.queries, NEIGHBOURS, 1, &answer);
    corpus_assert_same(&expected, NEIGHBOURS, &answer, NEIGHBOURS, QUERIES, "one cluster");
    assert_int_equal(answer.stats.n_uncertified, 0);
    assert_true(answer.stats.n_candidates < (uint64_t)QUERIES * 200); /* of 20000 rows */
    corpus_answer_free(&expected);
    corpus_answer_free(&answer);
    corpus_free(&c);
}

/* Rows of six clusters of some tightness, some that are in none, and spikes, so that rows are turned. */
static void fill_clusters(corpus *c, corpus_random *random, double jitter, bool spikes) {
    const size_t dim = c->bank.rows.dim, n = c->bank.rows.n_rows;
    for (size_t i = 0; i < n + c->queries.rows.n_rows; i++) {
        float *row = i < n ? (float *)c->bank_data + i * dim : (float *)c->query_data + (i - n) * dim;
        const size_t cluster = i % 7;
        for (size_t e = 0; e < dim; e++) {
            const double x = corpus_unit(random);
            row[e] = (float)(cluster == 6 ? x : cos((double)(e * (cluster + 1))) + jitter * x);
            if (spikes && i % 3 == 0) row[e] = (float)(e == i % dim ? 30.0 : 0.01 * x);
        }
        if (i % 1000 == 17) memset(row, 0, dim * sizeof *row);
    }
}

static void banks_of_clusters_equal_the_reference(void **state) {
    (void)state;
    enum { N = 40000, QUERIES = 30, DIM = 80 };
    static const double jitters[] = {1e-3, 1e-6, 0.2};
    for (size_t turn = 0; turn < 6; turn += corpus_rounds(6) < 6 ? 5 : 1) {
        corpus_random random = {seed + turn};
        corpus c;
        double least[QUERIES];
        corpus_create(CORPUS_RANDOM, DV_F32, N, QUERIES, DIM, seed, &c);
        fill_clusters(&c, &random, jitters[turn / 2], turn % 2);
        if (turn >= 2) c.bank.group = c.bank_group, c.queries.group = c.query_group;
        for (size_t i = 0; i < QUERIES; i++) least[i] = corpus_unit(&random);
        if (turn >= 4) c.queries.least = least;
        const size_t k = turn % 2 ? 6000 : 20; /* more than a cluster has */
        corpus_answer expected, answer;
        corpus_search("reference", NULL, &c.bank, &c.queries, k, 1, &expected);
        for (size_t n_threads = 1; n_threads <= 3; n_threads += 2) {
            const dv_device_options options = {.n_threads = n_threads, .kernel = corpus_kernel("cpu", turn)};
            corpus_search("cpu", &options, &c.bank, &c.queries, k, 1, &answer);
            corpus_assert_same(&expected, k, &answer, k, QUERIES, "clusters");
            if (turn == 0) assert_true(answer.stats.n_candidates < (uint64_t)QUERIES * 500); /* of 5700 a cluster */
            corpus_answer_free(&answer);
        }
        corpus_answer_free(&expected);
        corpus_free(&c);
    }
}

/* Every row points away from the queries: padding, whose codes are zeros, would be nearer than all of them. */
static void padding_is_no_row(void **state) {
    (void)state;
    for (size_t n_rows = 2049; n_rows < 4100; n_rows += corpus_rounds(6) < 6 ? 5 * 32 : 32) {
        corpus c;
        corpus_create(CORPUS_NEAR, DV_F32, n_rows, 2, 8, seed, &c);
        for (size_t i = 0; i < 16; i++) ((float *)c.query_data)[i] *= -1.0F;
        corpus_answer expected, answer;
        corpus_search("reference", NULL, &c.bank, &c.queries, 10, 1, &expected);
        for (size_t turn = 0; turn < 5; turn++) {
            const dv_device_options options = {.tile_rows = 32, .kernel = corpus_kernel("cpu", turn)};
            corpus_search("cpu", &options, &c.bank, &c.queries, 10, 1, &answer);
            corpus_assert_same(&expected, 10, &answer, 10, 2, "rows that point away");
            corpus_answer_free(&answer);
        }
        corpus_answer_free(&expected);
        corpus_free(&c);
    }
}

/* What was rescored is a figure of the report: threads may not change it. */
static void threads_do_not_change_what_is_rescored(void **state) {
    (void)state;
    for (int kind = 0; kind < CORPUS_N_KINDS; kind++) {
        corpus c;
        corpus_create((corpus_kind)kind, DV_F32, 5000, 5, 24, seed, &c);
        c.bank.group = c.bank_group;
        c.queries.group = c.query_group;
        corpus_answer one, other;
        const dv_device_options plain = {.n_threads = 1, .tile_rows = 32};
        corpus_search("cpu", &plain, &c.bank, &c.queries, 20, 1, &one);
        for (size_t n_threads = 2; n_threads <= 8; n_threads *= 2) {
            const dv_device_options options = {.n_threads = n_threads, .tile_rows = 32, .tile_queries = 8 / n_threads};
            corpus_search("cpu", &options, &c.bank, &c.queries, 20, 1, &other);
            corpus_assert_same(&one, 20, &other, 20, 5, corpus_kind_name(c.kind));
            assert_int_equal(one.stats.n_candidates, other.stats.n_candidates);
            assert_int_equal(one.stats.n_uncertified, other.stats.n_uncertified);
            corpus_answer_free(&other);
        }
        corpus_answer_free(&one);
        corpus_free(&c);
    }
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_searches_equal_the_reference),    cmocka_unit_test(tight_bank_has_few_candidates),
        cmocka_unit_test(banks_of_clusters_equal_the_reference),  cmocka_unit_test(padding_is_no_row),
        cmocka_unit_test(threads_do_not_change_what_is_rescored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
