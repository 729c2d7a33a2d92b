/* devices.h: the tables that registry.c lists. */
#ifndef DV_DEVICE_DEVICES_H
#define DV_DEVICE_DEVICES_H

#include "denseval/device.h"

extern const dv_device_ops dv_device_cpu;
extern const dv_device_ops dv_device_reference;
extern const dv_device_ops dv_device_faiss;
extern const dv_device_ops dv_device_cuda;

#endif
