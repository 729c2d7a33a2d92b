#include "device/cuda/cuda_peer.h"

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_check.h"
#include "kernels/search.h"

enum { TILE_ROWS = 16384 };

static size_t rows_at_once(size_t n_rows, size_t tile_rows) {
    const size_t wanted = tile_rows ? tile_rows : TILE_ROWS;
    return wanted < n_rows ? wanted : n_rows;
}

dv_status dv_cuda_sgemm_topk_workspace(size_t n, size_t n_rows, size_t tile_rows, size_t *n_bytes) {
    size_t n_scores;
    DV_TRY(dv_mul_size(n, rows_at_once(n_rows, tile_rows), "scores of a tile", &n_scores));
    return dv_mul_size(n_scores, sizeof(float), "scores of a tile", n_bytes);
}

static dv_status check_sizes(const dv_unit_matrix *queries, const dv_unit_matrix *bank, size_t k) {
    if (queries->dim != bank->dim)
        return dv_fail(DV_E_ARG, "queries of dim %zu, bank of dim %zu", queries->dim, bank->dim);
    if (bank->n_rows < 1 || bank->n_rows > INT32_MAX || queries->n_rows > INT32_MAX)
        return dv_fail(DV_E_ARG, "%zu queries, bank of %zu rows: a search takes at most %d of each", queries->n_rows,
                       bank->n_rows, INT32_MAX);
    if (k < 1 || k > DV_MOST_OF_SCORES) return dv_fail(DV_E_ARG, "k %zu: must be 1..%d", k, DV_MOST_OF_SCORES);
    return DV_OK;
}

dv_status dv_cuda_sgemm_topk(dv_gemm *gemm, const dv_unit_matrix *queries, const dv_unit_matrix *bank, size_t k,
                             size_t tile_rows, float *workspace, int64_t *ids, float *scores, dv_stream stream) {
    DV_TRY(check_sizes(queries, bank, k));
    if (queries->n_rows == 0) return DV_OK;
    const size_t at_once = rows_at_once(bank->n_rows, tile_rows);
    const int64_t n_queries = (int64_t)queries->n_rows;
    for (size_t first = 0; first < bank->n_rows; first += at_once) {
        const int64_t n = (int64_t)(bank->n_rows - first < at_once ? bank->n_rows - first : at_once);
        DV_TRY(dv_gemm_f32(gemm, queries->rows, bank->rows + first * bank->dim, n_queries, n, (int64_t)bank->dim,
                           workspace, stream));
        DV_TRY(dv_cuda_check(dv_launch_select_scores(workspace, n_queries, n, (int64_t)first, (int64_t)k, first > 0,
                                                     ids, scores, stream),
                             "selecting scores"));
    }
    return DV_OK;
}
