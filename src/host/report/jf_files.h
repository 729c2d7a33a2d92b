/* jf_files.h: the files of result folders of jf. */
#ifndef DV_REPORT_JF_FILES_H
#define DV_REPORT_JF_FILES_H

#include <stddef.h>
#include <stdio.h>

#include "denseval/report.h"

/* Numbers with commas between and a newline. */
void dv_csv_put_reals(FILE *stream, const double *values, size_t n);

/* per-frame.csv; of: dv_jf_result */
void dv_jf_put_frames(const void *of, FILE *stream);

/* A file of a folder that is there. put: writes it; `of` is passed on. Fails with DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_write_table(const char *folder, const char *name, void (*put)(const void *of, FILE *stream),
                                     const void *of);
DV_MUST_USE dv_status dv_write_report(const char *folder, const char *name, dv_report *report);

#endif
