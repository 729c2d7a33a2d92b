#include "app/bench_jf_maps.h"

#include <math.h>
#include <stdlib.h>

#include "app/bench.h"
#include "app/message.h"
#include "denseval/mask_counts.h"
#include "denseval/random.h"

enum { PLACE_STREAM, SHAPE_STREAM, MOVE_STREAM, TRUE_EDGE_STREAM, PRED_EDGE_STREAM, UNITS = 1000, JITTER = 3 };

/* In pixels. The left and the right end of a row swing about an ellipse. */
typedef struct blob {
    double y, x, radius_y, radius_x, phase;
    uint64_t first_edge; /* of its rows, in the stream of the contour */
} blob;

/* [0, 1] */
static double share(uint64_t seed, uint64_t stream, uint64_t number) {
    return (double)dv_random_below(seed, stream, number, UNITS) / (UNITS - 1);
}

static blob make_blob(const dv_bench_blobs *b, uint64_t seed, size_t frame, size_t object) {
    const size_t columns = (size_t)ceil(sqrt((double)b->n_objects)), rows = (b->n_objects + columns - 1) / columns;
    const double cell_y = (double)b->height / (double)rows, cell_x = (double)b->width / (double)columns;
    const size_t row = object / columns, column = object % columns;
    const uint64_t number = (frame * b->n_objects + object) * 4;
    const double off_y = 0.2 * share(seed, PLACE_STREAM, number), off_x = 0.2 * share(seed, PLACE_STREAM, number + 1);
    return (blob){.y = cell_y * ((double)row + 0.4 + off_y),
                  .x = cell_x * ((double)column + 0.4 + off_x),
                  .radius_y = cell_y * (0.25 + 0.12 * share(seed, SHAPE_STREAM, number)),
                  .radius_x = cell_x * (0.25 + 0.12 * share(seed, SHAPE_STREAM, number + 1)),
                  .phase = 6.0 * share(seed, SHAPE_STREAM, number + 2),
                  .first_edge = number / 4 * b->height * 2};
}

/* A column inside the frame. */
static size_t column_of(double x, size_t width) {
    return x <= 0.0 ? 0 : x >= (double)width ? width : (size_t)x;
}

static void paint(const blob *o, const dv_bench_blobs *b, uint64_t seed, uint64_t edge_stream, uint16_t id,
                  uint16_t *map) {
    for (size_t y = 0; y < b->height; y++) {
        const double v = ((double)y + 0.5 - o->y) / o->radius_y;
        if (v * v >= 1.0) continue;
        const double half = o->radius_x * sqrt(1.0 - v * v);
        const uint64_t edge = o->first_edge + 2 * y;
        const double left = half * (1.0 + 0.15 * sin(5.0 * v + o->phase)) +
                            (double)dv_random_below(seed, edge_stream, edge, JITTER),
                     right = half * (1.0 + 0.15 * sin(7.0 * v - o->phase)) +
                             (double)dv_random_below(seed, edge_stream, edge + 1, JITTER);
        const size_t end = column_of(o->x + right, b->width);
        for (size_t x = column_of(o->x - left, b->width); x < end; x++) map[y * b->width + x] = id;
    }
}

dv_status dv_bench_blobs_make(size_t n_frames, size_t n_objects, size_t height, size_t width, uint64_t seed,
                              dv_bench_blobs *blobs) {
    *blobs = (dv_bench_blobs){.n_frames = n_frames, .n_objects = n_objects, .height = height, .width = width};
    const size_t n = n_frames * height * width;
    DV_TRY(dv_bench_alloc(n, sizeof *blobs->truth, "true labels", &blobs->truth));
    DV_TRY(dv_bench_alloc(n, sizeof *blobs->pred, "predicted labels", &blobs->pred));
    const double most = dv_mask_radius(0.008, height, width) / 2.0;
    for (size_t i = 0; i < n_frames * n_objects; i++) {
        const size_t frame = i / n_objects, at = frame * height * width;
        const uint16_t id = (uint16_t)(i % n_objects + 1);
        blob o = make_blob(blobs, seed, frame, i % n_objects);
        paint(&o, blobs, seed, TRUE_EDGE_STREAM, id, blobs->truth + at);
        o.y += most * (2.0 * share(seed, MOVE_STREAM, 2 * i) - 1.0);
        o.x += most * (2.0 * share(seed, MOVE_STREAM, 2 * i + 1) - 1.0);
        paint(&o, blobs, seed, PRED_EDGE_STREAM, id, blobs->pred + at);
    }
    return DV_OK;
}

void dv_bench_blobs_clear(dv_bench_blobs *blobs) {
    free(blobs->truth);
    free(blobs->pred);
}
