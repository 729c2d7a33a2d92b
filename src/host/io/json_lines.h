/* json_lines.h: a file of one JSON record a line, one line in memory at a time. */
#ifndef DV_IO_JSON_LINES_H
#define DV_IO_JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

typedef struct dv_json_lines dv_json_lines;

/* A line that is not blank. */
typedef struct dv_json_line {
    uint64_t number;  /* of the line in the file, from 1; blank lines count */
    const char *text; /* [n], without the white space around it; borrowed until the next call */
    size_t n;
    bool marked; /* a byte-order mark stood before it, which is no part of the text */
} dv_json_line;

/* Opens a regular file. Fails with DV_E_MISSING, DV_E_DATA, DV_E_IO, DV_E_NOMEM naming the path. *out: the caller's
 * until dv_json_lines_close */
DV_MUST_USE dv_status dv_json_lines_open(const char *path, dv_json_lines **out);
void dv_json_lines_close(dv_json_lines *lines);

/* The next line with something in it; *found is false at the end. The last line needs no newline; CRLF is white space.
 * Fails with DV_E_DATA (a line above 16 MiB), DV_E_IO, DV_E_NOMEM, naming path and line, and DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_json_lines_next(dv_json_lines *lines, dv_json_line *line, bool *found);

#endif
