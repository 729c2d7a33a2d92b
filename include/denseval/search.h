/* search.h: top-k neighbours of every patch of a query set in a memory bank. */
#ifndef DENSEVAL_SEARCH_H
#define DENSEVAL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/device.h"
#include "denseval/features.h"
#include "denseval/ranks.h"
#include "denseval/run.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_exclude { DV_EXCLUDE_NONE = 0, DV_EXCLUDE_IMAGE = 1, DV_EXCLUDE_OBJECT = 2 } dv_exclude;

/* How a bank is searched; no field but k and exclude changes a result. Zero-initialised but k: the defaults. */
typedef struct dv_search_options {
    size_t k;                /* 1..rows */
    dv_exclude exclude;      /* rows of the query's own image or object are hidden */
    const char *backend;     /* NULL or "auto" */
    const char *kernel;      /* of the cpu device, see dv_cpu_kernels; NULL: the fastest */
    size_t n_stages;         /* of the cpu device's filter, see dv_device_options; 0: chosen by a probe of the bank */
    size_t head_dim;         /* elements of the first of two stages; 0: likewise */
    size_t n_threads;        /* 0 means 1 */
    size_t n_shards;         /* bank in so many parts; 0 means 1 */
    size_t images_per_block; /* query images searched together; 0: chosen from memory */
    size_t memory_limit;     /* bytes for all that a search holds; 0: none. A bank above it is scanned in slabs */
    size_t job_memory;       /* bytes that the batch job has on this node, for the split auto; 0: not told */
    dv_zero_rows zero_rows;  /* of the queries; SKIP and KEEP: cosine 0 to every row */
    bool force_mixed;        /* allow a bank and queries of different encoder or preprocessing */
    dv_ranks *ranks;         /* processes that share the search, borrowed for the call; NULL: none */
    dv_split split;          /* how they do */
    dv_gpu_account *account; /* what is spent on GPUs is added, borrowed for the call; NULL: nobody wants it */
    dv_progress_callback progress; /* or NULL */
    void *progress_user;
} dv_search_options;

typedef struct dv_search_summary {
    size_t n_query_rows, n_bank_rows, k;
    const char *backend; /* the device that ran; static lifetime */
    const char *engine;  /* what it searches with, versions of libraries included; static lifetime */
    dv_search_stats stats;
    size_t n_slabs;           /* pieces that the bank was read in, one after the other; 1: it stayed in memory */
    uint64_t bank_bytes_read; /* of its rows, from files, for the search: those of the bank once a pass */
    double search_s;          /* wall seconds of the search slot alone; of ranks the most */
} dv_search_summary;

/* knn: writes "denseval knn v1" (ids i64 [N, P, k], cosines f32 [N, P, k]) beside `out_path` and renames it.
 * first_image, n_images  the query images, n_images may be 0
 * summary  of all ranks on rank 0, which alone writes; of no meaning on the others
 * Fails as the parts do; DV_E_DATA when k is above the bank's rows, dims differ or preprocessing differs. */
DV_MUST_USE dv_status dv_knn_run(dv_bank *bank, dv_features *queries, size_t first_image, size_t n_images,
                                 const dv_search_options *options, const char *out_path, bool force,
                                 dv_search_summary *summary);

DV_C_END
#endif
