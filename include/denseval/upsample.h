/* upsample.h: soft labels of a patch grid, blown up to pixels, and the class that wins each pixel. */
#ifndef DENSEVAL_UPSAMPLE_H
#define DENSEVAL_UPSAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

typedef struct dv_upsampler dv_upsampler; /* the weights of one pair of sizes; read-only after creation, so shareable */

/* Fails with DV_E_ARG (a size of 0 or above 65535), DV_E_NOMEM. *out: the caller's until dv_upsampler_free. */
DV_MUST_USE dv_status dv_upsampler_create(size_t grid_h, size_t grid_w, size_t height, size_t width,
                                          dv_upsampler **out);
void dv_upsampler_free(dv_upsampler *upsampler);

/* The sizes it was made for. */
void dv_upsampler_sizes(const dv_upsampler *upsampler, size_t *grid_h, size_t *grid_w, size_t *height, size_t *width);

/* Bytes of scratch that dv_upsample_argmax needs for n_classes. */
size_t dv_upsampler_scratch(const dv_upsampler *upsampler, size_t n_classes);

/* Bilinear with half-pixel centres and clamped edges (t = max((i + 0.5) * n / m - 0.5, 0)), in double, two horizontal
 * blends then a vertical one, each a * (1 - t) + b * t unfused; the largest class wins, the lowest on ties. Where the
 * four patches around a pixel are pure and of one class, that class is written without blending: same result.
 * soft     f64 [grid_h, grid_w, n_classes], finite and not negative; n_classes 1..65535; pure u16 [grid_h, grid_w] as
 * dv_aggregate writes it scratch  dv_upsampler_scratch bytes, aligned to 64 pred     u16 [height, width], written in
 * full Host memory, borrowed for the call; safe from several threads with a scratch each. */
void dv_upsample_argmax(const dv_upsampler *upsampler, const double *soft, const uint16_t *pure, size_t n_classes,
                        void *scratch, uint16_t *pred);

DV_C_END
#endif
