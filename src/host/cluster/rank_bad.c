#include "cluster/rank_bad.h"

#include <stdlib.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"

static size_t listed(uint64_t n) {
    return n < DV_FAULTS_LISTED ? (size_t)n : DV_FAULTS_LISTED;
}

static void add(dv_fault_list *all, char (*texts)[DV_MESSAGE_SIZE], uint64_t n) {
    for (size_t i = 0; i < listed(n); i++) dv_fault_list_add(all, texts[i]);
    all->n += (size_t)n - listed(n);
}

static dv_status send_list(dv_ranks *ranks, const dv_fault_list *mine) {
    const uint64_t n = mine->n;
    DV_TRY(dv_ranks_send(ranks, 0, &n, sizeof n));
    return dv_ranks_send(ranks, 0, mine->kept, listed(n) * sizeof *mine->kept);
}

/* In the order of the ranks, which is that of the images. */
static dv_status receive_lists(dv_ranks *ranks, dv_fault_list *all) {
    char(*texts)[DV_MESSAGE_SIZE];
    dv_status status = DV_OK;
    DV_TRY(dv_alloc(DV_FAULTS_LISTED, sizeof *texts, "a list of bad images", &texts));
    for (size_t rank = 1; status == DV_OK && rank < dv_ranks_count(ranks); rank++) {
        uint64_t n = 0;
        status = dv_ranks_receive(ranks, rank, &n, sizeof n);
        if (status == DV_OK) status = dv_ranks_receive(ranks, rank, texts, listed(n) * sizeof *texts);
        if (status == DV_OK) add(all, texts, n);
    }
    free(texts);
    return status;
}

static dv_status judge(const dv_fault_list *all, size_t n_images) {
    dv_fault_list_end(all);
    if (all->n == 0 || all->left_out) return DV_OK;
    if (all->n == 1) return dv_fail(DV_E_DATA, "%s", all->first);
    return dv_fail(DV_E_DATA, "%s (%zu of %zu images are bad)", all->first, all->n, n_images);
}

dv_status dv_rank_bad_judge(dv_ranks *ranks, const dv_fault_list *mine, size_t n_images) {
    dv_status status = DV_OK;
    if (dv_ranks_index(ranks) == 0) {
        dv_fault_list all = {.left_out = mine->left_out};
        add(&all, mine->kept, mine->n);
        DV_TRY(receive_lists(ranks, &all));
        status = judge(&all, n_images);
    } else {
        DV_TRY(send_list(ranks, mine));
    }
    return dv_ranks_follow(ranks, status);
}
