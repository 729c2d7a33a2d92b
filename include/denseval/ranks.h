/* ranks.h: the processes that mpirun or srun started for one run. NULL stands for a process of its own, everywhere. */
#ifndef DENSEVAL_RANKS_H
#define DENSEVAL_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/gpu_account.h"
#include "denseval/status.h"
#include "denseval/threads.h"

DV_C_BEGIN

/* How ranks share the work of a search. No result depends on it. */
typedef enum dv_split {
    DV_SPLIT_AUTO = 0,    /* queries where every rank can hold the bank, else the bank */
    DV_SPLIT_QUERIES = 1, /* each rank takes a share of the query images, and all of the bank */
    DV_SPLIT_BANK = 2     /* each rank takes a share of the bank's rows, and all queries; their lists are merged */
} dv_split;

/* One thread at a time. */
typedef struct dv_ranks dv_ranks;

/* Is there MPI in this build? */
bool dv_ranks_available(void);

/* Joins the other processes, once a process; every rank must call it, and the same commands of the library after it.
 * *out: the caller's until dv_ranks_close; NULL on failure. Fails with DV_E_BACKEND (no MPI in this build, or it does
 * not start), DV_E_NOMEM. */
DV_MUST_USE dv_status dv_ranks_open(dv_ranks **out);
void dv_ranks_close(dv_ranks *ranks); /* waits for all ranks */

size_t dv_ranks_index(const dv_ranks *ranks); /* 0..count - 1; 0 alone writes results */
size_t dv_ranks_count(const dv_ranks *ranks);

/* DV_E_USAGE naming the rank on each that was given other bytes than rank 0. */
DV_MUST_USE dv_status dv_ranks_check_same(dv_ranks *ranks, const void *bytes, size_t n_bytes, const char *what);

/* Shares out the CPUs of a node among its ranks: those that any of them may run on, and the quota of the cgroup. Limits
 * that hold for one process stay, and so does what the user asked for. */
DV_MUST_USE dv_status dv_ranks_limit_threads(dv_ranks *ranks, dv_thread_limits *limits);

/* How a run ended for all ranks together. */
typedef struct dv_ranks_end {
    dv_status status; /* of the lowest rank that failed, DV_OK where none did */
    bool speaks;      /* its message is this rank's */
    bool alone;       /* others are still at work: to be ended by dv_ranks_abort */
} dv_ranks_end;

/* The end of a run, with what came of it on this rank. Waits for the others; a rank that failed waits for them only as
 * long as ranks need to fail alike. */
dv_ranks_end dv_ranks_settle(dv_ranks *ranks, dv_status status);

/* Ends all ranks, this one too, with an exit code, and removes what rank 0 was writing. */
void dv_ranks_abort(dv_ranks *ranks, int exit_code);

/* What a rank did, exact and the same in every run. */
typedef struct dv_rank_counts {
    uint64_t bytes_read; /* of features, bank and queries, from files */
    uint64_t bytes_sent, bytes_received;
    uint64_t rows_scanned; /* bank rows, once for every query that was searched in them */
    uint64_t rows_scored;  /* those of them whose cosine was taken in double: no bound was below it */
    uint64_t collectives;  /* how often all ranks had to meet */
} dv_rank_counts;

enum { DV_HOST_SIZE = 64 };

/* A rank's account. */
typedef struct dv_rank_spent {
    char host[DV_HOST_SIZE];
    double wall_s, cpu_s; /* cpu_s includes waiting for others */
    uint64_t max_rss_bytes, n_threads;
    uint64_t job_cpus, job_memory_bytes, job_gpus; /* that the batch job has on the rank's node; 0: not told */
    dv_gpu_account gpu;
    dv_rank_counts counts;
} dv_rank_spent;

/* Brings the accounts of all ranks to rank 0; every rank must call it. Host and counts of `mine` are filled here.
 * all  [dv_ranks_count], written on rank 0 alone */
DV_MUST_USE dv_status dv_ranks_spent(dv_ranks *ranks, dv_rank_spent *mine, dv_rank_spent *all);

DV_C_END
#endif
