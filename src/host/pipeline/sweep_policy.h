/* sweep_policy.h: the policies of a sweep that are one word of a list, under the names that the options have. */
#ifndef DV_PIPELINE_SWEEP_POLICY_H
#define DV_PIPELINE_SWEEP_POLICY_H

#include <stddef.h>

#include "denseval/sweep_config.h"

typedef struct dv_sweep_policy {
    const char *name;         /* key in the file */
    const char *const *words; /* [n_words]; a word's place is its value */
    size_t n_words;
    size_t offset; /* of the enum in dv_sweep_config */
} dv_sweep_policy;

enum { DV_N_SWEEP_POLICIES = 8 };
extern const dv_sweep_policy dv_sweep_policies[DV_N_SWEEP_POLICIES];

/* NULL: no such policy. */
const dv_sweep_policy *dv_sweep_policy_find(const char *name);

void dv_sweep_policy_set(const dv_sweep_policy *policy, dv_sweep_config *config, int value);
const char *dv_sweep_policy_word(const dv_sweep_policy *policy, const dv_sweep_config *config);

/* Sets compat and what it stands for. */
void dv_sweep_compat_apply(dv_sweep_config *config, dv_compat compat);

#endif
