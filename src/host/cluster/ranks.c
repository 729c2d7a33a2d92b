#include "denseval/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/exchange.h"
#include "cluster/ranks_ops.h"
#include "core/affinity.h"
#include "core/check.h"
#include "core/memory.h"
#include "core/target.h"
#include "denseval/hash.h"

enum { MASK_WORDS = 128 };

size_t dv_ranks_index(const dv_ranks *ranks) {
    return ranks ? ranks->index : 0;
}

size_t dv_ranks_count(const dv_ranks *ranks) {
    return ranks ? ranks->count : 1;
}

size_t dv_ranks_on_node(const dv_ranks *ranks) {
    return ranks ? ranks->n_on_node : 1;
}

void dv_ranks_close(dv_ranks *ranks) {
    if (!ranks) return;
    dv_ranks_forget(ranks);
    ranks->ops->close(ranks);
}

void dv_ranks_abort(dv_ranks *ranks, int exit_code) {
    if (ranks->begun) ranks->undo(ranks->begun);
    ranks->ops->end_all(ranks, exit_code);
}

dv_share dv_ranks_share(const dv_ranks *ranks, size_t n) {
    return dv_share_of(n, dv_ranks_count(ranks), dv_ranks_index(ranks));
}

static bool is_alone(const dv_ranks *ranks) {
    return dv_ranks_count(ranks) == 1;
}

void dv_ranks_add_read(dv_ranks *ranks, uint64_t n_bytes) {
    if (ranks) ranks->counts.bytes_read += n_bytes;
}

void dv_ranks_add_scanned(dv_ranks *ranks, uint64_t n_rows, uint64_t n_scored) {
    if (!ranks) return;
    ranks->counts.rows_scanned += n_rows;
    ranks->counts.rows_scored += n_scored;
}

/* ---- Messages, in pieces that a count of MPI can tell --------------------------------------------------------------
 */

static size_t piece_of(size_t left) {
    return left < DV_MOST_ITEMS ? left : DV_MOST_ITEMS;
}

dv_status dv_ranks_send(dv_ranks *ranks, size_t to, const void *data, size_t n_bytes) {
    for (size_t done = 0; done < n_bytes; done += piece_of(n_bytes - done))
        DV_TRY(ranks->ops->send(ranks, to, (const char *)data + done, piece_of(n_bytes - done)));
    ranks->counts.bytes_sent += n_bytes;
    return DV_OK;
}

dv_status dv_ranks_receive(dv_ranks *ranks, size_t from, void *data, size_t n_bytes) {
    for (size_t done = 0; done < n_bytes; done += piece_of(n_bytes - done))
        DV_TRY(ranks->ops->receive(ranks, from, (char *)data + done, piece_of(n_bytes - done)));
    ranks->counts.bytes_received += n_bytes;
    return DV_OK;
}

dv_status dv_ranks_broadcast(dv_ranks *ranks, size_t from, void *data, size_t n_bytes) {
    if (is_alone(ranks)) return DV_OK;
    ranks->counts.collectives++;
    for (size_t done = 0; done < n_bytes; done += piece_of(n_bytes - done))
        DV_TRY(ranks->ops->broadcast(ranks, from, (char *)data + done, piece_of(n_bytes - done)));
    if (ranks->index == from)
        ranks->counts.bytes_sent += n_bytes;
    else
        ranks->counts.bytes_received += n_bytes;
    return DV_OK;
}

dv_status dv_ranks_follow(dv_ranks *ranks, dv_status status) {
    uint64_t told = (uint64_t)status;
    DV_TRY(dv_ranks_broadcast(ranks, 0, &told, sizeof told));
    if (dv_ranks_index(ranks) == 0 || told == DV_OK) return status;
    ranks->follows = true;
    return dv_fail((dv_status)told, "rank 0 failed");
}

dv_status dv_ranks_meet(dv_ranks *ranks) {
    uint64_t nothing = 0;
    return dv_ranks_largest(ranks, &nothing, 1);
}

void dv_ranks_forget(dv_ranks *ranks) {
    if (!ranks) return;
    free(ranks->begun);
    ranks->begun = NULL;
}

