#include "denseval/sweep_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "pipeline/sweep_policy.h"

void dv_sweep_config_clear(dv_sweep_config *config) {
    for (size_t i = 0; i < config->n_encoders; i++) {
        dv_sweep_encoder *const encoder = &config->encoders[i];
        free(encoder->name);
        free(encoder->features_text);
        free(encoder->uniform_text);
        dv_path_list_clear(&encoder->features);
        dv_path_list_clear(&encoder->uniform);
    }
    for (size_t i = 0; i < config->n_difficulties; i++) {
        free(config->difficulties[i].name);
        free(config->difficulties[i].bins);
    }
    free(config->encoders);
    free(config->difficulties);
    free(config->memory);
    free(config->validation_bins);
    *config = (dv_sweep_config){0};
}

size_t dv_sweep_config_cells(const dv_sweep_config *config) {
    return config->n_encoders * config->n_memory * config->n_difficulties * config->n_validation_bins;
}

/* ---- The canonical text ---- */

/* Puts the numbers in brackets, as YAML has lists. */
static void print_bins(FILE *out, const char *key, const int32_t *bins, size_t n) {
    fprintf(out, "%s: [", key);
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%" PRId32, i ? ", " : "", bins[i]);
    fputs("]\n", out);
}

static void print_difficulties(FILE *out, const dv_sweep_config *config) {
    char key[64];
    for (size_t i = 0; i < config->n_difficulties; i++) {
        snprintf(key, sizeof key, "difficulties[%zu].bins", i);
        print_bins(out, key, config->difficulties[i].bins, config->difficulties[i].n_bins);
        fprintf(out, "difficulties[%zu].name: %s\n", i, config->difficulties[i].name);
    }
}

static void print_encoders(FILE *out, const dv_sweep_config *config) {
    for (size_t i = 0; i < config->n_encoders; i++) {
        const dv_sweep_encoder *const encoder = &config->encoders[i];
        fprintf(out, "encoders[%zu].features: %s\n", i, encoder->features_text);
        fprintf(out, "encoders[%zu].name: %s\n", i, encoder->name);
        fprintf(out, "encoders[%zu].uniform: %s\n", i, encoder->uniform_text ? encoder->uniform_text : "none");
    }
}

static void print_ignored(FILE *out, const dv_sweep_config *config) {
    const char *before = "";
    fputs("ignore_pixels: [", out);
    for (unsigned label = 0; label <= UINT16_MAX; label++) {
        if (!dv_label_set_has(&config->ignored, (uint16_t)label)) continue;
        fprintf(out, "%s%u", before, label);
        before = ", ";
    }
    fputs("]\n", out);
}

static void print_memory(FILE *out, const dv_sweep_config *config) {
    fprintf(out, "memory.%s: [", config->per_image ? "per_image" : "sizes");
    for (size_t i = 0; i < config->n_memory; i++) fprintf(out, "%s%" PRIu64, i ? ", " : "", config->memory[i]);
    fputs("]\n", out);
}

static void print_policy(FILE *out, const dv_sweep_config *config, const char *name) {
    fprintf(out, "%s: %s\n", name, dv_sweep_policy_word(dv_sweep_policy_find(name), config));
}

static void print_all(FILE *out, const dv_sweep_config *config) {
    char beta[DV_NUMBER_SIZE];
    print_policy(out, config, "absent");
    fprintf(out, "beta: %s\n", dv_format_double(config->beta, beta));
    print_policy(out, config, "compat");
    print_difficulties(out, config);
    print_encoders(out, config);
    print_policy(out, config, "exclude");
    print_ignored(out, config);
    print_policy(out, config, "invalid_labels");
    fprintf(out, "k: %zu\n", config->k);
    print_policy(out, config, "last_batch");
    print_memory(out, config);
    print_policy(out, config, "memory_ignored");
    print_policy(out, config, "relabel");
    fputs("schema: " DV_SWEEP_SCHEMA "\n", out);
    fprintf(out, "seed: %" PRIu64 "\n", config->seed);
    print_bins(out, "validation_bins", config->validation_bins, config->n_validation_bins);
    print_policy(out, config, "zero_rows");
}

/* Ends a memory stream; DV_E_NOMEM where not all of it fitted. */
static dv_status finish_text(FILE *out, char **text) {
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for the text of a configuration");
}

dv_status dv_sweep_config_canonical(const dv_sweep_config *config, char **text) {
    size_t length;
    *text = NULL;
    FILE *const out = open_memstream(text, &length);
    if (!out) return dv_fail(DV_E_NOMEM, "no memory for the text of a configuration");
    print_all(out, config);
    return finish_text(out, text);
}

/* ---- The input files ---- */

static bool has_input(const dv_sweep_inputs *inputs, const char *path) {
    for (size_t i = 0; i < inputs->n; i++)
        if (strcmp(inputs->files[i].path, path) == 0) return true;
    return false;
}

static dv_status add_inputs(const dv_path_list *paths, dv_sweep_inputs *inputs) {
    for (size_t i = 0; i < paths->n; i++) {
        dv_sweep_input *const input = &inputs->files[inputs->n];
        if (has_input(inputs, paths->paths[i])) continue;
        DV_TRY(dv_hash_file(paths->paths[i], input->hash, &input->size_bytes));
        DV_TRY(dv_strdup(paths->paths[i], &input->path));
        inputs->n++;
    }
    return DV_OK;
}

static dv_status add_all_inputs(const dv_sweep_config *config, dv_sweep_inputs *inputs) {
    size_t most = 0;
    for (size_t i = 0; i < config->n_encoders; i++)
        most += config->encoders[i].features.n + config->encoders[i].uniform.n;
    DV_TRY(dv_alloc(most, sizeof *inputs->files, "input files", &inputs->files));
    for (size_t i = 0; i < config->n_encoders; i++) {
        DV_TRY(add_inputs(&config->encoders[i].features, inputs));
        DV_TRY(add_inputs(&config->encoders[i].uniform, inputs));
    }
    return DV_OK;
}

dv_status dv_sweep_inputs_read(const dv_sweep_config *config, dv_sweep_inputs *out) {
    *out = (dv_sweep_inputs){0};
    const dv_status status = add_all_inputs(config, out);
    if (status != DV_OK) dv_sweep_inputs_clear(out);
    return status;
}

void dv_sweep_inputs_clear(dv_sweep_inputs *inputs) {
    for (size_t i = 0; i < inputs->n; i++) free(inputs->files[i].path);
    free(inputs->files);
    *inputs = (dv_sweep_inputs){0};
}

dv_status dv_sweep_inputs_text(const dv_sweep_inputs *inputs, char **text) {
    size_t length;
    *text = NULL;
    FILE *const out = open_memstream(text, &length);
    if (!out) return dv_fail(DV_E_NOMEM, "no memory for a list of inputs");
    for (size_t i = 0; i < inputs->n; i++)
        fprintf(out, "%s: %" PRIu64 " bytes, %s\n", inputs->files[i].path, inputs->files[i].size_bytes,
                inputs->files[i].hash);
    return finish_text(out, text);
}
