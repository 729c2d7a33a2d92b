/* The heat map of a confusion matrix: of the pixels of a true class, the share that each class was predicted for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/plot.h"
#include "denseval/report.h"

enum { MOST = 256, NAME_SIZE = 16, NOWHERE = -1 };

/* A class that is drawn. */
typedef struct drawn {
    size_t id;
    uint64_t n_pixels; /* of both sides */
} drawn;

typedef struct drawing {
    size_t n;               /* classes that are drawn */
    drawn *classes;         /* [n], by id; owned */
    int *place;             /* [n_classes]: row and column of a class, or NOWHERE; owned */
    const char **names;     /* [n]; owned */
    char (*ids)[NAME_SIZE]; /* [n], what classes without a name are called; owned */
    double *shares;         /* [n, n], owned */
} drawing;

static int by_pixels_falling(const void *a, const void *b) {
    const drawn *const x = a, *const y = b;
    if (x->n_pixels != y->n_pixels) return x->n_pixels > y->n_pixels ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_id(const void *a, const void *b) {
    const drawn *const x = a, *const y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Those with pixels on either side; of many, those with the most. */
static dv_status choose_classes(const dv_iou *iou, drawing *d) {
    DV_TRY(dv_alloc(iou->n_classes, sizeof *d->classes, "classes of a figure", &d->classes));
    DV_TRY(dv_alloc(iou->n_classes, sizeof *d->place, "classes of a figure", &d->place));
    for (size_t c = 0; c < iou->n_classes; c++) {
        const uint64_t n_pixels = iou->truth_pixels[c] + iou->predicted_pixels[c];
        d->place[c] = NOWHERE;
        if (n_pixels) d->classes[d->n++] = (drawn){c, n_pixels};
    }
    if (!d->n) return dv_fail(DV_E_DATA, "a heat map: no class has a pixel");
    qsort(d->classes, d->n, sizeof *d->classes, by_pixels_falling);
    if (d->n > MOST) d->n = MOST;
    qsort(d->classes, d->n, sizeof *d->classes, by_id);
    for (size_t i = 0; i < d->n; i++) d->place[d->classes[i].id] = (int)i;
    return DV_OK;
}

static dv_status fill_names(const char *const *names, drawing *d) {
    DV_TRY(dv_alloc(d->n, sizeof *d->names, "names of a figure", &d->names));
    DV_TRY(dv_alloc(d->n, sizeof *d->ids, "names of a figure", &d->ids));
    for (size_t i = 0; i < d->n; i++) {
        snprintf(d->ids[i], sizeof d->ids[i], "%zu", d->classes[i].id);
        d->names[i] = names ? names[d->classes[i].id] : d->ids[i];
    }
    return DV_OK;
}

/* Rows without truth stay empty. */
static dv_status fill_shares(const dv_label_iou_result *result, drawing *d) {
    dv_confusion_cell *cells;
    size_t n_cells;
    DV_TRY(dv_alloc(d->n * d->n, sizeof *d->shares, "cells of a figure", &d->shares));
    for (size_t i = 0; i < d->n * d->n; i++)
        d->shares[i] = result->iou.truth_pixels[d->classes[i / d->n].id] ? 0.0 : (double)NAN;
    DV_TRY(dv_confusion_cells(result->confusion, &cells, &n_cells));
    for (size_t i = 0; i < n_cells; i++) {
        const int row = d->place[cells[i].truth], column = d->place[cells[i].pred];
        if (row != NOWHERE && column != NOWHERE)
            d->shares[(size_t)row * d->n + (size_t)column] =
                (double)cells[i].n_pixels / (double)result->iou.truth_pixels[cells[i].truth];
    }
    free(cells);
    return DV_OK;
}

dv_status dv_label_iou_draw(const char *path, bool force, const dv_label_iou_result *result, const char *const *names) {
    drawing d = {.n = 0};
    dv_status status = choose_classes(&result->iou, &d);
    if (status == DV_OK) status = fill_names(names, &d);
    if (status == DV_OK) status = fill_shares(result, &d);
    if (status == DV_OK) {
        const dv_plot_matrix matrix = {.title = "Confusion of classes",
                                       .x_label = "predicted class",
                                       .y_label = "true class",
                                       .value_label = "share of the true class's pixels",
                                       .n_rows = d.n,
                                       .n_columns = d.n,
                                       .row_names = d.names,
                                       .column_names = d.names,
                                       .values = d.shares,
                                       .low = 0.0,
                                       .high = 1.0};
        status = dv_plot_matrix_draw(&matrix, path, force);
    }
    free(d.classes);
    free(d.place);
    free(d.names);
    free(d.ids);
    free(d.shares);
    return status;
}
