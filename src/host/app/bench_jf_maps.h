/* bench_jf_maps.h: made frames of objects with ragged contours, and predictions a little off. */
#ifndef DV_APP_BENCH_JF_MAPS_H
#define DV_APP_BENCH_JF_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

enum { DV_BENCH_MOST_BLOBS = 4096 };

typedef struct dv_bench_blobs {
    size_t n_frames, n_objects, height, width;
    uint16_t *truth, *pred; /* [n_frames, height, width], ids 1..n_objects, 0 elsewhere; owned */
} dv_bench_blobs;

/* A blob for each object, in the cells of a grid that fills the frame; together they cover about a third of it. A
 * predicted blob is moved by up to half a radius of bound 0.008, and its contour runs otherwise by a pixel or two.
 * Depends on sizes and seed alone. *blobs: dv_bench_blobs_clear, on failure too. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_bench_blobs_make(size_t n_frames, size_t n_objects, size_t height, size_t width, uint64_t seed,
                                          dv_bench_blobs *blobs);
void dv_bench_blobs_clear(dv_bench_blobs *blobs);

#endif
