#include "search/faiss/faiss_engine.h"

#include <faiss/c_api/IndexFlat_c.h>
#include <faiss/c_api/IndexShards_c.h>
#include <faiss/c_api/Index_c.h>
#include <faiss/c_api/error_c.h>
#include <stdbool.h>
#include <stdlib.h>

#if __has_include(<faiss/c_api/utils/utils_c.h>)
#include <faiss/c_api/utils/utils_c.h>
#define HAVE_VERSION_CALL 1
#else
#define HAVE_VERSION_CALL 0
#endif

#if DENSEVAL_HAVE_OPENMP
#include <omp.h>
#endif

#include "core/check.h"
#include "core/memory.h"
#include "search/faiss/faiss_gpu.h"

struct dv_faiss_engine {
    size_t dim, n_rows, n_added;
    size_t n_shards, shard; /* shard: the one that is being filled */
    FaissIndex **parts;     /* [n_shards], owned until they are joined */
    FaissIndex *whole; /* what is searched; NULL until all rows are there. Owns the parts where there are several */
    size_t n_gpus;     /* that the rows are dealt out to; 0: FAISS sees none */
    dv_faiss_gpu *gpu; /* then this is searched, and there is no whole */
};

dv_status dv_faiss_failure(const char *call) {
    const char *text = faiss_get_last_error();
    return dv_fail(DV_E_BACKEND, "FAISS %s: %s: %s", dv_faiss_version(), call, text && *text ? text : "no message");
}

const char *dv_faiss_version(void) {
#if HAVE_VERSION_CALL
    return faiss_get_version();
#else
    return DENSEVAL_FAISS_VERSION;
#endif
}

static size_t shard_begin(const dv_faiss_engine *engine, size_t shard) {
    const size_t whole = engine->n_rows / engine->n_shards, rest = engine->n_rows % engine->n_shards;
    return shard * whole + shard * rest / engine->n_shards; /* n_rows * shard / n_shards without overflow */
}

dv_status dv_faiss_engine_create(size_t dim, size_t n_rows, size_t n_shards, dv_faiss_engine **out) {
    *out = NULL;
    size_t n_gpus;
    dv_faiss_engine *made;
    DV_TRY(dv_faiss_gpu_count(&n_gpus));
    if (n_gpus > 0) n_shards = 1; /* FAISS cuts what goes to GPUs itself */
    DV_TRY(dv_alloc(1, sizeof *made, "FAISS index", &made));
    *made = (dv_faiss_engine){
        .dim = dim, .n_rows = n_rows, .n_shards = n_shards, .n_gpus = n_gpus < n_rows ? n_gpus : n_rows};
    dv_status status = dv_alloc(n_shards, sizeof(FaissIndex *), "FAISS shards", &made->parts);
    for (size_t i = 0; status == DV_OK && i < n_shards; i++)
        if (faiss_IndexFlatIP_new_with(&made->parts[i], (idx_t)dim)) status = dv_faiss_failure("IndexFlatIP");
    if (status != DV_OK) {
        dv_faiss_engine_free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

void dv_faiss_engine_free(dv_faiss_engine *engine) {
    if (!engine) return;
    dv_faiss_gpu_free(engine->gpu);
    if (engine->whole) faiss_Index_free(engine->whole);
    for (size_t i = 0; engine->parts && i < engine->n_shards; i++)
        if (engine->parts[i]) faiss_Index_free(engine->parts[i]);
    free(engine->parts);
    free(engine);
}

/* Shards in one index, which numbers their rows on; each search runs on the thread that asks. */
static dv_status join_shards(dv_faiss_engine *engine) {
    if (engine->n_shards == 1) {
        engine->whole = engine->parts[0];
        engine->parts[0] = NULL;
        return DV_OK;
    }
    FaissIndexShards *shards = NULL;
    const int threaded = 0, successive_ids = 1;
    if (faiss_IndexShards_new_with_options(&shards, (idx_t)engine->dim, threaded, successive_ids))
        return dv_faiss_failure("IndexShards");
    engine->whole = shards;
    faiss_IndexShards_set_own_fields(shards, 1);
    for (size_t i = 0; i < engine->n_shards; i++) {
        if (faiss_IndexShards_add_shard(shards, engine->parts[i])) return dv_faiss_failure("IndexShards add_shard");
        engine->parts[i] = NULL;
    }
    return DV_OK;
}

/* From here on the rows are on the GPUs alone. */
static dv_status move_to_gpus(dv_faiss_engine *engine) {
    DV_TRY(dv_faiss_gpu_create(engine->parts[0], engine->n_gpus, &engine->gpu));
    faiss_Index_free(engine->parts[0]);
    engine->parts[0] = NULL;
    return DV_OK;
}

dv_status dv_faiss_engine_add(dv_faiss_engine *engine, const float *rows, size_t n) {
    if (n > engine->n_rows - engine->n_added)
        return dv_fail(DV_E_ARG, "%zu rows for a FAISS index with room for %zu", n, engine->n_rows - engine->n_added);
    while (n > 0) {
        const size_t room = shard_begin(engine, engine->shard + 1) - engine->n_added;
        const size_t step = n < room ? n : room;
        if (step > 0 && faiss_Index_add(engine->parts[engine->shard], (idx_t)step, rows))
            return dv_faiss_failure("add");
        rows += step * engine->dim;
        engine->n_added += step;
        n -= step;
        if (step == room) engine->shard++;
    }
    if (engine->n_added < engine->n_rows || engine->whole || engine->gpu) return DV_OK;
    return engine->n_gpus > 0 ? move_to_gpus(engine) : join_shards(engine);
}

size_t dv_faiss_engine_most(const dv_faiss_engine *engine) {
    return engine->gpu && engine->n_rows > DV_FAISS_GPU_NEIGHBOURS ? DV_FAISS_GPU_NEIGHBOURS : engine->n_rows;
}

dv_status dv_faiss_engine_search(const dv_faiss_engine *engine, const float *queries, size_t n, size_t k, float *scores,
                                 int64_t *ids) {
    if (engine->gpu) return dv_faiss_gpu_search(engine->gpu, queries, n, k, scores, ids);
#if DENSEVAL_HAVE_OPENMP
    const int n_before = omp_get_max_threads(); /* of this thread; our pool has a thread a core already */
    omp_set_num_threads(1);
#endif
    const bool failed = faiss_Index_search(engine->whole, (idx_t)n, queries, (idx_t)k, scores, ids) != 0;
#if DENSEVAL_HAVE_OPENMP
    omp_set_num_threads(n_before);
#endif
    return failed ? dv_faiss_failure("search") : DV_OK;
}
