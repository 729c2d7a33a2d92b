/* simt_warp.h: barriers and warp collectives. file and line are those of the caller. */
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include <stdint.h>
#include <string.h>

#define SIMT_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

void simt_block_barrier(const char *file, int line);
void simt_warp_barrier(unsigned mask, const char *file, int line);
/* The value of lane `source`, which must be in the mask. */
uint64_t simt_shuffle(unsigned mask, uint64_t value, unsigned source, const char *file, int line);
unsigned simt_ballot(unsigned mask, bool vote, const char *file, int line);
unsigned simt_match_any(unsigned mask, uint64_t value, const char *file, int line);
unsigned simt_lane();
void simt_ldmatrix_x4(uint32_t (&registers)[4], const void *row, const char *file, int line);
void simt_mma_s8(int32_t (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1, const char *file, int line);
void simt_copy16(void *shared, const void *global, const char *file, int line);
void simt_copy_commit();
void simt_copy_wait(int n_left);

inline void __syncthreads(SIMT_HERE) {
    simt_block_barrier(file, line);
}
inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_HERE) {
    simt_warp_barrier(mask, file, line);
}
inline unsigned __ballot_sync(unsigned mask, int vote, SIMT_HERE) {
    return simt_ballot(mask, vote != 0, file, line);
}
inline int __any_sync(unsigned mask, int vote, SIMT_HERE) {
    return simt_ballot(mask, vote != 0, file, line) != 0;
}
inline int __all_sync(unsigned mask, int vote, SIMT_HERE) {
    return simt_ballot(mask, vote == 0, file, line) == 0;
}

template <class T> uint64_t simt_bits(T value) {
    static_assert(sizeof value <= sizeof(uint64_t), "one register or two");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> T simt_shuffled(unsigned mask, T value, int source, const char *file, int line) {
    const uint64_t bits = simt_shuffle(mask, simt_bits(value), static_cast<unsigned>(source), file, line);
    memcpy(&value, &bits, sizeof value);
    return value;
}
/* Lanes are shuffled in groups of `width`; where the source lies outside the group a lane keeps its own value. */
inline int simt_first_of_group(int width) {
    return static_cast<int>(simt_lane()) / width * width;
}
#define SIMT_SHUFFLES(T)                                                                                               \
    inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_HERE) {                              \
        const int first = simt_first_of_group(width);                                                                  \
        return simt_shuffled(mask, value, first + (source & (width - 1)), file, line);                                 \
    }                                                                                                                  \
    inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE) {                       \
        const int lane = static_cast<int>(simt_lane()), source = lane - static_cast<int>(delta);                       \
        return simt_shuffled(mask, value, source < simt_first_of_group(width) ? lane : source, file, line);            \
    }                                                                                                                  \
    inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE) {                     \
        const int lane = static_cast<int>(simt_lane()), source = lane + static_cast<int>(delta);                       \
        return simt_shuffled(mask, value, source >= simt_first_of_group(width) + width ? lane : source, file, line);   \
    }                                                                                                                  \
    inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, SIMT_HERE) {                            \
        const int lane = static_cast<int>(simt_lane()), source = lane ^ bits;                                          \
        return simt_shuffled(mask, value, source >= simt_first_of_group(width) + width ? lane : source, file, line);   \
    }
SIMT_SHUFFLES(int)
SIMT_SHUFFLES(unsigned)
SIMT_SHUFFLES(long)
SIMT_SHUFFLES(unsigned long)
SIMT_SHUFFLES(long long)
SIMT_SHUFFLES(unsigned long long)
SIMT_SHUFFLES(float)
SIMT_SHUFFLES(double)
#undef SIMT_SHUFFLES

#define SIMT_MATCHES(T)                                                                                                \
    inline unsigned __match_any_sync(unsigned mask, T value, SIMT_HERE) {                                              \
        return simt_match_any(mask, simt_bits(value), file, line);                                                     \
    }
SIMT_MATCHES(int)
SIMT_MATCHES(unsigned)
SIMT_MATCHES(long)
SIMT_MATCHES(unsigned long)
SIMT_MATCHES(long long)
SIMT_MATCHES(unsigned long long)
#undef SIMT_MATCHES
#undef SIMT_HERE

#endif
