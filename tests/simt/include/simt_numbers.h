/* simt_numbers.h: the intrinsics on bits and numbers, with exactly the results of the hardware. */
#ifndef SIMT_NUMBERS_H
#define SIMT_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

template <class T> T __ldg(const T *source) {
    return *source;
}
inline void __threadfence() {}
inline void __threadfence_block() {}

inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; bit++) reversed |= ((x >> bit) & 1u) << (31 - bit);
    return reversed;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<uint64_t>(x) * y >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ typedef unsigned __int128 wide;
    return static_cast<unsigned long long>(static_cast<wide>(x) * y >> 64);
}
inline int __dp4a(int x, int y, int sum) {
    for (int shift = 0; shift < 32; shift += 8)
        sum += static_cast<int8_t>(x >> shift) * static_cast<int8_t>(y >> shift);
    return sum;
}

template <class To, class From> To simt_same_bits(From value) {
    static_assert(sizeof(To) == sizeof(From), "same bits");
    To result;
    memcpy(&result, &value, sizeof result);
    return result;
}
#define SIMT_BITS(name, From, To)                                                                                      \
    inline To name(From x) {                                                                                           \
        return simt_same_bits<To>(x);                                                                                  \
    }
SIMT_BITS(__float_as_uint, float, unsigned)
SIMT_BITS(__uint_as_float, unsigned, float)
SIMT_BITS(__float_as_int, float, int)
SIMT_BITS(__int_as_float, int, float)
SIMT_BITS(__double_as_longlong, double, long long)
SIMT_BITS(__longlong_as_double, long long, double)
#undef SIMT_BITS

/* Compiled with -ffp-contract=off and in round-to-nearest, as all of this repository is. */
inline double __dmul_rn(double x, double y) {
    return x * y;
}
inline double __dadd_rn(double x, double y) {
    return x + y;
}
inline double __dsub_rn(double x, double y) {
    return x - y;
}
inline double __ddiv_rn(double x, double y) {
    return x / y;
}
inline double __dsqrt_rn(double x) {
    return sqrt(x);
}
inline float __fmul_rn(float x, float y) {
    return x * y;
}
inline float __fadd_rn(float x, float y) {
    return x + y;
}
inline float __double2float_rn(double x) {
    return static_cast<float>(x);
}
inline float __double2float_ru(double x) {
    const float nearest = static_cast<float>(x);
    return static_cast<double>(nearest) < x ? nextafterf(nearest, INFINITY) : nearest;
}
inline float __double2float_rd(double x) {
    const float nearest = static_cast<float>(x);
    return static_cast<double>(nearest) > x ? nextafterf(nearest, -INFINITY) : nearest;
}

#define SIMT_MIN_MAX(T)                                                                                                \
    inline T min(T x, T y) {                                                                                           \
        return y < x ? y : x;                                                                                          \
    }                                                                                                                  \
    inline T max(T x, T y) {                                                                                           \
        return x < y ? y : x;                                                                                          \
    }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX
/* As the hardware: where one is no number, the other. */
inline float min(float x, float y) {
    return fminf(x, y);
}
inline float max(float x, float y) {
    return fmaxf(x, y);
}
inline double min(double x, double y) {
    return fmin(x, y);
}
inline double max(double x, double y) {
    return fmax(x, y);
}

#endif
