/* bit_list.h: the numbers of the bits that are set in a word, on processors that count bits. */
#ifndef DV_METRICS_BIT_LIST_H
#define DV_METRICS_BIT_LIST_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DV_WITH_BITS __attribute__((target("popcnt,bmi")))

enum { DV_BIT_LIST_SPARE = 8 }; /* numbers that are written, and mean nothing, behind the last */

/* Lists first + i for each bit i of a word that is not 0, rising, from list[n] on; returns n plus how many they are.
 * Eight numbers are written at once, and as many are kept as the word has bits: how many is anybody's guess, and a
 * wrong guess of the processor costs more than a few writes. Source of the idea: Langdale, Lemire, Parsing Gigabytes of
 * JSON per Second, VLDB Journal 28, 2019. */
DV_WITH_BITS static inline size_t dv_bit_list_add(uint64_t bits, uint16_t first, uint16_t *list, size_t n) {
    const size_t end = n + (size_t)_mm_popcnt_u64(bits);
    for (; n < end; n += DV_BIT_LIST_SPARE)
        for (size_t i = 0; i < DV_BIT_LIST_SPARE; i++) {
            list[n + i] = (uint16_t)(first + _tzcnt_u64(bits));
            bits = _blsr_u64(bits);
        }
    return end;
}

static inline bool dv_bit_list_usable(void) {
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
}
#endif

#endif
