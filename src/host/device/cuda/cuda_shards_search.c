/* cuda_shards_search.c: every query on every shard and the lists merged, or each query on one replica. */
#include <cuda_runtime_api.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_search.h"
#include "device/cuda/cuda_shards.h"
#include "device/cuda/cuda_sizes.h"
#include "search/merge.h"

enum {
    SLICE = 512, /* queries that a thread merges */
    PLACE_BYTES = sizeof(int64_t) + sizeof(double),
    MOST_PLACES = (64 << 20) / PLACE_BYTES
};
_Static_assert((int)MOST_PLACES >= (int)DV_MOST_NEIGHBOURS * (int)DV_CODED_QUERIES, "room for a tile of queries");

/* A search that all GPUs take part in. */
typedef struct job {
    dv_cuda_shards *shards;
    dv_queries queries; /* of this piece, where the bank is split */
    size_t k;
    size_t length;   /* replicated: queries of a piece */
    int64_t *ids;    /* [n, k] on the first GPU */
    double *cosines; /* [n, k] there */
    dv_merge *merge; /* split */
} job;

/* Queries first .. first + n - 1. */
static dv_queries queries_of(const dv_queries *all, size_t first, size_t n) {
    dv_queries part = *all;
    part.rows.n_rows = n;
    part.rows.data = (const unsigned char *)part.rows.data + first * part.rows.dim * dv_dtype_size(part.rows.dtype);
    if (part.group) part.group += first;
    if (part.least) part.least += first;
    return part;
}

/* Queries whose lists a shard has room for. */
static size_t most_queries(const dv_cuda_shards *shards, size_t k) {
    const size_t n = MOST_PLACES / k / DV_CODED_QUERIES * DV_CODED_QUERIES;
    return shards->spread.most_queries ? shards->spread.most_queries : n;
}

/* What stands behind n ids. */
static double *cosines_in(void *lists, size_t n) {
    return (void *)((unsigned char *)lists + n * sizeof(int64_t));
}

/* The lists of one shard to the host. */
static dv_status fetch_lists(const job *j, const dv_cuda_shard *shard, size_t k, size_t n_places) {
    int64_t *const there = shard->lists_there.memory;
    DV_TRY(dv_cuda_search(shard->index, &j->queries, k, there, cosines_in(there, n_places)));
    const dv_status status = dv_cuda_check(cudaMemcpyAsync(shard->lists_here.memory, there, n_places * PLACE_BYTES,
                                                           cudaMemcpyDeviceToHost, shard->gpu->stream),
                                           "answers");
    return dv_cuda_finish(shard->gpu->stream, status, "answers");
}

/* The same with rows of the whole bank. */
static dv_status search_shard(void *context, size_t i, size_t worker) {
    const job *const j = context;
    dv_cuda_shard *const shard = &j->shards->each[i];
    const size_t k = dv_smaller(j->k, shard->n_rows), n_places = j->queries.rows.n_rows * k;
    (void)worker;
    DV_TRY(dv_cuda_buffer_need(&shard->lists_there, n_places, PLACE_BYTES, "lists of a shard"));
    DV_TRY(dv_cuda_pinned_need(&shard->lists_here, n_places, PLACE_BYTES, "lists of a shard"));
    dv_cuda_meter_start(shard->gpu->meter);
    const dv_status status = fetch_lists(j, shard, k, n_places);
    dv_cuda_meter_stop(shard->gpu->meter);
    DV_TRY(status);
    int64_t *const ids = shard->lists_here.memory;
    for (size_t at = 0; at < n_places; at++)
        if (ids[at] >= 0) ids[at] += (int64_t)shard->first_row;
    return DV_OK;
}

static dv_status merge_slice(void *context, size_t slice, size_t worker) {
    const job *const j = context;
    const size_t n_queries = j->queries.rows.n_rows, first = slice * SLICE, n = dv_smaller(SLICE, n_queries - first);
    (void)worker;
    for (size_t i = 0; i < j->shards->spread.n_shards; i++) {
        const dv_cuda_shard *const shard = &j->shards->each[i];
        const size_t k = dv_smaller(j->k, shard->n_rows);
        const int64_t *const ids = shard->lists_here.memory;
        const double *const cosines = cosines_in(shard->lists_here.memory, n_queries * k);
        dv_merge_add_queries(j->merge, first, n, ids + first * k, cosines + first * k, k);
    }
    return DV_OK;
}

/* The merged lists to the first GPU, after what is queued there. */
static dv_status upload(const job *j) {
    const size_t n_places = j->queries.rows.n_rows * j->k;
    cudaStream_t stream = j->shards->gpus->each[0].stream;
    dv_cuda_meter *const meter = j->shards->gpus->each[0].meter;
    dv_cuda_meter_start(meter);
    dv_status status = dv_cuda_check(
        cudaMemcpyAsync(j->ids, dv_merge_ids(j->merge), n_places * sizeof *j->ids, cudaMemcpyHostToDevice, stream),
        "answers");
    if (status == DV_OK)
        status = dv_cuda_check(cudaMemcpyAsync(j->cosines, dv_merge_cosines(j->merge), n_places * sizeof *j->cosines,
                                               cudaMemcpyHostToDevice, stream),
                               "answers");
    status = dv_cuda_finish(stream, status, "answers");
    dv_cuda_meter_stop(meter);
    return status;
}

