/* A search on the cpu device takes no more memory than it says beforehand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "denseval/version.h"
#include "differential/corpus.h"

enum { N_ROWS = 20000, N_QUERIES = 300, DIM = 768, K = 30 };
/* The BLAS library's buffers as far as they are used, stacks, what malloc keeps. */
#define ELSEWHERE ((size_t)8 << 20)

typedef enum shape { ORDINARY, TIGHT, CLUSTERS, SPIKES, N_SHAPES } shape;

static void fill(corpus_random *random, shape kind, size_t row, double *values) {
    for (size_t i = 0; i < DIM; i++) {
        const double x = corpus_unit(random), centre = cos((double)((row % 4 + 1) * (i + 1)));
        values[i] = x;
        if (kind == TIGHT) values[i] = cos((double)i) + 0.1 * x;
        if (kind == CLUSTERS) values[i] = centre + 0.1 * x;
        if (kind == SPIKES && i == row % DIM) values[i] = 1000.0;
    }
}

static size_t peak_bytes(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (size_t)usage.ru_maxrss * 1024;
}

/* Loads and searches, and tells by the exit code whether that took more than was said. */
static void search_within_bounds(const corpus *c, size_t n_stages) {
    const dv_device_options options = {.n_threads = 2, .n_stages = n_stages};
    const dv_search_shape sought = {
        .n_rows = N_ROWS, .dim = DIM, .dtype = c->bank.rows.dtype, .n_queries = N_QUERIES, .k = K};
    dv_device *device;
    dv_search_memory memory;
    void *index;
    int64_t *ids = calloc((size_t)N_QUERIES * K, sizeof *ids);
    double *cosines = calloc((size_t)N_QUERIES * K, sizeof *cosines);
    if (!ids || !cosines || dv_device_open("cpu", &options, &device) != DV_OK) _exit(2);
    device->ops->search_memory(device, &sought, &memory);
    const size_t before = peak_bytes();
    if (device->ops->bank_load(device, &c->bank, &index) != DV_OK) _exit(2);
    if (device->ops->search(device, index, &c->queries, K, ids, cosines) != DV_OK) _exit(2);
    const size_t taken = peak_bytes() - before;
    _exit(taken <= N_ROWS * memory.row_bytes + memory.fixed_bytes + ELSEWHERE ? 0 : 1);
}

static void a_search_takes_no_more_memory_than_it_says(void **state) {
    (void)state;
    char build[1024];
    dv_build_info(build, sizeof build);
    if (!strstr(build, "sanitizer: none")) skip(); /* it has memory of its own */
    for (int kind = 0; kind < N_SHAPES; kind++) {
        corpus_random random = {1};
        double values[DIM];
        corpus c;
        corpus_create(CORPUS_RANDOM, DV_F16, N_ROWS, N_QUERIES, DIM, 1, &c);
        for (size_t row = 0; row < N_ROWS; row++) {
            fill(&random, (shape)kind, row, values);
            corpus_store(values, DIM, DV_F16, (char *)c.bank_data + row * DIM * dv_dtype_size(DV_F16));
        }
        for (size_t n_stages = 0; n_stages <= 2; n_stages++) {
            int status;
            const pid_t child = fork();
            if (child == 0) search_within_bounds(&c, n_stages);
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), 0);
        }
        corpus_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_takes_no_more_memory_than_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
