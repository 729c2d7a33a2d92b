/* Heat maps: a coloured cell with its number for each value, and the colour scale beside them. */
#include <math.h>

#include "core/check.h"
#include "core/utf8.h"
#include "report/plot_script.h"

enum {
    MOST = 256,
    CELL_MOST = 46, /* pixels of a cell's side */
    CELL_LEAST = 4,
    CELL_WITH_NUMBER = 30, /* below this a cell has no room for its number */
    NAME_PX = 14,          /* a name needs this across its line */
    MAP_PX = 640,          /* of the longer side, where cells become small */
    NAME_MOST = 32,        /* characters of a row's or column's name */
    TITLE_MOST = 80,       /* characters of the title */
    TITLE_CHAR_PX = DV_PLOT_CHAR_PX + 1,
    LEFT = 44,   /* name of the y axis */
    TOP = 44,    /* title */
    BOTTOM = 38, /* name of the x axis */
    RIGHT = 104, /* colour scale, its numbers and its name */
    SCALE_LEFT = 16,
    SCALE_WIDTH = 14,
    NAME_LEFT = 82, /* of the colour scale */
    LEAST_MAP_PX = 180
};

/* Height or width of a cell, of n in a column or row. */
static double cell_px(size_t n) {
    const double most = fmax(CELL_MOST, LEAST_MAP_PX / (double)n);
    return fmax(CELL_LEAST, fmin(most, floor(MAP_PX / (double)n)));
}

static double names_px(const char *const *names, size_t n) {
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t length = dv_utf8_count(names[i]);
        if (length > most) most = length;
    }
    return DV_PLOT_CHAR_PX * (double)(most < NAME_MOST ? most : NAME_MOST) + 4;
}

static double title_px(const dv_plot_matrix *m) {
    const size_t length = dv_utf8_count(m->title);
    return TITLE_CHAR_PX * (double)((length < TITLE_MOST ? length : TITLE_MOST) + 2);
}

/* Column names that would touch each other stand upright. */
static bool upright(const dv_plot_matrix *m) {
    return names_px(m->column_names, m->n_columns) > cell_px(m->n_columns);
}

static dv_plot_area area_of(const dv_plot_matrix *m) {
    const double left = LEFT + names_px(m->row_names, m->n_rows), width = cell_px(m->n_columns) * (double)m->n_columns;
    const double spare = fmax(0.0, title_px(m) - (left + width + RIGHT)); /* a title may be wider than the map */
    return (dv_plot_area){left + 0.5 * spare, TOP, left + 0.5 * spare + width,
                          TOP + cell_px(m->n_rows) * (double)m->n_rows};
}

static dv_plot_size size_of(const dv_plot_matrix *m) {
    const dv_plot_area area = area_of(m);
    const double names = upright(m) ? names_px(m->column_names, m->n_columns) : DV_PLOT_LINE_PX;
    return (dv_plot_size){fmax(area.right + RIGHT, title_px(m)), area.bottom + names + BOTTOM};
}

/* ---- Script -------------------------------------------------------------------------------------------------------
 */

/* Where lines are thinner than a name, every second or third is named. */
static void put_ticks(FILE *script, const char *axis, const char *const *names, size_t n, double side) {
    const size_t every = (size_t)ceil(NAME_PX / side);
    fprintf(script, "set %stics scale 0 (", axis);
    for (size_t i = 0; i < n; i += every) {
        if (i > 0) fputc(',', script);
        dv_plot_tick_text(script, names[i], NAME_MOST);
        fprintf(script, " %zu", i);
    }
    fputs(") noenhanced\n", script);
}