static dv_status search_and_merge(job *j) {
    const dv_cuda_gpus *const gpus = j->shards->gpus;
    const size_t n = j->queries.rows.n_rows;
    DV_TRY(dv_merge_create(n, j->k, &j->merge));
    dv_status status = dv_cuda_gpus_run(gpus, j->shards->spread.n_shards, search_shard, j);
    if (status == DV_OK) status = dv_pool_run(gpus->pool, (n + SLICE - 1) / SLICE, merge_slice, j);
    if (status == DV_OK) status = upload(j);
    dv_merge_free(j->merge);
    return status;
}

static dv_status search_split(dv_cuda_shards *shards, const dv_queries *queries, size_t k, int64_t *ids,
                              double *cosines) {
    const size_t n = queries->rows.n_rows, most = most_queries(shards, k);
    for (size_t first = 0; first < n; first += most) {
        job j = {.shards = shards,
                 .queries = queries_of(queries, first, dv_smaller(most, n - first)),
                 .k = k,
                 .ids = ids + first * k,
                 .cosines = cosines + first * k};
        DV_TRY(search_and_merge(&j));
    }
    return DV_OK;
}

/* From another GPU to the first one. The runtime goes by way of the host where there is no other. */
static dv_status copy_lists(const job *j, const dv_cuda_shard *from, size_t first, size_t n) {
    const size_t n_places = n * j->k;
    void *const ids = from->lists_there.memory;
    const int to = j->shards->gpus->each[0].number;
    cudaStream_t stream = from->gpu->stream;
    dv_cuda_meter_start(from->gpu->meter);
    dv_status status = dv_cuda_check(
        cudaMemcpyPeerAsync(j->ids + first * j->k, to, ids, from->gpu->number, n_places * sizeof *j->ids, stream),
        "answers");
    if (status == DV_OK)
        status = dv_cuda_check(cudaMemcpyPeerAsync(j->cosines + first * j->k, to, cosines_in(ids, n_places),
                                                   from->gpu->number, n_places * sizeof *j->cosines, stream),
                               "answers");
    status = dv_cuda_finish(stream, status, "answers");
    dv_cuda_meter_stop(from->gpu->meter);
    return status;
}

/* Every shards->spread.n_shards-th piece of the queries. */
static dv_status search_replica(void *context, size_t i, size_t worker) {
    const job *const j = context;
    dv_cuda_shard *const replica = &j->shards->each[i];
    const size_t n_queries = j->queries.rows.n_rows, k = j->k;
    (void)worker;
    for (size_t first = i * j->length; first < n_queries; first += j->shards->spread.n_shards * j->length) {
        const size_t n = dv_smaller(j->length, n_queries - first);
        const dv_queries piece = queries_of(&j->queries, first, n);
        if (replica->gpu == &j->shards->gpus->each[0]) {
            DV_TRY(dv_cuda_search(replica->index, &piece, k, j->ids + first * k, j->cosines + first * k));
            continue;
        }
        DV_TRY(dv_cuda_buffer_need(&replica->lists_there, n * k, PLACE_BYTES, "lists of a replica"));
        int64_t *const there = replica->lists_there.memory;
        DV_TRY(dv_cuda_search(replica->index, &piece, k, there, cosines_in(there, n * k)));
        DV_TRY(copy_lists(j, replica, first, n));
    }
    return DV_OK;
}

static dv_status search_replicas(dv_cuda_shards *shards, const dv_queries *queries, size_t k, int64_t *ids,
                                 double *cosines) {
    const size_t n = queries->rows.n_rows, share = (n + shards->spread.n_shards - 1) / shards->spread.n_shards;
    const size_t whole = (share + DV_CODED_QUERIES - 1) / DV_CODED_QUERIES * DV_CODED_QUERIES;
    job j = {.shards = shards,
             .queries = *queries,
             .k = k,
             .length = dv_smaller(whole, most_queries(shards, k)),
             .ids = ids,
             .cosines = cosines};
    /* Other streams write where work that is queued on this one may still read. */
    DV_TRY(dv_cuda_finish(shards->gpus->each[0].stream, DV_OK, "work of the device"));
    return dv_cuda_gpus_run(shards->gpus, dv_smaller(shards->spread.n_shards, (n + j.length - 1) / j.length),
                            search_replica, &j);
}

dv_status dv_cuda_shards_search(dv_cuda_shards *shards, const dv_queries *queries, size_t k, int64_t *ids,
                                double *cosines) {
    DV_TRY(dv_cuda_gpu_enter(&shards->gpus->each[0]));
    if (shards->spread.n_shards == 1) return dv_cuda_search(shards->each[0].index, queries, k, ids, cosines);
    DV_TRY(dv_cuda_search_check(&shards->bank, queries, k));
    if (queries->rows.n_rows == 0) return DV_OK;
    const bool is_split = shards->spread.layout == DV_CUDA_SPLIT;
    const dv_status status =
        is_split ? search_split(shards, queries, k, ids, cosines) : search_replicas(shards, queries, k, ids, cosines);
    if (status != DV_E_ARG) return status;
    /* A shard knows a query by its number in a piece, and pieces are searched side by side. */
    return dv_fail(status, "query %zu: features must be finite", dv_cuda_first_not_finite(&queries->rows));
}
