/* mpi_ranks.c: ranks by MPI 3.1. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "cluster/ranks_ops.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/memory.h"

enum { TAG = 1, HUSH = 2 };

/* How long a rank that is hushed waits to be ended: the one that speaks may have much to remove before. */
static const double HUSHED_S = 60;

typedef struct mpi_ranks {
    dv_ranks base;
    MPI_Comm all, node, ends; /* ends: for the last meeting alone, whatever calls others are in */
    MPI_Request meeting;
    uint64_t met_mine, met_least; /* of the meeting, which may outlast its caller */
} mpi_ranks;

bool dv_ranks_available(void) {
    return true;
}

static dv_status check(int error, const char *call) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (error == MPI_SUCCESS) return DV_OK;
    MPI_Error_string(error, text, &length);
    return dv_fail(DV_E_BACKEND, "%s: %s", call, text);
}

static mpi_ranks *own(dv_ranks *ranks) {
    return (mpi_ranks *)(void *)ranks;
}

static dv_status send_bytes(dv_ranks *ranks, size_t to, const void *data, size_t n_bytes) {
    return check(MPI_Send(data, (int)n_bytes, MPI_BYTE, (int)to, TAG, own(ranks)->all), "MPI_Send");
}

static dv_status receive_bytes(dv_ranks *ranks, size_t from, void *data, size_t n_bytes) {
    return check(MPI_Recv(data, (int)n_bytes, MPI_BYTE, (int)from, TAG, own(ranks)->all, MPI_STATUS_IGNORE),
                 "MPI_Recv");
}

static dv_status broadcast(dv_ranks *ranks, size_t from, void *data, size_t n_bytes) {
    return check(MPI_Bcast(data, (int)n_bytes, MPI_BYTE, (int)from, own(ranks)->all), "MPI_Bcast");
}

static dv_status gather(dv_ranks *ranks, const void *mine, size_t n_bytes, void *all) {
    return check(MPI_Gather(mine, (int)n_bytes, MPI_BYTE, all, (int)n_bytes, MPI_BYTE, 0, own(ranks)->all),
                 "MPI_Gather");
}

static dv_status reduce(dv_ranks *ranks, dv_reduction reduction, void *values, size_t n) {
    mpi_ranks *r = own(ranks);
    if (reduction == DV_REDUCE_LARGEST)
        return check(MPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_UINT64_T, MPI_MAX, r->all), "MPI_Allreduce");
    if (reduction == DV_REDUCE_LARGEST_REAL)
        return check(MPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_DOUBLE, MPI_MAX, r->all), "MPI_Allreduce");
    const bool root = ranks->index == 0;
    return check(
        MPI_Reduce(root ? MPI_IN_PLACE : values, root ? values : NULL, (int)n, MPI_UINT64_T, MPI_SUM, 0, r->all),
        "MPI_Reduce");
}

static dv_status join_on_node(dv_ranks *ranks, uint64_t *bits, size_t n) {
    return check(MPI_Allreduce(MPI_IN_PLACE, bits, (int)n, MPI_UINT64_T, MPI_BOR, own(ranks)->node), "MPI_Allreduce");
}

static dv_status gather_on_node(dv_ranks *ranks, uint64_t mine, uint64_t *all) {
    return check(MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, own(ranks)->node), "MPI_Allgather");
}

/* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker) */
/* Tells ranks that this one speaks. */
static void hush_some(mpi_ranks *r, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        MPI_Request request;
        if (MPI_Isend(NULL, 0, MPI_BYTE, (int)i, HUSH, r->ends, &request) == MPI_SUCCESS) MPI_Request_free(&request);
    }
}

static void hush(dv_ranks *ranks) {
    hush_some(own(ranks), ranks->index + 1, ranks->count);
}