/* Column, row, value on the colour scale, colour of the number, value. */
static void put_values(FILE *script, const dv_plot_matrix *m) {
    fputs("$M << EOD\n", script);
    for (size_t i = 0; i < m->n_rows * m->n_columns; i++) {
        const double value = m->values[i], shown = fmin(fmax(value, m->low), m->high);
        if (!isfinite(value)) continue;
        fprintf(script, "%zu %zu ", i % m->n_columns, i / m->n_columns);
        dv_plot_number(script, shown);
        fputs((shown - m->low) / (m->high - m->low) > 0.55 ? " 16777215 " : " 0 ", script);
        dv_plot_number(script, value);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static bool has_value(const dv_plot_matrix *m) {
    for (size_t i = 0; i < m->n_rows * m->n_columns; i++)
        if (isfinite(m->values[i])) return true;
    return false;
}

/* From white through the blues of Okabe and Ito to nearly black: gray prints keep the order. */
static void put_scale(FILE *script, const dv_plot_matrix *m, dv_plot_size size, dv_plot_area area) {
    fputs("set palette defined (0 '#FFFFFF', 0.35 '#9FD3F2', 0.7 '#0072B2', 1 '#00263F')\nset cbrange [", script);
    dv_plot_number(script, m->low);
    fputc(':', script);
    dv_plot_number(script, m->high);
    fputs("]\nset format cb '%g'\nset cbtics scale 0.5 out\nset colorbox vertical user origin screen ", script);
    dv_plot_number(script, (area.right + SCALE_LEFT) / size.width);
    fputs(", screen ", script);
    dv_plot_number(script, 1.0 - area.bottom / size.height);
    fputs(" size screen ", script);
    dv_plot_number(script, SCALE_WIDTH / size.width);
    fputs(", screen ", script);
    dv_plot_number(script, (area.bottom - area.top) / size.height);
    fputs(" border 100\n", script);
}

static void put_map(FILE *script, const dv_plot_matrix *m) {
    fprintf(script, "set xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n", m->n_columns - 1, m->n_rows - 1);
    fputs("set object 1 rectangle from graph 0,0 to graph 1,1 behind fs solid noborder fc rgb '#E8E8E8'\nplot ",
          script);
    if (!has_value(m)) {
        fputs("NaN notitle\n", script);
        return;
    }
    fputs("$M using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid noborder lc palette", script);
    if (fmin(cell_px(m->n_rows), cell_px(m->n_columns)) >= CELL_WITH_NUMBER)
        fputs(", $M using 1:2:(sprintf('%.3g', $5)):4 with labels textcolor rgb variable font ',10'", script);
    fputc('\n', script);
}

/* Title and names of the axes and of the colour scale. */
static void put_labels(FILE *script, const dv_plot_matrix *m, dv_plot_size size, dv_plot_area area) {
    const double x = 0.5 * (area.left + area.right), y = 0.5 * (area.top + area.bottom);
    const size_t across = (size_t)(size.width / TITLE_CHAR_PX), down = (size_t)(size.height / DV_PLOT_CHAR_PX);
    dv_plot_label(script, size, 0.5 * size.width, 16, m->title, across, "center font ',13'");
    dv_plot_label(script, size, x, size.height - 14, m->x_label, across, "center");
    dv_plot_label(script, size, 18, y, m->y_label, down, "center rotate by 90");
    dv_plot_label(script, size, area.right + NAME_LEFT, y, m->value_label, down, "center rotate by 90");
}

static void write_script(FILE *script, const void *figure) {
    const dv_plot_matrix *m = figure;
    const dv_plot_size size = size_of(m);
    const dv_plot_area area = area_of(m);
    put_values(script, m);
    for (int terminal = 0; terminal < DV_PLOT_TERMINALS; terminal++) {
        dv_plot_begin(script, terminal, size);
        dv_plot_place(script, size, area);
        fputs("unset grid\nset border 15\n", script);
        put_ticks(script, "x", m->column_names, m->n_columns, cell_px(m->n_columns));
        if (upright(m)) fputs("set xtics rotate by 90 right\n", script);
        put_ticks(script, "y", m->row_names, m->n_rows, cell_px(m->n_rows));
        put_labels(script, m, size, area);
        put_scale(script, m, size, area);
        put_map(script, m);
        dv_plot_end(script);
    }
}

dv_status dv_plot_matrix_draw(const dv_plot_matrix *matrix, const char *path, bool force) {
    if (matrix->n_rows < 1 || matrix->n_rows > MOST || matrix->n_columns < 1 || matrix->n_columns > MOST)
        return dv_fail(DV_E_ARG, "%s: a heat map of %zu x %zu cells: must be 1 to %d each way", path, matrix->n_rows,
                       matrix->n_columns, MOST);
    if (!(matrix->low < matrix->high))
        return dv_fail(DV_E_ARG, "%s: a colour scale from %g to %g: must rise", path, matrix->low, matrix->high);
    return dv_plot_draw(write_script, matrix, path, force);
}
