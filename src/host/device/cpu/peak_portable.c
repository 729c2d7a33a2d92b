/* peak_portable.c: plain loops, as good as the compiler makes them for the least processor of its kind. */
#include <string.h>

#include "device/cpu/peak_loops.h"

enum { LANES = DV_PEAK_PORTABLE_LANES };

/* Makes the compiler believe that the memory changes, so that no round can be left out. */
#define CHANGED(object) __asm__ volatile("" : "+m"(object))

bool dv_peak_always(void) {
    return true;
}

uint32_t dv_peak_int8_portable(size_t n) {
    int8_t a[LANES], b[LANES];
    int32_t sums[4] = {0};
    for (int i = 0; i < LANES; i++) {
        a[i] = (int8_t)(i % 16 - 8);
        b[i] = (int8_t)(i % 8 - 4);
    }
    for (size_t round = 0; round < n; round++) {
        int32_t sum = 0;
        CHANGED(a);
        for (int i = 0; i < LANES; i++) sum += a[i] * b[i];
        sums[round % 4] = sum;
    }
    return (uint32_t)(sums[0] ^ sums[1] ^ sums[2] ^ sums[3]);
}

uint32_t dv_peak_fp32_portable(size_t n) {
    float a[LANES], sums[LANES] = {0};
    for (int i = 0; i < LANES; i++) a[i] = (float)i * 0x1p-20f;
    for (size_t round = 0; round < n; round++) {
        CHANGED(a);
        for (int i = 0; i < LANES; i++) sums[i] += a[i] * 0.5f;
        CHANGED(sums);
    }
    uint32_t bits;
    memcpy(&bits, &sums[LANES - 1], sizeof bits);
    return bits;
}

uint64_t dv_peak_read_portable(const void *memory, size_t n_bytes) {
    const uint64_t *const words = memory;
    uint64_t sums[8] = {0};
    for (size_t i = 0; i < n_bytes / sizeof *words; i += 8)
        for (int j = 0; j < 8; j++) sums[j] += words[i + (size_t)j];
    return sums[0] ^ sums[1] ^ sums[2] ^ sums[3] ^ sums[4] ^ sums[5] ^ sums[6] ^ sums[7];
}
