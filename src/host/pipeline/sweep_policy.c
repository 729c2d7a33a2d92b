#include "pipeline/sweep_policy.h"

#include <string.h>

static const char *const absent[] = {"skip", "zero", "one", "truth-only"};
static const char *const compat[] = {"none", "hummingbird"};
static const char *const exclude[] = {"none", "image", "object"};
static const char *const invalid_labels[] = {"error", "drop", "false-positive"};
static const char *const last_batch[] = {"keep", "drop"};
static const char *const memory_ignored[] = {"exclude", "background"};
static const char *const relabel[] = {"none", "hungarian", "both"};
static const char *const zero_rows[] = {"error", "skip", "keep"};

const dv_sweep_policy dv_sweep_policies[DV_N_SWEEP_POLICIES] = {
    {"absent", absent, sizeof absent / sizeof *absent, offsetof(dv_sweep_config, absent)},
    {"compat", compat, sizeof compat / sizeof *compat, offsetof(dv_sweep_config, compat)},
    {"exclude", exclude, sizeof exclude / sizeof *exclude, offsetof(dv_sweep_config, exclude)},
    {"invalid_labels", invalid_labels, sizeof invalid_labels / sizeof *invalid_labels,
     offsetof(dv_sweep_config, invalid)},
    {"last_batch", last_batch, sizeof last_batch / sizeof *last_batch, offsetof(dv_sweep_config, last_batch)},
    {"memory_ignored", memory_ignored, sizeof memory_ignored / sizeof *memory_ignored,
     offsetof(dv_sweep_config, memory_ignored)},
    {"relabel", relabel, sizeof relabel / sizeof *relabel, offsetof(dv_sweep_config, relabel)},
    {"zero_rows", zero_rows, sizeof zero_rows / sizeof *zero_rows, offsetof(dv_sweep_config, zero_rows)},
};

_Static_assert(sizeof(dv_absent) == sizeof(int) && sizeof(dv_compat) == sizeof(int), "enums are copied as int");

const dv_sweep_policy *dv_sweep_policy_find(const char *name) {
    for (size_t i = 0; i < DV_N_SWEEP_POLICIES; i++)
        if (strcmp(dv_sweep_policies[i].name, name) == 0) return &dv_sweep_policies[i];
    return NULL;
}

void dv_sweep_policy_set(const dv_sweep_policy *policy, dv_sweep_config *config, int value) {
    memcpy((char *)config + policy->offset, &value, sizeof value);
}

const char *dv_sweep_policy_word(const dv_sweep_policy *policy, const dv_sweep_config *config) {
    int value;
    memcpy(&value, (const char *)config + policy->offset, sizeof value);
    return policy->words[value];
}

void dv_sweep_compat_apply(dv_sweep_config *config, dv_compat tool) {
    config->compat = tool;
    if (tool == DV_COMPAT_NONE) return;
    config->absent = DV_ABSENT_ZERO;
    config->invalid = DV_INVALID_FALSE_POSITIVE;
    config->last_batch = DV_LAST_BATCH_DROP;
    config->memory_ignored = DV_MEMORY_BACKGROUND;
    config->relabel = DV_RELABEL_HUNGARIAN;
    config->zero_rows = DV_ZERO_KEEP;
}
