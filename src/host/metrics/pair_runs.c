#include "metrics/pair_runs.h"

#include <string.h>

enum { BLOCK_BYTES = 64, BLOCK_WORDS = BLOCK_BYTES / sizeof(uint64_t) }; /* of labels that are compared at once */

/* Is every label of a block the one behind it? */
static bool is_flat(const void *labels, const void *from_second) {
    uint64_t here[BLOCK_WORDS], next[BLOCK_WORDS], differs = 0;
    memcpy(here, labels, sizeof here);
    memcpy(next, from_second, sizeof next);
    for (size_t w = 0; w < BLOCK_WORDS; w++) differs |= here[w] ^ next[w];
    return !differs;
}

/* An end is written in any case and kept where there is one: how long a run is cannot be foreseen. */
#define DEFINE_FIND(name, label)                                                                                       \
    static size_t name(const label *truth, const label *pred, size_t n_pairs, uint16_t *ends) {                        \
        enum { BLOCK = BLOCK_BYTES / sizeof(label) };                                                                  \
        size_t n = 0, end;                                                                                             \
        for (size_t begin = 0; begin + 1 < n_pairs; begin = end) { /* every pair that has one behind it */             \
            end = n_pairs - 1 - begin < BLOCK ? n_pairs - 1 : begin + BLOCK;                                           \
            if (end - begin == BLOCK && is_flat(truth + begin, truth + begin + 1) &&                                   \
                is_flat(pred + begin, pred + begin + 1))                                                               \
                continue;                                                                                              \
            for (size_t i = begin; i < end; i++) {                                                                     \
                ends[n] = (uint16_t)(i + 1);                                                                           \
                n += (truth[i] != truth[i + 1]) | (pred[i] != pred[i + 1]);                                            \
            }                                                                                                          \
        }                                                                                                              \
        ends[n++] = (uint16_t)n_pairs;                                                                                 \
        return n;                                                                                                      \
    }
DEFINE_FIND(find_u8, uint8_t)
DEFINE_FIND(find_u16, uint16_t)

static bool always(void) {
    return true;
}

const dv_pair_runs dv_pair_runs_portable = {
    .name = "portable", .usable = always, .find_u8 = find_u8, .find_u16 = find_u16};

const dv_pair_runs *dv_pair_runs_at(size_t i) {
    static const dv_pair_runs *const routines[] = {
#if defined(__x86_64__)
        &dv_pair_runs_vbmi2,
        &dv_pair_runs_avx512,
        &dv_pair_runs_avx2,
#endif
        &dv_pair_runs_portable,
        NULL
    };
    size_t n = 0;
    while (n < i && routines[n]) n++;
    return routines[n];
}

const dv_pair_runs *dv_pair_runs_best(void) {
    size_t i = 0;
    while (!dv_pair_runs_at(i)->usable()) i++;
    return dv_pair_runs_at(i);
}
