/* faiss_no_gpu.c: the GPUs of a FAISS without its GPU part: none. */
#include "core/check.h"
#include "search/faiss/faiss_gpu.h"

static const char no_gpu[] = "this FAISS has no GPU part";

dv_status dv_faiss_gpu_count(size_t *n) {
    *n = 0;
    return DV_OK;
}

dv_status dv_faiss_gpu_create(const FaissIndex *index, size_t n_gpus, dv_faiss_gpu **out) {
    (void)index, (void)n_gpus;
    *out = NULL;
    return dv_fail(DV_E_BACKEND, "%s", no_gpu);
}

void dv_faiss_gpu_free(dv_faiss_gpu *gpu) {
    (void)gpu;
}

dv_status dv_faiss_gpu_search(dv_faiss_gpu *gpu, const float *queries, size_t n, size_t k, float *scores,
                              int64_t *ids) {
    (void)gpu, (void)queries, (void)n, (void)k, (void)scores, (void)ids;
    return dv_fail(DV_E_BACKEND, "%s", no_gpu);
}
