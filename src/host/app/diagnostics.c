#include "app/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "denseval/log.h"

enum { STAGE_SIZE = 64, LINE_SIZE = 2048, REDRAW_MS = 100 };

/* What stands on standard error; guarded by the lock of that stream, since the log may speak from any thread. */
static struct {
    bool quiet;
    bool is_terminal;
    bool line_open;         /* a line of progress without its newline */
    char stage[STAGE_SIZE]; /* that progress was last shown for */
    long long last_draw_ms;
} state;

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void end_line(void) {
    if (state.line_open) fputc('\n', stderr);
    state.line_open = false;
}

static void show_log(void *user, dv_log_level level, const char *line) {
    (void)user;
    const char *const label = level == DV_LOG_WARNING ? "warning: " : "";
    flockfile(stderr);
    end_line();
    fprintf(stderr, "denseval: %s%s\n", label, line);
    funlockfile(stderr);
}

void dv_diagnostics_start(bool quiet) {
    state.quiet = quiet;
    state.is_terminal = isatty(STDERR_FILENO) == 1;
    dv_log_set(show_log, NULL, quiet ? DV_LOG_ERROR : DV_LOG_INFO);
}

void dv_diagnostics_stop(void) {
    flockfile(stderr);
    end_line();
    state.stage[0] = '\0';
    funlockfile(stderr);
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
}

void dv_warn(const char *format, ...) {
    if (state.quiet) return;
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    show_log(NULL, DV_LOG_WARNING, line);
}

void dv_progress_threads(size_t n_threads) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "threads: %zu", n_threads);
    show_log(NULL, DV_LOG_INFO, line);
}

static void show_progress(void *user, const char *stage, size_t done, size_t total) {
    (void)user;
    flockfile(stderr);
    const bool is_new = strncmp(state.stage, stage, STAGE_SIZE - 1) != 0;
    const long long now = now_ms();
    if (is_new) {
        end_line();
        snprintf(state.stage, sizeof state.stage, "%s", stage);
    }
    if (!state.is_terminal && is_new) {
        fprintf(stderr, "denseval: %s: %zu\n", stage, total);
    } else if (state.is_terminal && (is_new || done == total || now - state.last_draw_ms >= REDRAW_MS)) {
        fprintf(stderr, "\rdenseval: %s: %zu of %zu", stage, done, total);
        fflush(stderr);
        state.line_open = true;
        state.last_draw_ms = now;
        if (done == total) end_line(); /* results may follow on the same terminal */
    }
    funlockfile(stderr);
}

dv_progress_callback dv_progress_wanted(bool quiet, bool asked) {
    return !quiet && (asked || isatty(STDERR_FILENO) == 1) ? show_progress : NULL;
}
