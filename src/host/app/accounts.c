#include "app/accounts.h"

#include <stdlib.h>

#include "app/message.h"

dv_status dv_accounts_take(const dv_app_context *context, const dv_resources *resources, dv_accounts *accounts) {
    const size_t n = dv_ranks_count(context->ranks);
    dv_rank_spent mine = {.wall_s = resources->wall_s,
                          .cpu_s = resources->cpu_s,
                          .max_rss_bytes = resources->max_rss_bytes,
                          .n_threads = resources->n_threads,
                          .gpu = resources->gpu};
    *accounts = (dv_accounts){.n = n};
    if (n == 1) return DV_OK;
    accounts->spent = calloc(n, sizeof *accounts->spent);
    if (!accounts->spent) return dv_app_fail(DV_E_NOMEM, "no memory for the accounts of %zu ranks", n);
    return dv_ranks_spent(context->ranks, &mine, accounts->spent);
}

void dv_accounts_clear(dv_accounts *accounts) {
    free(accounts->spent);
    *accounts = (dv_accounts){0};
}

void dv_accounts_report(dv_report *report, const dv_accounts *accounts) {
    if (accounts->spent) dv_report_ranks(report, accounts->spent, accounts->n);
}
