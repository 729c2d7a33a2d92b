/* GpuClonerOptions_c.h: see DeviceUtils_c.h. */
#ifndef FAKE_GPU_CLONER_OPTIONS_C_H
#define FAKE_GPU_CLONER_OPTIONS_C_H

#include <faiss/c_api/faiss_c.h>

#ifdef __cplusplus
extern "C" {
#endif
FAISS_DECLARE_CLASS(GpuClonerOptions)
FAISS_DECLARE_CLASS_INHERITED(GpuMultipleClonerOptions, GpuClonerOptions)
FAISS_DECLARE_DESTRUCTOR(GpuMultipleClonerOptions)
int faiss_GpuMultipleClonerOptions_new(FaissGpuMultipleClonerOptions **p_options);
FAISS_DECLARE_SETTER(GpuClonerOptions, int, useFloat16)
FAISS_DECLARE_SETTER(GpuMultipleClonerOptions, int, shard)
#ifdef __cplusplus
}
#endif

#endif
