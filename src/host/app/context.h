/* context.h: what a command's run is given beside its own arguments. */
#ifndef DV_APP_CONTEXT_H
#define DV_APP_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/option.h"
#include "denseval/path_list.h"
#include "denseval/ranks.h"
#include "denseval/run.h"
#include "denseval/status.h"
#include "denseval/threads.h"

/* Options that several commands share; a command names those it takes in `.common`. --quiet and --help go with all. */
enum {
    DV_COMMON_JSON = 1 << 0,
    DV_COMMON_PROGRESS = 1 << 1,
    DV_COMMON_THREADS = 1 << 2,
    DV_COMMON_SEED = 1 << 3,
    DV_COMMON_BACKEND = 1 << 4,
    DV_COMMON_FORCE = 1 << 5,
    DV_COMMON_MEMORY_LIMIT = 1 << 6,
    DV_COMMON_SKIP_BAD = 1 << 7,
    DV_COMMON_ALLOW_EMPTY = 1 << 8,
    DV_COMMON_RANKS = 1 << 9 /* may be started by mpirun */
};

typedef struct dv_common_args {
    bool help, quiet, json, progress, force, skip_bad, allow_empty, alone;
    size_t threads; /* 0: not given; see n_threads of the context */
    uint64_t seed;
    const char *backend; /* "auto" where it is not given */
    size_t memory_limit; /* bytes; 0: none */
    dv_split split;
} dv_common_args;

typedef struct dv_app_context {
    const char *command; /* "bank build" */
    dv_common_args common;
    dv_path_list files;            /* file arguments, comma lists and globs expanded */
    dv_thread_limits limits;       /* zeros where the command takes no --threads */
    size_t n_threads;              /* threads to use, at least 1 */
    dv_ranks *ranks;               /* NULL: this process is alone. Rank 0 alone prints and writes */
    dv_progress_callback progress; /* NULL: nobody wants it */
    void *progress_user;
    dv_option_slot *slots; /* [n_slots], the command's options as they were read */
    size_t n_slots;
} dv_app_context;

/* Was this option among the arguments? For `--compat`, which sets only what was not given. name: without dashes */
bool dv_given(const dv_app_context *context, const char *name);

/* Writes a text to standard output. What goes wrong is found by dv_output_close, once for all. */
void dv_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
