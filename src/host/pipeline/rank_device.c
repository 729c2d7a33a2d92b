#include "pipeline/rank_device.h"

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/log.h"

dv_gpu_share dv_gpu_share_of(size_t n_gpus, size_t n_ranks, size_t rank) {
    if (n_gpus == 0) return (dv_gpu_share){0};
    if (n_ranks > n_gpus) return (dv_gpu_share){.first = rank % n_gpus, .n = 1, .is_shared = true};
    const dv_share share = dv_share_of(n_gpus, n_ranks, rank);
    return (dv_gpu_share){.first = share.first, .n = share.n};
}

dv_status dv_rank_device_open(dv_ranks *ranks, const char *backend, const dv_device_options *options, dv_device **out) {
    dv_device_options chosen = *options;
    dv_gpu_set gpus;
    *out = NULL;
    if (dv_ranks_count(ranks) > 1 && dv_device_gpus(backend, &gpus)) {
        dv_rank_place place;
        DV_TRY(dv_ranks_place(ranks, gpus.identity, &place));
        const dv_gpu_share share = dv_gpu_share_of(gpus.n, place.count, place.index);
        if (share.is_shared)
            dv_log(DV_LOG_WARNING, "%zu ranks of this node share %zu GPUs: one rank a GPU is faster", place.count,
                   gpus.n);
        chosen.first_gpu = share.first;
        chosen.n_gpus = share.n;
    }
    return dv_device_open(backend ? backend : "auto", &chosen, out);
}
