/* The first of two stages: heads bound cosines from above, whatever the bank is like, and fine codes hold what they
 * say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "device/cpu/kernels/kernels.h"
#include "differential/corpus.h"
#include "search/filter.h"

enum { N_ROWS = 600, N_QUERIES = 8, DIM = 150 };
static uint64_t seed;

/* Banks whose energy lies in a few directions, in all, or in one. */
typedef enum shape { LOW_RANK, RANDOM, DUPLICATES, ONE_HOT, ZERO_ROWS, HUGE_NORMS, N_SHAPES } shape;

typedef struct fixture {
    corpus c;
    dv_pool *pool;
    float *peaks;
    dv_scored_rows scored;
    dv_coded_bank coded;
    dv_filter filter;
} fixture;

static void fill(corpus_random *random, shape kind, size_t row, float *values) {
    const double a = corpus_unit(random), b = corpus_unit(random), size = kind == HUGE_NORMS ? 1e30 * a : 1.0;
    for (size_t i = 0; i < DIM; i++) {
        const double x = corpus_unit(random);
        values[i] = (float)(x * size);
        if (kind == LOW_RANK) values[i] = (float)(a * cos((double)i) + b * sin(3.0 * (double)i) + 0.01 * x);
        if (kind == DUPLICATES) values[i] = (float)(cos((double)(i * (row % 5 + 1))) + 1e-6 * x);
        if (kind == ONE_HOT) values[i] = i == row % DIM ? 1.0F : 0.0F;
        if (kind == ZERO_ROWS && row % 3 == 0) values[i] = 0.0F;
    }
}

static void fixture_create(fixture *f, shape kind, size_t head_dim) {
    corpus_random random = {seed + (uint64_t)kind};
    const dv_head_wish wish = {.rate = 1.0, .n_stages = 2, .head_dim = head_dim};
    corpus_create(CORPUS_RANDOM, DV_F32, N_ROWS, N_QUERIES, DIM, seed, &f->c);
    for (size_t i = 0; i < N_ROWS; i++) fill(&random, kind, i, (float *)f->c.bank_data + i * DIM);
    for (size_t i = 1; i < N_QUERIES; i++) fill(&random, kind, i, (float *)f->c.query_data + i * DIM);
    f->peaks = calloc(N_ROWS, sizeof *f->peaks);
    assert_non_null(f->peaks);
    assert_int_equal(dv_pool_create(2, &f->pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(&f->c.bank.rows, dv_simd_best(), f->pool, f->peaks, &f->scored), DV_OK);
    assert_int_equal(
        dv_coded_bank_create((dv_row_source){&f->scored, NULL}, NULL, f->peaks, &wish, 32, f->pool, &f->coded), DV_OK);
    assert_true(dv_has_heads(&f->coded));
    assert_int_equal(dv_filter_create(N_QUERIES, N_ROWS, &f->coded, false, 0, &f->filter), DV_OK);
    assert_int_equal(dv_filter_begin(&f->filter, &f->coded, &f->c.queries, 0, N_QUERIES), DV_OK);
}

static void fixture_free(fixture *f) {
    dv_filter_free(&f->filter);
    dv_coded_bank_free(&f->coded);
    dv_scored_rows_free(&f->scored);
    dv_pool_free(f->pool);
    free(f->peaks);
    corpus_free(&f->c);
}

static long double exact_cosine(const float *a, const float *b) {
    long double dot = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < DIM; i++) {
        dot += (long double)a[i] * b[i];
        aa += (long double)a[i] * a[i];
        bb += (long double)b[i] * b[i];
    }
    return aa > 0 && bb > 0 ? dot / (sqrtl(aa) * sqrtl(bb)) : 0;
}

