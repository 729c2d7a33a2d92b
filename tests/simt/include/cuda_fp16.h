/* cuda_fp16.h of the emulator: from the bits of a half to its value. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include <math.h>
#include <stdint.h>

struct __half {
    unsigned short bits;
};
inline __half __ushort_as_half(unsigned short bits) {
    return __half{bits};
}
inline unsigned short __half_as_ushort(__half value) {
    return value.bits;
}
/* Exact: every half is a float. */
inline float __half2float(__half value) {
    const int exponent = value.bits >> 10 & 31, fraction = value.bits & 1023;
    float size;
    if (exponent == 31)
        size = fraction == 0 ? INFINITY : NAN;
    else if (exponent == 0)
        size = ldexpf(static_cast<float>(fraction), -24);
    else
        size = ldexpf(static_cast<float>(fraction + 1024), exponent - 25);
    return value.bits & 0x8000 ? -size : size;
}

#endif
