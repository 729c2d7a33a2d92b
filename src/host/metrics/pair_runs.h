/* pair_runs.h: where runs of equal pairs of labels end, one routine for each instruction set and width of labels. */
#ifndef DV_METRICS_PAIR_RUNS_H
#define DV_METRICS_PAIR_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DV_PAIR_RUNS_MOST = 4096, /* pairs of a call: they and their ends stay in the nearest cache */
    DV_PAIR_RUNS_SPARE = 64   /* ends that are written, and mean nothing, behind the last */
};

typedef struct dv_pair_runs {
    const char *name; /* "portable", "avx2", "avx512", "avx512vbmi2"; static lifetime */
    bool (*usable)(void);
    /* Lists the ends of the runs among n_pairs pairs, 1..DV_PAIR_RUNS_MOST; returns how many runs there are.
     * truth, pred  u8 or u16 [n_pairs]
     * ends         u16 [n_pairs + DV_PAIR_RUNS_SPARE]: one past the last pair of each run, rising, n_pairs at last */
    size_t (*find_u8)(const uint8_t *truth, const uint8_t *pred, size_t n_pairs, uint16_t *ends);
    size_t (*find_u16)(const uint16_t *truth, const uint16_t *pred, size_t n_pairs, uint16_t *ends);
} dv_pair_runs;

extern const dv_pair_runs dv_pair_runs_portable; /* usable everywhere */
#if defined(__x86_64__)
extern const dv_pair_runs dv_pair_runs_avx2;
extern const dv_pair_runs dv_pair_runs_avx512;
extern const dv_pair_runs dv_pair_runs_vbmi2;
#endif

/* Routine number `i` of this build, the fastest first, or NULL past the last one. */
const dv_pair_runs *dv_pair_runs_at(size_t i);

/* The fastest routine that this processor has. */
const dv_pair_runs *dv_pair_runs_best(void);

#endif
