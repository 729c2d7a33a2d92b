/* option.h: options from tables: the parser and --help read the same rows. */
#ifndef DV_APP_OPTION_H
#define DV_APP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/path_list.h"
#include "denseval/status.h"

/* What an option takes, and the type of the field at its offset. */
typedef enum dv_option_type {
    DV_OPT_FLAG,     /* bool; takes no value, may be repeated */
    DV_OPT_TEXT,     /* const char *, not empty */
    DV_OPT_PATH,     /* const char *, not empty */
    DV_OPT_PATHS,    /* dv_path_list: comma list and globs */
    DV_OPT_COUNT,    /* size_t, plain: 30 */
    DV_OPT_SIZE,     /* size_t, also with a suffix: 320k, 1m, 2GiB */
    DV_OPT_U64,      /* uint64_t */
    DV_OPT_REAL,     /* double */
    DV_OPT_POSITIVE, /* double above 0 */
    DV_OPT_CHOICE,   /* int or an enum: place of the word in the value name, which lists them: "none|image|object" */
    DV_OPT_NUMBERS,  /* dv_number_list: comma list of whole numbers */
    DV_OPT_SIZES,    /* dv_size_list: comma list of sizes, 320k,1m */
    DV_OPT_RANGE     /* dv_range: A:B, from A to B - 1 */
} dv_option_type;

typedef struct dv_number_list {
    size_t n;
    int32_t *values; /* [n], owned; NULL where the option was not given */
} dv_number_list;

typedef struct dv_size_list {
    size_t n;
    size_t *values; /* [n], owned; NULL where the option was not given */
} dv_size_list;

typedef struct dv_range {
    size_t first, end; /* end is not in it */
} dv_range;

/* A row of a table; tables end with {0}. */
typedef struct dv_option {
    const char *name;  /* without dashes; a name of one letter is called with one dash */
    const char *value; /* name of the value in --help; NULL for a flag */
    const char *help;  /* one sentence without a full stop, the default in brackets */
    dv_option_type type;
    size_t offset;   /* of the field in the structure that the table is for */
    double min, max; /* of numbers, both allowed; max 0: no upper limit, both 0: any number */
} dv_option;

/* A row in use: where its value goes, and whether it was given. */
typedef struct dv_option_slot {
    const dv_option *option;
    const char *heading; /* that stands over it in --help; NULL: as the slot before */
    void *target;        /* field of the type that the row says; NULL in --help */
    bool given;
} dv_option_slot;

/* Reads the arguments of a command: `--name value`, `--name=value`, `-k value`, `-k=value`, `-kvalue`, files in
 * between, and after `--` files alone. A value that begins with two dashes must be written with `=`. Names are never
 * abbreviated, and only flags may be repeated. Fails with DV_E_USAGE, which names the option and the argument, and as
 * dv_path_list_add. Whatever the outcome, the caller releases the slots by dv_options_clear, and the files. arguments
 * [n_arguments], without the command's name; texts in the targets are borrowed from it */
DV_MUST_USE dv_status dv_options_parse(dv_option_slot *slots, size_t n_slots, size_t n_arguments,
                                       char *const *arguments, dv_path_list *files);

/* Frees what the targets own. */
void dv_options_clear(dv_option_slot *slots, size_t n_slots);

/* The slot of an option; NULL where none is called so. name: without dashes */
const dv_option_slot *dv_options_find(const dv_option_slot *slots, size_t n_slots, const char *name);

/* "--name", or "-k". text  char [size] */
const char *dv_option_display(const dv_option *option, char *text, size_t size);

/* Reads one value into the target of `slot` (option_value.c). */
DV_MUST_USE dv_status dv_option_set(const dv_option_slot *slot, const char *text);

#endif
