/* Box plots: groups along the x axis, in each of them a box for every name. */
#include <math.h>

#include "core/check.h"
#include "core/utf8.h"
#include "report/plot_script.h"

enum {
    MOST = 64,
    GROUP_LEAST_PX = 92, /* a group's name needs this */
    BOX_PX = 26,         /* of a box and the gap beside it */
    HEIGHT = 300,
    LEFT = 64,
    TOP = 44,
    BOTTOM = 40,
    RIGHT = 14,
    KEY_SAMPLE = 56, /* of the legend: the small box before a name */
    KEY_MOST = 40,   /* characters of a name */
    GROUP_MOST = 16, /* characters of a group's name */
    BOX_DATA = 6     /* columns of a box: place, q1, whiskers, q3, median */
};
#define GROUP_SHARE 0.8 /* of a group's width that its boxes and their gaps fill */
#define BOX_SHARE 0.72  /* of its part of that, which a box fills */
#define FILL " fs transparent solid 0.3 border lc rgb '%s' lc rgb '%s' lw 1.4"

/* ---- Size ---------------------------------------------------------------------------------------------------------
 */

static double key_px(const dv_plot_boxes *b) {
    size_t most = 0;
    if (b->n_names == 1) return RIGHT;
    for (size_t i = 0; i < b->n_names; i++) {
        const size_t n = dv_utf8_count(b->names[i]);
        if (n > most) most = n;
    }
    return KEY_SAMPLE + DV_PLOT_CHAR_PX * (double)(most < KEY_MOST ? most : KEY_MOST) + RIGHT;
}

static dv_plot_area area_of(const dv_plot_boxes *b) {
    const double key = b->n_names == 1 ? 0.0 : DV_PLOT_LINE_PX * (double)b->n_names;
    const double group = fmax(GROUP_LEAST_PX, BOX_PX / GROUP_SHARE * (double)b->n_names);
    return (dv_plot_area){LEFT, TOP, LEFT + group * (double)b->n_groups, TOP + fmax(HEIGHT, key)};
}

static dv_plot_size size_of(const dv_plot_boxes *b) {
    const dv_plot_area area = area_of(b);
    return (dv_plot_size){area.right + key_px(b), area.bottom + BOTTOM};
}

/* ---- Script -------------------------------------------------------------------------------------------------------
 */

static double part_of(const dv_plot_boxes *b) {
    return GROUP_SHARE / (double)b->n_names;
}

/* Where a box stands on the x axis; groups are at 0, 1, ... */
static double place_of(const dv_plot_boxes *b, size_t group, size_t name) {
    return (double)group + ((double)name - 0.5 * (double)(b->n_names - 1)) * part_of(b);
}

static void put_row(FILE *script, const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (i > 0) fputc(' ', script);
        dv_plot_number(script, values[i]);
    }
    fputc('\n', script);
}

/* Blocks $B of boxes and $O of outliers. */
static void put_data(FILE *script, const dv_plot_boxes *b, size_t name) {
    fprintf(script, "$B%zu << EOD\n", name);
    for (size_t group = 0; group < b->n_groups; group++) {
        const dv_box *const box = &b->boxes[group * b->n_names + name];
        const double row[BOX_DATA] = {place_of(b, group, name), box->q1, box->whisker_low,
                                      box->whisker_high,        box->q3, box->median};
        if (box->n) put_row(script, row, BOX_DATA);
    }
    fprintf(script, "EOD\n$O%zu << EOD\n", name);
    for (size_t group = 0; group < b->n_groups; group++) {
        const dv_box *const box = &b->boxes[group * b->n_names + name];
        for (size_t i = 0; i < box->n; i++) {
            const double row[] = {place_of(b, group, name), b->values[group * b->n_names + name][i]};
            if (i < box->n_low || i >= box->n - box->n_high) put_row(script, row, 2);
        }
    }
    fputs("EOD\n", script);
}

static bool has_box(const dv_plot_boxes *b, size_t name) {
    for (size_t group = 0; group < b->n_groups; group++)
        if (b->boxes[group * b->n_names + name].n) return true;
    return false;
}

static bool has_outlier(const dv_plot_boxes *b, size_t name) {
    for (size_t group = 0; group < b->n_groups; group++) {
        const dv_box *const box = &b->boxes[group * b->n_names + name];
        if (box->n_low || box->n_high) return true;
    }
    return false;
}

