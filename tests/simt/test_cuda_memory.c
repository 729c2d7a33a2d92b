/* The search where memory is refused or kernels break. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "denseval/denseval.h"
#include "device/cuda/cuda_search.h"
#include "differential/corpus.h"
#include "simt.h"
#include "simt/search_answers.h"
#include "support/toy.h"

enum { N_ROWS = 300, N_QUERIES = 260, FEW = 3, DIM = 20, K = 9, ONE_GIB = 1 << 30, N_ALIVE = 3 };

/* A bank and queries with masks and bounds, and the answers. */
typedef struct world {
    corpus set;
    size_t n; /* places of the answers */
    double *least;
    answers expected;
    cudaStream_t stream;
    int64_t *ids; /* there */
    double *cosines;
    dv_cuda_index *index;
} world;

static void make_data(world *w, corpus_kind kind, dv_dtype dtype, size_t n_queries) {
    *w = (world){.n = n_queries * K};
    corpus_create(kind, dtype, N_ROWS, n_queries, DIM, 1, &w->set);
    w->least = checked(malloc(n_queries * sizeof *w->least));
    for (size_t q = 0; q < n_queries; q++) w->least[q] = q % 3 == 0 ? -INFINITY : (double)(q % 5) / 8;
    w->set.bank.group = w->set.bank_group;
    w->set.queries.group = w->set.query_group;
    w->set.queries.least = w->least;
    w->expected = expected_answers(&w->set.bank, &w->set.queries, K);
}

static void make_room(world *w) {
    assert_int_equal(cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking), cudaSuccess);
    w->ids = on_device(NULL, w->n * sizeof *w->ids);
    w->cosines = on_device(NULL, w->n * sizeof *w->cosines);
}

static void free_room(world *w) {
    dv_cuda_index_free(w->index);
    free_on_device(w->ids, w->cosines);
    assert_int_equal(cudaStreamDestroy(w->stream), cudaSuccess);
    assert_int_equal(simt_n_alive(), 0);
}

static void free_data(world *w) {
    free_answers(&w->expected);
    free(w->least);
    corpus_free(&w->set);
}

static dv_status load(world *w, const dv_cuda_options *options) {
    return dv_cuda_index_create(&w->set.bank, options, w->stream, &w->index);
}

static dv_status search(world *w) {
    return dv_cuda_search(w->index, &w->set.queries, K, w->ids, w->cosines);
}

static void expect_right(world *w) {
    assert_ok(search(w));
    expect_answers(&w->expected, w->ids, w->cosines, w->n, K);
}

/* One that fails while a bank is loaded is told; one of a search is asked for again, or a smaller one is. */
static void each_refused_allocation_is_told_or_done_without(void **state) {
    (void)state;
    const dv_cuda_options options = {.first_tiles = 1, .seed_tiles = 1};
    world w;
    make_data(&w, CORPUS_RANDOM, DV_F64, FEW);
    make_room(&w);
    const size_t before = simt_n_allocations();
    assert_ok(load(&w, &options));
    const size_t n_of_load = simt_n_allocations() - before;
    assert_ok(search(&w));
    const size_t n = simt_n_allocations() - before;
    free_room(&w);
    assert_true(n_of_load > 8 && n > n_of_load + 20);
    for (size_t at = 1; at <= n; at++) {
        make_room(&w);
        simt_fail_allocation((int)at);
        const dv_status status = load(&w, &options);
        if (at <= n_of_load) {
            assert_int_equal(status, DV_E_BACKEND);
            assert_null(w.index);
            assert_non_null(strstr(dv_last_error(), "a bank of 300 rows of 20 dimensions, which takes 90880 bytes"));
            assert_int_equal(simt_n_alive(), N_ALIVE);
            assert_ok(load(&w, &options));
        } else {
            assert_ok(status);
        }
        expect_right(&w);
        free_room(&w);
    }
    free_data(&w);
}

/* A machine with as much memory as a bank and its search take, or less. */
static void open_with(world *w, size_t n_bytes) {
    simt_set_devices(1, n_bytes);
    w->index = NULL;
    make_room(w);
}

