/* uniform.h: the uniform numbers that patches are sampled with: seeded, or given by files. */
#ifndef DV_BANK_UNIFORM_H
#define DV_BANK_UNIFORM_H

#include <stddef.h>

#include "bank/plan.h"
#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/status.h"

/* The numbers of files: f64 [passes, n_images, n_patches] of the plan's images, in the plan's order. NULL: seeded. */
typedef struct dv_uniform_table {
    double *values; /* owned */
    size_t n_images, n_patches;
} dv_uniform_table;

/* Reads /uniform (f32 or f64 [N, P], or [passes, N, P], in [0, 1)) of every file of the options; they form one list.
 * Where the files have /image_id each image of the plan is looked up there, else the list must be as long as the set
 * and goes by row. Fails with DV_E_MISSING (no such file), DV_E_DATA naming file and image or row, DV_E_IO, DV_E_NOMEM.
 * table  the caller's until dv_uniform_table_clear; cleared on failure; without files values stays NULL */
DV_MUST_USE dv_status dv_uniform_table_read(const dv_feature_info *set, const dv_bank_options *options,
                                            const dv_bank_plan *plan, dv_uniform_table *table);
void dv_uniform_table_clear(dv_uniform_table *table);

/* The numbers of one image (its place in the plan) and pass.
 * scratch  f64 [n_patches], written where the numbers are seeded
 * Returns f64 [n_patches]: scratch, or a row of the table. */
const double *dv_uniform_row(const dv_uniform_table *table, uint64_t seed, const char *image_id, size_t n_patches,
                             size_t place, size_t pass, double *scratch);

#endif
