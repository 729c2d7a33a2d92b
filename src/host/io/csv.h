/* csv.h: tables as comma-separated text (RFC 4180): the first line names the columns. */
#ifndef DV_IO_CSV_H
#define DV_IO_CSV_H

#include <stddef.h>

#include "denseval/status.h"

typedef struct dv_csv {
    size_t n_columns, n_rows;
    char **names;  /* [n_columns], each once; into text */
    char **fields; /* [n_rows, n_columns], without their quotes; into text */
    size_t *lines; /* [n_rows]: where a row begins; the first line of a file is 1 */
    char *text;    /* owned */
} dv_csv;

/* Takes a text apart. Lines may end with CRLF, the last one with nothing; lines of blanks are passed over; fields in
 * quotes may hold commas, line ends and doubled quotes. Fails with DV_E_DATA naming line and column: no column at all,
 * a column without a name or twice, a row that is not as long as the first line (so a line that was cut), a quote that
 * is never closed or stands within a field, a NUL byte, a CR without LF. Fails with DV_E_NOMEM too. text  char [length
 * + 1], from malloc, handed over, on failure too *out  release with dv_csv_clear; zeroed on failure */
DV_MUST_USE dv_status dv_csv_parse(char *text, size_t length, dv_csv *out);
void dv_csv_clear(dv_csv *csv); /* also on a zeroed struct */

/* Place of a column; SIZE_MAX where there is none. */
size_t dv_csv_column(const dv_csv *csv, const char *name);

#endif
