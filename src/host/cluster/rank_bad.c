#include "cluster/rank_bad.h"

#include <stdlib.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"

static size_t listed(uint64_t n) {
    return n < DV_FAULTS_LISTED ? (size_t)n : DV_FAULTS_LISTED;
}

static dv_status send_faults(dv_ranks *ranks, const dv_kept_faults *mine) {
    const uint64_t n = mine->n;
    DV_TRY(dv_ranks_send(ranks, 0, &n, sizeof n));
    return dv_ranks_send(ranks, 0, mine->first, listed(n) * sizeof *mine->first);
}

/* Appends those of another rank to the listed ones: *n_listed of *n in all. */
static dv_status receive_faults(dv_ranks *ranks, size_t rank, dv_kept_fault *all, size_t *n_listed, size_t *n) {
    uint64_t n_other = 0;
    DV_TRY(dv_ranks_receive(ranks, rank, &n_other, sizeof n_other));
    DV_TRY(dv_ranks_receive(ranks, rank, all + *n_listed, listed(n_other) * sizeof *all));
    *n_listed += listed(n_other);
    *n += (size_t)n_other;
    return DV_OK;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = ((const dv_kept_fault *)a)->at, y = ((const dv_kept_fault *)b)->at;
    return (x > y) - (x < y);
}

/* As the reader itself ends. */
static dv_status judge(const dv_fault_list *all, size_t n_images) {
    dv_fault_list_end(all);
    if (all->n == 0 || all->left_out) return DV_OK;
    if (all->n == 1) return dv_fail(DV_E_DATA, "%s", all->first);
    return dv_fail(DV_E_DATA, "%s (%zu of %zu images are bad)", all->first, all->n, n_images);
}

static dv_status join(dv_ranks *ranks, const dv_kept_faults *mine, size_t n_images) {
    const size_t n_ranks = dv_ranks_count(ranks);
    dv_kept_fault *all;
    size_t n = mine->n, n_listed = listed(mine->n);
    DV_TRY(dv_alloc(n_ranks * DV_FAULTS_LISTED, sizeof *all, "a list of bad images", &all));
    for (size_t i = 0; i < n_listed; i++) all[i] = mine->first[i];
    dv_status status = DV_OK;
    for (size_t rank = 1; status == DV_OK && rank < n_ranks; rank++)
        status = receive_faults(ranks, rank, all, &n_listed, &n);
    if (status == DV_OK) {
        dv_fault_list list = {.left_out = mine->left_out};
        qsort(all, n_listed, sizeof *all, compare);
        for (size_t i = 0; i < n_listed; i++) dv_fault_list_add(&list, all[i].what);
        list.n = n;
        status = judge(&list, n_images);
    }
    free(all);
    return status;
}

dv_status dv_rank_bad_judge(dv_ranks *ranks, const dv_kept_faults *mine, size_t n_images) {
    dv_status status = DV_OK;
    if (dv_ranks_index(ranks) == 0)
        status = join(ranks, mine, n_images);
    else
        DV_TRY(send_faults(ranks, mine));
    return dv_ranks_follow(ranks, status);
}
