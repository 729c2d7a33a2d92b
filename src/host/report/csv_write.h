/* csv_write.h: fields of comma-separated text. */
#ifndef DV_REPORT_CSV_WRITE_H
#define DV_REPORT_CSV_WRITE_H

#include <stdbool.h>
#include <stdio.h>

/* In quotes where it must be. text: NUL-terminated, borrowed for the call */
void dv_csv_put_text(FILE *stream, const char *text);

/* Three decimals where `rounded`, else the shortest text that reads back as the same double; nothing for NaN. */
void dv_csv_put_real(FILE *stream, double value, bool rounded);

#endif
