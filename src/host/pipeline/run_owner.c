#include "pipeline/run_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/kernel_id.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/regular_file.h"

/* Lines of the file: the text for people; kernel; token; number of the last sign of life, of fixed width. */
enum { HOST_SIZE = 256, TIME_SIZE = 32, LINE_SIZE = 768, BEAT_DIGITS = 10 };
enum { NAP_MS = 50 };
const dv_run_beat dv_run_beat_usual = {.every_s = 5, .watch_s = 20};

struct dv_run_owner {
    char *path;
    char token[DV_OWNER_TOKEN_SIZE]; /* of this claim alone */
    dv_run_beat beat;
    int file;          /* this owner's, also once another has taken the name */
    off_t beat_offset; /* of the number in it */
    pthread_t thread;
    bool beating;         /* the thread was started */
    pthread_mutex_t lock; /* guards stop */
    pthread_cond_t wake;
    bool stop;
};

typedef struct owner_file {
    char text[LINE_SIZE], kernel[DV_KERNEL_ID_SIZE], token[DV_OWNER_TOKEN_SIZE], beat[BEAT_DIGITS + 1];
} owner_file;

/* ---- The file ------------------------------------------------------------------------------------------------------
 */

static void make_token(char token[DV_OWNER_TOKEN_SIZE]) {
    uint64_t words[2] = {0};
    if (getrandom(words, sizeof words, GRND_NONBLOCK) !=
        (ssize_t)sizeof words) { /* early after a start of the machine */
        words[0] = (uint64_t)getpid();
        words[1] = (uint64_t)(dv_steady_s() * 1e9);
    }
    snprintf(token, DV_OWNER_TOKEN_SIZE, "%016" PRIx64 "%016" PRIx64, words[0], words[1]);
}

static void format_text(const char *job, char text[LINE_SIZE]) {
    char host[HOST_SIZE] = "", start[TIME_SIZE] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gethostname(host, sizeof host) != 0) memcpy(host, "?", 2);
    host[sizeof host - 1] = '\0';
    if (gmtime_r(&now, &utc)) strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(text, LINE_SIZE, "process %ld on %s%s%.250s since %s", (long)getpid(), host, job && *job ? ", " : "",
             job ? job : "", start);
    dv_fold_lines(text);
}

/* A line without its end; "" where there is none. */
static void read_line(FILE *in, char *line, size_t size) {
    char whole[LINE_SIZE] = "";
    if (!fgets(whole, sizeof whole, in)) whole[0] = '\0';
    whole[strcspn(whole, "\n")] = '\0';
    snprintf(line, size, "%.*s", (int)size - 1, whole);
}

/* An errno. */
static int read_file(const char *path, owner_file *file) {
    *file = (owner_file){0};
    FILE *in;
    const int error = dv_regular_file_open(path, &in); /* each time: that is when a network file system looks anew */
    if (error) return error;
    read_line(in, file->text, sizeof file->text);
    read_line(in, file->kernel, sizeof file->kernel);
    read_line(in, file->token, sizeof file->token);
    read_line(in, file->beat, sizeof file->beat);
    fclose(in);
    return 0;
}

/* ---- Signs of life -------------------------------------------------------------------------------------------------
 */

static void nap(void) {
    const struct timespec length = {.tv_nsec = NAP_MS * 1000000L};
    nanosleep(&length, NULL);
}

/* What fails here is not told: the next sign may come through, and the run does not depend on it. */
static void write_beat(const dv_run_owner *owner, unsigned long number) {
    char text[BEAT_DIGITS + 2];
    snprintf(text, sizeof text, "%0*lu", BEAT_DIGITS, number % 1000000000UL);
    if (pwrite(owner->file, text, BEAT_DIGITS, owner->beat_offset) == BEAT_DIGITS) (void)fdatasync(owner->file);
}

static struct timespec steady_after(double seconds) {
    struct timespec when;
    clock_gettime(CLOCK_MONOTONIC, &when);
    const double fraction = (double)when.tv_nsec * 1e-9 + seconds, whole = floor(fraction);
    when.tv_sec += (time_t)whole;
    when.tv_nsec = (long)((fraction - whole) * 1e9);
    return when;
}

static void *beat_until_stopped(void *argument) {
    dv_run_owner *const owner = argument;
    unsigned long number = 0;
    pthread_mutex_lock(&owner->lock);
    while (!owner->stop) {
        const struct timespec next = steady_after(owner->beat.every_s);
        int error = 0;
        while (!owner->stop && error == 0) error = pthread_cond_timedwait(&owner->wake, &owner->lock, &next);
        if (!owner->stop) write_beat(owner, ++number);
    }
    pthread_mutex_unlock(&owner->lock);
    return NULL;
}

static void stop_beating(dv_run_owner *owner) {
    pthread_mutex_lock(&owner->lock);
    owner->stop = true;
    pthread_cond_signal(&owner->wake);
    pthread_mutex_unlock(&owner->lock);
    if (owner->beating) pthread_join(owner->thread, NULL);
    owner->beating = false;
}

