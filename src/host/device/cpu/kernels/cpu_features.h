/* cpu_features.h: what compilers have no name for yet, asked of the CPU itself. */
#ifndef DV_DEVICE_CPU_FEATURES_H
#define DV_DEVICE_CPU_FEATURES_H

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdbool.h>

enum { DV_CPUID_AVXVNNI_EAX = 1 << 4, DV_CPUID_AMX_TILE_EDX = 1 << 24, DV_CPUID_AMX_INT8_EDX = 1 << 25 };

/* Leaf 7, subleaf 1, EAX. */
static inline bool dv_cpu_has_avxvnni(void) {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx)) return false;
    return (eax & DV_CPUID_AVXVNNI_EAX) != 0;
}

/* Leaf 7, subleaf 0, EDX. */
static inline bool dv_cpu_has_amx_int8(void) {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
    return (edx & DV_CPUID_AMX_TILE_EDX) != 0 && (edx & DV_CPUID_AMX_INT8_EDX) != 0;
}
#endif

#endif
