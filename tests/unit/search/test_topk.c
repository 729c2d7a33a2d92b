#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "differential/corpus.h"
#include "search/merge.h"
#include "search/topk.h"

static uint64_t seed;

static void pick(const double *scores, size_t n, size_t k, int64_t *ids, double *cosines) {
    dv_neighbour heap[64];
    dv_topk best = dv_topk_begin(heap, k, -INFINITY);
    for (size_t i = 0; i < n; i++) dv_topk_offer(&best, scores[i], (int64_t)i);
    dv_topk_write(&best, ids, cosines);
}

/* KNN-13 */
static void nan_comes_last(void **state) {
    (void)state;
    const double scores[4] = {NAN, -INFINITY, 0.1, -0.2};
    int64_t ids[5];
    double cosines[5];
    pick(scores, 4, 3, ids, cosines);
    assert_int_equal(ids[0], 2);
    assert_int_equal(ids[1], 3);
    assert_int_equal(ids[2], 1);
    pick(scores, 4, 5, ids, cosines);
    assert_int_equal(ids[3], 0);
    assert_true(isnan(cosines[3]));
    assert_true(ids[4] == -1 && cosines[4] == -2.0); /* only four were offered */
}

/* KNN-02 */
static void ties_go_to_the_lower_row_in_any_order_of_offers(void **state) {
    (void)state;
    const size_t orders[3][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
    for (size_t o = 0; o < 3; o++) {
        dv_neighbour heap[3];
        int64_t ids[3];
        double cosines[3];
        dv_topk best = dv_topk_begin(heap, 3, -INFINITY);
        for (size_t i = 0; i < 4; i++) dv_topk_offer(&best, 0.5, (int64_t)orders[o][i]);
        dv_topk_write(&best, ids, cosines);
        for (int i = 0; i < 3; i++) assert_int_equal(ids[i], i);
    }
}

static int compare(const void *a, const void *b) {
    const dv_neighbour *x = a, *y = b;
    return dv_neighbour_before(*x, *y) ? -1 : 1;
}

static void heap_keeps_what_a_sort_puts_first(void **state) {
    (void)state;
    corpus_random random = {seed};
    for (size_t round = 0; round < 300; round++) {
        enum { MOST = 200 };
        double scores[MOST], cosines[64];
        dv_neighbour all[MOST];
        int64_t ids[64];
        const size_t n = 1 + corpus_below(&random, MOST), k = 1 + corpus_below(&random, 60);
        for (size_t i = 0; i < n; i++) {
            scores[i] = round % 2 ? corpus_unit(&random) : (double)corpus_below(&random, 5);
            all[i] = (dv_neighbour){scores[i], (int64_t)i};
        }
        qsort(all, n, sizeof *all, compare);
        pick(scores, n, k, ids, cosines);
        for (size_t i = 0; i < k; i++) {
            assert_int_equal(ids[i], i < n ? all[i].row : -1);
            assert_true(cosines[i] == (i < n ? all[i].cosine : -2.0));
        }
    }
}

static int falling(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

static void kth_largest_is_that_of_a_sort(void **state) {
    (void)state;
    corpus_random random = {seed};
    const float known[5] = {-1.5F, 3.0F, -INFINITY, 3.0F, 0.0F};
    assert_true(dv_kth_largest(known, 5, 1) == 3.0F && dv_kth_largest(known, 5, 2) == 3.0F);
    assert_true(dv_kth_largest(known, 5, 3) == 0.0F && dv_kth_largest(known, 5, 4) == -1.5F);
    assert_true(dv_kth_largest(known, 5, 5) == -INFINITY);
    for (size_t round = 0; round < 200; round++) {
        float values[300], sorted[300];
        const size_t n = 1 + corpus_below(&random, 300), k = 1 + corpus_below(&random, n);
        for (size_t i = 0; i < n; i++)
            values[i] = round % 2 ? (float)corpus_unit(&random) : (float)corpus_below(&random, 4) - 1.0F;
        memcpy(sorted, values, sizeof sorted);
        qsort(sorted, n, sizeof *sorted, falling);
        assert_true(dv_kth_largest(values, n, k) == sorted[k - 1]);
    }
}

static void merge_joins_parts_in_the_total_order(void **state) {
    (void)state;
    /* Part one holds rows 0..9, part two 10..; equal cosines, a short list, and doubles that are equal as floats. */
    const int64_t first[4] = {3, 1, 4, 0}, second[6] = {2, 0, 5, 1, -1, -1};
    const double first_cosines[4] = {0.5, 0.25, 0.9, 0.5};
    const double second_cosines[6] = {0.5, 0.25 + 0x1p-50, -1.0, 0.95, -2.0, -2.0};
    const int64_t expected[6] = {3, 12, 10, 11, 4, 0};
    for (int turn = 0; turn < 2; turn++) { /* the order of the parts does not matter */
        dv_merge *merge;
        assert_int_equal(dv_merge_create(2, 3, &merge), DV_OK);
        if (turn == 0) dv_merge_add(merge, first, first_cosines, 2, 0);
        dv_merge_add(merge, second, second_cosines, 3, 10);
        if (turn == 1) dv_merge_add(merge, first, first_cosines, 2, 0);
        for (int i = 0; i < 6; i++) assert_int_equal(dv_merge_ids(merge)[i], expected[i]);
        assert_true(dv_merge_cosines(merge)[2] == 0.25 + 0x1p-50);
        dv_merge_resume(merge, 1, expected + 3, second_cosines);
        for (int i = 0; i < 3; i++) assert_int_equal(dv_merge_ids(merge)[i], expected[3 + i]);
        dv_merge_clear(merge, 0, 1);
        for (int i = 0; i < 3; i++) assert_int_equal(dv_merge_ids(merge)[i], -1);
        dv_merge_free(merge);
    }
}

static void merge_of_nothing_is_filled_up(void **state) {
    (void)state;
    dv_merge *merge;
    assert_int_equal(dv_merge_create(1, 2, &merge), DV_OK);
    for (int i = 0; i < 2; i++) assert_true(dv_merge_ids(merge)[i] == -1 && dv_merge_cosines(merge)[i] == -2.0);
    const int64_t id = 7;
    const double cosine = -1.0;
    dv_merge_add(merge, &id, &cosine, 1, 100);
    assert_int_equal(dv_merge_ids(merge)[0], 107);
    assert_int_equal(dv_merge_ids(merge)[1], -1);
    dv_merge_free(merge);
    dv_merge_free(NULL);
    assert_int_equal(dv_merge_create(SIZE_MAX / 2, 3, &merge), DV_E_NOMEM);
    assert_null(merge);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_comes_last),
        cmocka_unit_test(ties_go_to_the_lower_row_in_any_order_of_offers),
        cmocka_unit_test(heap_keeps_what_a_sort_puts_first),
        cmocka_unit_test(kth_largest_is_that_of_a_sort),
        cmocka_unit_test(merge_joins_parts_in_the_total_order),
        cmocka_unit_test(merge_of_nothing_is_filled_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
