/* The grid is walked cell by cell: the pixels between four neighbouring patches share these patches, so each cell makes
 * the list of classes that occur in it (all others blend to exactly 0), blends its two grid rows horizontally once, and
 * hands all its pixel rows to the vertical blend. A cell of four pure patches of one class is filled at once. */
#include "denseval/upsample.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/aggregate.h"
#include "segment/blend.h"

enum { MAX_SIZE = 65535, TILE = DV_BLEND_TILE, ALIGNMENT = 64 };

/* One direction. The pixels begin[g] .. begin[g + 1] - 1 lie between patch g and the next one (the last: itself). */
typedef struct axis {
    size_t n_patches, n_pixels;
    size_t *begin; /* [n_patches + 1] */
    double *share; /* [n_pixels], of the second patch */
} axis;

struct dv_upsampler {
    axis y, x;
    dv_blend_function blend;
};

static dv_status axis_init(axis *a, size_t n_patches, size_t n_pixels) {
    a->n_patches = n_patches;
    a->n_pixels = n_pixels;
    DV_TRY(dv_alloc(n_patches + 1, sizeof *a->begin, "upsampling cells", &a->begin));
    DV_TRY(dv_alloc(n_pixels, sizeof *a->share, "upsampling weights", &a->share));
    size_t cell = 0;
    for (size_t i = 0; i < n_pixels; i++) {
        const double centre = ((double)i + 0.5) * (double)n_patches / (double)n_pixels - 0.5;
        const double at = centre > 0.0 ? centre : 0.0;
        const size_t patch = (size_t)at < n_patches ? (size_t)at : n_patches - 1;
        a->share[i] = at - (double)patch;
        while (cell < patch) a->begin[++cell] = i;
    }
    while (cell < n_patches) a->begin[++cell] = n_pixels;
    return DV_OK;
}

dv_status dv_upsampler_create(size_t grid_h, size_t grid_w, size_t height, size_t width, dv_upsampler **out) {
    *out = NULL;
    const size_t sizes[4] = {grid_h, grid_w, height, width};
    for (size_t i = 0; i < 4; i++)
        if (sizes[i] < 1 || sizes[i] > MAX_SIZE)
            return dv_fail(DV_E_ARG, "upsampling a grid of %zu x %zu to %zu x %zu: sizes must be 1..%d", grid_h, grid_w,
                           height, width, MAX_SIZE);
    dv_upsampler *made;
    DV_TRY(dv_alloc(1, sizeof *made, "an upsampler", &made));
    dv_status status = axis_init(&made->y, grid_h, height);
    if (status == DV_OK) status = axis_init(&made->x, grid_w, width);
    if (status == DV_OK) {
        made->blend = dv_blend_best();
        *out = made;
        made = NULL; /* the caller's from here */
    }
    dv_upsampler_free(made);
    return status;
}

void dv_upsampler_free(dv_upsampler *upsampler) {
    if (!upsampler) return;
    free(upsampler->y.begin);
    free(upsampler->y.share);
    free(upsampler->x.begin);
    free(upsampler->x.share);
    free(upsampler);
}

void dv_upsampler_sizes(const dv_upsampler *upsampler, size_t *grid_h, size_t *grid_w, size_t *height, size_t *width) {
    *grid_h = upsampler->y.n_patches;
    *grid_w = upsampler->x.n_patches;
    *height = upsampler->y.n_pixels;
    *width = upsampler->x.n_pixels;
}

size_t dv_upsampler_scratch(const dv_upsampler *upsampler, size_t n_classes) {
    (void)upsampler; /* the tile is of one size */
    const size_t blends = 2 * n_classes * TILE * sizeof(double);
    const size_t classes = n_classes * sizeof(uint16_t);
    return (blends + classes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Four patches and the pixels between them. */
typedef struct cell {
    const double *top_left, *top_right, *bottom_left, *bottom_right; /* soft labels, f64 [n_classes] */
    size_t y_begin, y_end, x_begin, x_end;
} cell;

static size_t list_classes(const cell *c, size_t n_classes, uint16_t *classes) {
    size_t n = 0;
    for (size_t i = 0; i < n_classes; i++) {
        classes[n] = (uint16_t)i; /* written in any case and kept when it occurs: no branch to mispredict */
        n += (c->top_left[i] > 0.0) | (c->top_right[i] > 0.0) | (c->bottom_left[i] > 0.0) | (c->bottom_right[i] > 0.0);
    }
    return n;
}

static void blend_horizontally(double left, double right, const double *restrict shares, double *restrict blended) {
    for (size_t x = 0; x < TILE; x++) blended[x] = left * (1.0 - shares[x]) + right * shares[x];
}

static void blend_cell(const dv_upsampler *u, const cell *c, size_t n_classes, double *scratch, uint16_t *pred) {
    double *top = scratch, *bottom = top + n_classes * TILE;
    uint16_t *classes = (uint16_t *)(void *)(bottom + n_classes * TILE);
    dv_blend_tile tile = {.top = top, .bottom = bottom, .classes = classes};
    tile.n_classes = list_classes(c, n_classes, classes);
    for (size_t x = c->x_begin; x < c->x_end; x += TILE) {
        double shares[TILE] = {0}; /* pixels beyond the cell are computed and not written */
        tile.width = c->x_end - x < TILE ? c->x_end - x : TILE;
        memcpy(shares, u->x.share + x, tile.width * sizeof *shares);
        for (size_t j = 0; j < tile.n_classes; j++) {
            const size_t i = classes[j];
            blend_horizontally(c->top_left[i], c->top_right[i], shares, top + j * TILE);
            blend_horizontally(c->bottom_left[i], c->bottom_right[i], shares, bottom + j * TILE);
        }
        u->blend(&tile, u->y.share + c->y_begin, c->y_end - c->y_begin, pred + c->y_begin * u->x.n_pixels + x,
                 u->x.n_pixels);
    }
}

static void fill_cell(const cell *c, uint16_t class, size_t stride, uint16_t *pred) {
    for (size_t y = c->y_begin; y < c->y_end; y++)
        for (size_t x = c->x_begin; x < c->x_end; x++) pred[y * stride + x] = class;
}

void dv_upsample_argmax(const dv_upsampler *upsampler, const double *soft, const uint16_t *pure, size_t n_classes,
                        void *scratch, uint16_t *pred) {
    const axis *y = &upsampler->y, *x = &upsampler->x;
    for (size_t row = 0; row < y->n_patches; row++) {
        const size_t below = row + 1 < y->n_patches ? row + 1 : row;
        for (size_t column = 0; column < x->n_patches; column++) {
            const size_t beside = column + 1 < x->n_patches ? column + 1 : column;
            const size_t patches[4] = {row * x->n_patches + column, row * x->n_patches + beside,
                                       below * x->n_patches + column, below * x->n_patches + beside};
            const cell c = {soft + patches[0] * n_classes,
                            soft + patches[1] * n_classes,
                            soft + patches[2] * n_classes,
                            soft + patches[3] * n_classes,
                            y->begin[row],
                            y->begin[row + 1],
                            x->begin[column],
                            x->begin[column + 1]};
            const uint16_t class = pure[patches[0]];
            if (class != DV_MIXED && pure[patches[1]] == class && pure[patches[2]] == class &&
                pure[patches[3]] == class)
                fill_cell(&c, class, x->n_pixels, pred);
            else
                blend_cell(upsampler, &c, n_classes, scratch, pred);
        }
    }
}
