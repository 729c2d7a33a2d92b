/* sweep_plan.h: what a sweep does for one encoder, checked before anything is computed. */
#ifndef DV_PIPELINE_SWEEP_PLAN_H
#define DV_PIPELINE_SWEEP_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "bank/plan.h"
#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/sweep.h"

/* A configuration: indices into the lists of the sweep. */
typedef struct dv_sweep_choice {
    size_t memory, difficulty;
} dv_sweep_choice;

typedef struct dv_sweep_plan {
    const dv_sweep_config *config; /* borrowed until dv_sweep_plan_clear */
    const char *config_path;       /* for messages; NULL: none */
    const dv_sweep_encoder *encoder;
    dv_features *features;
    const dv_feature_info *info;
    dv_bank_options bank; /* what the banks have in common */
    size_t n_configs;     /* those with a cell in the part */
    dv_sweep_choice *choices;
    dv_bank_plan *plans;
    size_t *images; /* [n_images], rising: those to be scored */
    size_t n_images;
    size_t *bin_of; /* [images of the set]: index of the validation bin; SIZE_MAX: of no such bin */
} dv_sweep_plan;

/* Opens the features of an encoder and checks that they have what a sweep needs. Release with dv_sweep_plan_clear, also
 * after a failure and on a zeroed struct. Fails with DV_E_DATA, and as dv_features_open does. */
DV_MUST_USE dv_status dv_sweep_plan_open(const dv_sweep_config *config, const dv_sweep_options *options, size_t encoder,
                                         dv_sweep_plan *plan);

/* Plans queries and banks; of an encoder without a cell in the part there are none. What an earlier call
 * planned is taken back. Fails with DV_E_DATA as dv_sweep_run says. */
DV_MUST_USE dv_status dv_sweep_plan_fill(const dv_sweep_options *options, size_t encoder, dv_sweep_plan *plan);
void dv_sweep_plan_clear(dv_sweep_plan *plan);

/* Puts the name of one of its configurations before a failure. */
dv_status dv_sweep_plan_context(const dv_sweep_plan *plan, size_t config, dv_status status);

/* The cells of the part: first .. first + n - 1. */
void dv_sweep_part_cells(const dv_sweep_config *config, const dv_sweep_options *options, size_t *first, size_t *n);

/* The number of a cell of the sweep; bin is an index. */
size_t dv_sweep_cell_number(const dv_sweep_config *config, size_t encoder, dv_sweep_choice choice, size_t bin);

#endif
