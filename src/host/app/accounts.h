/* accounts.h: what each rank of a run has spent. */
#ifndef DV_APP_ACCOUNTS_H
#define DV_APP_ACCOUNTS_H

#include "app/context.h"
#include "denseval/report.h"

typedef struct dv_accounts {
    dv_rank_spent *spent; /* [n], of rank 0; NULL where this process is alone */
    size_t n;
} dv_accounts;

/* Brings them to rank 0; every rank must call it. Release with dv_accounts_clear, also on a zeroed struct. */
DV_MUST_USE dv_status dv_accounts_take(const dv_app_context *context, const dv_resources *resources,
                                       dv_accounts *accounts);
void dv_accounts_clear(dv_accounts *accounts);

/* Puts them behind the resources; nothing where this process is alone. */
void dv_accounts_report(dv_report *report, const dv_accounts *accounts);

#endif