static void put_scales(FILE *script, const dv_plot_boxes *b) {
    fprintf(script, "set xrange [-0.5:%zu.5]\nset yrange [", b->n_groups - 1);
    dv_plot_number(script, b->low);
    fputc(':', script);
    dv_plot_number(script, b->high);
    fputs("]\nset format y '%g'\nunset grid\nset grid ytics back ls 100\nset xtics scale 0 (", script);
    for (size_t group = 0; group < b->n_groups; group++) {
        if (group > 0) fputc(',', script);
        dv_plot_tick_text(script, b->groups[group], GROUP_MOST);
        fprintf(script, " %zu", group);
    }
    fputs(") noenhanced\nset boxwidth ", script);
    dv_plot_number(script, BOX_SHARE * part_of(b));
    fputs(" absolute\n", script);
}

/* gnuplot draws the boxes of its candlesticks where it is told to and computes nothing. The first element is nowhere: a
 * plot of nothing is an error. */
static void put_boxes(FILE *script, const dv_plot_boxes *b) {
    const double width = BOX_SHARE * part_of(b);
    fputs("plot NaN notitle", script);
    for (size_t name = 0; name < b->n_names; name++) {
        if (!has_box(b, name)) continue;
        const char *const colour = dv_plot_colour(name);
        fprintf(script, ", $B%zu using 1:2:3:4:5 with candlesticks whiskerbars 0.5" FILL, name, colour, colour);
        fprintf(script, ", $B%zu using ($1-%g):6:(%g):(0) with vectors nohead lc rgb '%s' lw 2.8", name, 0.5 * width,
                width, colour);
        if (has_outlier(b, name))
            fprintf(script, ", $O%zu using 1:2 with points pt 6 ps 0.7 lw 1.2 lc rgb '%s'", name, colour);
    }
    fputc('\n', script);
}

/* A plot of nothing whose key is the legend. */
static void put_key(FILE *script, const dv_plot_boxes *b, dv_plot_size size) {
    const dv_plot_area area = {size.width - key_px(b), TOP - 8, size.width, size.height};
    dv_plot_place(script, size, area); /* as high as the figure, else gnuplot begins a second column */
    fputs("unset tics\nunset border\nunset grid\nunset label\nset xrange [0:1]\nset yrange [0:1]\nset key at screen ",
          script);
    dv_plot_number(script, area.left / size.width);
    fputs(", screen ", script);
    dv_plot_number(script, 1.0 - area.top / size.height);
    fputs(" left top vertical maxcols 1 Left reverse noenhanced samplen 2 spacing 1.25\nplot NaN notitle", script);
    for (size_t name = 0; name < b->n_names; name++) {
        fprintf(script, ", keyentry with boxes" FILL " title ", dv_plot_colour(name), dv_plot_colour(name));
        dv_plot_text(script, b->names[name], KEY_MOST);
    }
    fputc('\n', script);
}

static void write_script(FILE *script, const void *figure) {
    const dv_plot_boxes *b = figure;
    const dv_plot_size size = size_of(b);
    const dv_plot_area area = area_of(b);
    for (size_t name = 0; name < b->n_names; name++) put_data(script, b, name);
    for (int terminal = 0; terminal < DV_PLOT_TERMINALS; terminal++) {
        dv_plot_begin(script, terminal, size);
        dv_plot_place(script, size, area);
        dv_plot_label(script, size, 0.5 * size.width, 16, b->title, (size_t)(size.width / (DV_PLOT_CHAR_PX + 1)),
                      "center font ',13'");
        dv_plot_label(script, size, 18, 0.5 * (area.top + area.bottom), b->y_label, HEIGHT / DV_PLOT_CHAR_PX,
                      "center rotate by 90");
        put_scales(script, b);
        put_boxes(script, b);
        if (b->n_names > 1) put_key(script, b, size);
        dv_plot_end(script);
    }
}

dv_status dv_plot_boxes_draw(const dv_plot_boxes *boxes, const char *path, bool force) {
    if (boxes->n_groups < 1 || boxes->n_groups > MOST || boxes->n_names < 1 || boxes->n_names > MOST)
        return dv_fail(DV_E_ARG, "%s: boxes of %zu things in %zu groups: must be 1 to %d each", path, boxes->n_names,
                       boxes->n_groups, MOST);
    if (!(boxes->low < boxes->high))
        return dv_fail(DV_E_ARG, "%s: a scale from %g to %g: must rise", path, boxes->low, boxes->high);
    return dv_plot_draw(write_script, boxes, path, force);
}
