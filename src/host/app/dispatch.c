#include "app/dispatch.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common.h"
#include "app/diagnostics.h"
#include "app/environment.h"
#include "app/help.h"
#include "app/message.h"
#include "app/together.h"
#include "app/version.h"
#include "denseval/nearest.h"

enum { PATH_SIZE = 128, LIST_SIZE = 512, DEFAULT_SEED = 42 };

/* Is a flag given? Asked before the arguments are read. */
static bool has_flag(size_t n_arguments, char *const *arguments, const char *flag) {
    for (size_t i = 0; i < n_arguments && strcmp(arguments[i], "--") != 0; i++)
        if (strcmp(arguments[i], flag) == 0) return true;
    return false;
}

static dv_status check_required(const dv_command *command, const dv_app_context *context) {
    for (const char *name = command->required; name && *name;) {
        const size_t length = strcspn(name, " ");
        char wanted[PATH_SIZE], display[PATH_SIZE];
        snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
        const dv_option_slot *const slot = dv_options_find(context->slots, context->n_slots, wanted);
        if (!slot) return dv_app_fail(DV_E_INTERNAL, "required option %s: no such row", wanted);
        if (!slot->given)
            return dv_app_fail(DV_E_USAGE, "%s %s: must be given; see denseval %s --help",
                               dv_option_display(slot->option, display, sizeof display), slot->option->value,
                               context->command);
        name += length + (name[length] == ' ');
    }
    return DV_OK;
}

static dv_status check_files(const dv_command *command, const dv_app_context *context) {
    const size_t n = context->files.n;
    if (n > command->max_files && command->max_files == 0)
        return dv_app_fail(DV_E_USAGE, "%s: %s takes no file arguments", context->files.paths[0], context->command);
    if (n < command->min_files && command->max_files == SIZE_MAX)
        return dv_app_fail(DV_E_USAGE, "%zu file arguments: %s takes at least %zu", n, context->command,
                           command->min_files);
    if (n < command->min_files || n > command->max_files)
        return dv_app_fail(DV_E_USAGE, "%zu file arguments: %s takes %zu to %zu", n, context->command,
                           command->min_files, command->max_files);
    return DV_OK;
}

static dv_status prepare(const dv_command *command, dv_app_context *context, size_t n_arguments,
                         char *const *arguments) {
    const dv_common_args *const common = &context->common;
    DV_TRY(dv_options_parse(context->slots, context->n_slots, n_arguments, arguments, &context->files));
    DV_TRY(check_required(command, context));
    DV_TRY(check_files(command, context));
    if (common->quiet && common->progress)
        return dv_app_fail(DV_E_USAGE, "--quiet and --progress contradict each other");
    dv_diagnostics_start(common->quiet);
    if (command->common & DV_COMMON_RANKS && dv_given(context, "split") && !dv_ranks_available())
        return dv_app_fail(DV_E_BACKEND, "--split: this build has no MPI, which ranks need");
    if (command->common & DV_COMMON_THREADS) {
        DV_TRY(dv_environment_threads(common->threads, &context->limits));
        DV_TRY(dv_ranks_limit_threads(context->ranks, &context->limits));
        context->n_threads = context->limits.allowed;
    }
    if (command->common & DV_COMMON_PROGRESS && dv_ranks_index(context->ranks) == 0)
        context->progress = dv_progress_wanted(common->quiet, common->progress);
    if (context->progress) dv_progress_threads(context->n_threads);
    return DV_OK;
}

