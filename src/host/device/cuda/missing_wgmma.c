/* missing_wgmma.c: the filter by wgmma of builds that have none. Asking for it says so. */
#include <cuda_runtime_api.h>

#include "kernels/search.h"

bool dv_wgmma_is_built(void) {
    return false;
}

int dv_launch_filter_wgmma(int cluster, const dv_query_codes *queries, const dv_bank_codes *bank, int64_t first_tile,
                           int64_t n_tiles, const int32_t *thresholds, const dv_hit_lists *hits, int64_t n_blocks,
                           dv_stream stream) {
    (void)cluster, (void)queries, (void)bank, (void)first_tile, (void)n_tiles;
    (void)thresholds, (void)hits, (void)n_blocks, (void)stream;
    return cudaErrorNotSupported;
}
