/* bench_search_plan.h: which banks a bench of the search goes through. */
#ifndef DV_APP_BENCH_SEARCH_PLAN_H
#define DV_APP_BENCH_SEARCH_PLAN_H

#include "app/bench_stages.h"

/* Calls `visit` for every kind, dimension and number of rows that the options name, data made. */
typedef dv_status (*dv_bench_visit)(void *user, const dv_bench_shape *shape, const dv_bench_data *data);
DV_MUST_USE dv_status dv_bench_search_each(const dv_app_context *context, const dv_bench_search_args *args,
                                           dv_bench_visit visit, void *user);

#endif
