/* peak.h: what this machine can do at most, measured: the yardstick of the benches. */
#ifndef DENSEVAL_PEAK_H
#define DENSEVAL_PEAK_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* A multiply-add counts as two operations. The kernels are named after the instruction set that was the fastest. */
typedef struct dv_peaks {
    double int8_ops_per_s;   /* products of 8-bit numbers, summed in 32 bits, all in registers */
    double fp32_ops_per_s;   /* fused multiply-adds in single precision, all in registers */
    double read_bytes_per_s; /* reading memory once, front to back; 0 where read_bytes was 0 */
    const char *int8_kernel; /* "amx", "avx512vnni", "avxvnni", "avx2", "portable"; static lifetime */
    const char *fp32_kernel; /* "avx512", "avx2", "portable"; static lifetime */
    size_t n_threads;
} dv_peaks;

/* Runs each instruction set that the processor has on n_threads threads (0 means 1) at once, some 0.2 s each, and keeps
 * the best of short windows: other programs on the machine can only lower the result. Blocking; one call at a time,
 * else the calls take from each other.
 * read_bytes  memory to read, allocated for the call. Below the size of the last cache the cache is measured; the
 *             threads share it out. 0: not measured
 * * Fails with DV_E_NOMEM, DV_E_INTERRUPTED; *out is then zero. */
DV_MUST_USE dv_status dv_peaks_measure(size_t n_threads, size_t read_bytes, dv_peaks *out);

/* Bytes of memory that dv_peaks_measure should read here: twice the last cache where it is known, 256 MiB to 1 GiB. */
size_t dv_peaks_read_bytes(void);

DV_C_END
#endif
