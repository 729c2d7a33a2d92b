/* nested.h: one bank that holds the rows of several: a smaller memory keeps a prefix of each image's rows. */
#ifndef DV_BANK_NESTED_H
#define DV_BANK_NESTED_H

#include <stddef.h>

#include "bank/plan.h"
#include "denseval/bank.h"

/* Samples a bank with, of each image, the most rows that one of the plans takes of it: image as given, then rank. Row
 * (image, rank) is in the bank of a plan that holds the image and has per_image > rank; the order is that of each such
 * bank. Unfilled rows of a plan are not in it.
 * options  what the plans have in common: those that shape a plan (sizes, bins, batches) are not looked at
 * plans    [n_plans], n_plans >= 1, one pass each and of one class count
 * Fails as dv_bank_build. */
DV_MUST_USE dv_status dv_bank_build_nested(dv_features *features, const dv_bank_options *options,
                                           const dv_bank_plan *plans, size_t n_plans, dv_bank **out);

#endif
