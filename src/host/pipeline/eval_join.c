#include "pipeline/eval_join.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"

/* A group: images, pixels left out, false positives, confusion. */
enum { N_SINGLE = 3 };

static size_t group_size(size_t n_classes) {
    return N_SINGLE + n_classes + n_classes * n_classes;
}

static void write_group(const dv_eval_group *group, size_t n_classes, uint64_t *values) {
    values[0] = group->n_images;
    values[1] = dv_confusion_ignored(group->confusion);
    values[2] = dv_confusion_dropped(group->confusion);
    values += N_SINGLE;
    memcpy(values, dv_confusion_false_positives(group->confusion), n_classes * sizeof *values);
    memcpy(values + n_classes, dv_confusion_counts(group->confusion), n_classes * n_classes * sizeof *values);
}

static void read_group(dv_eval_group *group, size_t n_classes, const uint64_t *values) {
    group->n_images = (size_t)values[0];
    dv_confusion_clear(group->confusion);
    dv_confusion_add_left_out(group->confusion, values[1], values[2]);
    dv_confusion_add_counts(group->confusion, values + N_SINGLE + n_classes, values + N_SINGLE);
}

dv_status dv_eval_join(dv_ranks *ranks, dv_eval_result *result) {
    const size_t size = group_size(result->n_classes), n_values = 1 + (1 + result->n_bins) * size;
    uint64_t *values;
    if (dv_ranks_count(ranks) == 1) return DV_OK;
    DV_TRY(dv_alloc(n_values, sizeof *values, "the counts of ranks", &values));
    values[0] = result->n_skipped_images;
    for (size_t i = 0; i <= result->n_bins; i++)
        write_group(i ? &result->bins[i - 1] : &result->total, result->n_classes, values + 1 + i * size);
    const dv_status status = dv_ranks_sum(ranks, values, n_values);
    if (status == DV_OK && dv_ranks_index(ranks) == 0) {
        result->n_skipped_images = (size_t)values[0];
        for (size_t i = 0; i <= result->n_bins; i++)
            read_group(i ? &result->bins[i - 1] : &result->total, result->n_classes, values + 1 + i * size);
    }
    free(values);
    return status;
}
