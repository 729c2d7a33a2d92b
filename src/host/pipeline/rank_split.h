/* rank_split.h: do ranks share the queries of a search, or its bank? */
#ifndef DV_PIPELINE_RANK_SPLIT_H
#define DV_PIPELINE_RANK_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/ranks.h"

typedef struct dv_rank_split {
    dv_ranks *ranks;
    dv_split wanted;
    size_t n_rows, row_bytes; /* of the bank, with what a search holds of a row */
    size_t most_rows;         /* that a device has room for; 0: any */
    size_t memory_limit;      /* of a rank, bytes; 0: none */
    size_t job_memory;        /* of the batch job on this node, bytes; 0: not told */
} dv_rank_split;

/* Would every rank hold the whole bank without trouble? Of the node's memory counts the least of what is granted and
 * what the job has.
 * n_on_node  ranks of a node
 * granted    bytes that machine and cgroup allow; 0: not known */
bool dv_replica_fits(const dv_rank_split *split, size_t n_on_node, size_t granted);

/* The same on all ranks: where nobody said, the queries if each of them can hold the bank. One process shares nothing:
 * *bank_is_split false. */
DV_MUST_USE dv_status dv_rank_split_choose(const dv_rank_split *split, bool *bank_is_split);

#endif
