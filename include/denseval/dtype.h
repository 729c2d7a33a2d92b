/* dtype.h: the number formats that features are stored in, and their widening. */
#ifndef DENSEVAL_DTYPE_H
#define DENSEVAL_DTYPE_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Little-endian IEEE formats as HDF5 stores them; bf16 is the upper half of an f32. */
typedef enum dv_dtype { DV_F16 = 1, DV_BF16 = 2, DV_F32 = 3, DV_F64 = 4 } dv_dtype;

/* Packed feature rows: dtype [n_rows, dim], row after row without gaps. */
typedef struct dv_rows {
    const void *data; /* host memory unless a slot says otherwise */
    dv_dtype dtype;
    size_t n_rows;
    size_t dim;
} dv_rows;

/* Bytes of one element; 0 for a value that is no dtype. */
size_t dv_dtype_size(dv_dtype dtype);

/* "f16", "bf16", "f32", "f64", or "unknown". Static lifetime. */
const char *dv_dtype_name(dv_dtype dtype);

/* Widens n stored elements to f64. Exact for every dtype: subnormals, infinities and NaN included; a NaN keeps
 * its sign and payload, and a signalling one becomes quiet, as in every IEEE conversion.
 * source  dtype [n], host memory, any alignment
 * target  f64 [n], host memory, must not overlap source */
void dv_widen_f64(const void *source, dv_dtype dtype, double *target, size_t n);

/* As dv_widen_f64 into f32: exact for f16, bf16 and f32; f64 is rounded to nearest. bf16 and f32
 * keep every bit, also of a signalling NaN. Vector code where the CPU has it; the bits are the same on every CPU. */
void dv_widen_f32(const void *source, dv_dtype dtype, float *target, size_t n);

DV_C_END
#endif