static void little_memory_makes_smaller_blocks(void **state) {
    (void)state;
    const dv_cuda_options options = {.first_tiles = 1, .seed_tiles = 2};
    world w;
    make_data(&w, CORPUS_RANDOM, DV_F16, N_QUERIES);
    open_with(&w, ONE_GIB);
    assert_ok(load(&w, &options));
    expect_right(&w);
    assert_int_equal(w.index->plan.block_queries, 384);
    const size_t lists = w.n * (sizeof *w.ids + sizeof *w.cosines), bank = w.index->bank_bytes;
    const size_t whole = dv_cuda_plan_bytes(w.index, &w.index->plan);
    free_room(&w);

    open_with(&w, lists + bank + whole / 2); /* half of it: by counting */
    assert_ok(load(&w, &options));
    expect_right(&w);
    assert_int_equal(w.index->plan.block_queries, 128);
    const size_t block = dv_cuda_plan_bytes(w.index, &w.index->plan);
    free_room(&w);

    open_with(&w, lists + bank + block / 2); /* not even the smallest block: shorter lists */
    assert_ok(load(&w, &options));
    expect_right(&w);
    assert_int_equal(w.index->plan.block_queries, 128);
    assert_in_range(w.index->plan.capacity, 256, 1023);
    free_room(&w);

    open_with(&w, lists + bank + 100000);
    assert_ok(load(&w, &options));
    assert_int_equal(search(&w), DV_E_BACKEND);
    const char *const said =
        "searching 300 rows of 20 dimensions for the 9 neighbours of 128 queries at once: a search: "
        "no device memory for 262144 bytes, ";
    assert_memory_equal(dv_last_error(), said, strlen(said));
    assert_ok(dv_cuda_search(w.index, &(dv_queries){.rows = {NULL, DV_F16, 0, DIM}}, K, NULL, NULL));
    free_room(&w);
    free_data(&w);
    simt_set_devices(1, ONE_GIB);
}

/* Memory that others take after it was counted. */
static void memory_that_was_free_a_moment_ago_may_be_gone(void **state) {
    (void)state;
    world w;
    make_data(&w, CORPUS_RANDOM, DV_F16, N_QUERIES);
    open_with(&w, ONE_GIB);
    const dv_cuda_options options = {.first_tiles = 1, .seed_tiles = 2};
    assert_ok(load(&w, &options));
    simt_fail_allocation_above(1 << 20);
    expect_right(&w);
    assert_int_equal(w.index->plan.block_queries, 128);
    simt_fail_allocation_above(0);
    free_room(&w);
    free_data(&w);
}

static void banks_that_do_not_fit_name_the_sizes(void **state) {
    (void)state;
    world w;
    make_data(&w, CORPUS_RANDOM, DV_F32, FEW);
    open_with(&w, 60000);
    assert_int_equal(load(&w, &(dv_cuda_options){0}), DV_E_BACKEND);
    assert_string_equal(dv_last_error(),
                        "a bank of 300 rows of 20 dimensions, which takes 65680 bytes: codes of the bank: "
                        "no device memory for 32768 bytes, 26656 of 60000 are free");
    free_room(&w);
    free_data(&w);
    simt_set_devices(1, ONE_GIB);
}

/* As many rows as the device says are loaded and searched there, and more than it has memory for are not. */
static void devices_know_how_many_rows_fit(void **state) {
    (void)state;
    enum { N_BYTES = 2000000, DIM_THERE = 32 };
    const dv_search_shape shape = {
        .n_rows = 1000000, .dim = DIM_THERE, .dtype = DV_F32, .n_queries = N_QUERIES, .k = K};
    dv_search_memory memory;
    dv_cuda_index_memory(&shape, &(dv_cuda_options){0}, N_BYTES, &memory);
    assert_in_range(memory.most_rows, 256, N_BYTES / (DIM_THERE * 5));
    assert_int_equal(memory.most_rows % 256, 0);
    assert_in_range(memory.row_bytes, 16, 32);
    for (size_t turn = 0; turn < 2; turn++) {
        corpus set;
        world w = {.n = N_QUERIES * K};
        corpus_create(CORPUS_RANDOM, DV_F32, memory.most_rows * (1 + 2 * turn), N_QUERIES, DIM_THERE, 1, &set);
        set.bank.group = set.bank_group;
        open_with(&w, N_BYTES);
        const dv_status status = dv_cuda_index_create(&set.bank, &(dv_cuda_options){0}, w.stream, &w.index);
        assert_int_equal(status, turn ? DV_E_BACKEND : DV_OK);
        if (status == DV_OK) assert_ok(dv_cuda_search(w.index, &set.queries, K, w.ids, w.cosines));
        free_room(&w);
        corpus_free(&set);
    }
    simt_set_devices(1, ONE_GIB);
}

