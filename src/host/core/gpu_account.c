#include "denseval/gpu_account.h"

void dv_gpu_account_follow(dv_gpu_account *sum, const dv_gpu_account *later) {
    sum->gpu_s += later->gpu_s;
    if (sum->n_gpus < later->n_gpus) sum->n_gpus = later->n_gpus;
    if (sum->memory_bytes < later->memory_bytes) sum->memory_bytes = later->memory_bytes;
}

void dv_gpu_account_join(dv_gpu_account *sum, const dv_gpu_account *beside) {
    sum->n_gpus += beside->n_gpus;
    sum->gpu_s += beside->gpu_s;
    sum->memory_bytes += beside->memory_bytes;
}
