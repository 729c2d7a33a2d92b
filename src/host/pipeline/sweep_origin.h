/* sweep_origin.h: from which bank images the neighbours of the patches of an image came. */
#ifndef DV_PIPELINE_SWEEP_ORIGIN_H
#define DV_PIPELINE_SWEEP_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "pipeline/sweep_plan.h"
#include "pipeline/tally.h"

/* What is known of the images of a set, which is bank and queries at once. */
typedef struct dv_origin_table {
    size_t *source_of;       /* [images of the set]: index of the bank bin, SIZE_MAX: none. Owned */
    const int32_t *image_of; /* i32 [n_rows]: image of each row of the union bank */
    size_t n_rows;
    const int32_t *class_of; /* i32 [images of the set]; NULL: not known */
    const size_t *object_of; /* likewise, not NULL */
} dv_origin_table;

/* bank, info and object_of stay borrowed until dv_origin_table_clear. sources  i32 [n_sources], rising */
DV_MUST_USE dv_status dv_origin_table_make(const dv_bank_info *bank, const dv_feature_info *info,
                                           const int32_t *sources, size_t n_sources, const size_t *object_of,
                                           dv_origin_table *table);
void dv_origin_table_clear(dv_origin_table *table);

/* Counts n neighbours of the patches of a query image; origin: zeroed, and n_sources long. */
void dv_origin_count(const dv_origin_table *table, size_t image, const int64_t *ids, size_t n, dv_tally_origin *origin);

#endif
