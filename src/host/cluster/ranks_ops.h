/* ranks_ops.h: the inside of dv_ranks, and the calls that a library for messages has to offer. */
#ifndef DV_CLUSTER_RANKS_OPS_H
#define DV_CLUSTER_RANKS_OPS_H

#include "cluster/exchange.h"

typedef enum dv_reduction {
    DV_REDUCE_SUM = 0,         /* u64, result on rank 0 */
    DV_REDUCE_LARGEST = 1,     /* u64, result on all */
    DV_REDUCE_LARGEST_REAL = 2 /* f64, result on all */
} dv_reduction;

/* All block, and are called by all ranks alike but for send and receive. Counts are at most DV_MOST_ITEMS. */
typedef struct dv_ranks_ops {
    DV_MUST_USE dv_status (*send)(dv_ranks *ranks, size_t to, const void *data, size_t n_bytes);
    DV_MUST_USE dv_status (*receive)(dv_ranks *ranks, size_t from, void *data, size_t n_bytes);
    DV_MUST_USE dv_status (*broadcast)(dv_ranks *ranks, size_t from, void *data, size_t n_bytes);
    DV_MUST_USE dv_status (*gather)(dv_ranks *ranks, const void *mine, size_t n_bytes, void *all);
    /* In place. */
    DV_MUST_USE dv_status (*reduce)(dv_ranks *ranks, dv_reduction reduction, void *values, size_t n);
    /* Joins the bits of all ranks of this node, in place. */
    DV_MUST_USE dv_status (*join_on_node)(dv_ranks *ranks, uint64_t *bits, size_t n);
    /* One value of each rank of this node, in order: u64 [n_local]. */
    DV_MUST_USE dv_status (*gather_on_node)(dv_ranks *ranks, uint64_t mine, uint64_t *all);
    /* Tells the ranks above this one that it has failed, and speaks. */
    void (*hush)(dv_ranks *ranks);
    /* The least of one value of each rank. patience_s: of a rank that failed, after which it ends without the others
     * (false); 0: of one that waits for all. *hushed: a lower rank has failed as well, or one that ends
     * all of them: it speaks, and this one gives it time to. */
    bool (*meet)(dv_ranks *ranks, double patience_s, uint64_t mine, uint64_t *least, bool *hushed);
    void (*end_all)(dv_ranks *ranks, int exit_code);
    void (*close)(dv_ranks *ranks); /* frees it */
} dv_ranks_ops;

enum { DV_MOST_ITEMS = 1 << 28 };

/* A library's own struct begins with this one. */
struct dv_ranks {
    const dv_ranks_ops *ops;
    size_t index, count;
    size_t local, n_local; /* among the ranks of this node */
    size_t n_on_node;      /* ranks of the node that has the most */
    dv_rank_counts counts;
    char *begun;  /* what rank 0 has begun, see dv_ranks_tell_temporary; NULL: nothing; owned */
    dv_undo undo; /* takes it back */
    bool follows; /* rank 0 has failed, and this one because of it */
};

#endif
