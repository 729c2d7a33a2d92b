/* matching_paths.h: maximum matching of the pixels of two sides by shortest augmenting paths. */
#ifndef DV_METRICS_MATCHING_PATHS_H
#define DV_METRICS_MATCHING_PATHS_H

#include "metrics/near_set.h"

/* Work space for sides of up to n pixels. */
typedef struct dv_path_search {
    dv_near_set set;
    uint32_t *next;                        /* [n + 1], of `set` */
    uint32_t *mate_a, *mate_b;             /* [n]: the partner's place or none */
    uint32_t *level;                       /* [n], of b */
    uint32_t *queue;                       /* [n], of a */
    uint64_t *bucket_keys;                 /* [n]: pixels of b by level, then by place */
    uint32_t *bucket_ids;                  /* [n]: their places */
    uint32_t *bucket_start;                /* [n + 2], by level */
    uint32_t *path_a, *path_from, *path_b; /* [n], by level: pixel of a, where its bucket is looked up, pixel of b */
} dv_path_search;

/* n  below 2^32 - 2. Fails with DV_E_NOMEM; release with dv_path_search_clear, on failure too. */
DV_MUST_USE dv_status dv_path_search_create(size_t n, dv_path_search *out);
void dv_path_search_clear(dv_path_search *search);

/* The most pairs of a pixel of a and a pixel of b within `disk`, none twice.
 * a, b  u64 [n_a], [n_b], keys, rising; fastest where n_a <= n_b
 * disk  the same on return; its rows change on the way */
size_t dv_path_search_run(dv_path_search *search, const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                          dv_disk *disk);

#endif
