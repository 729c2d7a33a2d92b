/* log.h: how the library says something beside its results. */
#ifndef DV_CORE_LOG_H
#define DV_CORE_LOG_H

#include "denseval/log.h"

/* One line, without a newline, to the callback of dv_log_set; dropped below its level. Any thread. */
void dv_log(dv_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