/* A bank larger than the device's memory goes there in slabs. */
static void banks_that_do_not_fit_are_streamed(void **state) {
    (void)state;
    enum { N_IMAGES = 1300, N_CELLS = TOY_CLASSES * TOY_CLASSES }; /* 5200 rows */
    static toy_image bank_images[N_IMAGES];
    for (int i = 0; i < N_IMAGES; i++) bank_images[i] = (toy_image){{0, 1, 2, i % 3}, {i % 2, 1, i % 3, 2}, 0, "a"};
    char *const folder = toy_folder(), *const paths[] = {toy_path(folder, "bank.h5"), toy_path(folder, "query.h5")};
    toy_write(paths[0], "b", bank_images, N_IMAGES);
    toy_write(paths[1], "q", bank_images, 3);
    dv_features *features, *queries;
    dv_bank *bank;
    assert_ok(dv_features_open((const char *const *)&paths[0], 1, &features));
    assert_ok(dv_features_open((const char *const *)&paths[1], 1, &queries));
    assert_ok(dv_bank_build(features, &(dv_bank_options){0}, &bank));
    uint64_t counts[2][N_CELLS];
    for (size_t i = 0; i < 2; i++) {
        const dv_eval_options options = {.search = {.k = 5, .backend = i ? "cuda" : "reference"}, .beta = 0.02};
        dv_eval_result result = {0};
        simt_set_devices(1, 2000000);
        assert_ok(dv_eval_run(bank, queries, &options, &result));
        memcpy(counts[i], dv_confusion_counts(result.total.confusion), sizeof counts[i]);
        if (i) assert_in_range(result.search.n_slabs, 2, 20);
        dv_eval_result_clear(&result);
    }
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    assert_int_equal(simt_n_alive(), 0);
    simt_set_devices(1, ONE_GIB);
    dv_bank_close(bank);
    dv_features_close(features);
    dv_features_close(queries);
    toy_folder_remove(folder);
    free(paths[0]);
    free(paths[1]);
}

/* A kernel that touches what it must not: told as a fault of this program, and all can be freed. */
static void broken_kernels_are_faults_of_this_program(void **state) {
    (void)state;
    for (int blocking = 0; blocking < 2; blocking++) {
        world w;
        make_data(&w, CORPUS_RANDOM, DV_F32, FEW);
        open_with(&w, ONE_GIB);
        assert_ok(load(&w, &(dv_cuda_options){0}));
        if (blocking) assert_int_equal(setenv("CUDA_LAUNCH_BLOCKING", "1", 1), 0);
        simt_fail_run(7); /* after measuring, coding, bounds, the seed and its bounds, thresholds */
        assert_int_equal(search(&w), DV_E_INTERNAL);
        unsetenv("CUDA_LAUNCH_BLOCKING");
        const char *const said =
            "an illegal memory access was encountered (CUDA error 700), here or in a launch before; "
            "DENSEVAL_CUDA_SYNC=1 tells which";
        assert_non_null(strstr(dv_last_error(), said));
        if (blocking) assert_memory_equal(dv_last_error(), "filtering the bank: ", 20);
        assert_int_equal(search(&w), DV_E_INTERNAL);
        dv_cuda_index_free(w.index);
        free_data(&w);
        simt_set_devices(1, ONE_GIB);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refused_allocation_is_told_or_done_without),
        cmocka_unit_test(little_memory_makes_smaller_blocks),
        cmocka_unit_test(memory_that_was_free_a_moment_ago_may_be_gone),
        cmocka_unit_test(banks_that_do_not_fit_name_the_sizes),
        cmocka_unit_test(devices_know_how_many_rows_fit),
        cmocka_unit_test(banks_that_do_not_fit_are_streamed),
        cmocka_unit_test(broken_kernels_are_faults_of_this_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
