/* kernels.h: the launchers of src/kernels, for host code in C. One launcher an operation:
 *
 * - pointers are memory of the current device, sizes are int64_t counts, the order is that of the operation's header;
 * - work is queued on `stream` and nothing waits; buffers stay borrowed until the stream has passed the work;
 * - a launcher allocates nothing: what it needs beside its arguments is `workspace`, of at least the bytes that the
 *   ..._workspace function tells, 16-byte aligned, and free for reuse when the stream has passed the work;
 * - the result is 0 or a cudaError_t of the launch. Failures of the work itself come with the next synchronisation. */
#ifndef DV_KERNELS_KERNELS_H
#define DV_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_EXTERN_C_BEGIN

/* What cuda_runtime_api.h calls cudaStream_t; NULL is the default stream. */
typedef struct CUstream_st *dv_stream;

/* As dv_aggregate (denseval/aggregate.h), to the bit. n, k, n_classes at least 0, n below 2^31. */
size_t dv_launch_aggregate_workspace(int64_t n, int64_t k);
DV_MUST_USE int dv_launch_aggregate(const int64_t *ids, const double *cosines, int64_t n, int64_t k, double beta,
                                    const uint16_t *counts, int64_t n_classes, double *soft, uint16_t *pure,
                                    void *workspace, dv_stream stream);

DV_EXTERN_C_END
#endif
