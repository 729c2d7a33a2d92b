#include "pipeline/rank_split.h"

#include "cluster/exchange.h"
#include "core/cgroup.h"
#include "core/check.h"
#include "core/log.h"

/* A bank that every rank holds may take one part in so many of the memory of a node, or of a rank's limit. */
enum { REPLICA_SHARE = 2 };

bool dv_replica_fits(const dv_rank_split *split, size_t n_on_node, size_t granted) {
    const double bytes = (double)split->row_bytes * (double)split->n_rows;
    const double of_node = bytes * (double)n_on_node;
    if (split->job_memory && (granted == 0 || split->job_memory < granted)) granted = split->job_memory;
    if (split->most_rows && split->n_rows > split->most_rows) return false;
    if (split->memory_limit && bytes > (double)split->memory_limit / REPLICA_SHARE) return false;
    return granted == 0 || of_node <= (double)granted / REPLICA_SHARE;
}

dv_status dv_rank_split_choose(const dv_rank_split *split, bool *bank_is_split) {
    *bank_is_split = false;
    if (dv_ranks_count(split->ranks) == 1) return DV_OK;
    const bool fits = dv_replica_fits(split, dv_ranks_on_node(split->ranks), dv_memory_granted());
    uint64_t wanted = split->wanted == DV_SPLIT_AUTO ? !fits : split->wanted == DV_SPLIT_BANK;
    DV_TRY(dv_ranks_largest(split->ranks, &wanted, 1));
    *bank_is_split = wanted;
    dv_log(DV_LOG_INFO, "%zu ranks share the %s", dv_ranks_count(split->ranks), wanted ? "bank" : "queries");
    return DV_OK;
}
