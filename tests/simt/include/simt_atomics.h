/* simt_atomics.h: atomic operations on integers, in the overloads that CUDA has. There are none on float and double:
 * the order of sums would show in the result. */
#ifndef SIMT_ATOMICS_H
#define SIMT_ATOMICS_H

/* A place where another thread may go first. */
void simt_atomic_point();

/* Plain code of the test, not of the emulator: a race detector must see that these are atomic. */
#define SIMT_ATOMIC(name, T, builtin)                                                                                  \
    inline T name(T *target, T value) {                                                                                \
        simt_atomic_point();                                                                                           \
        return builtin(target, value, __ATOMIC_RELAXED);                                                               \
    }
#define SIMT_ATOMIC_CHOICE(name, T, first_is_better)                                                                   \
    inline T name(T *target, T value) {                                                                                \
        simt_atomic_point();                                                                                           \
        T old = __atomic_load_n(target, __ATOMIC_RELAXED);                                                             \
        while (value first_is_better old &&                                                                            \
               !__atomic_compare_exchange_n(target, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}        \
        return old;                                                                                                    \
    }
#define SIMT_ATOMIC_CAS(T)                                                                                             \
    inline T atomicCAS(T *target, T expected, T value) {                                                               \
        simt_atomic_point();                                                                                           \
        __atomic_compare_exchange_n(target, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);              \
        return expected;                                                                                               \
    }
#define SIMT_ATOMICS(T)                                                                                                \
    SIMT_ATOMIC(atomicAdd, T, __atomic_fetch_add)                                                                      \
    SIMT_ATOMIC(atomicExch, T, __atomic_exchange_n)                                                                    \
    SIMT_ATOMIC(atomicOr, T, __atomic_fetch_or)                                                                        \
    SIMT_ATOMIC(atomicAnd, T, __atomic_fetch_and)                                                                      \
    SIMT_ATOMIC(atomicXor, T, __atomic_fetch_xor)                                                                      \
    SIMT_ATOMIC_CHOICE(atomicMin, T, <)                                                                                \
    SIMT_ATOMIC_CHOICE(atomicMax, T, >)                                                                                \
    SIMT_ATOMIC_CAS(T)
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned)
SIMT_ATOMICS(unsigned long long)
SIMT_ATOMIC_CHOICE(atomicMin, long long, <)
SIMT_ATOMIC_CHOICE(atomicMax, long long, >)
SIMT_ATOMIC(atomicSub, int, __atomic_fetch_sub)
SIMT_ATOMIC(atomicSub, unsigned, __atomic_fetch_sub)
#undef SIMT_ATOMICS
#undef SIMT_ATOMIC_CAS
#undef SIMT_ATOMIC_CHOICE
#undef SIMT_ATOMIC

#endif
