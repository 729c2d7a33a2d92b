/* log.h: what the library has to say beside its results. It never prints by itself. */
#ifndef DENSEVAL_LOG_H
#define DENSEVAL_LOG_H

#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_log_level { DV_LOG_ERROR = 0, DV_LOG_WARNING = 1, DV_LOG_INFO = 2, DV_LOG_DEBUG = 3 } dv_log_level;

/* Called with one line without a newline, from any thread, one at a time. `line` is borrowed for the call. It
 * must not call the library. */
typedef void (*dv_log_callback)(void *user, dv_log_level level, const char *line);

/* Sends lines of `level` and graver ones to `callback`; NULL (the start) drops them all. When it
 * returns, no call of the callback before is running any more. */
void dv_log_set(dv_log_callback callback, void *user, dv_log_level level);

DV_C_END
#endif
