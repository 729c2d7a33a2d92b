/* host_device.h: marks inline functions that kernels call too, so that host and device have one definition of a rule.
 */
#ifndef DV_CORE_HOST_DEVICE_H
#define DV_CORE_HOST_DEVICE_H

#ifdef __CUDACC__
#define DV_HOST_DEVICE __host__ __device__
#else
#define DV_HOST_DEVICE
#endif

#endif
