#include "report/json_html_curves.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/html_chart.h"
#include "report/json_html.h"

enum { MOST_PANELS = 24, MOST_CURVES = 21, MOST_POINTS = 1000, TITLE_SIZE = 256 };

/* Curves of one panel. */
typedef struct panel {
    size_t n;
    dv_html_curve curves[MOST_CURVES];
    double *values[MOST_CURVES]; /* f64 [5 * n]: x, y, low, high, ring; owned */
} panel;

static double number_of(const json_t *object, const char *name) {
    const json_t *const value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* What the format allows, as in a result of cells. */
static dv_status get_bin(const json_t *point, size_t place, double *bin) {
    const json_t *const value = json_object_get(point, "bin");
    const json_int_t found = json_integer_value(value);
    if (!json_is_integer(value) || found < INT32_MIN || found > INT32_MAX)
        return dv_fail(DV_E_DATA, "points: place %zu: bin: must be an angle in whole degrees", place);
    *bin = (double)found;
    return DV_OK;
}

static dv_status add_curve(panel *p, const json_t *curve) {
    const char *const encoder = json_string_value(json_object_get(curve, "encoder"));
    const json_t *const points = json_object_get(curve, "points");
    const size_t n = json_array_size(points) < MOST_POINTS ? json_array_size(points) : MOST_POINTS;
    double *x;
    if (p->n == MOST_CURVES) return DV_OK;
    DV_TRY(dv_alloc(5 * n, sizeof *x, "points of a curve", &x));
    p->values[p->n] = x;
    double *const y = x + n, *const low = y + n, *const high = low + n, *const ring = high + n;
    for (size_t i = 0; i < n; i++) {
        const json_t *const point = json_array_get(points, i);
        const json_t *const interval = json_object_get(point, "miou_interval_95");
        DV_TRY(get_bin(point, i, &x[i]));
        y[i] = number_of(point, "miou");
        low[i] = number_of(interval, "low");
        high[i] = number_of(interval, "high");
        ring[i] = json_is_true(json_object_get(point, "reference"));
    }
    p->curves[p->n++] = (dv_html_curve){encoder ? encoder : "", n, x, y, low, high, ring};
    return DV_OK;
}

/* The panel of the curve `first` and all behind it that go there. */
static dv_status put_panel(FILE *stream, const json_t *list, size_t first) {
    json_t *const one = json_array_get(list, first);
    char title[TITLE_SIZE], run[TITLE_SIZE - 16];
    panel p = {0};
    dv_status status = DV_OK;
    for (size_t i = first; status == DV_OK && i < json_array_size(list); i++)
        if (dv_html_same_panel(json_array_get(list, i), one))
            status = dv_context(add_curve(&p, json_array_get(list, i)), "curves: place %zu", i);
    json_t *const unnamed = status == DV_OK ? json_copy(one) : NULL;
    if (status == DV_OK && !unnamed) status = dv_fail(DV_E_NOMEM, "no memory for a figure");
    if (status == DV_OK) {
        json_object_del(unnamed, "encoder");
        dv_html_run_text(unnamed, run, sizeof run);
        snprintf(title, sizeof title, "mIoU by bin%s%s", *run == ',' ? "" : ": ", run);
        dv_html_put_curves(stream, title, "mIoU", p.curves, p.n);
    }
    json_decref(unnamed);
    for (size_t i = 0; i < MOST_CURVES; i++) free(p.values[i]);
    return status;
}

dv_status dv_html_put_json_curves(FILE *stream, const dv_html_document *document) {
    json_t *list;
    const json_t *panels[MOST_PANELS]; /* the first curves of those that are put already */
    size_t n = 0;
    DV_TRY(dv_html_list(document, "curves", &list));
    for (size_t i = 0; i < json_array_size(list) && n < MOST_PANELS; i++) {
        const json_t *const curve = json_array_get(list, i);
        size_t at = 0;
        DV_TRY(dv_check_interrupted());
        while (at < n && !dv_html_same_panel(curve, panels[at])) at++;
        if (at < n) continue;
        if (n == 0)
            fputs("<p>Curves: mIoU of all classes in each viewpoint bin. Rings: bins of the memory bank. Bands: 95 % "
                  "intervals, where there are any.</p>\n",
                  stream);
        panels[n++] = curve;
        DV_TRY(dv_context(put_panel(stream, list, i), "%s", document->file));
    }
    return DV_OK;
}
