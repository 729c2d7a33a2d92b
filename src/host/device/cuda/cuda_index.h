/* cuda_index.h: a bank on a GPU: its rows as they are stored, for canonical cosines, and in 8-bit codes, for the
 * filter. */
#ifndef DV_DEVICE_CUDA_CUDA_INDEX_H
#define DV_DEVICE_CUDA_CUDA_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"
#include "device/cuda/cuda_library.h"
#include "device/cuda/cuda_plan.h"
#include "device/cuda/cuda_upload.h"
#include "kernels/search.h"

/* Who multiplies codes for the filter: products_s8, which keeps the products to itself, or cuBLASLt (cuda_library.h).
 */
typedef enum dv_cuda_products { DV_CUDA_FUSED = 0, DV_CUDA_BY_LIBRARY } dv_cuda_products;

/* How a bank is searched. No result depends on it. Zeroed: what the device suggests. */
typedef struct dv_cuda_options {
    size_t block_queries; /* searched together, rounded up to 128; 0: 4096, fewer where memory is short */
    size_t capacity;     /* hits that a query has room for, raised to 256; 0: 8 k + 1024 rounded up to a power of two */
    size_t first_tiles;  /* of 256 rows in the first chunk; each chunk is as long as those before it; 0: 64 */
    size_t most_tiles;   /* of a chunk; 0: 2048 */
    size_t seed_tiles;   /* whose maxima give the first bounds; 0: at least 16384 and 128 k rows */
    size_t piece_bytes;  /* that go to the device at once; 0: DV_CUDA_PIECE_BYTES */
    size_t n_blocks;     /* of threads that share the products; 0: as many as run at once */
    bool small_products; /* the small shape of products, also where the large one fits */
    int wgmma;           /* the filter by wgmma in clusters of that many blocks: dv_cuda_wgmma_choose; 0: not */
    bool without_codes;  /* every query is scored against every row in double */
    dv_cuda_products products;
    size_t library_tiles; /* that the library multiplies at once; 0: 64 */
    dv_cuda_meter *meter; /* of the GPU, borrowed until the index is freed; NULL: none. What peers take beside is not
                             counted */
} dv_cuda_options;

/* Parts of the memory: of the bank. Those of a search follow. */
enum {
    DV_CUDA_ROWS,
    DV_CUDA_NORMS,
    DV_CUDA_EXPONENTS,
    DV_CUDA_PEAKS,
    DV_CUDA_GROUP, /* by row */
    DV_CUDA_CODES,
    DV_CUDA_ORDER,
    DV_CUDA_CODED_GROUP, /* by position */
    DV_CUDA_SCALES,
    DV_CUDA_SLACKS,
    DV_CUDA_N_BANK_PARTS
};

typedef struct dv_cuda_index {
    dv_bank_rows bank; /* on the host, borrowed from the caller of create */
    dv_cuda_options options;
    dv_stream stream;      /* of the kernels */
    dv_cuda_upload upload; /* of rows and queries */
    cudaEvent_t consumed;  /* the queries that were uploaded last */
    dv_measured_rows rows; /* there */
    const int32_t *group;  /* i32 [n_rows] there, or NULL */
    dv_bank_codes codes;   /* there; n_tiles is 0 where rows have no codes */
    double eta;            /* dv_bound_canonical */
    size_t shared_bytes;   /* that a block of threads can have */
    dv_product_shape shape;
    int64_t n_blocks;
    dv_cuda_library library; /* open where it multiplies */
    dv_cuda_parts parts;
    size_t bank_bytes;      /* of the parts, those of the bank */
    dv_cuda_plan plan;      /* of the last search, whose memory is there */
    size_t planned_queries; /* for which it was made; 0: none */
    dv_cuda_buffer counted; /* pinned: candidates of a block, u64, and fates of its queries, u32 */
    dv_search_stats stats;
} dv_cuda_index;

/* As slot search_memory, on a device with n_free bytes. */
void dv_cuda_index_memory(const dv_search_shape *shape, const dv_cuda_options *options, size_t n_free,
                          dv_search_memory *out);

/* Brings a bank to the current device, on which all that follows is done. Blocking.
 * bank    host memory, borrowed until dv_cuda_index_free
 * stream  borrowed likewise
 * *out    the caller's until dv_cuda_index_free; NULL on failure
 * Fails as slot bank_load (denseval/device.h). */
DV_MUST_USE dv_status dv_cuda_index_create(const dv_bank_rows *bank, const dv_cuda_options *options, dv_stream stream,
                                           dv_cuda_index **out);
void dv_cuda_index_free(dv_cuda_index *index); /* waits for queued work; NULL is allowed */

#endif
