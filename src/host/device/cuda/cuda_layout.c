#include "device/cuda/cuda_layout.h"

#include "device/cuda/cuda_sizes.h"
#include "kernels/search.h"

enum {
    BLOCK_QUERIES = 4096,
    DOUBLES_A_QUERY = 3,            /* of its length: stored, prepared, and gathered where it is searched again */
    LIST_BYTES_A_QUERY = 64 * 1024, /* hits and candidates, 2048 each; first bounds; thresholds of a chunk */
    OTHER_BYTES = 256 << 20         /* pixel counts, votes, pictures, the allocator's own */
};

size_t dv_cuda_coded_dim(size_t dim) {
    return dim <= DV_CUDA_WIDE / 2 ? DV_CUDA_WIDE / 2 : dv_rounded_up(dim, DV_CUDA_WIDE);
}

size_t dv_cuda_coded_tiles(size_t n_rows) {
    return n_rows / DV_CODED_TILE + (n_rows % DV_CODED_TILE != 0);
}

size_t dv_cuda_index_bytes(const dv_bank_rows *bank) {
    const dv_rows *const rows = &bank->rows;
    const size_t stored = rows->dim * dv_dtype_size(rows->dtype);
    const size_t norm = sizeof(double) + sizeof(float) + (rows->dtype == DV_F64 ? sizeof(int32_t) : 0);
    const size_t code = dv_cuda_coded_dim(rows->dim) + sizeof(int32_t);
    const size_t group = bank->group ? sizeof(int32_t) : 0; /* by row, and again by code */
    const size_t n_tiles = dv_cuda_coded_tiles(rows->n_rows), n_places = n_tiles * DV_CODED_TILE;
    return rows->n_rows * (stored + norm + group) + n_places * (code + group) + n_tiles * 2 * sizeof(float);
}

size_t dv_cuda_workspace_bytes(size_t dim) {
    return BLOCK_QUERIES * (DOUBLES_A_QUERY * sizeof(double) * dim + LIST_BYTES_A_QUERY);
}

dv_cuda_layout dv_cuda_layout_choose(const dv_bank_rows *bank, size_t n_free) {
    const size_t needed = dv_cuda_index_bytes(bank) + dv_cuda_workspace_bytes(bank->rows.dim) + OTHER_BYTES;
    return needed <= n_free / 100 * 85 ? DV_CUDA_REPLICATED : DV_CUDA_SPLIT;
}

size_t dv_cuda_first_row(size_t n_rows, size_t n, size_t i) {
    const size_t longer = n_rows % n; /* so many shards at the front have one row more */
    return n_rows / n * i + (i < longer ? i : longer);
}
