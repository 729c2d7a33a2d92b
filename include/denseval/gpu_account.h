/* gpu_account.h: what a process takes of its GPUs. */
#ifndef DENSEVAL_GPU_ACCOUNT_H
#define DENSEVAL_GPU_ACCOUNT_H

#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Zeroed: no GPU was used. */
typedef struct dv_gpu_account {
    uint64_t n_gpus;
    double gpu_s; /* of each GPU, added up: the time in which it had work of ours, from the call that queues the first
                     until the host has waited for the last, by the host's clock. Gaps in which it waits for more to
                     be sent are in it */
    uint64_t memory_bytes; /* the most that was allocated at once on each GPU, added up */
} dv_gpu_account;

/* Adds what was spent later, and what was spent at the same time on other GPUs or by other processes. */
void dv_gpu_account_follow(dv_gpu_account *sum, const dv_gpu_account *later);
void dv_gpu_account_join(dv_gpu_account *sum, const dv_gpu_account *beside);

DV_C_END
#endif
