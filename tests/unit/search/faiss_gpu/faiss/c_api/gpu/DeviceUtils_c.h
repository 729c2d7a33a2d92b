/* DeviceUtils_c.h: of FAISS's C API for GPUs what faiss_gpu.c calls, for machines whose FAISS has no such part. */
#ifndef FAKE_DEVICE_UTILS_C_H
#define FAKE_DEVICE_UTILS_C_H

#ifdef __cplusplus
extern "C" {
#endif
int faiss_get_num_gpus(int *p_output);
#ifdef __cplusplus
}
#endif

#endif