dv_status dv_ranks_tell_begun(dv_ranks *ranks, const char *begun, dv_undo undo) {
    if (is_alone(ranks)) return DV_OK;
    uint64_t size = begun ? strlen(begun) + 1 : 0;
    dv_ranks_forget(ranks);
    DV_TRY(dv_ranks_broadcast(ranks, 0, &size, sizeof size));
    if (size == 0) return DV_OK;
    DV_TRY(dv_alloc((size_t)size, 1, "a path", &ranks->begun));
    ranks->undo = undo;
    if (begun) memcpy(ranks->begun, begun, (size_t)size);
    return dv_ranks_broadcast(ranks, 0, ranks->begun, (size_t)size);
}

static void remove_temporary(const char *path) {
    dv_remove_tree(path); /* what stays is no result */
}

dv_status dv_ranks_tell_temporary(dv_ranks *ranks, const char *path) {
    return dv_ranks_tell_begun(ranks, path, remove_temporary);
}

dv_status dv_ranks_gather(dv_ranks *ranks, const void *mine, size_t n_bytes, void *all) {
    if (is_alone(ranks)) {
        memcpy(all, mine, n_bytes);
        return DV_OK;
    }
    ranks->counts.collectives++;
    if (n_bytes > DV_MOST_ITEMS) return dv_fail(DV_E_ARG, "%zu bytes are gathered at once", n_bytes);
    DV_TRY(ranks->ops->gather(ranks, mine, n_bytes, all));
    if (ranks->index == 0)
        ranks->counts.bytes_received += n_bytes * (ranks->count - 1);
    else
        ranks->counts.bytes_sent += n_bytes;
    return DV_OK;
}

/* Values of 8 bytes. */
static dv_status reduce(dv_ranks *ranks, dv_reduction reduction, void *values, size_t n) {
    if (is_alone(ranks)) return DV_OK;
    ranks->counts.collectives++;
    for (size_t done = 0; done < n; done += piece_of(n - done))
        DV_TRY(ranks->ops->reduce(ranks, reduction, (uint64_t *)values + done, piece_of(n - done)));
    const bool one_way = reduction == DV_REDUCE_SUM;
    if (!one_way || ranks->index != 0) ranks->counts.bytes_sent += n * sizeof(uint64_t);
    if (!one_way || ranks->index == 0) ranks->counts.bytes_received += n * sizeof(uint64_t);
    return DV_OK;
}

dv_status dv_ranks_sum(dv_ranks *ranks, uint64_t *values, size_t n) {
    return reduce(ranks, DV_REDUCE_SUM, values, n);
}

dv_status dv_ranks_largest(dv_ranks *ranks, uint64_t *values, size_t n) {
    return reduce(ranks, DV_REDUCE_LARGEST, values, n);
}

dv_status dv_ranks_largest_real(dv_ranks *ranks, double *values, size_t n) {
    _Static_assert(sizeof(double) == sizeof(uint64_t), "reduce counts in 8 bytes");
    return reduce(ranks, DV_REDUCE_LARGEST_REAL, values, n);
}

/* ---- What is built of them -----------------------------------------------------------------------------------------
 */

dv_status dv_ranks_rounds(dv_ranks *ranks, size_t n, size_t n_block, size_t *n_rounds) {
    uint64_t rounds = n / n_block + (n % n_block != 0);
    DV_TRY(dv_ranks_largest(ranks, &rounds, 1));
    *n_rounds = (size_t)rounds;
    return DV_OK;
}

dv_status dv_ranks_check_same(dv_ranks *ranks, const void *bytes, size_t n_bytes, const char *what) {
    char own[DV_HASH_TEXT_SIZE] = "", first[DV_HASH_TEXT_SIZE];
    dv_hash_bytes(bytes, n_bytes, own);
    memcpy(first, own, sizeof first);
    DV_TRY(dv_ranks_broadcast(ranks, 0, first, sizeof first));
    if (memcmp(own, first, sizeof own) == 0) return DV_OK;
    return dv_fail(DV_E_USAGE,
                   "rank %zu of %zu: its %s differ from those of rank 0: all ranks of a run are given the same",
                   dv_ranks_index(ranks), dv_ranks_count(ranks), what);
}

