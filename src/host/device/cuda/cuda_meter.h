/* cuda_meter.h: how long a GPU is at work for us, and how much of its memory we hold. */
#ifndef DV_DEVICE_CUDA_CUDA_METER_H
#define DV_DEVICE_CUDA_CUDA_METER_H

#include <pthread.h>
#include <stddef.h>

#include "denseval/gpu_account.h"

/* Where the meters of a device write what they measure; one thread at a time. */
typedef struct dv_cuda_ledger {
    pthread_mutex_t lock;
    dv_gpu_account *account; /* borrowed; NULL: nobody wants it */
    size_t most_bytes;       /* of this device: the peaks of its GPUs, added up */
} dv_cuda_ledger;

/* Of one GPU, which several threads may give work to. NULL is allowed in all that follows: nothing is measured. */
typedef struct dv_cuda_meter {
    dv_cuda_ledger *ledger; /* borrowed */
    size_t n_at_work;       /* who have given it work that they have not waited for */
    double since_s;         /* that there is one */
    size_t n_bytes, most_bytes;
} dv_cuda_meter;

/* Around work: from before it is queued until it was waited for. Where several overlap time counts once. */
void dv_cuda_meter_start(dv_cuda_meter *meter);
void dv_cuda_meter_stop(dv_cuda_meter *meter);

/* Memory of the GPU that was allocated, and that was freed. */
void dv_cuda_meter_take(dv_cuda_meter *meter, size_t n_bytes);
void dv_cuda_meter_give_back(dv_cuda_meter *meter, size_t n_bytes);

#endif
