#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "denseval/device.h"
#include "search/faiss/faiss_engine.h"

/* Rows 0..6 of one dimension, each its own number. */
static dv_faiss_engine *numbers(size_t n_shards) {
    const float rows[7] = {0, 1, 2, 3, 4, 5, 6};
    dv_faiss_engine *engine;
    assert_int_equal(dv_faiss_engine_create(1, 7, n_shards, &engine), DV_OK);
    assert_int_equal(dv_faiss_engine_add(engine, rows, 4), DV_OK); /* not at a shard's end */
    assert_int_equal(dv_faiss_engine_add(engine, rows + 4, 3), DV_OK);
    return engine;
}

static void rows_keep_their_numbers_in_any_number_of_shards(void **state) {
    (void)state;
    const float queries[2] = {1, -1};
    for (size_t n_shards = 1; n_shards <= 7; n_shards++) {
        dv_faiss_engine *engine = numbers(n_shards);
        float scores[14];
        int64_t ids[14];
        assert_int_equal(dv_faiss_engine_search(engine, queries, 2, 7, scores, ids), DV_OK);
        for (int i = 0; i < 7; i++) {
            assert_int_equal(ids[i], 6 - i);
            assert_true(scores[i] == (float)(6 - i));
            assert_int_equal(ids[7 + i], i);
            assert_true(scores[7 + i] == (float)-i);
        }
        dv_faiss_engine_free(engine);
    }
    dv_faiss_engine_free(NULL);
}

static void failures_carry_the_words_of_faiss(void **state) {
    (void)state;
    dv_faiss_engine *engine = numbers(1);
    const float query = 1;
    float score = -7;
    int64_t id = -7;
    assert_int_equal(dv_faiss_engine_search(engine, &query, 1, 0, &score, &id), DV_E_BACKEND);
    assert_non_null(strstr(dv_last_error(), "FAISS "));
    assert_non_null(strstr(dv_last_error(), "search: "));
    assert_non_null(strstr(dv_last_error(), "k > 0"));
    assert_true(score == -7.0F && id == -7);
    assert_int_equal(dv_faiss_engine_search(engine, &query, 1, 1, &score, &id), DV_OK); /* and it goes on */
    assert_int_equal(id, 6);
    assert_int_equal(dv_faiss_engine_add(engine, &query, 1), DV_E_ARG);
    assert_string_equal(dv_last_error(), "1 rows for a FAISS index with room for 0");
    dv_faiss_engine_free(engine);
}

/* KNN-15 */
static void device_says_which_engine_runs(void **state) {
    (void)state;
    int major = -1, minor = -1;
    assert_int_equal(sscanf(dv_faiss_version(), "%d.%d", &major, &minor), 2);
    for (const dv_device_ops *const *ops = dv_devices(); *ops; ops++)
        if (strcmp((*ops)->name, "faiss") == 0) assert_non_null(strstr((*ops)->summary, dv_faiss_version()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_keep_their_numbers_in_any_number_of_shards),
        cmocka_unit_test(failures_carry_the_words_of_faiss),
        cmocka_unit_test(device_says_which_engine_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