dv_status dv_ranks_place(dv_ranks *ranks, uint64_t value, dv_rank_place *out) {
    uint64_t *all;
    *out = (dv_rank_place){.count = 1};
    if (is_alone(ranks)) return DV_OK;
    DV_TRY(dv_alloc(ranks->n_local, sizeof *all, "what ranks of a node tell", &all));
    ranks->counts.collectives++;
    const dv_status status = ranks->ops->gather_on_node(ranks, value, all);
    out->count = 0;
    for (size_t i = 0; status == DV_OK && i < ranks->n_local; i++) {
        if (i == ranks->local) out->index = out->count;
        out->count += all[i] == value;
    }
    free(all);
    return status;
}

static size_t least_set(size_t a, size_t b) {
    return a == 0 || (b && b < a) ? b : a;
}

static size_t at_least_one(size_t n) {
    return n ? n : 1;
}

dv_status dv_ranks_limit_threads(dv_ranks *ranks, dv_thread_limits *limits) {
    uint64_t mask[MASK_WORDS] = {0};
    size_t n_cpus = 0;
    if (is_alone(ranks)) return DV_OK;
    dv_affinity_read(mask, MASK_WORDS);
    ranks->counts.collectives++;
    DV_TRY(ranks->ops->join_on_node(ranks, mask, MASK_WORDS));
    for (size_t i = 0; i < MASK_WORDS; i++) n_cpus += (size_t)__builtin_popcountll(mask[i]);
    if (limits->option) return DV_OK;
    /* A rank that is bound to CPUs of its own keeps them. */
    limits->affinity = least_set(limits->affinity, n_cpus ? at_least_one(n_cpus / ranks->n_local) : 0);
    if (limits->cgroup) limits->cgroup = at_least_one(limits->cgroup / ranks->n_local);
    limits->allowed =
        at_least_one(least_set(least_set(limits->omp, limits->slurm), least_set(limits->affinity, limits->cgroup)));
    return DV_OK;
}

/* Ranks that fail alike are some milliseconds apart, more where many share a core: those that meet end without ending
 * each other. A rank that was asked to stop waits for the others to be asked as well, and one that follows rank 0 for
 * that one, however much it has to remove. */
static double patience_s(const dv_ranks *ranks, dv_status status) {
    if (status == DV_OK || ranks->follows) return 0;
    return status == DV_E_INTERRUPTED ? 1.0 + 0.1 * (double)ranks->index : 0.3;
}

void dv_ranks_hush(dv_ranks *ranks, dv_status status) {
    if (status != DV_OK && !is_alone(ranks)) ranks->ops->hush(ranks);
}

dv_ranks_end dv_ranks_settle(dv_ranks *ranks, dv_status status) {
    const bool failed = status != DV_OK;
    if (is_alone(ranks)) return (dv_ranks_end){.status = status, .speaks = failed};
    const uint64_t mine = failed ? (uint64_t)ranks->index << 32 | (uint64_t)status : UINT64_MAX;
    uint64_t least = UINT64_MAX;
    bool hushed;
    if (!ranks->ops->meet(ranks, patience_s(ranks, status), mine, &least, &hushed))
        return (dv_ranks_end){.status = status, .speaks = !hushed, .alone = true};
    if (least == UINT64_MAX) return (dv_ranks_end){.status = DV_OK};
    /* The lowest was hushed by one that ends all, which came first and has spoken. */
    return (dv_ranks_end){.status = (dv_status)(least & UINT32_MAX), .speaks = least == mine && !hushed};
}

dv_status dv_ranks_spent(dv_ranks *ranks, dv_rank_spent *mine, dv_rank_spent *all) {
    if (gethostname(mine->host, sizeof mine->host) != 0) mine->host[0] = '\0';
    mine->host[sizeof mine->host - 1] = '\0';
    if (ranks) mine->counts = ranks->counts;
    return dv_ranks_gather(ranks, mine, sizeof *mine, all);
}
