/* plot_process.h: gnuplot as a child process. */
#ifndef DV_REPORT_PLOT_PROCESS_H
#define DV_REPORT_PLOT_PROCESS_H

#include <stdio.h>

#include "denseval/status.h"

/* The child reads the script as its standard input and finds its output files as these paths: no name of a file ever
 * stands in a script. */
#define DV_PLOT_SVG "/dev/fd/3"
#define DV_PLOT_PNG "/dev/fd/4"

/* Runs gnuplot and waits for it; it is killed when the call is interrupted or after limit_s seconds.
 * option      the one argument, or NULL
 * script      descriptor at its first byte; -1: none
 * outputs     two descriptors, or NULL
 * said        what it wrote to standard output and error, in one line  char [size]
 * Fails with DV_E_BACKEND (not found, failed, too slow), DV_E_INTERRUPTED, DV_E_IO (no process could be made). */
DV_MUST_USE dv_status dv_plot_run(const char *option, int script, const int *outputs, double limit_s, char *said,
                                  size_t size);

/* A file in memory. *stream: closed by the caller. Fails with DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_plot_memory_file(FILE **stream);

#endif
