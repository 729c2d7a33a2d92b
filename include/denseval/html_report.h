/* html_report.h: a result folder as one page. */
#ifndef DENSEVAL_HTML_REPORT_H
#define DENSEVAL_HTML_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* What a page shows, and what it does not. */
typedef struct dv_html_report {
    size_t n_results;     /* JSON files of a schema that is known */
    size_t n_figures;     /* figures that are shown */
    size_t n_pictures;    /* pictures that are shown, contact sheets among them */
    size_t n_left_out;    /* pictures and figures that are not: too many, too large, damaged, on a contact sheet */
    size_t n_passed_over; /* other files: the page names them */
} dv_html_report;

/* Writes one HTML page that needs no other file, no network and no script: what was run, tables, curves, heat maps of
 * confusion, figures, pictures and resources of a result folder and of the folders below it (docs/FORMATS.md, "Page of
 * a result folder"). The same folder gives the same bytes. It is written beside `path` and renamed; what exists there
 * is DV_E_USAGE unless force.
 * Fails with DV_E_MISSING (no such folder), DV_E_DATA (a JSON file that is none, or whose keys have values of another
 * kind than their schema says; a run that is not finished; nothing that is known), DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_html_report_save(const char *folder, const char *path, bool force, dv_html_report *out);

DV_C_END
#endif
