/* output.h: the standard streams: open at the start, checked at the end. */
#ifndef DV_APP_OUTPUT_H
#define DV_APP_OUTPUT_H

#include "denseval/report.h"
#include "denseval/status.h"

/* Opens what the caller left closed of descriptors 0 to 2, so that no result file is ever one of them; writing to a
 * standard output that was closed then fails. */
void dv_output_open(void);

/* Sends standard output nowhere: another rank prints. */
void dv_output_silence(void);

/* Prints a finished report as JSON. Fails with what went wrong while it grew. */
DV_MUST_USE dv_status dv_output_report(dv_report *report);

/* Flushes and closes standard output. DV_E_IO where any byte of it was lost. */
DV_MUST_USE dv_status dv_output_close(void);

#endif
