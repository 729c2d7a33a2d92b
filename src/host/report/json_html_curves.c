#include "report/json_html_curves.h"

#include <math.h>
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

static bool same_value(const json_t *a, const json_t *b, const char *key) {
    const json_t *const first = json_object_get(a, key), *const second = json_object_get(b, key);
    return first == second || json_equal(first, second);
}

static bool same_panel(const json_t *a, const json_t *b) {
    return same_value(a, b, "memory") && same_value(a, b, "memory_kind") && same_value(a, b, "difficulty");
}

static double number_of(const json_t *object, const char *name) {
    const json_t *const value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static dv_status add_curve(panel *p, const json_t *curve) {
    const char *const encoder = json_string_value(json_object_get(curve, "encoder"));
    const json_t *const points = json_object_get(curve, "points");
    const size_t n = json_array_size(points) < MOST_POINTS ? json_array_size(points) : MOST_POINTS;
    double *x;
    if (p->n == MOST_CURVES) return DV_OK;
    DV_TRY(dv_alloc(5 * n, sizeof *x, "points of a curve", &x));
    double *const y = x + n, *const low = y + n, *const high = low + n, *const ring = high + n;
    for (size_t i = 0; i < n; i++) {
        const json_t *const point = json_array_get(points, i);
        const json_t *const interval = json_object_get(point, "miou_interval_95");
        x[i] = json_number_value(json_object_get(point, "bin"));
        y[i] = number_of(point, "miou");
        low[i] = number_of(interval, "low");
        high[i] = number_of(interval, "high");
        ring[i] = json_is_true(json_object_get(point, "reference"));
    }
    p->values[p->n] = x;
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
        if (same_panel(json_array_get(list, i), one)) status = add_curve(&p, json_array_get(list, i));
    json_t *const unnamed = status == DV_OK ? json_copy(one) : NULL;
    if (status == DV_OK && !unnamed) status = dv_fail(DV_E_NOMEM, "no memory for a figure");
    if (status == DV_OK) {
        json_object_del(unnamed, "encoder");
        dv_html_run_text(unnamed, run, sizeof run);
        snprintf(title, sizeof title, "mIoU by bin%s%s", *run == ',' ? "" : ": ", run);
        dv_html_put_curves(stream, title, "mIoU", p.curves, p.n);
    }
    json_decref(unnamed);
    for (size_t i = 0; i < p.n; i++) free(p.values[i]);
    return status;
}

dv_status dv_html_put_json_curves(FILE *stream, const dv_html_document *document) {
    json_t *list;
    size_t n_panels = 0;
    DV_TRY(dv_html_list(document, "curves", &list));
    for (size_t i = 0; i < json_array_size(list) && n_panels < MOST_PANELS; i++) {
        bool first = true;
        for (size_t j = 0; first && j < i; j++) first = !same_panel(json_array_get(list, i), json_array_get(list, j));
        if (!first) continue;
        if (n_panels == 0)
            fputs("<p>Curves: mIoU of all classes in each viewpoint bin. Rings: bins of the memory bank. Bands: 95 % "
                  "intervals, where there are any.</p>\n",
                  stream);
        DV_TRY(put_panel(stream, list, i));
        n_panels++;
    }
    return DV_OK;
}
