/* peak_loops.h: the loops that peak.c times, one table an instruction set. */
#ifndef DV_DEVICE_CPU_PEAK_LOOPS_H
#define DV_DEVICE_CPU_PEAK_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does `n` rounds of work in registers, so that no unit but the multipliers can be the limit. The result depends on all
 * of it: it is only there to be used. */
typedef uint32_t (*dv_peak_loop)(size_t n);
/* Reads n_bytes (a multiple of 512, aligned to 64) once; the result as above. */
typedef uint64_t (*dv_peak_reader)(const void *memory, size_t n_bytes);

typedef struct dv_peak_kernel {
    const char *name;
    bool (*usable)(void);
    dv_peak_loop loop;
    double ops_per_round; /* a multiply-add is two */
} dv_peak_kernel;

/* Every table ends with the portable row, which is always usable. */
extern const dv_peak_kernel dv_peak_int8[], dv_peak_fp32[];
/* The widest reader that the processor has. */
dv_peak_reader dv_peak_best_reader(void);

/* The portable rows, for the tables (peak_portable.c). */
bool dv_peak_always(void);
uint32_t dv_peak_int8_portable(size_t n);
uint32_t dv_peak_fp32_portable(size_t n);
uint64_t dv_peak_read_portable(const void *memory, size_t n_bytes);
enum { DV_PEAK_PORTABLE_LANES = 256 }; /* multiply-adds a round */

#endif
