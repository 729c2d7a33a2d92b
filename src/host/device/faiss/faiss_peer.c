/* faiss_peer.c: FAISS on GPUs as others call it: unit rows and queries in single precision, its own ids as they come.
 */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/peers.h"
#include "search/faiss/faiss_engine.h"
#include "search/faiss/faiss_gpu.h"

typedef struct faiss_peer {
    dv_faiss_engine *engine;
    float *queries; /* f32 [n, dim]; owned */
    float *scores;  /* f32 [n, k]; owned */
    int64_t *ids;   /* i64 [n, k]; owned */
    size_t n, k, dim;
} faiss_peer;

static void peer_close(void *opaque) {
    faiss_peer *const peer = opaque;
    if (!peer) return;
    dv_faiss_engine_free(peer->engine);
    free(peer->queries);
    free(peer->scores);
    free(peer->ids);
    free(peer);
}

static dv_status add_rows(void *user, const float *unit, size_t first, size_t n) {
    (void)first;
    return dv_faiss_engine_add(((faiss_peer *)user)->engine, unit, n);
}

static dv_status keep_queries(void *user, const float *unit, size_t first, size_t n) {
    faiss_peer *const peer = user;
    memcpy(peer->queries + first * peer->dim, unit, n * peer->dim * sizeof *unit);
    return DV_OK;
}

static dv_status fill(const dv_peer_task *task, faiss_peer *peer) {
    size_t n_elements, n_ids;
    DV_TRY(dv_mul_size(peer->n, peer->dim, "unit queries", &n_elements));
    DV_TRY(dv_mul_size(peer->n, peer->k, "answers", &n_ids));
    DV_TRY(dv_alloc_unset(n_elements, sizeof *peer->queries, "unit queries", &peer->queries));
    DV_TRY(dv_alloc_unset(n_ids, sizeof *peer->scores, "scores", &peer->scores));
    DV_TRY(dv_alloc(n_ids, sizeof *peer->ids, "ids", &peer->ids));
    DV_TRY(dv_faiss_engine_create(peer->dim, task->bank.n_rows, 1, &peer->engine));
    if (peer->k > dv_faiss_engine_most(peer->engine))
        return dv_fail(DV_E_BACKEND, "k %zu: FAISS finds at most %zu on GPUs", peer->k,
                       dv_faiss_engine_most(peer->engine));
    DV_TRY(dv_peer_unit_rows(&task->bank, task->n_threads, add_rows, peer));
    return dv_peer_unit_rows(&task->queries, task->n_threads, keep_queries, peer);
}

static dv_status peer_open(const dv_peer_task *task, void **out) {
    size_t n_gpus;
    faiss_peer *made;
    *out = NULL;
    DV_TRY(dv_faiss_gpu_count(&n_gpus));
    if (n_gpus == 0) return dv_fail(DV_E_BACKEND, "FAISS %s sees no GPU", dv_faiss_version());
    DV_TRY(dv_alloc(1, sizeof *made, "a peer", &made));
    made->n = task->queries.n_rows;
    made->k = task->k;
    made->dim = task->queries.dim;
    const dv_status status = fill(task, made);
    if (status == DV_OK)
        *out = made;
    else
        peer_close(made);
    return status;
}

static dv_status peer_search(void *opaque) {
    faiss_peer *const peer = opaque;
    return dv_faiss_engine_search(peer->engine, peer->queries, peer->n, peer->k, peer->scores, peer->ids);
}

static dv_status peer_ids(void *opaque, int64_t *ids) {
    const faiss_peer *const peer = opaque;
    memcpy(ids, peer->ids, peer->n * peer->k * sizeof *ids);
    return DV_OK;
}

const dv_device_peer dv_peer_faiss = {
    .name = "faiss-gpu",
    .summary = "FAISS IndexFlatIP on its GPUs, queries and answers in host memory",
    .open = peer_open,
    .close = peer_close,
    .search = peer_search,
    .ids = peer_ids,
};
