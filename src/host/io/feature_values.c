#include "io/feature_values.h"

#include <math.h>
#include <stdint.h>

/* Without the sign, bits order as magnitudes do: the largest tells both a zero row (0) and a value that is not finite
 * (an exponent of all ones). */
#define DEFINE_MOST(name, type, magnitude)                                                                             \
    static type name(const void *row, size_t dim) {                                                                    \
        const type *bits = row;                                                                                        \
        type most = 0;                                                                                                 \
        for (size_t i = 0; i < dim; i++) {                                                                             \
            const type value = (type)(bits[i] & (magnitude));                                                          \
            most = value > most ? value : most;                                                                        \
        }                                                                                                              \
        return most;                                                                                                   \
    }
DEFINE_MOST(most_16, int16_t, INT16_MAX)
DEFINE_MOST(most_32, int32_t, INT32_MAX)
DEFINE_MOST(most_64, int64_t, INT64_MAX)

static dv_feature_state state_of(int64_t most, int64_t infinity) {
    if (most >= infinity) return DV_FEATURE_NOT_FINITE;
    return most == 0 ? DV_FEATURE_ZERO : DV_FEATURE_GOOD;
}

dv_feature_state dv_feature_check(const void *row, dv_dtype dtype, size_t dim) {
    switch (dtype) {
    case DV_F16:
        return state_of(most_16(row, dim), 0x7c00);
    case DV_BF16:
        return state_of(most_16(row, dim), 0x7f80);
    case DV_F32:
        return state_of(most_32(row, dim), 0x7f800000);
    case DV_F64:
        return state_of(most_64(row, dim), 0x7ff0000000000000);
    }
    return DV_FEATURE_NOT_FINITE;
}

double dv_feature_first_not_finite(const void *row, dv_dtype dtype, size_t dim, size_t *index) {
    double value = 0;
    for (size_t i = 0; i < dim; i++) {
        dv_widen_f64((const char *)row + i * dv_dtype_size(dtype), dtype, &value, 1);
        *index = i;
        if (!isfinite(value)) break;
    }
    return value;
}
