/* GpuAutoTune_c.h: see DeviceUtils_c.h. */
#ifndef FAKE_GPU_AUTO_TUNE_C_H
#define FAKE_GPU_AUTO_TUNE_C_H

#include <faiss/c_api/Index_c.h>
#include <faiss/c_api/gpu/GpuClonerOptions_c.h>
#include <faiss/c_api/gpu/StandardGpuResources_c.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
FAISS_DECLARE_CLASS_INHERITED(GpuIndex, Index)
int faiss_index_cpu_to_gpu_multiple_with_options(FaissGpuResourcesProvider *const *providers_vec,
                                                 size_t providers_vec_size, const int *devices, size_t devices_size,
                                                 const FaissIndex *index, const FaissGpuMultipleClonerOptions *options,
                                                 FaissGpuIndex **p_out);
#ifdef __cplusplus
}
#endif

#endif