static dv_status run_command(const dv_command *command, const char *path, size_t n_arguments, char *const *arguments) {
    dv_app_context context = {
        .command = strchr(path, ' ') + 1, .common = {.seed = DEFAULT_SEED, .backend = "auto"}, .n_threads = 1};
    char *const args = calloc(1, command->args_size ? command->args_size : 1);
    if (!args) return dv_app_fail(DV_E_NOMEM, "no memory for the arguments");
    if (command->defaults) memcpy(args, command->defaults, command->args_size);
    dv_status status = dv_command_slots(command, &context.common, args, &context.slots, &context.n_slots);
    if (status == DV_OK && command->common & DV_COMMON_RANKS && !has_flag(n_arguments, arguments, "--alone"))
        status = dv_together_join(n_arguments, arguments, &context.ranks);
    if (status == DV_OK) status = prepare(command, &context, n_arguments, arguments);
    if (status == DV_OK) status = command->run(&context, args);
    dv_diagnostics_stop();
    dv_options_clear(context.slots, context.n_slots);
    dv_path_list_clear(&context.files);
    free(context.slots);
    free(args);
    return status;
}

static const dv_command *find_command(const dv_command *parent, const char *name) {
    for (const dv_command *const *sub = parent->subcommands; *sub; sub++)
        if (strcmp((*sub)->name, name) == 0) return *sub;
    return NULL;
}

/* "classification, nutrition, vqa" */
static const char *list_commands(const dv_command *parent, char *list) {
    size_t length = 0;
    for (const dv_command *const *sub = parent->subcommands; *sub && length < LIST_SIZE; sub++)
        length += (size_t)snprintf(list + length, LIST_SIZE - length, "%s%s", length ? ", " : "", (*sub)->name);
    return list;
}

static dv_status refuse_option(const dv_command *parent, const char *path, const char *word) {
    char list[LIST_SIZE];
    if (!strchr(path, ' ')) return dv_app_fail(DV_E_USAGE, "%s: unknown option; see %s --help", word, path);
    return dv_app_fail(DV_E_USAGE, "%s: a command (%s) must stand before it; see %s --help", word,
                       list_commands(parent, list), path);
}

/* A word that is near none is no slip of the fingers. */
static dv_status refuse_word(const dv_command *parent, const char *path, const char *word) {
    char list[LIST_SIZE];
    dv_together_answer();
    if (word[0] == '-') return refuse_option(parent, path, word);
    const char *nearest = NULL;
    size_t nearest_distance = SIZE_MAX;
    for (const dv_command *const *sub = parent->subcommands; *sub; sub++) {
        const size_t distance = dv_text_distance(word, (*sub)->name);
        if (distance < nearest_distance) {
            nearest = (*sub)->name;
            nearest_distance = distance;
        }
    }
    if (3 * nearest_distance > strlen(word) + 1)
        return dv_app_fail(DV_E_USAGE, "%s: unknown command; there are %s", word, list_commands(parent, list));
    return dv_app_fail(DV_E_USAGE, "%s: unknown command; the nearest known one is %s", word, nearest);
}

static dv_status help(const dv_command *command, const char *path) {
    dv_together_answer();
    return dv_help_print(command, path);
}

static dv_status version(void) {
    dv_together_answer();
    return dv_version_print();
}

static dv_status refuse_nothing(const dv_command *parent, const char *path) {
    char list[LIST_SIZE];
    dv_together_answer();
    return dv_app_fail(DV_E_USAGE, "no command given (%s); see %s --help", list_commands(parent, list), path);
}

dv_status dv_dispatch(const dv_command *root, size_t n_arguments, char *const *arguments) {
    const dv_command *command = root;
    char path[PATH_SIZE];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", root->name), next = 0;
    while (command->subcommands) {
        const char *const word = next < n_arguments ? arguments[next] : "";
        const dv_command *const found = find_command(command, word);
        if (!found && command->run) break; /* the word is an argument */
        if (next++ == n_arguments) return refuse_nothing(command, path);
        if (strcmp(word, "--help") == 0) return help(command, path);
        if (command == root && strcmp(word, "--version") == 0) return version();
        if (!found) return refuse_word(command, path, word);
        command = found;
        length += (size_t)snprintf(path + length, sizeof path - length, " %s", command->name);
    }
    if (has_flag(n_arguments - next, arguments + next, "--help")) return help(command, path);
    return run_command(command, path, n_arguments - next, arguments + next);
}
