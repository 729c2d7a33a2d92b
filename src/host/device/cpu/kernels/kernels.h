/* kernels.h: the scan kernels of this build, and what they share. */
#ifndef DV_DEVICE_CPU_KERNELS_H
#define DV_DEVICE_CPU_KERNELS_H

#include "denseval/status.h"
#include "search/scan.h"

/* Kernel number `i` of this build, the fastest first; NULL past the last. Static lifetime. */
const dv_scan_kernel *dv_scan_kernel_at(size_t i);

/* The kernel called `name`; NULL and "auto" take the fastest that is usable. Fails with DV_E_USAGE (no such name) and
 * DV_E_BACKEND (not usable here); both messages name the usable ones. *out: static lifetime. */
DV_MUST_USE dv_status dv_scan_kernel_find(const char *name, const dv_scan_kernel **out);

extern const dv_scan_kernel dv_scan_portable; /* usable everywhere */
#if defined(__x86_64__)
extern const dv_scan_kernel dv_scan_avx2, dv_scan_avxvnni, dv_scan_avx512vnni, dv_scan_amx;
#endif

#endif
