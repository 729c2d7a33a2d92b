/* plot.h: figures as SVG and PNG, drawn by the program gnuplot. */
#ifndef DENSEVAL_PLOT_H
#define DENSEVAL_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/box.h"
#include "denseval/status.h"

DV_C_BEGIN

/* All texts are UTF-8 and shown as they are, whatever characters are in them: bytes that are no UTF-8 as U+FFFD,
 * control characters as spaces, and with "..." where they are too long for their place. All that a figure points to is
 * borrowed for the call. */

typedef enum dv_plot_mark {
    DV_MARK_NONE = 0,
    DV_MARK_RING = 1, /* a ring around the point: a bin of the memory bank */
    DV_MARK_CROSS = 2 /* a black cross on the point: a breaking point */
} dv_plot_mark;

/* One curve. */
typedef struct dv_plot_line {
    size_t name; /* index into names of the figure: its colour, dashes and point */
    size_t n;
    const double *x, *y;       /* f64 [n]; a NaN in y leaves a gap */
    const double *low, *high;  /* f64 [n]: a band around the curve, left open where NaN; NULL: none */
    const unsigned char *mark; /* u8 [n] of dv_plot_mark, a set of bits; NULL: none */
} dv_plot_line;

typedef struct dv_plot_panel {
    const char *title; /* NULL: none */
    size_t n_lines;
    const dv_plot_line *lines;
} dv_plot_panel;

/* Panels side by side, two a row, with one scale and one legend beside them. */
typedef struct dv_plot_figure {
    const char *title, *x_label, *y_label; /* labels with their unit */
    const char *const *names;              /* [n_names]: legend */
    size_t n_names;
    bool without_points;                /* curves alone: for many values */
    bool first_heavy;                   /* the first curve stands out: it is thicker */
    const char *ring_name, *cross_name; /* what the marks mean, for the legend; NULL where there are none */
    const char *band_name;              /* what the bands are, for the legend; NULL where there are none */
    const dv_plot_panel *panels;        /* [n_panels], at least 1 */
    size_t n_panels;
    const double *ticks;           /* f64 [n_ticks]: places on the x axis */
    const char *const *tick_names; /* [n_ticks], or NULL: the numbers */
    size_t n_ticks;
    double guide; /* a thin line across at this height; NaN: none */
    double most;  /* the scale ends at most and -most, and curves at its edge; 0: no limit */
} dv_plot_figure;

/* A heat map with the number in every cell, row 0 on top. */
typedef struct dv_plot_matrix {
    const char *title, *x_label, *y_label, *value_label;
    size_t n_rows, n_columns; /* 1..256 */
    const char *const *row_names, *const *column_names;
    const double *values; /* f64 [n_rows, n_columns]; NaN: an empty cell */
    double low, high;     /* of the colour scale, low < high */
} dv_plot_matrix;

/* Boxes of several things side by side in each group, as dv_box_compute measured them: the box with its median,
 * whiskers with their ends, a ring for each outlier. */
typedef struct dv_plot_boxes {
    const char *title, *y_label;
    const char *const *groups; /* [n_groups]: places on the x axis, 1..64 */
    size_t n_groups;
    const char *const *names; /* [n_names]: colours, in a legend where there is more than one, 1..64 */
    size_t n_names;
    const dv_box *boxes;         /* [n_groups, n_names]; n = 0: no box there */
    const double *const *values; /* [n_groups, n_names], each f64 [n] of its box, rising */
    double low, high;            /* of the scale, low < high */
} dv_plot_boxes;

/* Draws to PATH.svg and PATH.png, each written beside its name and renamed. The same figure on the same machine gives
 * the same bytes. An existing file is DV_E_USAGE unless `force`.
 * Fails with DV_E_ARG (no panel, an index, a matrix or boxes out of range), DV_E_BACKEND (gnuplot is not on PATH,
 * lacks a terminal, or failed: its message; or took longer than two minutes), DV_E_INTERRUPTED, DV_E_IO, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_plot_figure_draw(const dv_plot_figure *figure, const char *path, bool force);
DV_MUST_USE dv_status dv_plot_matrix_draw(const dv_plot_matrix *matrix, const char *path, bool force);
DV_MUST_USE dv_status dv_plot_boxes_draw(const dv_plot_boxes *boxes, const char *path, bool force);

/* "gnuplot 5.4 patchlevel 4", or why there are no plots. text  char [size] */
bool dv_plot_usable(char *text, size_t size);

DV_C_END
#endif