/* The largest stretch of P, by repeated multiplication. */
static double norm_of(const dv_head *head) {
    double x[DIM], stretch = 0.0;
    for (size_t i = 0; i < DIM; i++) x[i] = 1.0 + (double)(i % 7);
    for (int turn = 0; turn < 200; turn++) {
        double next[DIM] = {0}, before = 0.0, after = 0.0;
        for (size_t i = 0; i < head->n_components; i++) {
            double product = 0.0;
            for (size_t e = 0; e < DIM; e++) product += (double)head->components[i * DIM + e] * x[e];
            for (size_t e = 0; e < DIM; e++) next[e] += product * (double)head->components[i * DIM + e];
        }
        for (size_t e = 0; e < DIM; e++) before += x[e] * x[e], after += next[e] * next[e];
        stretch = sqrt(sqrt(after / before));
        for (size_t e = 0; e < DIM; e++) x[e] = next[e] / sqrt(after);
    }
    return stretch;
}

static void check_bounds(const fixture *f, size_t q, size_t tile, size_t i) {
    const dv_codes *codes = &f->coded.codes;
    const dv_filter *filter = &f->filter;
    const size_t at = q * filter->hits.stride + i, row = filter->hits.positions[at];
    if (row / codes->tile_rows != tile) return;
    const long double exact =
        exact_cosine((const float *)f->c.query_data + q * DIM, (const float *)f->c.bank_data + row * DIM);
    const long double scale = filter->heads.scales[q], about = scale * codes->scales[tile] * filter->hits.sums[at];
    const long double beside = filter->slope[q] * scale * codes->slacks[tile] + filter->allowances[q];
    assert_true(exact <= about + beside + 1e-15L);       /* (14.6) */
    assert_true((double)(about + beside - exact) < 2.5); /* and it says something */
}

static void heads_bound_cosines_from_above(void **state) {
    (void)state;
    for (int kind = 0; kind < N_SHAPES; kind++)
        for (size_t head_dim = 1; head_dim <= 128; head_dim += 127) {
            fixture f;
            fixture_create(&f, (shape)kind, head_dim);
            assert_int_equal(dv_head_size(&f.coded.head), head_dim == 1 ? 64 : 128);
            assert_true(norm_of(&f.coded.head) <= 1.0); /* (14.1) */
            const dv_scan_block block = dv_filter_block(&f.filter);
            for (size_t tile = 0; tile < f.coded.codes.n_tiles; tile++) {
                const dv_code_tile view = dv_codes_tile(&f.coded.codes, tile);
                dv_scan_portable.scan(&block, &view);
                for (size_t q = 0; q < N_QUERIES; q++)
                    for (size_t i = 0; i < f.filter.hits.counts[q]; i++) check_bounds(&f, q, tile, i);
            }
            fixture_free(&f);
        }
}

/* Rows of three directions: their heads tell almost everything, so hardly more than the answer passes. */
static void heads_of_a_low_rank_bank_are_tight(void **state) {
    (void)state;
    fixture f;
    fixture_create(&f, LOW_RANK, 64);
    const float *query = (const float *)f.c.query_data + DIM, *rows = f.c.bank_data;
    const dv_scan_block block = dv_filter_block(&f.filter);
    for (size_t tile = 0; tile < f.coded.codes.n_tiles; tile++) {
        const dv_code_tile view = dv_codes_tile(&f.coded.codes, tile);
        dv_scan_portable.scan(&block, &view);
    }
    for (size_t i = 0; i < f.filter.hits.counts[1]; i++) {
        const size_t at = f.filter.hits.stride + i, row = f.filter.hits.positions[at];
        const double about = f.filter.heads.scales[1] * (double)f.coded.codes.scales[row / 32] * f.filter.hits.sums[at];
        assert_true(fabs(about - (double)exact_cosine(query, rows + row * DIM)) < 0.05);
    }
    fixture_free(&f);
}

static void fine_codes_are_within_their_bounds(void **state) {
    (void)state;
    for (int kind = 0; kind < N_SHAPES; kind++) {
        fixture f;
        fixture_create(&f, (shape)kind, 0);
        const dv_fine_codes *fine = &f.coded.fine;
        for (size_t row = 0; row < N_ROWS; row++) {
            const float *x = (const float *)f.c.bank_data + row * DIM;
            long double squares = 0, left = 0;
            for (size_t i = 0; i < DIM; i++) squares += (long double)x[i] * x[i];
            for (size_t i = 0; i < DIM; i++) {
                const long double code = (long double)fine->scales[row] * fine->codes[row * fine->dim_padded + i];
                const long double rest = (squares > 0 ? x[i] / sqrtl(squares) : 0) - code;
                left += rest * rest;
            }
            assert_true(sqrtl(left) <= fine->slacks[row]);
            for (size_t i = DIM; i < fine->dim_padded; i++)
                assert_int_equal(fine->codes[row * fine->dim_padded + i], 0);
        }
        fixture_free(&f);
    }
}

