/* bank_args.h: the options that say which patches become the memory bank, shared by bank build, knn and eval. */
#ifndef DV_APP_BANK_ARGS_H
#define DV_APP_BANK_ARGS_H

#include "app/command.h"
#include "denseval/bank.h"
#include "denseval/compat.h"
#include "denseval/report.h"

typedef struct dv_bank_args {
    dv_path_list features;
    size_t memory_size, per_image;
    bool all;
    dv_number_list bins;
    size_t passes;
    dv_path_list uniform;
    size_t classes;
    dv_memory_ignored memory_ignored;
    dv_zero_rows zero_rows;
    dv_last_batch last_batch;
    const char *ignore_pixels;
    dv_invalid_labels invalid_labels;
    dv_compat compat;
} dv_bank_args;

#define DV_BANK_ARGS_DEFAULTS                                                                                          \
    { .passes = 1, .ignore_pixels = "255" }

/* Offsets are within dv_bank_args. */
extern const dv_option dv_bank_options_table[];

/* Applies --compat to what was not given, and checks what contradicts. */
DV_MUST_USE dv_status dv_bank_args_resolve(const dv_app_context *context, dv_bank_args *args);

/* Pixels that are left out, as --ignore-pixels says. */
DV_MUST_USE dv_status dv_bank_args_ignored(const dv_bank_args *args, dv_label_set *ignored);

/* A bank with the feature set it reads from (NULL for a bank file). */
typedef struct dv_bank_handle {
    dv_features *features;
    dv_bank *bank;
} dv_bank_handle;

/* Opens `bank_path`, or builds a bank from --features where it is NULL. Release with dv_bank_handle_close. */
DV_MUST_USE dv_status dv_bank_handle_open(const dv_app_context *context, const dv_bank_args *args,
                                          const char *bank_path, bool labels_optional, dv_bank_handle *handle);
/* DV_E_USAGE where the target of `option` exists (without --force), or is or holds a file that the bank comes from. */
DV_MUST_USE dv_status dv_bank_args_check_target(const dv_app_context *context, const dv_bank_args *args,
                                                const char *bank_path, const char *option, const char *target);
void dv_bank_handle_close(dv_bank_handle *handle);

/* The policies in force, and the files that were read: they are hashed, so this comes before a result is written. */
void dv_bank_args_report(dv_report *report, const dv_app_context *context, const dv_bank_args *args,
                         const char *bank_path);

#endif
