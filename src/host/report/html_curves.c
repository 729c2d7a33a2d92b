/* html_curves.c: curves over viewpoint bins. */
#include <math.h>
#include <stdbool.h>

#include "core/utf8.h"
#include "report/html_chart.h"
#include "report/html_text.h"

enum {
    LEFT = 54,
    TOP = 10,
    WIDTH = 290,
    HEIGHT = 220,
    LEGEND = 50,
    BOTTOM = 40,
    LINE = 18,
    NUMBER = 22,
    GRID_LINES = 5
};

/* Okabe and Ito without yellow, as in the figures of gnuplot. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
static const char *const dashes[] = {"none", "6 3", "2 2"};

enum { N_COLOURS = sizeof colours / sizeof *colours, N_DASHES = sizeof dashes / sizeof *dashes };

typedef struct axis {
    double first, last;
} axis;

int dv_html_name_width(const char *name) {
    int width = 0;
    for (size_t i = 0; i < DV_HTML_NAME_CHARACTERS && *name; i++) {
        const size_t length = dv_utf8_bytes(name);
        width += length == 1 ? 7 : 12; /* of the font size 11 */
        name += length ? length : 1;
    }
    return width + (*name ? 12 : 0);
}

static int legend_width(const dv_html_curve *curves, size_t n) {
    int width = 0;
    for (size_t i = 0; i < n; i++) {
        const int one = dv_html_name_width(curves[i].name);
        if (one > width) width = one;
    }
    return LEGEND + width;
}

static axis axis_of(const dv_html_curve *curves, size_t n) {
    axis a = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < curves[i].n; j++) {
            a.first = fmin(a.first, curves[i].x[j]);
            a.last = fmax(a.last, curves[i].x[j]);
        }
    return a;
}

static double place_x(const axis *a, double x) {
    return LEFT + (a->last > a->first ? (x - a->first) / (a->last - a->first) : 0.5) * WIDTH;
}

static double place_y(double y) {
    return TOP + (1 - fmin(fmax(y, 0), 1)) * HEIGHT;
}

static void put_axes(FILE *stream, const axis *a, const char *unit, const dv_html_curve *longest) {
    for (int i = 0; i <= GRID_LINES; i++) {
        const double value = (double)i / GRID_LINES, y = place_y(value);
        fprintf(stream,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%.1f</text>\n",
                LEFT, y, LEFT + WIDTH, y, LEFT - 6, y + 4, value);
    }
    double free_x = 0; /* where there is room for a number again */
    for (size_t i = 0; i < longest->n; i++) {
        const double x = place_x(a, longest->x[i]);
        if (x < free_x) continue;
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x, TOP + HEIGHT + 16,
                longest->x[i]);
        free_x = x + NUMBER;
    }
    fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">viewpoint bin (degrees)</text>\n", LEFT + WIDTH / 2,
            TOP + HEIGHT + 34);
    fprintf(stream, "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">", TOP + HEIGHT / 2,
            TOP + HEIGHT / 2);
    dv_html_put_text(stream, unit);
    fputs("</text>\n", stream);
}

static bool has_band(const dv_html_curve *curve, size_t i) {
    return i < curve->n && !isnan(curve->low[i]) && !isnan(curve->high[i]);
}

/* The band between each two points that have one. */
static void put_band(FILE *stream, const axis *a, const dv_html_curve *curve, const char *colour) {
    for (size_t i = 0; i + 1 < curve->n; i++) {
        if (!has_band(curve, i) || !has_band(curve, i + 1)) continue;
        const double x = place_x(a, curve->x[i]), next = place_x(a, curve->x[i + 1]);
        fprintf(stream, "<path fill=\"%s\" fill-opacity=\"0.15\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n",
                colour, x, place_y(curve->low[i]), next, place_y(curve->low[i + 1]), next, place_y(curve->high[i + 1]),
                x, place_y(curve->high[i]));
    }
}

static void put_points(FILE *stream, const axis *a, const dv_html_curve *curve, const char *colour) {
    for (size_t i = 0; i < curve->n; i++) {
        if (isnan(curve->y[i])) continue;
        const double x = place_x(a, curve->x[i]), y = place_y(curve->y[i]);
        if (curve->ring[i] != 0)
            fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"none\" stroke=\"%s\"/>\n", x, y, colour);
        fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>", x, y, colour);
        dv_html_put_text(stream, curve->name);
        fprintf(stream, ", %g: %.4f", curve->x[i], curve->y[i]);
        if (has_band(curve, i)) fprintf(stream, " [%.4f, %.4f]", curve->low[i], curve->high[i]);
        fputs("</title></circle>\n", stream);
    }
}

/* One line from a value that is there to the next such; a gap begins another one. */
static void put_curve(FILE *stream, const axis *a, const dv_html_curve *curve, size_t place) {
    const char *const colour = colours[place % N_COLOURS];
    bool drawing = false;
    put_band(stream, a, curve, colour);
    fprintf(stream, "<g stroke=\"%s\" fill=\"none\" stroke-width=\"1.8\" stroke-dasharray=\"%s\"><path d=\"", colour,
            dashes[place / N_COLOURS % N_DASHES]);
    for (size_t i = 0; i < curve->n; i++) {
        if (!isnan(curve->y[i]))
            fprintf(stream, "%c%.1f %.1f", drawing ? 'L' : 'M', place_x(a, curve->x[i]), place_y(curve->y[i]));
        drawing = !isnan(curve->y[i]);
    }
    fputs("\"/></g>\n", stream);
    put_points(stream, a, curve, colour);
    const int y = TOP + 10 + (int)place * LINE, x = LEFT + WIDTH + 16;
    fprintf(stream,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.8\" "
            "stroke-dasharray=\"%s\"/><text x=\"%d\" y=\"%d\">",
            x, y, x + 24, y, colour, dashes[place / N_COLOURS % N_DASHES], x + 30, y + 4);
    dv_html_put_start(stream, curve->name, DV_HTML_NAME_CHARACTERS);
    fputs("</text>\n", stream);
}

void dv_html_put_curves(FILE *stream, const char *title, const char *unit, const dv_html_curve *curves, size_t n) {
    const axis a = axis_of(curves, n);
    const dv_html_curve *longest = curves;
    if (n == 0 || isinf(a.first)) return;
    for (size_t i = 1; i < n; i++)
        if (curves[i].n > longest->n) longest = &curves[i];
    const int legend = TOP + (int)n * LINE + 10, panel = TOP + HEIGHT + BOTTOM;
    const int width = LEFT + WIDTH + legend_width(curves, n), height = legend > panel ? legend : panel;
    fprintf(stream,
            "<figure><svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-size=\"11\">\n<title>",
            width, height, width, height);
    dv_html_put_text(stream, title);
    fputs("</title>\n", stream);
    put_axes(stream, &a, unit, longest);
    for (size_t i = 0; i < n; i++) put_curve(stream, &a, &curves[i], i);
    fputs("</svg>\n<figcaption>", stream);
    dv_html_put_text(stream, title);
    fputs("</figcaption></figure>\n", stream);
}
