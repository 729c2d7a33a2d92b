/* Figures of curves: panels, two a row, and one legend beside them. */
#include <math.h>

#include "core/check.h"
#include "core/utf8.h"
#include "report/plot_script.h"

enum {
    PANEL_WIDTH = 330,
    PANEL_HEIGHT = 230,
    LEFT = 64,   /* of a panel: name and numbers of the y axis */
    RIGHT = 14,  /* of a panel */
    TOP = 28,    /* of a panel: its title */
    BOTTOM = 48, /* of a panel: numbers and name of the x axis */
    HEADING = 26,
    KEY_SAMPLE = 48, /* of the legend: the piece of curve before a name */
    KEY_MOST = 40,   /* characters of a name */
    N_COLUMNS = 2
};

/* ---- Looks --------------------------------------------------------------------------------------------------------
 */

static const char *const dashes[] = {"solid", "(9,4)", "(2,3)", "(10,3,2,3)", "(5,2)"};
/* filled circle, square, triangles, diamond; open triangle, square */
static const int points[] = {7, 5, 9, 11, 13, 8, 4};

/* The periods have no common factor, so that 280 curves differ in colour, dashes or point. */
static void put_look(FILE *script, const dv_plot_figure *f, size_t name) {
    const size_t n_dashes = sizeof dashes / sizeof *dashes;
    fprintf(script, " lc rgb '%s' dt %s lw %s", dv_plot_colour(name), dashes[name % n_dashes],
            f->first_heavy && name == 0 ? "4" : "1.6");
    if (!f->without_points) fprintf(script, " pt %d ps 0.75", points[name % (sizeof points / sizeof *points)]);
}

static const char *curve_style(const dv_plot_figure *f) {
    return f->without_points ? "lines" : "linespoints";
}

static void put_ring(FILE *script, const char *colour) {
    fprintf(script, " with points pt 6 ps 1.5 lw 1.2 lc rgb '%s'", colour);
}

#define CROSS " with points pt 2 ps 1.1 lw 2.2 lc rgb '#000000'"
#define BAND " with filledcurves fs transparent solid %g noborder"
#define BAND_OPACITY 0.15

/* ---- Size ---------------------------------------------------------------------------------------------------------
 */

static size_t n_key_rows(const dv_plot_figure *f) {
    return f->n_names + (f->ring_name ? 1 : 0) + (f->cross_name ? 1 : 0) + (f->band_name ? 1 : 0);
}

static double key_width(const dv_plot_figure *f) {
    const char *const others[] = {f->ring_name, f->cross_name, f->band_name};
    size_t most = 0;
    for (size_t i = 0; i < f->n_names + sizeof others / sizeof *others; i++) {
        const char *name = i < f->n_names ? f->names[i] : others[i - f->n_names];
        const size_t n = name ? dv_utf8_count(name) : 0;
        if (n > most) most = n;
    }
    return KEY_SAMPLE + DV_PLOT_CHAR_PX * (double)(most < KEY_MOST ? most : KEY_MOST) + RIGHT;
}

static size_t n_columns(const dv_plot_figure *f) {
    return f->n_panels < N_COLUMNS ? f->n_panels : N_COLUMNS;
}

static dv_plot_size size_of(const dv_plot_figure *f) {
    const size_t n_rows = (f->n_panels + N_COLUMNS - 1) / N_COLUMNS;
    const double panels = (double)n_rows * (PANEL_HEIGHT + TOP + BOTTOM);
    const double key = DV_PLOT_LINE_PX * (double)(n_key_rows(f) + 2);
    return (dv_plot_size){(double)n_columns(f) * (LEFT + PANEL_WIDTH + RIGHT) + key_width(f),
                          HEADING + (panels > key ? panels : key)};
}

static dv_plot_area area_of(size_t panel) {
    const size_t row = panel / N_COLUMNS, column = panel % N_COLUMNS;
    const double left = LEFT + (double)column * (LEFT + PANEL_WIDTH + RIGHT);
    const double top = HEADING + TOP + (double)row * (PANEL_HEIGHT + TOP + BOTTOM);
    return (dv_plot_area){left, top, left + PANEL_WIDTH, top + PANEL_HEIGHT};
}

/* ---- Scales -------------------------------------------------------------------------------------------------------
 */

#define MOST_VALUE 1e300 /* so that no difference overflows */

static void widen(double value, double *low, double *high) {
    if (!(fabs(value) <= MOST_VALUE)) return;
    if (!(*low <= value)) *low = value;
    if (!(*high >= value)) *high = value;
}

