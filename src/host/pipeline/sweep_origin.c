#include "pipeline/sweep_origin.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

dv_status dv_origin_table_make(const dv_bank_info *bank, const dv_feature_info *info, const int32_t *sources,
                               size_t n_sources, const size_t *object_of, dv_origin_table *table) {
    *table = (dv_origin_table){
        .image_of = bank->image, .n_rows = bank->n_rows, .class_of = info->class_ids, .object_of = object_of};
    DV_TRY(dv_alloc(info->n_images, sizeof *table->source_of, "the bins of the bank images", &table->source_of));
    for (size_t image = 0; image < info->n_images; image++) {
        table->source_of[image] = SIZE_MAX;
        for (size_t i = 0; i < n_sources; i++)
            if (sources[i] == info->view_bins[image]) table->source_of[image] = i;
    }
    return DV_OK;
}

void dv_origin_table_clear(dv_origin_table *table) {
    free(table->source_of);
    *table = (dv_origin_table){0};
}

void dv_origin_count(const dv_origin_table *table, size_t image, const int64_t *ids, size_t n,
                     dv_tally_origin *origin) {
    for (size_t i = 0; i < n; i++) {
        if ((size_t)ids[i] >= table->n_rows) {
            origin->n_unfilled++;
            continue;
        }
        const size_t source = (size_t)table->image_of[ids[i]];
        origin->from[table->source_of[source]]++;
        origin->n_class += table->class_of && table->class_of[source] == table->class_of[image];
        origin->n_object += table->object_of[source] == table->object_of[image];
    }
}
