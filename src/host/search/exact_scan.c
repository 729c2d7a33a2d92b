#include "search/exact_scan.h"

size_t dv_exact_scan(const dv_scored_rows *scored, const int32_t *group, int32_t hidden, const double *query,
                     double query_norm, dv_topk *best) {
    size_t n_scored = 0;
    for (size_t row = 0; row < scored->rows.n_rows; row++) {
        if (group && hidden != -1 && group[row] == hidden) continue;
        if (query_norm == 0.0 && (best->n == best->k || best->least > 0.0)) break; /* later rows lose each tie */
        dv_topk_offer(best, dv_score(scored, row, query, query_norm), (int64_t)row);
        n_scored++;
    }
    return n_scored;
}
