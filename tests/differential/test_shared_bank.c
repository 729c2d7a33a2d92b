/* KNN-09: several threads, each with a device of its own, search one bank at the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "differential/corpus.h"

enum { N_CALLERS = 4, N_SEARCHES = 100, N_ROWS = 200, N_QUERIES = 6, DIM = 20, K = 10 };

typedef struct caller {
    const char *name;
    const corpus *c;
    const corpus_answer *expected;
    size_t n_searches, n_wrong; /* cmocka's assertions belong to the main thread */
} caller;

static size_t search_once(dv_device *device, const caller *self) {
    const dv_device_ops *const ops = device->ops;
    int64_t ids[N_QUERIES * K];
    double cosines[N_QUERIES * K];
    void *index = NULL, *device_ids = NULL, *device_cosines = NULL;
    const bool is_right = ops->alloc(device, sizeof ids, &device_ids) == DV_OK &&
                          ops->alloc(device, sizeof cosines, &device_cosines) == DV_OK &&
                          ops->bank_load(device, &self->c->bank, &index) == DV_OK &&
                          ops->search(device, index, &self->c->queries, K, device_ids, device_cosines) == DV_OK &&
                          ops->download(device, ids, device_ids, sizeof ids) == DV_OK &&
                          ops->download(device, cosines, device_cosines, sizeof cosines) == DV_OK &&
                          ops->synchronise(device) == DV_OK && memcmp(ids, self->expected->ids, sizeof ids) == 0 &&
                          memcmp(cosines, self->expected->cosines, sizeof cosines) == 0;
    ops->bank_free(device, index);
    ops->release(device, device_ids);
    ops->release(device, device_cosines);
    return !is_right;
}

static void *run_caller(void *argument) {
    caller *self = argument;
    const dv_device_options options = {.n_threads = 2, .tile_rows = 7, .tile_queries = 4};
    dv_device *device;
    if (dv_device_open(self->name, &options, &device) != DV_OK) {
        self->n_wrong = self->n_searches;
        return NULL;
    }
    for (size_t i = 0; i < self->n_searches; i++) self->n_wrong += search_once(device, self);
    device->ops->close(device);
    return NULL;
}

static void callers_do_not_disturb_one_another(void **state) {
    (void)state;
    corpus c;
    corpus_create(CORPUS_DUPLICATES, DV_F16, N_ROWS, N_QUERIES, DIM, corpus_seed(), &c);
    corpus_answer expected;
    corpus_search("reference", NULL, &c.bank, &c.queries, K, 1, &expected);
    const char *name;
    for (size_t i = 0; (name = corpus_device(i)); i++) {
        pthread_t threads[N_CALLERS];
        caller callers[N_CALLERS];
        for (size_t t = 0; t < N_CALLERS; t++) {
            callers[t] = (caller){name, &c, &expected, corpus_rounds(N_SEARCHES), 0};
            assert_int_equal(pthread_create(&threads[t], NULL, run_caller, &callers[t]), 0);
        }
        for (size_t t = 0; t < N_CALLERS; t++) {
            assert_int_equal(pthread_join(threads[t], NULL), 0);
            assert_int_equal(callers[t].n_wrong, 0);
        }
    }
    corpus_answer_free(&expected);
    corpus_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(callers_do_not_disturb_one_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