static void fine_sums_are_exact(void **state) {
    (void)state;
    fixture f;
    fixture_create(&f, RANDOM, 0);
    const dv_fine_codes *fine = &f.coded.fine;
    uint32_t rows[N_ROWS];
    int32_t sums[N_ROWS];
    int8_t query[192];
    for (size_t i = 0; i < N_ROWS; i++) rows[i] = (uint32_t)(i * 7 % N_ROWS);
    for (size_t i = 0; i < 192; i++) query[i] = (int8_t)(i % 2 ? 127 : -127);
    for (size_t i = 0; i < fine->dim_padded; i++) fine->codes[i] = query[i]; /* the largest sum there is */
    dv_fine_sums(fine, rows, N_ROWS, query, sums);
    for (size_t i = 0; i < N_ROWS; i++) {
        int64_t sum = 0;
        for (size_t e = 0; e < fine->dim_padded; e++) sum += query[e] * fine->codes[rows[i] * fine->dim_padded + e];
        assert_int_equal(sums[i], sum);
    }
    fixture_free(&f);
}

/* Products of turned rows are those of the rows, to the last bits, and spikes become small. */
static void turned_rows_have_the_same_products(void **state) {
    (void)state;
    const size_t dims[] = {1, 64, 150, 472, 768};
    corpus_random random = {seed};
    for (size_t d = 0; d < 5; d++) {
        dv_turn turn;
        double a[768] = {0}, b[768] = {0}, spike[768] = {0};
        assert_int_equal(dv_turn_create(dims[d], &turn), DV_OK);
        assert_true(turn.size % 64 == 0 && turn.size >= dims[d] && turn.size % turn.block == 0);
        for (size_t i = 0; i < dims[d]; i++) a[i] = corpus_unit(&random), b[i] = corpus_unit(&random);
        spike[dims[d] / 2] = 1.0;
        long double before = 0, after = 0, aa = 0, bb = 0;
        for (size_t i = 0; i < turn.size; i++) before += (long double)a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
        dv_turn_apply(&turn, a);
        dv_turn_apply(&turn, b);
        dv_turn_apply(&turn, spike);
        for (size_t i = 0; i < turn.size; i++) after += (long double)a[i] * b[i];
        assert_true(fabsl(after - before) <= 0x1p-46L * sqrtl(aa * bb)); /* (15.1), twice */
        for (size_t i = 0; i < turn.size; i++) assert_true(fabs(spike[i]) <= 1.0 / sqrt((double)turn.block) + 1e-15);
        dv_turn_free(&turn);
    }
}

static void rows_are_turned_where_elements_stand_out(void **state) {
    (void)state;
    for (int kind = 0; kind < N_SHAPES; kind++) {
        fixture f;
        dv_turn turn;
        fixture_create(&f, (shape)kind, 0);
        assert_int_equal(dv_turn_choose(&f.scored, f.peaks, &turn), DV_OK);
        assert_true((turn.signs != NULL) == (kind == ONE_HOT));
        dv_turn_free(&turn);
        fixture_free(&f);
    }
}

