/* cuda_peers.c: peers of the search on NVIDIA GPUs: products by cuBLAS with a selection, by cuBLASLt with our proof,
 * both on the first GPU alone, and FAISS. */
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_buffer.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_peer.h"
#include "device/cuda/cuda_search.h"
#include "device/peers.h"

/* What both peers hold. */
typedef struct answers {
    dv_cuda_device *device;
    size_t n, k;
    dv_cuda_buffer ids, scores; /* i64 and f64 or f32 [n, k] */
} answers;

static dv_status answers_open(const dv_peer_task *task, answers *a) {
    a->device = (dv_cuda_device *)task->device;
    a->n = task->queries.n_rows;
    a->k = task->k;
    size_t n_ids;
    DV_TRY(dv_cuda_enter(a->device));
    DV_TRY(dv_mul_size(a->n, a->k, "answers", &n_ids));
    DV_TRY(dv_cuda_buffer_need(&a->ids, n_ids, sizeof(int64_t), "ids of a peer"));
    return dv_cuda_buffer_need(&a->scores, n_ids, sizeof(double), "scores of a peer");
}

static void answers_close(answers *a) {
    dv_cuda_buffer_clear(&a->ids);
    dv_cuda_buffer_clear(&a->scores);
}

static dv_status answers_ids(const answers *a, int64_t *ids) {
    if (a->n == 0) return DV_OK;
    DV_TRY(dv_cuda_enter(a->device));
    DV_CUDA_TRY(
        cudaMemcpyAsync(ids, a->ids.memory, a->n * a->k * sizeof *ids, cudaMemcpyDeviceToHost, a->device->stream),
        "ids of a peer");
    return dv_cuda_finish(a->device->stream, DV_OK, "ids of a peer");
}

/* cuBLAS sgemm: unit rows and unit queries in single precision lie on the device before the clock starts. */
typedef struct sgemm_peer {
    answers answers;
    dv_gemm *gemm;
    dv_cuda_buffer bank_rows, query_rows, tile;
    dv_unit_matrix bank, queries;
} sgemm_peer;

static void sgemm_close(void *opaque) {
    sgemm_peer *const peer = opaque;
    if (!peer) return;
    (void)cudaSetDevice(peer->answers.device->number); /* fails where the device did before */
    dv_gemm_close(peer->gemm);
    dv_cuda_buffer_clear(&peer->bank_rows);
    dv_cuda_buffer_clear(&peer->query_rows);
    dv_cuda_buffer_clear(&peer->tile);
    answers_close(&peer->answers);
    free(peer);
}

typedef struct copying {
    const dv_cuda_device *device;
    float *target; /* f32 [n_rows, dim], device memory */
    size_t dim;
} copying;

static dv_status copy_rows(void *user, const float *unit, size_t first, size_t n) {
    const copying *const c = user;
    DV_CUDA_TRY(cudaMemcpyAsync(c->target + first * c->dim, unit, n * c->dim * sizeof *unit, cudaMemcpyHostToDevice,
                                c->device->stream),
                "unit rows");
    return dv_cuda_finish(c->device->stream, DV_OK, "unit rows");
}

static dv_status bring(const dv_peer_task *task, const dv_rows *rows, dv_cuda_buffer *buffer, dv_unit_matrix *matrix) {
    const dv_cuda_device *const cuda = (const dv_cuda_device *)task->device;
    size_t n_elements;
    DV_TRY(dv_mul_size(rows->n_rows, rows->dim, "unit rows", &n_elements));
    DV_TRY(dv_cuda_buffer_need(buffer, n_elements, sizeof(float), "unit rows"));
    copying c = {cuda, buffer->memory, rows->dim};
    *matrix = (dv_unit_matrix){buffer->memory, rows->n_rows, rows->dim};
    return dv_peer_unit_rows(rows, task->n_threads, copy_rows, &c);
}

