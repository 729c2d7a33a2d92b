/* text_file.h: a text file as one text in memory. */
#ifndef DV_IO_TEXT_FILE_H
#define DV_IO_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "denseval/status.h"

/* Reads a regular file whole; a byte-order mark at its start is left out. The text may hold NUL bytes, and one more
 * stands behind it. Fails with DV_E_MISSING, DV_E_DATA (a folder, a pipe, a device), DV_E_IO, DV_E_NOMEM; the message
 * begins with the path. *text: char [*length + 1], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_text_file_load(const char *path, char **text, size_t *length);

/* The same for a file of at most `most` bytes; a larger one is DV_E_DATA. */
DV_MUST_USE dv_status dv_text_file_load_within(const char *path, size_t most, char **text, size_t *length);

/* Opens a regular file to be read from its start. Fails as above.
 * *stream: the caller's until fclose; NULL on failure */
DV_MUST_USE dv_status dv_text_file_open(const char *path, FILE **stream);

#endif
