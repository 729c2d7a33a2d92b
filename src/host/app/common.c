#include "app/common.h"

#include <stdlib.h>

#include "app/message.h"

typedef struct common_row {
    unsigned bit; /* 0: every command takes it */
    dv_option option;
} common_row;

#define COMMON(bit, name, value, help, type, field, min, max)                                                          \
    {                                                                                                                  \
        bit, {                                                                                                         \
            name, value, help, type, offsetof(dv_common_args, field), min, max                                         \
        }                                                                                                              \
    }

static const common_row rows[] = {
    COMMON(DV_COMMON_FORCE, "force", NULL, "replace what is already there", DV_OPT_FLAG, force, 0, 0),
    COMMON(DV_COMMON_SKIP_BAD, "skip-bad", NULL, "leave bad items out, and count them, instead of stopping",
           DV_OPT_FLAG, skip_bad, 0, 0),
    COMMON(DV_COMMON_ALLOW_EMPTY, "allow-empty", NULL, "a run that scored nothing is no error", DV_OPT_FLAG,
           allow_empty, 0, 0),
    COMMON(DV_COMMON_BACKEND, "backend", "NAME", "auto, cpu, reference, faiss or cuda; all give the same result [auto]",
           DV_OPT_TEXT, backend, 0, 0),
    COMMON(DV_COMMON_THREADS, "threads", "N", "threads at most [what machine, cgroup and Slurm allow]", DV_OPT_COUNT,
           threads, 1, 65536),
    COMMON(DV_COMMON_MEMORY_LIMIT, "memory-limit", "SIZE", "bytes of memory to keep to, for example 8GiB [none]",
           DV_OPT_SIZE, memory_limit, 1, 0),
    COMMON(DV_COMMON_RANKS, "split", "auto|queries|bank",
           "what the ranks of mpirun or srun share; the result is the same [by memory]", DV_OPT_CHOICE, split, 0, 0),
    COMMON(DV_COMMON_RANKS, "alone", NULL, "be no rank, whoever started this: do all of the work", DV_OPT_FLAG, alone,
           0, 0),
    COMMON(DV_COMMON_SEED, "seed", "N", "seed of every random number [42]", DV_OPT_U64, seed, 0, 0),
    COMMON(DV_COMMON_JSON, "json", NULL, "print one JSON object instead of a table", DV_OPT_FLAG, json, 0, 0),
    COMMON(DV_COMMON_PROGRESS, "progress", NULL, "show progress where standard error is no terminal, too", DV_OPT_FLAG,
           progress, 0, 0),
    COMMON(0, "quiet", NULL, "on standard error, say nothing but errors", DV_OPT_FLAG, quiet, 0, 0),
    COMMON(0, "help", NULL, "print this help", DV_OPT_FLAG, help, 0, 0),
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static size_t count_options(const dv_option *options) {
    size_t n = 0;
    while (options && options[n].name) n++;
    return n;
}

/* Appends a table; base NULL: no targets. Gives the new number of slots. */
static size_t append(dv_option_slot *slots, size_t n, const char *heading, const dv_option *options, char *base) {
    for (const dv_option *option = options; option && option->name; option++)
        slots[n++] = (dv_option_slot){option, heading, base ? base + option->offset : NULL, false};
    return n;
}

dv_status dv_command_slots(const dv_command *command, dv_common_args *common_args, void *args, dv_option_slot **slots,
                           size_t *n_slots) {
    size_t n_most = count_options(command->options) + N_ROWS;
    for (const dv_option_group *group = command->shared; group && group->options; group++)
        n_most += count_options(group->options);
    dv_option_slot *const made = calloc(n_most, sizeof *made);
    if (!made) return dv_app_fail(DV_E_NOMEM, "no memory for %zu options", n_most);
    char *const base = args, *const common_base = (char *)common_args;
    size_t n = append(made, 0, "Options", command->options, base);
    for (const dv_option_group *group = command->shared; group && group->options; group++)
        n = append(made, n, group->heading, group->options, base ? base + group->offset : NULL);
    for (size_t i = 0; i < N_ROWS; i++) {
        const dv_option *const option = &rows[i].option;
        if (rows[i].bit && !(rows[i].bit & command->common)) continue;
        made[n++] =
            (dv_option_slot){option, "Common options", common_base ? common_base + option->offset : NULL, false};
    }
    *slots = made;
    *n_slots = n;
    return DV_OK;
}
