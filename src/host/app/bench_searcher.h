/* bench_searcher.h: a bank on a device with all its queries: the search that a bench repeats. */
#ifndef DV_APP_BENCH_SEARCHER_H
#define DV_APP_BENCH_SEARCHER_H

#include "app/bench.h"

typedef struct dv_bench_searcher {
    dv_device *device;
    void *index;
    dv_queries queries;
    size_t k;
    void *ids, *cosines;  /* i64, f64 [n, k], device memory */
    int64_t *host_ids;    /* [n, k]; owned */
    double *host_cosines; /* [n, k]; owned */
} dv_bench_searcher;

/* device, bank, queries: borrowed until dv_bench_searcher_clear, which ends *s whatever the outcome. */
DV_MUST_USE dv_status dv_bench_searcher_open(dv_device *device, const dv_rows *bank, const dv_rows *queries, size_t k,
                                             dv_bench_searcher *s);
void dv_bench_searcher_clear(dv_bench_searcher *s); /* also on a zeroed struct */

/* Searches once and waits for the end. user: a dv_bench_searcher */
DV_MUST_USE dv_status dv_bench_searcher_run(void *user);

/* Brings the answers to host_ids and host_cosines. */
DV_MUST_USE dv_status dv_bench_searcher_download(const dv_bench_searcher *s);

#endif
