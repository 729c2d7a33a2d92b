#include "denseval/dtype.h"

#include <string.h>

#include "core/widen.h"

size_t dv_dtype_size(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
    case DV_BF16:
        return 2;
    case DV_F32:
        return 4;
    case DV_F64:
        return 8;
    }
    return 0;
}

const char *dv_dtype_name(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return "f16";
    case DV_BF16:
        return "bf16";
    case DV_F32:
        return "f32";
    case DV_F64:
        return "f64";
    }
    return "unknown";
}

/* The last table is usable everywhere, so this ends. Asking the CPU anew costs two loads and needs no file-scope state.
 */
static const dv_widen_kernels *best_kernels(void) {
    size_t i = 0;
    while (!dv_widen_table(i)->usable()) i++;
    return dv_widen_table(i);
}

void dv_widen_f64(const void *source, dv_dtype dtype, double *target, size_t n) {
    if (n == 0) return; /* pointers to nothing may be NULL, which memcpy forbids */
    switch (dtype) {
    case DV_F16:
        best_kernels()->f16_to_f64(source, target, n);
        break;
    case DV_BF16:
        best_kernels()->bf16_to_f64(source, target, n);
        break;
    case DV_F32:
        best_kernels()->f32_to_f64(source, target, n);
        break;
    case DV_F64:
        memcpy(target, source, n * sizeof *target);
        break;
    }
}

void dv_widen_f32(const void *source, dv_dtype dtype, float *target, size_t n) {
    if (n == 0) return;
    switch (dtype) {
    case DV_F16:
        best_kernels()->f16_to_f32(source, target, n);
        break;
    case DV_BF16:
        best_kernels()->bf16_to_f32(source, target, n);
        break;
    case DV_F32:
        memcpy(target, source, n * sizeof *target);
        break;
    case DV_F64:
        for (size_t i = 0; i < n; i++) {
            double value;
            memcpy(&value, (const char *)source + i * sizeof value, sizeof value);
            target[i] = (float)value;
        }
        break;
    }
}