/* Signals are left to the threads of the program. Without a thread there are no signs, and all else goes its way. */
static void start_beating(dv_run_owner *owner) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    owner->beating = pthread_create(&owner->thread, NULL, beat_until_stopped, owner) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!owner->beating) dv_log(DV_LOG_WARNING, "%s: no thread could be started that keeps it fresh", owner->path);
}

/* ---- Claiming ------------------------------------------------------------------------------------------------------
 */

static dv_status write_file(dv_run_owner *owner, const char *job) {
    char text[LINE_SIZE], kernel[DV_KERNEL_ID_SIZE];
    dv_atomic_file *file;
    FILE *out = NULL;
    format_text(job, text);
    dv_kernel_id(kernel);
    make_token(owner->token);
    DV_TRY(dv_atomic_file_begin(owner->path, true, &file));
    dv_status status = dv_atomic_file_stream(file, &out);
    if (status == DV_OK) {
        owner->beat_offset = (off_t)fprintf(out, "%s\n%s\n%s\n", text, kernel, owner->token);
        fprintf(out, "%0*d\n", BEAT_DIGITS, 0); /* the commit looks at the stream's state */
        owner->file = open(dv_atomic_file_temporary(file), O_WRONLY | O_CLOEXEC);
        if (owner->file < 0) status = dv_fail(DV_E_IO, "%s: cannot be opened: %s", owner->path, dv_error_text(errno));
    }
    if (status == DV_OK) return dv_atomic_file_commit(file);
    dv_atomic_file_abandon(file);
    return status;
}

static void free_owner(dv_run_owner *owner) {
    if (owner->file >= 0) close(owner->file);
    pthread_cond_destroy(&owner->wake);
    pthread_mutex_destroy(&owner->lock);
    free(owner->path);
    free(owner);
}

dv_status dv_run_owner_claim(const char *path, const char *job, const dv_run_beat *beat, dv_run_owner **out) {
    *out = NULL;
    dv_run_owner *owner;
    DV_TRY(dv_alloc(1, sizeof *owner, "the owner of a folder", &owner));
    owner->beat = *beat;
    owner->file = -1;
    pthread_condattr_t steady;
    pthread_condattr_init(&steady); /* these five cannot fail with such attributes */
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&owner->wake, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_init(&owner->lock, NULL);
    dv_status status = dv_strdup(path, &owner->path);
    if (status == DV_OK) status = write_file(owner, job);
    if (status != DV_OK) {
        free_owner(owner);
        return status;
    }
    start_beating(owner);
    *out = owner;
    return DV_OK;
}

dv_status dv_run_owner_check(const dv_run_owner *owner) {
    owner_file found;
    const int error = read_file(owner->path, &found);
    if (error == 0 && strcmp(found.token, owner->token) == 0) return DV_OK;
    if (error == ENOENT)
        return dv_fail(DV_E_INTERRUPTED, "%s: was removed by somebody else, so this run ends here", owner->path);
    if (error) return DV_OK; /* not to be read just now: the lock still stands */
    return dv_fail(DV_E_INTERRUPTED, "%s: was taken over by %.300s, so this run ends here", owner->path, found.text);
}

const char *dv_run_owner_token(const dv_run_owner *owner) {
    return owner->token;
}

bool dv_run_owner_remove(const char *path, const char *token) {
    owner_file found;
    return read_file(path, &found) == 0 && strcmp(found.token, token) == 0 && unlink(path) == 0;
}

void dv_run_owner_release(dv_run_owner *owner) {
    if (!owner) return;
    stop_beating(owner);
    dv_run_owner_remove(owner->path, owner->token);
    free_owner(owner);
}

/* ---- For others ----------------------------------------------------------------------------------------------------
 */

static dv_status refuse(const owner_file *file) {
    return dv_fail(DV_E_INTERRUPTED, "in use by %s; run the same command again when it has ended",
                   *file->text ? file->text : "another process");
}

dv_status dv_run_owner_refuse(const char *path) {
    owner_file found;
    read_file(path, &found); /* what cannot be read is empty */
    return refuse(&found);
}

dv_status dv_run_owner_watch(const char *path, bool locked, const dv_run_beat *beat) {
    owner_file first, now;
    char kernel[DV_KERNEL_ID_SIZE];
    if (read_file(path, &first) != 0) return DV_OK;
    dv_kernel_id(kernel);
    if (locked && *kernel && strcmp(kernel, first.kernel) == 0) return DV_OK;
    dv_log(DV_LOG_INFO, "%s: left by %.300s; it is watched for %.0f s, to see whether that is still at work", path,
           first.text, beat->watch_s);
    for (const double start_s = dv_steady_s(); dv_steady_s() - start_s < beat->watch_s;) {
        DV_TRY(dv_check_interrupted());
        nap();
        if (read_file(path, &now) != 0) return DV_OK; /* it has ended just now */
        if (strcmp(now.token, first.token) != 0 || strcmp(now.beat, first.beat) != 0)
            return refuse(*now.text ? &now : &first);
    }
    dv_log(DV_LOG_INFO, "%s: no sign of life: the folder is taken over", path);
    return DV_OK;
}
