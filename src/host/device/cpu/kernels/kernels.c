#include "device/cpu/kernels/kernels.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "denseval/device.h"

const dv_scan_kernel *dv_scan_kernel_at(size_t i) {
    static const dv_scan_kernel *const kernels[] = {
#if defined(__x86_64__)
        &dv_scan_amx,
        &dv_scan_avx512vnni,
        &dv_scan_avxvnni,
        &dv_scan_avx2,
#endif
        &dv_scan_portable,
        NULL
    };
    size_t n = 0;
    while (n < i && kernels[n]) n++;
    return kernels[n];
}

static void list_usable(char *text, size_t size) {
    snprintf(text, size, "auto");
    for (size_t i = 0; dv_scan_kernel_at(i); i++) {
        if (!dv_scan_kernel_at(i)->usable()) continue;
        const size_t length = strlen(text);
        snprintf(text + length, size - length, ", %s", dv_scan_kernel_at(i)->name);
    }
}

dv_status dv_scan_kernel_find(const char *name, const dv_scan_kernel **out) {
    const bool automatic = !name || strcmp(name, "auto") == 0;
    *out = NULL;
    const dv_scan_kernel *known = NULL;
    for (size_t i = 0; dv_scan_kernel_at(i) && !*out; i++) {
        const dv_scan_kernel *kernel = dv_scan_kernel_at(i);
        if (!automatic && strcmp(kernel->name, name) != 0) continue;
        known = kernel;
        if (kernel->usable()) *out = kernel;
    }
    if (*out) return DV_OK;
    char usable[128];
    list_usable(usable, sizeof usable);
    if (known) return dv_fail(DV_E_BACKEND, "kernel '%s': this machine does not run it; usable are %s", name, usable);
    return dv_fail(DV_E_USAGE, "kernel '%s': must be one of %s", name, usable);
}

size_t dv_cpu_kernels(dv_cpu_kernel *kernels, size_t most) {
    size_t n = 0;
    for (; dv_scan_kernel_at(n); n++)
        if (n < most)
            kernels[n] = (dv_cpu_kernel){.name = dv_scan_kernel_at(n)->name, .usable = dv_scan_kernel_at(n)->usable()};
    return n;
}
