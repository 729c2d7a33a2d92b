#include "device/cuda/cuda_library.h"

#include "core/check.h"
#include "device/cuda/cuda_check.h"

enum { MOST_TILES = 64 };

dv_status dv_cuda_library_open(dv_cuda_library *library, size_t most_tiles) {
    library->most_tiles = most_tiles ? (int64_t)most_tiles : MOST_TILES;
    return dv_gemm_open(NULL, &library->gemm);
}

void dv_cuda_library_close(dv_cuda_library *library) {
    dv_gemm_close(library->gemm);
    dv_cuda_buffer_clear(&library->scores);
    *library = (dv_cuda_library){0};
}

dv_status dv_cuda_library_filter(dv_cuda_library *library, const dv_query_codes *queries, const dv_bank_codes *bank,
                                 int64_t first_tile, int64_t n_tiles, const int32_t *thresholds,
                                 const dv_hit_lists *hits, dv_stream stream) {
    const int64_t n_padded = queries->n_padded, most = library->most_tiles < n_tiles ? library->most_tiles : n_tiles;
    DV_TRY(dv_cuda_buffer_need(&library->scores, (size_t)(n_padded * most * DV_CODED_TILE), sizeof(int32_t),
                               "sums of codes"));
    int32_t *const scores = library->scores.memory;
    for (int64_t done = 0; done < n_tiles; done += most) {
        const int64_t n = n_tiles - done < most ? n_tiles - done : most, tile = first_tile + done;
        DV_TRY(dv_gemm_s8(library->gemm, queries->codes, bank->codes + tile * DV_CODED_TILE * bank->dim_padded,
                          n_padded, n * DV_CODED_TILE, bank->dim_padded, scores, stream));
        DV_TRY(dv_cuda_check(
            dv_launch_filter_scores(queries, bank, tile, n, scores, thresholds + done * n_padded, hits, stream),
            "filtering sums"));
    }
    return DV_OK;
}
