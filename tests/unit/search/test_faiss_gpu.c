/* FAISS on GPUs that FAISS's CPU code plays: what is asked of it, and that nothing is taken on trust. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/device.h"
#include "differential/corpus.h"
#include "fake_gpus.h"
#include "search/faiss/faiss_engine.h"

enum { N_ROWS = 7 };

static int gpus_as_new(void **state) {
    (void)state;
    fake = (fake_gpus){.n_gpus = 2, .shard = -1, .half = -1};
    return 0;
}

/* Rows 0..6 of one dimension, each its own number, and all of them as neighbours of 1. */
static dv_status search_numbers(float *scores, int64_t *ids) {
    const float rows[N_ROWS] = {0, 1, 2, 3, 4, 5, 6}, query = 1;
    dv_faiss_engine *engine;
    dv_status status = dv_faiss_engine_create(1, N_ROWS, 2, &engine);
    if (status == DV_OK) status = dv_faiss_engine_add(engine, rows, 4);
    if (status == DV_OK) status = dv_faiss_engine_add(engine, rows + 4, 3);
    if (status == DV_OK) status = dv_faiss_engine_search(engine, &query, 1, N_ROWS, scores, ids);
    dv_faiss_engine_free(engine);
    return status;
}

static void rows_keep_their_numbers_on_any_number_of_gpus(void **state) {
    (void)state;
    const int counts[5] = {0, 1, 2, 3, 9};
    for (size_t i = 0; i < 5; i++) {
        float scores[N_ROWS];
        int64_t ids[N_ROWS];
        (void)gpus_as_new(NULL);
        fake.n_gpus = counts[i];
        assert_int_equal(search_numbers(scores, ids), DV_OK);
        for (int place = 0; place < N_ROWS; place++) {
            assert_int_equal(ids[place], N_ROWS - 1 - place);
            assert_true(scores[place] == (float)(N_ROWS - 1 - place));
        }
        assert_int_equal(fake.n_devices, counts[i] < N_ROWS ? counts[i] : N_ROWS); /* none without a row */
        assert_int_equal(fake.shard, counts[i] > 0 ? 1 : -1);
        assert_int_equal(fake.half, counts[i] > 0 ? 0 : -1);
        assert_int_equal(fake.n_alive, 0);
        assert_false(fake.had_to_share);
    }
}

static void whatever_fails_is_told_and_leaves_nothing(void **state) {
    (void)state;
    const char *const calls[6] = {"get_num_gpus",
                                  "StandardGpuResources",
                                  "StandardGpuResources",
                                  "GpuMultipleClonerOptions",
                                  "index_cpu_to_gpu_multiple",
                                  "search on GPUs"};
    float scores[N_ROWS];
    int64_t ids[N_ROWS];
    for (int i = 0; i < 6; i++) {
        fake.call_to_fail = i + 1;
        assert_int_equal(search_numbers(scores, ids), DV_E_BACKEND);
        assert_non_null(strstr(dv_last_error(), calls[i]));
        assert_int_equal(fake.call_to_fail, 0);
        assert_int_equal(fake.n_alive, 0);
        assert_false(fake.had_to_share);
    }
    fake.call_to_fail = 7;
    assert_int_equal(search_numbers(scores, ids), DV_OK);
    assert_int_equal(fake.call_to_fail, 1); /* there is no seventh */
}

static dv_status search_set(const char *name, const corpus *set, size_t k, size_t n_threads, int64_t *ids,
                            double *cosines, dv_search_stats *stats) {
    const dv_device_options options = {.n_threads = n_threads, .tile_queries = 2};
    dv_device *device;
    void *index;
    assert_int_equal(dv_device_open(name, &options, &device), DV_OK);
    assert_int_equal(device->ops->bank_load(device, &set->bank, &index), DV_OK);
    const dv_status status = device->ops->search(device, index, &set->queries, k, ids, cosines);
    if (stats) device->ops->search_stats(device, index, stats);
    device->ops->bank_free(device, index);
    device->ops->close(device);
    return status;
}

/* Beyond 2048 neighbours nothing is asked, so rank 2048 on cannot be certified: such queries are scanned. */
static void answers_are_exact_beyond_what_gpus_select(void **state) {
    (void)state;
    enum { ROWS = 2300, QUERIES = 6, MOST = 2200 };
    const size_t neighbours[3] = {30, 2040, MOST};
    const uint64_t uncertified[3] = {0, 0, QUERIES};
    corpus set;
    corpus_create(CORPUS_RANDOM, DV_F32, ROWS, QUERIES, 24, 3, &set);
    for (size_t i = 0; i < 3; i++) {
        const size_t n = QUERIES * neighbours[i];
        int64_t *const ids = calloc(2 * n, sizeof *ids);
        double *const cosines = calloc(2 * n, sizeof *cosines);
        dv_search_stats stats = {0};
        assert_true(ids && cosines);
        assert_int_equal(search_set("faiss", &set, neighbours[i], 3, ids, cosines, &stats), DV_OK);
        assert_int_equal(search_set("reference", &set, neighbours[i], 1, ids + n, cosines + n, NULL), DV_OK);
        assert_memory_equal(ids, ids + n, n * sizeof *ids);
        assert_memory_equal(cosines, cosines + n, n * sizeof *cosines);
        assert_int_equal(stats.n_uncertified, uncertified[i]);
        assert_int_equal(fake.most_asked, i == 0 ? 46 : 2048);
        free(ids);
        free(cosines);
    }
    assert_false(fake.had_to_share);
    assert_int_equal(fake.n_alive, 0);
    corpus_free(&set);
}

/* What TF32 or half precision does to a sum. */
static void products_of_less_than_single_precision_are_refused(void **state) {
    (void)state;
    corpus set;
    int64_t ids[4 * 5];
    double cosines[4 * 5];
    corpus_create(CORPUS_RANDOM, DV_F32, 100, 4, 24, 3, &set);
    fake.error = 1e-4F;
    assert_int_equal(search_set("faiss", &set, 5, 2, ids, cosines, NULL), DV_E_BACKEND);
    assert_non_null(strstr(dv_last_error(), "not what single precision gives"));
    fake.error = 1e-7F; /* within the bound, which is 3e-6 at that dim */
    assert_int_equal(search_set("faiss", &set, 5, 2, ids, cosines, NULL), DV_OK);
    assert_int_equal(fake.n_alive, 0);
    corpus_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rows_keep_their_numbers_on_any_number_of_gpus, gpus_as_new),
        cmocka_unit_test_setup(whatever_fails_is_told_and_leaves_nothing, gpus_as_new),
        cmocka_unit_test_setup(answers_are_exact_beyond_what_gpus_select, gpus_as_new),
        cmocka_unit_test_setup(products_of_less_than_single_precision_are_refused, gpus_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