static void one_stage_where_two_are_not_to_be_had(void **state) {
    (void)state;
    const size_t dims[] = {1, 59, 60}, rows[] = {1, 40, 3};
    for (size_t i = 0; i < 3; i++) {
        corpus c;
        dv_pool *pool;
        dv_scored_rows scored;
        dv_head head;
        const dv_head_wish wish = {.rate = 1.0, .n_stages = 2};
        corpus_create(CORPUS_RANDOM, DV_F32, rows[i], 1, dims[i], seed, &c);
        assert_int_equal(dv_pool_create(1, &pool), DV_OK);
        assert_int_equal(dv_scored_rows_create(&c.bank.rows, dv_simd_best(), pool, NULL, &scored), DV_OK);
        assert_int_equal(dv_head_choose(&scored, &wish, &head), DV_OK);
        assert_true((head.components != NULL) == (dims[i] == 60)); /* a head has 60 components at least */
        dv_head_free(&head);
        assert_int_equal(dv_head_choose(&scored, &(dv_head_wish){.rate = 1.0}, &head), DV_OK);
        assert_null(head.components); /* nobody asked, and the bank is small */
        dv_scored_rows_free(&scored);
        dv_pool_free(pool);
        corpus_free(&c);
    }
}

/* A bank that is long enough to choose for: mixtures of `rank` directions, or of all where it is 0. */
static void choose_for(size_t rank, size_t n_threads, dv_head *head) {
    enum { ROWS = 65536, LENGTH = 192 };
    corpus_random random = {seed};
    corpus c;
    dv_pool *pool;
    dv_scored_rows scored;
    const dv_head_wish wish = {.rate = 60.0}; /* a slow kernel */
    double directions[12][LENGTH];
    assert_in_range(rank, 0, 12);
    for (size_t r = 0; r < rank; r++)
        for (size_t i = 0; i < LENGTH; i++) directions[r][i] = cos((double)((r + 1) * i) + (double)(r * r));
    corpus_create(CORPUS_RANDOM, DV_F16, ROWS, 1, LENGTH, seed, &c);
    for (size_t row = 0; rank > 0 && row < ROWS; row++) {
        double values[LENGTH] = {0};
        for (size_t r = 0; r < rank; r++) {
            const double part = corpus_unit(&random);
            for (size_t i = 0; i < LENGTH; i++) values[i] += part * directions[r][i];
        }
        corpus_store(values, LENGTH, DV_F16, (char *)c.bank_data + row * LENGTH * dv_dtype_size(DV_F16));
    }
    assert_int_equal(dv_pool_create(n_threads, &pool), DV_OK);
    assert_int_equal(dv_scored_rows_create(&c.bank.rows, dv_simd_best(), pool, NULL, &scored), DV_OK);
    assert_int_equal(dv_head_choose(&scored, &wish, head), DV_OK);
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
    corpus_free(&c);
}

static void a_probe_finds_two_stages_where_a_few_components_tell_rows_apart(void **state) {
    (void)state;
    dv_head head, again;
    choose_for(0, 1, &head);
    assert_null(head.components); /* all directions alike: no few of them tell enough */
    choose_for(12, 1, &head);
    choose_for(12, 3, &again);
    assert_non_null(head.components);
    assert_true(dv_head_size(&head) <= 128);
    assert_int_equal(head.n_components, again.n_components); /* and it repeats, to the last bit */
    assert_memory_equal(head.components, again.components, head.n_components * head.dim * sizeof *head.components);
    dv_head_free(&head);
    dv_head_free(&again);
}

/* However many elements are asked for, there are no more components than elements of a row. */
static void a_head_is_no_longer_than_a_row(void **state) {
    (void)state;
    const size_t asked[] = {1, 65, 129, 1000, SIZE_MAX}, made[] = {64, 128, 128, 128, 128};
    for (size_t i = 0; i < 5; i++) {
        fixture f;
        fixture_create(&f, RANDOM, asked[i]);
        assert_int_equal(dv_head_size(&f.coded.head), made[i]);
        fixture_free(&f);
    }
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_bound_cosines_from_above),
        cmocka_unit_test(heads_of_a_low_rank_bank_are_tight),
        cmocka_unit_test(fine_codes_are_within_their_bounds),
        cmocka_unit_test(fine_sums_are_exact),
        cmocka_unit_test(turned_rows_have_the_same_products),
        cmocka_unit_test(rows_are_turned_where_elements_stand_out),
        cmocka_unit_test(one_stage_where_two_are_not_to_be_had),
        cmocka_unit_test(a_probe_finds_two_stages_where_a_few_components_tell_rows_apart),
        cmocka_unit_test(a_head_is_no_longer_than_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