/* Takes in what others said. */
static void hear(mpi_ranks *r, bool *hushed) {
    for (int found = 1; found;) {
        if (MPI_Iprobe(MPI_ANY_SOURCE, HUSH, r->ends, &found, MPI_STATUS_IGNORE) != MPI_SUCCESS || !found) return;
        if (MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, HUSH, r->ends, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
        *hushed = true;
    }
}

/* Polls, so that a rank that waits for another one's long work leaves it the core. A request that does not end belongs
 * to a process that is about to. */
static bool meet(dv_ranks *ranks, double patience_s, uint64_t mine, uint64_t *least, bool *hushed) {
    mpi_ranks *r = own(ranks);
    const double start_s = dv_steady_s();
    const struct timespec pause = {.tv_nsec = 1000000};
    int met = 0;
    *hushed = false;
    r->met_mine = mine;
    if (patience_s > 0) hush(ranks);
    hear(r, hushed); /* a rank that speaks may be gone by now, and meeting it fail */
    if (MPI_Iallreduce(&r->met_mine, &r->met_least, 1, MPI_UINT64_T, MPI_MIN, r->ends, &r->meeting) != MPI_SUCCESS)
        return false;
    for (;;) {
        if (MPI_Test(&r->meeting, &met, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        hear(r, hushed);
        if (met) break;
        if (patience_s > 0 && dv_steady_s() - start_s > (*hushed ? HUSHED_S : patience_s)) {
            if (!*hushed) hush_some(r, 0, ranks->index);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    *least = r->met_least;
    return true;
}
/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */

static void end_all(dv_ranks *ranks, int exit_code) {
    MPI_Abort(own(ranks)->all, exit_code);
}

static void close_ranks(dv_ranks *ranks) {
    mpi_ranks *r = own(ranks);
    if (r->all != MPI_COMM_NULL) MPI_Comm_free(&r->all);
    if (r->node != MPI_COMM_NULL) MPI_Comm_free(&r->node);
    if (r->ends != MPI_COMM_NULL) MPI_Comm_free(&r->ends);
    free(r);
    MPI_Finalize();
}

static const dv_ranks_ops ops = {.send = send_bytes,
                                 .receive = receive_bytes,
                                 .broadcast = broadcast,
                                 .gather = gather,
                                 .reduce = reduce,
                                 .join_on_node = join_on_node,
                                 .gather_on_node = gather_on_node,
                                 .hush = hush,
                                 .meet = meet,
                                 .end_all = end_all,
                                 .close = close_ranks};

static dv_status join(mpi_ranks *r) {
    int index = 0, count = 1, local = 0, n_local = 1;
    DV_TRY(check(MPI_Comm_dup(MPI_COMM_WORLD, &r->all), "MPI_Comm_dup"));
    DV_TRY(check(MPI_Comm_set_errhandler(r->all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler"));
    DV_TRY(check(MPI_Comm_dup(r->all, &r->ends), "MPI_Comm_dup"));
    DV_TRY(check(MPI_Comm_split_type(r->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &r->node), "MPI_Comm_split_type"));
    DV_TRY(check(MPI_Comm_rank(r->all, &index), "MPI_Comm_rank"));
    DV_TRY(check(MPI_Comm_size(r->all, &count), "MPI_Comm_size"));
    DV_TRY(check(MPI_Comm_rank(r->node, &local), "MPI_Comm_rank"));
    DV_TRY(check(MPI_Comm_size(r->node, &n_local), "MPI_Comm_size"));
    uint64_t most = (uint64_t)n_local;
    DV_TRY(check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, r->all), "MPI_Allreduce"));
    r->base.index = (size_t)index;
    r->base.count = (size_t)count;
    r->base.local = (size_t)local;
    r->base.n_local = (size_t)n_local;
    r->base.n_on_node = (size_t)most;
    return DV_OK;
}

/* Threads of ours never call MPI: all of it is the caller's. */
dv_status dv_ranks_open(dv_ranks **out) {
    int provided = MPI_THREAD_SINGLE;
    mpi_ranks *r;
    *out = NULL;
    DV_TRY(dv_alloc(1, sizeof *r, "the ranks", &r));
    r->base.ops = &ops;
    r->all = r->node = r->ends = MPI_COMM_NULL;
    dv_status status = check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    if (status != DV_OK) {
        free(r);
        return status;
    }
    if (provided < MPI_THREAD_FUNNELED) status = dv_fail(DV_E_BACKEND, "this MPI allows no threads beside its caller");
    if (status == DV_OK) status = join(r);
    if (status != DV_OK) {
        close_ranks(&r->base);
        return status;
    }
    *out = &r->base;
    return DV_OK;
}
