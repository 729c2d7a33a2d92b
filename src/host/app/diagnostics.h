/* diagnostics.h: what goes to standard error while a command runs: warnings, notes and progress. */
#ifndef DV_APP_DIAGNOSTICS_H
#define DV_APP_DIAGNOSTICS_H

#include <stdbool.h>

#include "denseval/run.h"

/* From now on nothing is shown: another rank speaks. */
void dv_diagnostics_silence(void);

/* Shows the library's log from now on; quiet: errors alone. */
void dv_diagnostics_start(bool quiet);

/* Ends a line of progress that still stands, so that what follows begins on its own line. */
void dv_diagnostics_stop(void);

/* A warning of the command line itself, shown as the library's are. */
void dv_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The callback that shows progress: on a terminal, or where it was asked for; NULL where nobody would see it. On a
 * terminal one line is drawn again and again, elsewhere each stage gets one line. Its `user` is not used. */
dv_progress_callback dv_progress_wanted(bool quiet, bool asked);

/* The first line of progress: how many threads work. */
void dv_progress_threads(size_t n_threads);

#endif
