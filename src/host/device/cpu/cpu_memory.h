/* cpu_memory.h: slot search_memory of the cpu device: what its index and the filters of its threads take. */
#ifndef DV_DEVICE_CPU_MEMORY_H
#define DV_DEVICE_CPU_MEMORY_H

#include "denseval/device.h"

void dv_cpu_search_memory(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out);

#endif