/* 1, 2 or 5 times a power of ten: about five steps. span > 0 */
static double nice_step(double span) {
    const double power = pow(10.0, floor(log10(span / 5.0))), part = span / 5.0 / power;
    return power * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

static void put_range(FILE *script, const char *axis, double low, double high) {
    fprintf(script, "set %s [", axis);
    dv_plot_number(script, low);
    fputc(':', script);
    dv_plot_number(script, high);
    fputs("]\n", script);
}

static void put_x_scale(FILE *script, const dv_plot_figure *f) {
    double low = NAN, high = NAN;
    for (size_t i = 0; i < f->n_ticks; i++) widen(f->ticks[i], &low, &high);
    for (size_t p = 0; p < f->n_panels; p++)
        for (size_t l = 0; l < f->panels[p].n_lines; l++)
            for (size_t i = 0; i < f->panels[p].lines[l].n; i++) widen(f->panels[p].lines[l].x[i], &low, &high);
    if (isnan(low)) low = high = 0.0;
    const double margin = high > low ? 0.06 * (high - low) : 1.0;
    put_range(script, "xrange", low - margin, high + margin);
    fputs("set xtics (", script);
    for (size_t i = 0; i < f->n_ticks; i++) {
        if (i > 0) fputc(',', script);
        if (f->tick_names) dv_plot_tick_text(script, f->tick_names[i], 14);
        if (!f->tick_names) fputs("'%g'", script);
        fputc(' ', script);
        dv_plot_number(script, f->ticks[i]);
    }
    fputs(") noenhanced\n", script);
}

/* All panels share it, so that they can be compared. */
static void put_y_scale(FILE *script, const dv_plot_figure *f) {
    double low = f->guide, high = low;
    for (size_t p = 0; p < f->n_panels; p++)
        for (size_t l = 0; l < f->panels[p].n_lines; l++) {
            const dv_plot_line *line = &f->panels[p].lines[l];
            for (size_t i = 0; i < line->n; i++) {
                widen(line->y[i], &low, &high);
                if (line->low) widen(line->low[i], &low, &high);
                if (line->high) widen(line->high[i], &low, &high);
            }
        }
    if (isnan(low)) low = 0.0, high = 1.0;
    const bool limit = f->most > 0.0;
    if (limit) low = fmin(fmax(low, -f->most), f->most), high = fmin(fmax(high, -f->most), f->most);
    const double magnitude = fmax(fabs(low), fabs(high));
    const double least = magnitude > 1.0 / MOST_VALUE ? 1e-3 * magnitude : 1.0, span = fmax(high - low, least);
    const double step = nice_step(1.06 * span), margin = 0.03 * span;
    double bottom = step * floor((low - margin) / step), top = step * ceil((high + margin) / step);
    if (low >= 0.0) bottom = fmax(bottom, 0.0); /* no room for what cannot be */
    if (limit) bottom = fmax(bottom, -f->most), top = fmin(top, f->most);
    put_range(script, "yrange", bottom, top);
    fputs("set format y '%g'\nset ytics ", script);
    dv_plot_number(script, step);
    fputc('\n', script);
}

/* ---- Script -------------------------------------------------------------------------------------------------------
 */

static void put_data(FILE *script, const dv_plot_line *line, size_t panel, size_t number) {
    fprintf(script, "$L%zu_%zu << EOD\n", panel, number);
    for (size_t i = 0; i < line->n; i++) {
        const unsigned mark = line->mark ? line->mark[i] : 0;
        const double row[] = {line->x[i],
                              line->y[i],
                              line->low ? line->low[i] : (double)NAN,
                              line->high ? line->high[i] : (double)NAN,
                              mark & DV_MARK_RING ? line->y[i] : (double)NAN,
                              mark & DV_MARK_CROSS ? line->y[i] : (double)NAN};
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            if (k > 0) fputc(' ', script);
            dv_plot_number(script, row[k]);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* Does column k (of a band, or of marks) hold anything? gnuplot warns of what has nothing to draw. */
static bool has_band(const dv_plot_line *line) {
    for (size_t i = 0; line->low && line->high && i < line->n; i++)
        if (isfinite(line->low[i]) && isfinite(line->high[i])) return true;
    return false;
}

static bool has_mark(const dv_plot_line *line, unsigned mark) {
    for (size_t i = 0; line->mark && i < line->n; i++)
        if (line->mark[i] & mark && isfinite(line->y[i])) return true;
    return false;
}

static bool has_point(const dv_plot_line *line) {
    for (size_t i = 0; i < line->n; i++)
        if (isfinite(line->y[i])) return true;
    return false;
}

/* Bands lie below all curves, marks above. The first element is a point that is nowhere: a plot of nothing is an error.
 */
static void put_panel(FILE *script, const dv_plot_figure *f, size_t p) {
    const dv_plot_panel *panel = &f->panels[p];
    fputs("plot ", script);
    dv_plot_number(script, isfinite(f->guide) ? f->guide : 0.0);
    fprintf(script, " with lines lc rgb '%s' lw 1 dt solid", isfinite(f->guide) ? "#888888" : "#DDDDDD");
    const double opacity =
        fmin(BAND_OPACITY, 0.6 / (double)f->n_names); /* many that overlap must not hide each other */
    for (size_t l = 0; l < panel->n_lines; l++)
        if (has_band(&panel->lines[l]))
            fprintf(script, ", $L%zu_%zu using 1:3:4" BAND " lc rgb '%s'", p, l, opacity,
                    dv_plot_colour(panel->lines[l].name));
    for (size_t l = 0; l < panel->n_lines; l++) {
        if (!has_point(&panel->lines[l])) continue;
        fprintf(script, ", $L%zu_%zu using 1:2 with %s", p, l, curve_style(f));
        put_look(script, f, panel->lines[l].name);
    }
    for (size_t l = 0; l < panel->n_lines; l++) {
        if (has_mark(&panel->lines[l], DV_MARK_RING)) {
            fprintf(script, ", $L%zu_%zu using 1:5", p, l);
            put_ring(script, dv_plot_colour(panel->lines[l].name));
        }
        if (has_mark(&panel->lines[l], DV_MARK_CROSS)) fprintf(script, ", $L%zu_%zu using 1:6" CROSS, p, l);
    }
    fputc('\n', script);
}

/* A plot of nothing whose key is the legend. */
static void put_key(FILE *script, const dv_plot_figure *f, dv_plot_size size) {
    const dv_plot_area area = {size.width - key_width(f), HEADING + TOP - 8, size.width, size.height};
    dv_plot_place(script, size, area); /* as high as the figure, else gnuplot begins a second column */
    fputs("unset tics\nunset border\nunset grid\nset xrange [0:1]\n"
          "set yrange [0:1]\nset key at screen ",
          script);
    dv_plot_number(script, area.left / size.width);
    fputs(", screen ", script);
    dv_plot_number(script, 1.0 - area.top / size.height);
    fputs(" left top vertical maxcols 1 Left reverse noenhanced samplen 3.5 spacing 1.25\nplot NaN notitle", script);
    for (size_t i = 0; i < f->n_names; i++) {
        fprintf(script, ", keyentry with %s", curve_style(f));
        put_look(script, f, i);
        fputs(" title ", script);
        dv_plot_text(script, f->names[i], KEY_MOST);
    }
    if (f->ring_name) {
        fputs(", keyentry", script);
        put_ring(script, "#000000");
        fputs(" title ", script);
        dv_plot_text(script, f->ring_name, KEY_MOST);
    }
    if (f->cross_name) {
        fputs(", keyentry" CROSS " title ", script);
        dv_plot_text(script, f->cross_name, KEY_MOST);
    }
    if (f->band_name) {
        fprintf(script, ", keyentry" BAND " lc rgb '#000000' title ", BAND_OPACITY);
        dv_plot_text(script, f->band_name, KEY_MOST);
    }
    fputc('\n', script);
}

/* Title and names of the axes. */
static void put_labels(FILE *script, const dv_plot_figure *f, dv_plot_size size, size_t p) {
    const dv_plot_area area = area_of(p);
    const double x = 0.5 * (area.left + area.right), y = 0.5 * (area.top + area.bottom);
    const size_t across = PANEL_WIDTH / DV_PLOT_CHAR_PX, down = PANEL_HEIGHT / DV_PLOT_CHAR_PX;
    const dv_plot_panel *panel = &f->panels[p];
    if (panel->title) dv_plot_label(script, size, x, area.top - 14, panel->title, across, "center");
    if (f->x_label) dv_plot_label(script, size, x, area.bottom + 36, f->x_label, across, "center");
    if (f->y_label && p % N_COLUMNS == 0)
        dv_plot_label(script, size, area.left - 48, y, f->y_label, down, "center rotate by 90");
}

static void write_script(FILE *script, const void *figure) {
    const dv_plot_figure *f = figure;
    const dv_plot_size size = size_of(f);
    for (size_t p = 0; p < f->n_panels; p++)
        for (size_t l = 0; l < f->panels[p].n_lines; l++) put_data(script, &f->panels[p].lines[l], p, l);
    for (int terminal = 0; terminal < DV_PLOT_TERMINALS; terminal++) {
        dv_plot_begin(script, terminal, size);
        const double centre = 0.5 * (size.width - key_width(f));
        dv_plot_label(script, size, centre, 14, f->title, (size_t)(2.0 * centre / (DV_PLOT_CHAR_PX + 1)),
                      "center font ',13'");
        put_x_scale(script, f);
        put_y_scale(script, f);
        for (size_t p = 0; p < f->n_panels; p++) {
            dv_plot_place(script, size, area_of(p));
            put_labels(script, f, size, p);
            put_panel(script, f, p);
            fputs("unset label\n", script);
        }
        put_key(script, f, size);
        dv_plot_end(script);
    }
}

dv_status dv_plot_figure_draw(const dv_plot_figure *figure, const char *path, bool force) {
    if (figure->n_panels == 0) return dv_fail(DV_E_ARG, "%s: a figure without panels", path);
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_lines; l++)
            if (figure->panels[p].lines[l].name >= figure->n_names)
                return dv_fail(DV_E_ARG, "%s: panel %zu, curve %zu, name %zu: must be below %zu", path, p, l,
                               figure->panels[p].lines[l].name, figure->n_names);
    return dv_plot_draw(write_script, figure, path, force);
}
