/* Figures of J and F over the frames of sequences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/plot.h"
#include "report/jf_figures.h"

enum {
    PANELS = 8, /* of a figure */
    CURVES = 2, /* J, F */
    MOST_TICKS = 8,
    MOST_POINTS = 30 /* frames; curves of more are drawn without points */
};

/* One figure. The arrays of a curve lie in one block: x, y, low, high. */
typedef struct curves {
    size_t n_panels;
    dv_plot_panel panels[PANELS];
    dv_plot_line lines[PANELS][CURVES];
    double *blocks[PANELS][CURVES];
    bool has_band;
    size_t n_frames; /* of the longest sequence */
} curves;

static void add_value(double value, double *sum, double *low, double *high) {
    *sum = isnan(*sum) ? value : *sum + value;
    *low = isnan(*low) ? value : fmin(*low, value);
    *high = isnan(*high) ? value : fmax(*high, value);
}

/* Mean, least and greatest of the objects that are scored in each frame; the latter two where they differ. */
static dv_status fill_curve(const dv_jf_sequence *sequence, size_t curve, curves *c) {
    const size_t panel = c->n_panels, n = sequence->n_frames;
    size_t *n_objects;
    double *block;
    DV_TRY(dv_alloc(n, 4 * sizeof *block, "a curve", &block));
    c->blocks[panel][curve] = block;
    double *const x = block, *const y = block + n, *const low = block + 2 * n, *const high = block + 3 * n;
    DV_TRY(dv_alloc(n, sizeof *n_objects, "a curve", &n_objects));
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i;
        y[i] = low[i] = high[i] = (double)NAN;
    }
    for (size_t o = 0; o < sequence->n_objects; o++) {
        const dv_jf_object *const object = &sequence->objects[o];
        const double *const values = curve == 0 ? object->j : object->f;
        for (size_t i = 0; i < object->n_frames; i++) {
            const size_t frame = object->frames[i];
            add_value(values[i], &y[frame], &low[frame], &high[frame]);
            n_objects[frame]++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (n_objects[i]) y[i] /= (double)n_objects[i];
        if (n_objects[i] > 1)
            c->has_band = true;
        else
            low[i] = high[i] = (double)NAN;
    }
    free(n_objects);
    c->lines[panel][curve] = (dv_plot_line){.name = curve, .n = n, .x = x, .y = y, .low = low, .high = high};
    return DV_OK;
}

static dv_status add_panel(const dv_jf_sequence *sequence, curves *c) {
    for (size_t curve = 0; curve < CURVES; curve++) DV_TRY(fill_curve(sequence, curve, c));
    if (sequence->n_frames > c->n_frames) c->n_frames = sequence->n_frames;
    c->panels[c->n_panels] =
        (dv_plot_panel){.title = sequence->name, .n_lines = CURVES, .lines = c->lines[c->n_panels]};
    c->n_panels++;
    return DV_OK;
}

/* Whole numbers from 0, in steps of 1, 2 or 5 times a power of ten. */
static size_t make_ticks(size_t n_frames, double *ticks) {
    static const size_t steps[] = {2, 5, 10};
    size_t power = 1, step = 1, n = 0;
    for (size_t i = 0; (n_frames - 1) / step >= MOST_TICKS; i++) {
        step = power * steps[i % 3];
        if (i % 3 == 2) power *= 10;
    }
    for (size_t at = 0; at < n_frames; at += step) ticks[n++] = (double)at;
    return n;
}

static dv_status draw(const curves *c, size_t number, const char *folder) {
    static const char *const names[CURVES] = {"J, mean of the objects", "F, mean of the objects"};
    double ticks[MOST_TICKS];
    char *path;
    const dv_plot_figure figure = {.title = "J and F over the frames of a sequence",
                                   .x_label = "frame, counted from 0",
                                   .y_label = "J, F",
                                   .names = names,
                                   .n_names = CURVES,
                                   .band_name = c->has_band ? "least to greatest object" : NULL,
                                   .panels = c->panels,
                                   .n_panels = c->n_panels,
                                   .ticks = ticks,
                                   .n_ticks = make_ticks(c->n_frames, ticks),
                                   .without_points = c->n_frames > MOST_POINTS,
                                   .guide = NAN,
                                   .most = 1.0};
    if (asprintf(&path, "%s/curves-%02zu", folder, number) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    const dv_status status = dv_plot_figure_draw(&figure, path, true);
    free(path);
    return status;
}

dv_status dv_jf_draw_curves(const char *folder, const dv_jf_result *result) {
    dv_status status = DV_OK;
    for (size_t first = 0; first < result->n_sequences && status == DV_OK; first += PANELS) {
        curves c = {.n_panels = 0};
        for (size_t s = first; s < result->n_sequences && s < first + PANELS && status == DV_OK; s++)
            status = add_panel(&result->sequences[s], &c);
        if (status == DV_OK) status = draw(&c, first / PANELS + 1, folder);
        for (size_t i = 0; i < PANELS; i++)
            for (size_t curve = 0; curve < CURVES; curve++) free(c.blocks[i][curve]);
    }
    return status;
}
