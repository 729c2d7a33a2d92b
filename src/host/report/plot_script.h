/* plot_script.h: the parts of a gnuplot script that all figures share. Nothing but quoted text comes from outside. A
 * failed write shows in ferror of the script. */
#ifndef DV_REPORT_PLOT_SCRIPT_H
#define DV_REPORT_PLOT_SCRIPT_H

#include <stdio.h>

#include "denseval/plot.h"

enum { DV_PLOT_CHAR_PX = 7, DV_PLOT_LINE_PX = 21 }; /* room of a character and of a line of text */

/* Where a thing stands in the figure, in pixels from its top left corner. */
typedef struct dv_plot_area {
    double left, top, right, bottom;
} dv_plot_area;

typedef struct dv_plot_size {
    double width, height;
} dv_plot_size;

/* "text" for any place that takes a string; at most `most` characters of it. */
void dv_plot_text(FILE *script, const char *text, size_t most);

/* The same for the name of a tick, where gnuplot looks for formats (%g). */
void dv_plot_tick_text(FILE *script, const char *text, size_t most);

/* A number; NaN where it is not finite: a gap. */
void dv_plot_number(FILE *script, double value);

/* The colour of the thing number `name` of a legend: "#0072B2", ... Static; eight of them, in turn. */
const char *dv_plot_colour(size_t name);

/* The terminals, in turn: 0 SVG, 1 PNG at twice the size. */
enum { DV_PLOT_TERMINALS = 2 };
void dv_plot_begin(FILE *script, int terminal, dv_plot_size size);
void dv_plot_end(FILE *script);

/* Puts the next plot there. */
void dv_plot_place(FILE *script, dv_plot_size size, dv_plot_area area);

/* A text around a point of the figure, in pixels from its top left corner. gnuplot would set titles and names of axes
 * as far off as each terminal's font demands, so they are placed by hand. look  "center", "center rotate by 90", ... */
void dv_plot_label(FILE *script, dv_plot_size size, double x, double y, const char *text, size_t most,
                   const char *look);

/* Runs the script and puts the two files in place. `write` writes the script of a figure. */
typedef void (*dv_plot_writer)(FILE *script, const void *figure);
DV_MUST_USE dv_status dv_plot_draw(dv_plot_writer write, const void *figure, const char *path, bool force);

#endif
