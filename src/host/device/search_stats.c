#include "denseval/device.h"

void dv_search_stats_add(dv_search_stats *total, const dv_search_stats *more) {
    total->n_queries += more->n_queries;
    total->n_candidates += more->n_candidates;
    total->n_uncertified += more->n_uncertified;
    total->n_refined += more->n_refined;
    if (more->n_stages) {
        total->n_stages = more->n_stages;
        total->head_dim = more->head_dim;
    }
    total->code_s += more->code_s;
    total->seed_s += more->seed_s;
    total->scan_s += more->scan_s;
    total->refine_s += more->refine_s;
    total->score_s += more->score_s;
}
