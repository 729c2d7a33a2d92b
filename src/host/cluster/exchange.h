/* exchange.h: what ranks tell each other. Ranks NULL, or only one of them: nothing is to be told, DV_OK. All fail with
 * DV_E_BACKEND where MPI does; every rank must make the same calls in the same order. */
#ifndef DV_CLUSTER_EXCHANGE_H
#define DV_CLUSTER_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/ranks.h"

/* Share i of n things cut into n_shares: contiguous, the remainder to the first ones. */
typedef struct dv_share {
    size_t first, n;
} dv_share;

static inline dv_share dv_share_of(size_t n, size_t n_shares, size_t i) {
    const size_t each = n / n_shares, rest = n % n_shares;
    return (dv_share){.first = i * each + (i < rest ? i : rest), .n = each + (i < rest ? 1 : 0)};
}

/* The share of this rank. */
dv_share dv_ranks_share(const dv_ranks *ranks, size_t n);

/* How many ranks are on the node that has the most. */
size_t dv_ranks_on_node(const dv_ranks *ranks);

/* One of the ranks of a node that told the same. */
typedef struct dv_rank_place {
    size_t index, count;
} dv_rank_place;

/* Which of the ranks of this node that tell the same value this one is. */
DV_MUST_USE dv_status dv_ranks_place(dv_ranks *ranks, uint64_t value, dv_rank_place *out);

/* Bytes from one rank to another, which asks for as many. In the order of the calls. */
DV_MUST_USE dv_status dv_ranks_send(dv_ranks *ranks, size_t to, const void *data, size_t n_bytes);
DV_MUST_USE dv_status dv_ranks_receive(dv_ranks *ranks, size_t from, void *data, size_t n_bytes);

/* From one rank to all. */
DV_MUST_USE dv_status dv_ranks_broadcast(dv_ranks *ranks, size_t from, void *data, size_t n_bytes);

/* Of something that rank 0 alone has done: its status, on all. Where it failed the others leave it to rank 0 to tell,
 * and wait for that in dv_ranks_settle. */
DV_MUST_USE dv_status dv_ranks_follow(dv_ranks *ranks, dv_status status);

/* Called with what came of a run before what it began to write is removed, which may take longer than the others wait:
 * after a failure those above this rank leave it to it to tell. */
void dv_ranks_hush(dv_ranks *ranks, dv_status status);

/* Tells all ranks the name of what rank 0 is writing, file or folder, before it has its final one: a rank that ends the
 * others (dv_ranks_abort) removes it, since rank 0 gets no time to. path: of rank 0, the others have NULL */
DV_MUST_USE dv_status dv_ranks_tell_temporary(dv_ranks *ranks, const char *path);

/* The same for what is no file: `undo` gets the text on the rank that ends the others. begun: of rank 0; NULL: nothing
 */
typedef void (*dv_undo)(const char *begun);
DV_MUST_USE dv_status dv_ranks_tell_begun(dv_ranks *ranks, const char *begun, dv_undo undo);

/* On every rank before rank 0 gives what was told its final form: from here on it stays, whoever ends the others. */
void dv_ranks_forget(dv_ranks *ranks);

/* Waits until all ranks are here: before rank 0 begins what another one, had it failed before, would not be told of. */
DV_MUST_USE dv_status dv_ranks_meet(dv_ranks *ranks);

/* n_bytes of each rank, in order, on rank 0. all: [count, n_bytes], written on rank 0 alone */
DV_MUST_USE dv_status dv_ranks_gather(dv_ranks *ranks, const void *mine, size_t n_bytes, void *all);

/* Sums on rank 0, of u64 [n]; the values of the others stay. */
DV_MUST_USE dv_status dv_ranks_sum(dv_ranks *ranks, uint64_t *values, size_t n);

/* The largest of each value, on all. */
DV_MUST_USE dv_status dv_ranks_largest(dv_ranks *ranks, uint64_t *values, size_t n);
DV_MUST_USE dv_status dv_ranks_largest_real(dv_ranks *ranks, double *values, size_t n); /* not NaN */

/* Blocks of the rank that has the most, on all. n: things of this rank, n_block of them in a block */
DV_MUST_USE dv_status dv_ranks_rounds(dv_ranks *ranks, size_t n, size_t n_block, size_t *n_rounds);

/* For the account of this rank. */
void dv_ranks_add_read(dv_ranks *ranks, uint64_t n_bytes);
void dv_ranks_add_scanned(dv_ranks *ranks, uint64_t n_rows, uint64_t n_scored);

#endif
