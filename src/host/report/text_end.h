/* text_end.h: the end of a text that was printed into memory. */
#ifndef DV_REPORT_TEXT_END_H
#define DV_REPORT_TEXT_END_H

#include <stdio.h>

#include "denseval/status.h"

/* Closes a stream of open_memstream(text, ...); NULL: it could not be opened. *text: the caller's until free(); NULL on
 * failure. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_text_end(FILE *stream, char **text);

#endif
