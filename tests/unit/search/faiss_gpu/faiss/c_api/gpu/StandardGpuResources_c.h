/* StandardGpuResources_c.h: see DeviceUtils_c.h. */
#ifndef FAKE_STANDARD_GPU_RESOURCES_C_H
#define FAKE_STANDARD_GPU_RESOURCES_C_H

#include <faiss/c_api/faiss_c.h>

#ifdef __cplusplus
extern "C" {
#endif
FAISS_DECLARE_CLASS(GpuResourcesProvider)
FAISS_DECLARE_CLASS_INHERITED(StandardGpuResources, GpuResourcesProvider)
FAISS_DECLARE_DESTRUCTOR(StandardGpuResources)
int faiss_StandardGpuResources_new(FaissStandardGpuResources **p_res);
#ifdef __cplusplus
}
#endif

#endif
