/* text_file.h: a text file as one text in memory. */
#ifndef DV_IO_TEXT_FILE_H
#define DV_IO_TEXT_FILE_H

#include <stddef.h>

#include "denseval/status.h"

/* Reads a file, or a pipe, whole; a byte-order mark at its start is left out. The text may hold NUL bytes, and one more
 * stands behind it. Fails with DV_E_MISSING, DV_E_DATA (a folder), DV_E_IO, DV_E_NOMEM; the message begins with the
 * path. *text: char [*length + 1], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_text_file_load(const char *path, char **text, size_t *length);

#endif
