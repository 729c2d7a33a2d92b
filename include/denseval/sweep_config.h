/* sweep_config.h: what a sweep does: the YAML file of `denseval sweep` ("denseval sweep v1", docs/FORMATS.md). */
#ifndef DENSEVAL_SWEEP_CONFIG_H
#define DENSEVAL_SWEEP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/compat.h"
#include "denseval/eval.h"
#include "denseval/features.h"
#include "denseval/hash.h"
#include "denseval/labels.h"
#include "denseval/path_list.h"
#include "denseval/search.h"
#include "denseval/status.h"

DV_C_BEGIN

#define DV_SWEEP_SCHEMA "denseval sweep v1"

typedef struct dv_sweep_encoder {
    char *name;            /* unique in the configuration */
    char *features_text;   /* as written in the file */
    char *uniform_text;    /* likewise; NULL: seeded numbers */
    dv_path_list features; /* the files it names, as they can be opened from the current folder; at least one */
    dv_path_list uniform;  /* empty: seeded numbers */
} dv_sweep_encoder;

typedef struct dv_sweep_difficulty {
    char *name;    /* unique in the configuration */
    int32_t *bins; /* i32 [n_bins], rising: bins of the bank's images, degrees */
    size_t n_bins; /* >= 1 */
} dv_sweep_difficulty;

typedef struct dv_sweep_config {
    size_t n_encoders, n_memory, n_difficulties, n_validation_bins; /* each >= 1 */
    dv_sweep_encoder *encoders;
    bool per_image;   /* what memory counts: patches an image, or rows in all */
    uint64_t *memory; /* u64 [n_memory], as given, no two alike, >= 1 */
    dv_sweep_difficulty *difficulties;
    int32_t *validation_bins; /* i32 [n_validation_bins], rising: bins of the queries, degrees */
    size_t k;
    double beta;
    uint64_t seed;
    dv_compat compat; /* its policies are already in the fields below, where the file does not say otherwise */
    dv_absent absent;
    dv_label_set ignored; /* pixels: `ignore_pixels` */
    dv_exclude exclude;
    dv_invalid_labels invalid;
    dv_relabel relabel;
    dv_last_batch last_batch;
    dv_zero_rows zero_rows;
    dv_memory_ignored memory_ignored;
} dv_sweep_config;

/* Reads and checks a configuration; file names in it are relative to its folder, globs are looked up.
 * *out   release with dv_sweep_config_clear; zeroed on failure
 * Fails with DV_E_MISSING (no such file; a glob without a match), DV_E_DATA "PATH: line N: KEY: WHAT" (not YAML, other
 * schema, unknown or repeated key, wrong type, empty list, value out of range or twice, anchors, too deep or too
 * large), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_sweep_config_read(const char *path, dv_sweep_config *out);
void dv_sweep_config_clear(dv_sweep_config *config); /* also on a zeroed struct */

/* The same of a text in memory with the file names relative to `folder` ("": the current one); messages begin with
 * "line N: ". */
DV_MUST_USE dv_status dv_sweep_config_parse(const char *text, size_t n_bytes, const char *folder, dv_sweep_config *out);

/* Cells of the grid: encoders x memory x difficulties x validation bins. Cells are numbered in this order, the last one
 * running fastest. */
size_t dv_sweep_config_cells(const dv_sweep_config *config);

/* All settings, defaults included, a line "KEY: VALUE" each, in one order: equal texts mean the same sweep. File names
 * stand as written in the file. Its dv_hash_bytes is the hash of the configuration. *text: the caller's until free().
 */
DV_MUST_USE dv_status dv_sweep_config_canonical(const dv_sweep_config *config, char **text);

/* The files of a configuration and their content. */
typedef struct dv_sweep_input {
    char *path;
    uint64_t size_bytes;
    char hash[DV_HASH_TEXT_SIZE];
} dv_sweep_input;

typedef struct dv_sweep_inputs {
    size_t n;
    dv_sweep_input *files; /* [n], in order of the configuration, each path once */
} dv_sweep_inputs;

/* Reads every file whole, for its hash. *out: release with dv_sweep_inputs_clear; zeroed on failure. Fails as
 * dv_hash_file does. */
DV_MUST_USE dv_status dv_sweep_inputs_read(const dv_sweep_config *config, dv_sweep_inputs *out);
void dv_sweep_inputs_clear(dv_sweep_inputs *inputs); /* also on a zeroed struct */

/* A line "PATH: N bytes, HASH" each. Its dv_hash_bytes is the hash of the inputs. *text: the caller's until free(). */
DV_MUST_USE dv_status dv_sweep_inputs_text(const dv_sweep_inputs *inputs, char **text);

DV_C_END
#endif
