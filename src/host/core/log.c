#include "core/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/check.h"

static struct {
    pthread_mutex_t lock; /* held during the callback: lines come one at a time */
    dv_log_callback callback;
    void *user;
    dv_log_level level;
} logger = {.lock = PTHREAD_MUTEX_INITIALIZER};

void dv_log_set(dv_log_callback callback, void *user, dv_log_level level) {
    pthread_mutex_lock(&logger.lock);
    logger.callback = callback;
    logger.user = user;
    logger.level = level;
    pthread_mutex_unlock(&logger.lock);
}

void dv_log(dv_log_level level, const char *format, ...) {
    pthread_mutex_lock(&logger.lock);
    if (logger.callback && level <= logger.level) {
        char line[DV_MESSAGE_SIZE];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        dv_fold_lines(line);
        logger.callback(logger.user, level, line);
    }
    pthread_mutex_unlock(&logger.lock);
}
