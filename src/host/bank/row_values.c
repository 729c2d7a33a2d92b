#include "bank/row_values.h"

#include <stdint.h>

/* One element as bits, its sign shifted out. */
static uint64_t magnitude(const void *values, size_t element_bytes, size_t i) {
    if (element_bytes == sizeof(uint16_t)) return (uint16_t)(((const uint16_t *)values)[i] << 1);
    if (element_bytes == sizeof(uint32_t)) return ((const uint32_t *)values)[i] << 1;
    return ((const uint64_t *)values)[i] << 1;
}

/* The magnitude of infinity: all exponent bits, no others. */
static uint64_t infinity_of(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return 0xf800;
    case DV_BF16:
        return 0xff00;
    case DV_F32:
        return 0xff000000;
    default:
        return 0xffe0000000000000;
    }
}

bool dv_row_is_zero(const void *row, dv_dtype dtype, size_t dim) {
    const size_t element_bytes = dv_dtype_size(dtype);
    for (size_t i = 0; i < dim; i++)
        if (magnitude(row, element_bytes, i)) return false;
    return true;
}

size_t dv_find_nonfinite(const void *values, dv_dtype dtype, size_t n) {
    const size_t element_bytes = dv_dtype_size(dtype);
    const uint64_t infinity = infinity_of(dtype);
    for (size_t i = 0; i < n; i++)
        if (magnitude(values, element_bytes, i) >= infinity) return i;
    return n;
}
