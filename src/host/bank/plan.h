/* plan.h: which images a bank is sampled from and how many rows each may give, before anything is read. */
#ifndef DV_BANK_PLAN_H
#define DV_BANK_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/status.h"

typedef struct dv_bank_plan {
    size_t *images;   /* [n_images], rising indices into the set; owned */
    size_t n_images;  /* those that rows are taken from: chosen by bin, the last incomplete batch dropped */
    size_t n_classes; /* 0: a bank without classes, where labels are optional and nobody says how many there are */
    size_t passes;
    bool every_patch;    /* row-major instead of sampled */
    size_t per_image;    /* rows wanted of an image in a pass: at most the patches of an image */
    size_t *limits;      /* [n_images]: of each image, in the place of per_image; NULL: none. Owned */
    size_t n_filled_max; /* n_images * passes * per_image, or the sum of the limits */
    size_t n_rows_fixed; /* rows of the bank, unfilled ones included; 0: as many as get filled */
} dv_bank_plan;

/* Checks the options against the set. Fails with DV_E_ARG, DV_E_USAGE (naming the smallest or largest legal size),
 * DV_E_DATA (no labels, no bins, a bin without images, patches too large to count, no image left), DV_E_NOMEM.
 * plan  written in full; the caller's until dv_bank_plan_clear, which is allowed after a failure too */
DV_MUST_USE dv_status dv_bank_plan_make(const dv_feature_info *set, const dv_bank_options *options, dv_bank_plan *plan);

/* The plan of a bank that holds the rows of all given ones, but unfilled rows: see bank/nested.h.
 * plans     [n_plans], n_plans >= 1, one pass each and of one class count
 * n_images  of the set that they are of
 * Fails with DV_E_NOMEM; plan as above. */
DV_MUST_USE dv_status dv_bank_plan_join(const dv_bank_plan *plans, size_t n_plans, size_t n_images, dv_bank_plan *plan);
void dv_bank_plan_clear(dv_bank_plan *plan);

#endif
