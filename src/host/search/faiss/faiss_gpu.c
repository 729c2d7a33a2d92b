#include "search/faiss/faiss_gpu.h"

#include <faiss/c_api/gpu/DeviceUtils_c.h>
#include <faiss/c_api/gpu/GpuAutoTune_c.h>
#include <faiss/c_api/gpu/GpuClonerOptions_c.h>
#include <faiss/c_api/gpu/StandardGpuResources_c.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/faiss/faiss_engine.h"

struct dv_faiss_gpu {
    size_t n_gpus;
    FaissStandardGpuResources **resources; /* [n_gpus], owned; they outlive the index */
    FaissIndex *index;                     /* owned */
    pthread_mutex_t turn;                  /* searches share what the resources hold */
};

dv_status dv_faiss_gpu_count(size_t *n) {
    int found = 0;
    *n = 0;
    if (faiss_get_num_gpus(&found)) return dv_faiss_failure("get_num_gpus");
    if (found > 0) *n = (size_t)found;
    return DV_OK;
}

/* Only single precision keeps within the bound of search/bound.h. */
static dv_status copy_with(const FaissGpuMultipleClonerOptions *options, const FaissIndex *index, dv_faiss_gpu *gpu) {
    int *devices;
    DV_TRY(dv_alloc(gpu->n_gpus, sizeof *devices, "GPUs", &devices));
    for (size_t i = 0; i < gpu->n_gpus; i++) devices[i] = (int)i;
    const bool failed = faiss_index_cpu_to_gpu_multiple_with_options(gpu->resources, gpu->n_gpus, devices, gpu->n_gpus,
                                                                     index, options, &gpu->index) != 0;
    free(devices);
    return failed ? dv_faiss_failure("index_cpu_to_gpu_multiple") : DV_OK;
}

static dv_status copy(const FaissIndex *index, dv_faiss_gpu *gpu) {
    for (size_t i = 0; i < gpu->n_gpus; i++)
        if (faiss_StandardGpuResources_new(&gpu->resources[i])) return dv_faiss_failure("StandardGpuResources");
    FaissGpuMultipleClonerOptions *options = NULL;
    if (faiss_GpuMultipleClonerOptions_new(&options)) return dv_faiss_failure("GpuMultipleClonerOptions");
    faiss_GpuMultipleClonerOptions_set_shard(options, 1);
    faiss_GpuClonerOptions_set_useFloat16(options, 0);
    const dv_status status = copy_with(options, index, gpu);
    faiss_GpuMultipleClonerOptions_free(options);
    return status;
}

dv_status dv_faiss_gpu_create(const FaissIndex *index, size_t n_gpus, dv_faiss_gpu **out) {
    *out = NULL;
    dv_faiss_gpu *made;
    DV_TRY(dv_alloc(1, sizeof *made, "FAISS index", &made));
    if (pthread_mutex_init(&made->turn, NULL) != 0) {
        free(made);
        return dv_fail(DV_E_NOMEM, "no memory for a lock");
    }
    made->n_gpus = n_gpus;
    dv_status status = dv_alloc(n_gpus, sizeof(FaissStandardGpuResources *), "GPU resources", &made->resources);
    if (status == DV_OK) status = copy(index, made);
    if (status == DV_OK)
        *out = made;
    else
        dv_faiss_gpu_free(made);
    return status;
}

void dv_faiss_gpu_free(dv_faiss_gpu *gpu) {
    if (!gpu) return;
    if (gpu->index) faiss_Index_free(gpu->index);
    for (size_t i = 0; gpu->resources && i < gpu->n_gpus; i++)
        if (gpu->resources[i]) faiss_StandardGpuResources_free(gpu->resources[i]);
    free(gpu->resources);
    (void)pthread_mutex_destroy(&gpu->turn);
    free(gpu);
}

dv_status dv_faiss_gpu_search(dv_faiss_gpu *gpu, const float *queries, size_t n, size_t k, float *scores,
                              int64_t *ids) {
    (void)pthread_mutex_lock(&gpu->turn); /* cannot fail: it is held by nobody who asks again */
    const bool failed = faiss_Index_search(gpu->index, (idx_t)n, queries, (idx_t)k, scores, ids) != 0;
    (void)pthread_mutex_unlock(&gpu->turn);
    return failed ? dv_faiss_failure("search on GPUs") : DV_OK; /* the message is this thread's */
}
