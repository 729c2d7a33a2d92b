/* command.h: a command is a row: dispatch, --help and arity come from it. */
#ifndef DV_APP_COMMAND_H
#define DV_APP_COMMAND_H

#include <stddef.h>

#include "app/context.h"
#include "app/option.h"
#include "denseval/status.h"

/* A table that several commands share, for example the bank's options, and where its structure lies in the arguments.
 */
typedef struct dv_option_group {
    const char *heading; /* over these rows in --help */
    const dv_option *options;
    size_t offset;
} dv_option_group;

typedef struct dv_command dv_command;
struct dv_command {
    const char *name;
    const char *summary; /* one line without a full stop */
    const char *usage;   /* what follows the name: "--bank BANK.h5 --queries Q --out KNN.h5 [OPTIONS]" */
    const char *notes;   /* a paragraph for --help; NULL: none */

    const dv_command *const *subcommands; /* NULL after the last. With them what is below is used where there is a
                                             `run`, for arguments that do not begin with the name of a subcommand */

    const dv_option *options;      /* the command's own, fields of its arguments; NULL: none */
    const dv_option_group *shared; /* {0} after the last; NULL: none */
    unsigned common;               /* DV_COMMON_... */
    const char *required;          /* names of options that must be given, "queries out"; NULL: none */
    size_t args_size;
    const void *defaults;        /* the arguments before the options are read, args_size bytes; NULL: zeros */
    size_t min_files, max_files; /* file arguments, after comma lists and globs */
    /* args: args_size bytes; what its lists and texts point to is borrowed for the call */
    dv_status (*run)(const dv_app_context *context, void *args);
};

/* "denseval" itself, with all commands below it (commands.c). */
extern const dv_command dv_root_command;

#endif
