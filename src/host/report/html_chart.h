/* html_chart.h: drawings of a page, as SVG within it. */
#ifndef DV_REPORT_HTML_CHART_H
#define DV_REPORT_HTML_CHART_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A curve over viewpoint bins. All borrowed for the call. */
typedef struct dv_html_curve {
    const char *name;
    size_t n;
    const double *x;          /* f64 [n], finite */
    const double *y;          /* f64 [n], drawn within 0..1; NaN leaves a gap */
    const double *low, *high; /* f64 [n]: the band around it; NaN: none there */
    const double *ring;       /* f64 [n]: not 0 where a point has a ring */
} dv_html_curve;

/* Beside a drawing stands the start of a name, which is that many pixels wide at most. */
enum { DV_HTML_NAME_CHARACTERS = 24 };
int dv_html_name_width(const char *name);

/* Draws curves into one panel with its legend; y, which `unit` names, runs from 0 to 1. The stream is the caller's to
 * check. */
void dv_html_put_curves(FILE *stream, const char *title, const char *unit, const dv_html_curve *curves, size_t n);

/* A matrix of counts. All borrowed for the call. */
typedef struct dv_html_heat {
    size_t n_rows, n_columns;
    const uint64_t *counts;          /* u64 [n_rows, n_columns] */
    const uint64_t *row_totals;      /* u64 [n_rows]: what 100 % of each row is */
    const char *const *row_names;    /* [n_rows] */
    const char *const *column_names; /* [n_columns] */
} dv_html_heat;

/* Draws the share of its row that each cell has: white none, dark all; up to 20 columns also as a number, in percent. A
 * row without counts is gray. */
void dv_html_put_heat(FILE *stream, const char *title, const dv_html_heat *heat);

#endif
