#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "app/dispatch.h"
#include "app/message.h"
#include "denseval/log.h"

/* What the last run of the command below was given. */
static struct {
    size_t n_runs, k, shared_k, n_files, n_threads;
    uint64_t seed;
    bool k_given, json;
    char command[32], backend[32];
} seen;

typedef struct shared_args {
    size_t k;
} shared_args;

typedef struct build_args {
    const char *features;
    size_t k;
    shared_args shared;
} build_args;

static dv_status run_build(const dv_app_context *context, void *arguments) {
    const build_args *const args = arguments;
    seen.n_runs++;
    seen.k = args->k;
    seen.shared_k = args->shared.k;
    seen.n_files = context->files.n;
    seen.n_threads = context->n_threads;
    seen.seed = context->common.seed;
    seen.json = context->common.json;
    seen.k_given = dv_given(context, "k");
    strncpy(seen.command, context->command, sizeof seen.command - 1);
    strncpy(seen.backend, context->common.backend, sizeof seen.backend - 1);
    return strcmp(args->features, "bad") == 0 ? dv_app_fail(DV_E_DATA, "bad: is bad") : DV_OK;
}

static const build_args defaults = {.k = 30};
static const dv_option options[] = {
    {"features", "F", "features", DV_OPT_PATH, offsetof(build_args, features), 0, 0},
    {"k", "N", "neighbours", DV_OPT_COUNT, offsetof(build_args, k), 1, 0},
    {0},
};
static const dv_option shared_options[] = {{"shared", "N", "more", DV_OPT_COUNT, offsetof(shared_args, k), 0, 0}, {0}};
static const dv_option_group shared[] = {{"More", shared_options, offsetof(build_args, shared)}, {0}};
static const dv_command build = {.name = "build",
                                 .summary = "Builds",
                                 .usage = "--features F",
                                 .options = options,
                                 .shared = shared,
                                 .common = DV_COMMON_SEED | DV_COMMON_THREADS | DV_COMMON_BACKEND | DV_COMMON_JSON,
                                 .required = "features",
                                 .args_size = sizeof(build_args),
                                 .defaults = &defaults,
                                 .max_files = 2,
                                 .run = run_build};
static const dv_command *const bank_commands[] = {&build, NULL};
static const dv_command bank = {.name = "bank", .summary = "Banks", .usage = "COMMAND", .subcommands = bank_commands};
static const dv_command *const root_commands[] = {&bank, NULL};
static const dv_command root = {.name = "denseval", .summary = "All", .usage = "COMMAND", .subcommands = root_commands};

static dv_status dispatch(const char *line) {
    char words[256], *arguments[16];
    size_t n = 0;
    memset(&seen, 0, sizeof seen);
    dv_app_message_clear();
    strcpy(words, line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) arguments[n++] = word;
    return dv_dispatch(&root, n, arguments);
}

static void refuse(const char *line, const char *message) {
    assert_int_equal(dispatch(line), DV_E_USAGE);
    assert_string_equal(dv_app_message(), message);
    assert_int_equal(seen.n_runs, 0);
}

static void a_command_gets_defaults_where_nothing_is_given(void **state) {
    (void)state;
    assert_int_equal(dispatch("bank build --features x"), DV_OK);
    assert_int_equal(seen.n_runs, 1);
    assert_int_equal(seen.k, 30);
    assert_int_equal(seen.shared_k, 0);
    assert_true(seen.seed == 42);
    assert_false(seen.json);
    assert_false(seen.k_given);
    assert_true(seen.n_threads >= 1);
    assert_string_equal(seen.command, "bank build");
    assert_string_equal(seen.backend, "auto");
}

static void a_command_gets_what_is_given(void **state) {
    (void)state;
    assert_int_equal(
        dispatch("bank build f1 -k 3 --features=x --shared 7 --seed 1 --json --threads 1 f2 --backend cpu"), DV_OK);
    assert_int_equal(seen.k, 3);
    assert_true(seen.k_given);
    assert_int_equal(seen.shared_k, 7);
    assert_true(seen.seed == 1);
    assert_true(seen.json);
    assert_int_equal(seen.n_threads, 1);
    assert_int_equal(seen.n_files, 2);
    assert_string_equal(seen.backend, "cpu");
}

static void a_failure_of_the_run_comes_back(void **state) {
    (void)state;
    assert_int_equal(dispatch("bank build --features bad"), DV_E_DATA);
    assert_string_equal(dv_app_message(), "bad: is bad");
}

static void a_wrong_call_is_refused_before_the_run(void **state) {
    (void)state;
    refuse("", "no command given (bank); see denseval --help");
    refuse("bank", "no command given (build); see denseval bank --help");
    refuse("bnak", "bnak: unknown command; the nearest known one is bank");
    refuse("bank biuld", "biuld: unknown command; the nearest known one is build");
    refuse("score", "score: unknown command; there are bank");
    refuse("--quiet bank", "--quiet: unknown option; see denseval --help");
    refuse("bank --quiet", "--quiet: a command (build) must stand before it; see denseval bank --help");
    refuse("bank build", "--features F: must be given; see denseval bank build --help");
    refuse("bank build --features x a b c", "3 file arguments: bank build takes 0 to 2");
    refuse("bank build --features x --progress", "--progress: unknown option; the nearest known one is --features");
    refuse("bank build --features x --threads 0", "--threads 0: must be 1 to 65536");
}

/* SYS-03: a wrong variable is named, not guessed around. */
static void a_broken_thread_variable_is_refused(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "two", 1);
    assert_int_equal(dispatch("bank build --features x"), DV_E_USAGE);
    assert_non_null(strstr(dv_app_message(), "OMP_NUM_THREADS"));
    setenv("OMP_NUM_THREADS", "1", 1);
    assert_int_equal(dispatch("bank build --features x --threads 4"), DV_OK);
    assert_int_equal(seen.n_threads, 1);
    unsetenv("OMP_NUM_THREADS");
}

static void help_does_not_run_and_needs_nothing(void **state) {
    (void)state;
    assert_int_equal(dispatch("bank build --help"), DV_OK);
    assert_int_equal(dispatch("bank build --nonsense --help"), DV_OK);
    assert_int_equal(dispatch("bank --help"), DV_OK);
    assert_int_equal(seen.n_runs, 0);
    assert_int_equal(dispatch("bank build --features x -- --help"), DV_OK);
    assert_int_equal(seen.n_files, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_gets_defaults_where_nothing_is_given),
        cmocka_unit_test(a_command_gets_what_is_given),
        cmocka_unit_test(a_failure_of_the_run_comes_back),
        cmocka_unit_test(a_wrong_call_is_refused_before_the_run),
        cmocka_unit_test(a_broken_thread_variable_is_refused),
        cmocka_unit_test(help_does_not_run_and_needs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
