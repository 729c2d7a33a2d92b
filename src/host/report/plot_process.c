#include "report/plot_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/check.h"
#include "core/clock.h"

enum { FIRST_FREE = 10, N_CHILD_FILES = 5, NAP_NS = 2000000, OPTION_SIZE = 32 };

dv_status dv_plot_memory_file(FILE **stream) {
    const int file = memfd_create("gnuplot", MFD_CLOEXEC);
    *stream = file < 0 ? NULL : fdopen(file, "w+");
    if (*stream) return DV_OK;
    const int error = errno;
    if (file >= 0) close(file);
    return dv_fail(DV_E_IO, "gnuplot: no file in memory: %s", dv_error_text(error));
}

/* ---- Start --------------------------------------------------------------------------------------------------------
 */

/* files[i] becomes descriptor i of the child. They are at FIRST_FREE and above, so none is overwritten before its turn.
 */
static int set_files(posix_spawn_file_actions_t *actions, const int *files) {
    int error = 0;
    for (int i = 0; i < N_CHILD_FILES && error == 0; i++)
        if (files[i] >= 0) error = posix_spawn_file_actions_adddup2(actions, files[i], i);
    return error;
}

/* A group of its own: a key that stops us reaches us alone, and we stop the child. No signal is blocked or ignored. */
static int set_signals(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int error =
        posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
    return error;
}

/* -d: without the user's start-up files. */
static int spawn(const char *option, const int *files, pid_t *child) {
    char asked[OPTION_SIZE];
    snprintf(asked, sizeof asked, "%s", option ? option : "");
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, option ? asked : NULL, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_files(&actions, files);
        if (error == 0) error = set_signals(&attributes);
        if (error == 0) error = posix_spawnp(child, "gnuplot", &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static dv_status start(const char *option, const int *files, pid_t *child) {
    const int error = spawn(option, files, child);
    if (error == 0) return DV_OK;
    if (error == ENOENT || error == EACCES || error == ENOTDIR)
        return dv_fail(DV_E_BACKEND, "gnuplot: there is no such program on PATH: it draws the plots");
    return dv_fail(DV_E_IO, "gnuplot: cannot be started: %s", dv_error_text(error));
}

/* ---- End ----------------------------------------------------------------------------------------------------------
 */

static void kill_and_reap(pid_t child) {
    kill(-child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

/* Naps between looks: a signal handler only sets a flag, so no wait may be longer than a nap. */
static dv_status wait_for(pid_t child, double limit_s, int *how) {
    const struct timespec nap = {.tv_nsec = NAP_NS};
    for (const double end = dv_steady_s() + limit_s;;) {
        const pid_t ended = waitpid(child, how, WNOHANG);
        if (ended == child) return DV_OK;
        if (ended < 0 && errno != EINTR)
            return dv_fail(DV_E_IO, "gnuplot: how it ended is not known: %s", dv_error_text(errno));
        dv_status status = dv_check_interrupted();
        if (status == DV_OK && dv_steady_s() > end)
            status = dv_fail(DV_E_BACKEND, "gnuplot: took longer than %g s", limit_s);
        if (status != DV_OK) {
            kill_and_reap(child);
            return status;
        }
        nanosleep(&nap, NULL);
    }
}

/* The first line of a message of gnuplot's is the script's, the second points at a place in it: what it complains about
 * is the last one. Here all are made one line, without what is not text. */
static void read_said(int file, char *said, size_t size) {
    const ssize_t n = pread(file, said, size - 1, 0);
    size_t length = 0;
    for (ssize_t i = 0; i < n; i++) {
        const char c = said[i];
        const bool blank = (unsigned char)c <= ' ' || c == 0x7f;
        if (blank && (length == 0 || said[length - 1] == ' ')) continue;
        said[length++] = c;
        if (blank) said[length - 1] = ' ';
    }
    while (length > 0 && said[length - 1] == ' ') length--;
    said[length] = '\0';
}

static dv_status judge(int how, const char *said) {
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0) return DV_OK;
    if (WIFSIGNALED(how)) return dv_fail(DV_E_BACKEND, "gnuplot: ended by signal %d: %.300s", WTERMSIG(how), said);
    return dv_fail(DV_E_BACKEND, "gnuplot: failed with status %d: %.300s", WEXITSTATUS(how), said);
}

/* ---- All ----------------------------------------------------------------------------------------------------------
 */

/* Copies above the numbers that the child uses. */
static dv_status lift(const int *from, int *files) {
    for (int i = 0; i < N_CHILD_FILES; i++) {
        if (from[i] < 0) continue;
        files[i] = fcntl(from[i], F_DUPFD_CLOEXEC, FIRST_FREE);
        if (files[i] < 0) return dv_fail(DV_E_IO, "gnuplot: cannot be started: %s", dv_error_text(errno));
    }
    return DV_OK;
}

static dv_status run(const char *option, const int *from, int *files, double limit_s, char *said, size_t size) {
    pid_t child = 0;
    int how = 0;
    DV_TRY(lift(from, files));
    DV_TRY(start(option, files, &child));
    DV_TRY(wait_for(child, limit_s, &how));
    read_said(files[2], said, size);
    return judge(how, said);
}

dv_status dv_plot_run(const char *option, int script, const int *outputs, double limit_s, char *said, size_t size) {
    said[0] = '\0';
    FILE *heard;
    DV_TRY(dv_plot_memory_file(&heard));
    const int nothing = script < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    const int from[N_CHILD_FILES] = {script < 0 ? nothing : script, fileno(heard), fileno(heard),
                                     outputs ? outputs[0] : -1, outputs ? outputs[1] : -1};
    int files[N_CHILD_FILES] = {-1, -1, -1, -1, -1};
    const dv_status status = run(option, from, files, limit_s, said, size);
    for (int i = 0; i < N_CHILD_FILES; i++)
        if (files[i] >= 0) close(files[i]);
    if (nothing >= 0) close(nothing);
    fclose(heard);
    return status;
}
