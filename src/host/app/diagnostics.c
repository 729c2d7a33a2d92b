#include "app/diagnostics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "denseval/log.h"

enum { STAGE_SIZE = 64, LINE_SIZE = 2048, REDRAW_MS = 100 };
enum { LOG_MS = 10000 }; /* between two lines of progress where nothing is drawn over */

/* What stands on standard error; guarded by the lock of that stream, since the log may speak from any thread. */
static struct {
    bool silent; /* another rank speaks */
    bool quiet;
    bool is_terminal;
    bool line_open;         /* a line of progress without its newline */
    char stage[STAGE_SIZE]; /* that progress was last shown for */
    long long last_draw_ms;
    long long stage_ms; /* when the stage was first shown, and how far it was then: it may be an old one that goes on */
    size_t stage_done;
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
    if (state.silent) return;
    const char *const label = level == DV_LOG_WARNING ? "warning: " : "";
    flockfile(stderr);
    end_line();
    fprintf(stderr, "denseval: %s%s\n", label, line);
    funlockfile(stderr);
}

void dv_diagnostics_silence(void) {
    state.silent = true;
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

/* "images: 120 of 980, 35.2 a second, 0:24 left": what the stage did since it was first shown. */
static void format_progress(const char *stage, size_t done, size_t total, long long now, char *text, size_t size) {
    const double seconds = (double)(now - state.stage_ms) / 1000.0, units = (double)(done - state.stage_done);
    const double rate = seconds > 0 ? units / seconds : 0;
    int length = snprintf(text, size, "%s: %zu of %zu", stage, done, total);
    if (rate <= 0 || length < 0 || (size_t)length >= size) return;
    const double left_s = (double)(total - done) / rate;
    snprintf(text + length, size - (size_t)length, ", %.*f a second, %.0f:%02d left", rate < 10 ? 2 : 0, rate,
             floor(left_s / 60), (int)fmod(left_s, 60));
}

static void begin_stage(const char *stage, size_t done, size_t total, long long now) {
    end_line();
    snprintf(state.stage, sizeof state.stage, "%s", stage);
    state.stage_ms = state.last_draw_ms = now;
    state.stage_done = done;
    if (!state.is_terminal) fprintf(stderr, "denseval: %s: %zu\n", stage, total);
}

static void show_progress(void *user, const char *stage, size_t done, size_t total) {
    (void)user;
    flockfile(stderr);
    const bool is_new = strncmp(state.stage, stage, STAGE_SIZE - 1) != 0;
    const long long now = now_ms();
    char text[STAGE_SIZE + 128];
    if (is_new || done < state.stage_done) begin_stage(stage, done, total, now);
    format_progress(stage, done, total, now, text, sizeof text);
    if (!state.is_terminal && now - state.last_draw_ms >= LOG_MS) {
        fprintf(stderr, "denseval: %s\n", text);
        state.last_draw_ms = now;
    } else if (state.is_terminal && (is_new || done == total || now - state.last_draw_ms >= REDRAW_MS)) {
        fprintf(stderr, "\rdenseval: %s\033[K", text); /* the line before may have been longer */
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
