#include "denseval/sweep_config.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/yaml_value.h"
#include "pipeline/sweep_policy.h"

enum { MAX_NEIGHBOURS = 1 << 20, MAX_NAME = 200 };

/* What the setters fill. */
typedef struct reading {
    dv_sweep_config *config;
    const char *folder; /* of the file; "" for the current one */
} reading;

/* An encoder in the making. */
typedef struct encoder_reading {
    dv_sweep_encoder *encoder;
    const char *folder;
} encoder_reading;

static int compare_bins(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Bins in degrees, sorted. */
static dv_status read_bins(const dv_yaml_node *node, int32_t **bins, size_t *n_bins) {
    DV_TRY(dv_yaml_list(node, node->key));
    DV_TRY(dv_alloc(node->n_items, sizeof **bins, "bins", bins));
    *n_bins = node->n_items;
    for (size_t i = 0; i < node->n_items; i++) {
        uint64_t bin;
        DV_TRY(dv_yaml_count(&node->items[i], node->key, 0, INT32_MAX, &bin));
        (*bins)[i] = (int32_t)bin;
        for (size_t j = 0; j < i; j++)
            if ((*bins)[j] == (*bins)[i])
                return dv_yaml_fail(&node->items[i], node->key, "bin %d is there twice", (*bins)[i]);
    }
    qsort(*bins, *n_bins, sizeof **bins, compare_bins);
    return DV_OK;
}

static dv_status read_name(const dv_yaml_node *node, char **name) {
    const char *text;
    DV_TRY(dv_yaml_text(node, node->key, &text));
    if (strlen(text) > MAX_NAME) return dv_yaml_fail(node, node->key, "longer than %d bytes", MAX_NAME);
    return dv_strdup(text, name);
}

/* File names; what an option calls misuse is bad data in a file. */
static dv_status read_files(const dv_yaml_node *node, const char *folder, char **text, dv_path_list *files) {
    const char *given;
    DV_TRY(dv_yaml_text(node, node->key, &given));
    DV_TRY(dv_strdup(given, text));
    const dv_status status = dv_path_list_add_in(files, folder, given);
    return dv_context(status == DV_E_USAGE ? DV_E_DATA : status, "line %zu: %s", node->line, node->key);
}

static dv_status set_encoder_name(void *target, const dv_yaml_node *value) {
    return read_name(value, &((encoder_reading *)target)->encoder->name);
}

static dv_status set_features(void *target, const dv_yaml_node *value) {
    const encoder_reading *const r = target;
    return read_files(value, r->folder, &r->encoder->features_text, &r->encoder->features);
}

static dv_status set_uniform(void *target, const dv_yaml_node *value) {
    const encoder_reading *const r = target;
    return read_files(value, r->folder, &r->encoder->uniform_text, &r->encoder->uniform);
}

static const dv_yaml_key encoder_keys[] = {
    {"name", set_encoder_name, true}, {"features", set_features, true}, {"uniform", set_uniform, false}};

static dv_status set_encoders(void *target, const dv_yaml_node *value) {
    const reading *const r = target;
    dv_sweep_config *const config = r->config;
    DV_TRY(dv_yaml_list(value, value->key));
    DV_TRY(dv_alloc(value->n_items, sizeof *config->encoders, "encoders", &config->encoders));
    config->n_encoders = value->n_items;
    for (size_t i = 0; i < value->n_items; i++) {
        encoder_reading one = {&config->encoders[i], r->folder};
        DV_TRY(
            dv_yaml_map(&value->items[i], "encoders", encoder_keys, sizeof encoder_keys / sizeof *encoder_keys, &one));
        for (size_t j = 0; j < i; j++)
            if (strcmp(config->encoders[j].name, one.encoder->name) == 0)
                return dv_yaml_fail(&value->items[i], "encoders", "the name %s is there twice", one.encoder->name);
    }
    return DV_OK;
}

static dv_status set_difficulty_name(void *target, const dv_yaml_node *value) {
    return read_name(value, &((dv_sweep_difficulty *)target)->name);
}

static dv_status set_difficulty_bins(void *target, const dv_yaml_node *value) {
    dv_sweep_difficulty *const difficulty = target;
    return read_bins(value, &difficulty->bins, &difficulty->n_bins);
}

static const dv_yaml_key difficulty_keys[] = {{"name", set_difficulty_name, true}, {"bins", set_difficulty_bins, true}};

static dv_status set_difficulties(void *target, const dv_yaml_node *value) {
    dv_sweep_config *const config = ((reading *)target)->config;
    DV_TRY(dv_yaml_list(value, value->key));
    DV_TRY(dv_alloc(value->n_items, sizeof *config->difficulties, "difficulties", &config->difficulties));
    config->n_difficulties = value->n_items;
    for (size_t i = 0; i < value->n_items; i++) {
        dv_sweep_difficulty *const one = &config->difficulties[i];
        DV_TRY(dv_yaml_map(&value->items[i], "difficulties", difficulty_keys,
                           sizeof difficulty_keys / sizeof *difficulty_keys, one));
        for (size_t j = 0; j < i; j++)
            if (strcmp(config->difficulties[j].name, one->name) == 0)
                return dv_yaml_fail(&value->items[i], "difficulties", "the name %s is there twice", one->name);
    }
    return DV_OK;
}

static dv_status set_validation_bins(void *target, const dv_yaml_node *value) {
    dv_sweep_config *const config = ((reading *)target)->config;
    return read_bins(value, &config->validation_bins, &config->n_validation_bins);
}

static dv_status read_memory(dv_sweep_config *config, const dv_yaml_node *value) {
    DV_TRY(dv_yaml_list(value, value->key));
    if (config->memory) return dv_yaml_fail(value, value->key, "sizes and per_image: only one of them");
    DV_TRY(dv_alloc(value->n_items, sizeof *config->memory, "memory sizes", &config->memory));
    config->n_memory = value->n_items;
    for (size_t i = 0; i < value->n_items; i++) {
        DV_TRY(dv_yaml_size(&value->items[i], value->key, &config->memory[i]));
        for (size_t j = 0; j < i; j++)
            if (config->memory[j] == config->memory[i])
                return dv_yaml_fail(&value->items[i], value->key, "%s is there twice", value->items[i].text);
    }
    return DV_OK;
}

static dv_status set_sizes(void *target, const dv_yaml_node *value) {
    return read_memory(target, value);
}

static dv_status set_per_image(void *target, const dv_yaml_node *value) {
    dv_sweep_config *const config = target;
    DV_TRY(read_memory(config, value));
    config->per_image = true;
    return DV_OK;
}

static const dv_yaml_key memory_keys[] = {{"sizes", set_sizes, false}, {"per_image", set_per_image, false}};

static dv_status set_memory(void *target, const dv_yaml_node *value) {
    dv_sweep_config *const config = ((reading *)target)->config;
    DV_TRY(dv_yaml_map(value, value->key, memory_keys, sizeof memory_keys / sizeof *memory_keys, config));
    return config->memory ? DV_OK : dv_yaml_fail(value, value->key, "sizes or per_image must be given");
}

static dv_status set_schema(void *target, const dv_yaml_node *value) {
    (void)target;
    const char *text;
    DV_TRY(dv_yaml_text(value, value->key, &text));
    if (strcmp(text, DV_SWEEP_SCHEMA) == 0) return DV_OK;
    return dv_yaml_fail(value, value->key, "%.100s: must be %s", text, DV_SWEEP_SCHEMA);
}

/* One word of a list. compat comes first of all keys, so what stands in the file beside it wins. */
static dv_status set_policy(void *target, const dv_yaml_node *value) {
    dv_sweep_config *const config = ((reading *)target)->config;
    const dv_sweep_policy *const policy = dv_sweep_policy_find(value->key);
    int index;
    DV_TRY(dv_yaml_choice(value, value->key, policy->words, policy->n_words, &index));
    dv_sweep_policy_set(policy, config, index);
    if (strcmp(policy->name, "compat") == 0) dv_sweep_compat_apply(config, (dv_compat)index);
    return DV_OK;
}

static dv_status set_k(void *target, const dv_yaml_node *value) {
    uint64_t k;
    DV_TRY(dv_yaml_count(value, value->key, 1, MAX_NEIGHBOURS, &k));
    ((reading *)target)->config->k = k;
    return DV_OK;
}

static dv_status set_beta(void *target, const dv_yaml_node *value) {
    return dv_yaml_positive(value, value->key, &((reading *)target)->config->beta);
}

static dv_status set_seed(void *target, const dv_yaml_node *value) {
    return dv_yaml_count(value, value->key, 0, UINT64_MAX, &((reading *)target)->config->seed);
}

static dv_status read_labels(const dv_yaml_node *node, dv_label_set *labels) {
    DV_TRY(dv_yaml_list(node, node->key));
    for (size_t i = 0; i < node->n_items; i++) {
        uint64_t label;
        DV_TRY(dv_yaml_count(&node->items[i], node->key, 0, UINT16_MAX, &label));
        dv_label_set_add(labels, (uint16_t)label);
    }
    return DV_OK;
}

static dv_status set_ignore_pixels(void *target, const dv_yaml_node *value) {
    dv_label_set *const ignored = &((reading *)target)->config->ignored;
    *ignored = (dv_label_set){{0}};
    if (value->kind == DV_YAML_LIST) return read_labels(value, ignored);
    const char *text;
    DV_TRY(dv_yaml_text(value, value->key, &text));
    const dv_status status = dv_label_set_parse(text, ignored);
    return dv_context(status == DV_E_USAGE ? DV_E_DATA : status, "line %zu: %s", value->line, value->key);
}

static const dv_yaml_key keys[] = {
    {"schema", set_schema, true},
    {"encoders", set_encoders, true},
    {"memory", set_memory, true},
    {"difficulties", set_difficulties, true},
    {"validation_bins", set_validation_bins, true},
    {"k", set_k, false},
    {"beta", set_beta, false},
    {"seed", set_seed, false},
    {"compat", set_policy, false},
    {"absent", set_policy, false},
    {"ignore_pixels", set_ignore_pixels, false},
    {"exclude", set_policy, false},
    {"invalid_labels", set_policy, false},
    {"relabel", set_policy, false},
    {"last_batch", set_policy, false},
    {"zero_rows", set_policy, false},
    {"memory_ignored", set_policy, false},
};

/* As the options of eval and bank build. */
static void set_defaults(dv_sweep_config *config) {
    *config = (dv_sweep_config){.k = 30, .beta = 0.02, .seed = 42};
    dv_label_set_add(&config->ignored, 255);
}

/* "a/b.yaml" gives "a", "/b.yaml" gives "/", "b.yaml" gives "". */
static dv_status folder_of(const char *path, char **folder) {
    const char *const slash = strrchr(path, '/');
    DV_TRY(dv_strdup(path, folder));
    (*folder)[!slash ? 0 : slash == path ? 1 : slash - path] = '\0';
    return DV_OK;
}

static dv_status check_grid(const dv_sweep_config *config) {
    size_t n;
    DV_TRY(dv_mul_size(config->n_encoders, config->n_memory, "cells", &n));
    DV_TRY(dv_mul_size(n, config->n_difficulties, "cells", &n));
    return dv_mul_size(n, config->n_validation_bins, "cells", &n);
}

static dv_status fill(const dv_yaml_node *root, const char *folder, dv_sweep_config *config) {
    reading r = {config, folder};
    set_defaults(config);
    dv_status status = dv_yaml_map(root, "the file", keys, sizeof keys / sizeof *keys, &r);
    if (status == DV_OK) status = check_grid(config);
    if (status != DV_OK) dv_sweep_config_clear(config);
    return status;
}

dv_status dv_sweep_config_read(const char *path, dv_sweep_config *out) {
    *out = (dv_sweep_config){0};
    dv_yaml_node *root;
    char *folder = NULL;
    DV_TRY(dv_yaml_read(path, &root));
    dv_status status = folder_of(path, &folder);
    if (status == DV_OK) status = dv_context(fill(root, folder, out), "%s", path);
    free(folder);
    dv_yaml_free(root);
    return status;
}

dv_status dv_sweep_config_parse(const char *text, size_t n_bytes, const char *folder, dv_sweep_config *out) {
    *out = (dv_sweep_config){0};
    dv_yaml_node *root;
    DV_TRY(dv_yaml_parse(text, n_bytes, &root));
    const dv_status status = fill(root, folder, out);
    dv_yaml_free(root);
    return status;
}