static dv_status sgemm_fill(const dv_peer_task *task, sgemm_peer *peer) {
    size_t n_bytes;
    DV_TRY(answers_open(task, &peer->answers));
    DV_TRY(dv_gemm_open(NULL, &peer->gemm));
    DV_TRY(dv_cuda_sgemm_topk_workspace(task->queries.n_rows, task->bank.n_rows, 0, &n_bytes));
    DV_TRY(dv_cuda_buffer_need(&peer->tile, n_bytes, 1, "scores of a tile"));
    DV_TRY(bring(task, &task->bank, &peer->bank_rows, &peer->bank));
    return bring(task, &task->queries, &peer->query_rows, &peer->queries);
}

static dv_status sgemm_open(const dv_peer_task *task, void **out) {
    sgemm_peer *made;
    *out = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "a peer", &made));
    made->answers.device = (dv_cuda_device *)task->device;
    const dv_status status = sgemm_fill(task, made);
    if (status == DV_OK)
        *out = made;
    else
        sgemm_close(made);
    return status;
}

static dv_status sgemm_search(void *opaque) {
    sgemm_peer *const peer = opaque;
    const dv_cuda_device *const cuda = peer->answers.device;
    DV_TRY(dv_cuda_enter(cuda));
    const dv_status status =
        dv_cuda_sgemm_topk(peer->gemm, &peer->queries, &peer->bank, peer->answers.k, 0, peer->tile.memory,
                           peer->answers.ids.memory, peer->answers.scores.memory, cuda->stream);
    return dv_cuda_finish(cuda->stream, status, "search by cuBLAS");
}

static dv_status sgemm_ids(void *opaque, int64_t *ids) {
    return answers_ids(&((const sgemm_peer *)opaque)->answers, ids);
}

static const dv_device_peer sgemm = {
    .name = "cublas-sgemm",
    .summary = "cuBLAS sgemm of unit rows and queries that lie on the device, then a selection of floats",
    .open = sgemm_open,
    .close = sgemm_close,
    .search = sgemm_search,
    .ids = sgemm_ids,
};

/* cuBLASLt: the exact search with its products by the library. */
typedef struct products_peer {
    answers answers;
    dv_cuda_index *index;
    dv_rows queries; /* borrowed */
} products_peer;

static void products_close(void *opaque) {
    products_peer *const peer = opaque;
    if (!peer) return;
    (void)cudaSetDevice(peer->answers.device->number); /* fails where the device did before */
    dv_cuda_index_free(peer->index);
    answers_close(&peer->answers);
    free(peer);
}

static dv_status products_open(const dv_peer_task *task, void **out) {
    const dv_bank_rows bank = {.rows = task->bank};
    const dv_cuda_options options = {.products = DV_CUDA_BY_LIBRARY};
    products_peer *made;
    *out = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "a peer", &made));
    made->queries = task->queries;
    dv_status status = answers_open(task, &made->answers);
    if (status == DV_OK) status = dv_cuda_index_create(&bank, &options, made->answers.device->stream, &made->index);
    if (status == DV_OK)
        *out = made;
    else
        products_close(made);
    return status;
}

static dv_status products_search(void *opaque) {
    products_peer *const peer = opaque;
    const dv_queries queries = {.rows = peer->queries};
    DV_TRY(dv_cuda_enter(peer->answers.device));
    return dv_cuda_search(peer->index, &queries, peer->answers.k, peer->answers.ids.memory,
                          peer->answers.scores.memory);
}

static dv_status products_ids(void *opaque, int64_t *ids) {
    return answers_ids(&((const products_peer *)opaque)->answers, ids);
}

static const dv_device_peer products = {
    .name = "cublaslt-int8",
    .summary = "products of codes by cuBLASLt, hits found in the sums that it writes, then the exact search",
    .is_exact = true,
    .open = products_open,
    .close = products_close,
    .search = products_search,
    .ids = products_ids,
};

const dv_device_peer *const dv_cuda_peers[] = {&sgemm, &products, &dv_peer_faiss, NULL};
