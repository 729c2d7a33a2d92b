/* png_decode.h: what reading labels and reading pictures share: a checked PNG whose pixels are decoded whole. */
#ifndef DV_IO_PNG_DECODE_H
#define DV_IO_PNG_DECODE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <spng.h>

#include "denseval/status.h"

typedef struct dv_png_decoder {
    spng_ctx *context; /* owned; release with dv_png_decoder_clear */
    const uint8_t *bytes;
    size_t n_bytes;
    struct spng_ihdr header;
} dv_png_decoder;

/* Checks the chunks and the claims of the header against the bytes; allocates nothing of the image's size.
 * bytes  borrowed until dv_png_decoder_clear */
DV_MUST_USE dv_status dv_png_decoder_open(const uint8_t *bytes, size_t n_bytes, dv_png_decoder *decoder);

/* Decodes all pixels, checksums included. Once a decoder, this or dv_png_decoder_rows.
 * format   SPNG_FMT_PNG (as stored) or SPNG_FMT_RGB8
 * *pixels  the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_png_decoder_run(dv_png_decoder *decoder, int format, uint8_t **pixels, size_t *n_bytes);

/* The samples of an image as stored, 16 bit in host order. */
typedef struct dv_png_rows {
    uint8_t *owned;       /* release with free() */
    const uint8_t *first; /* row y at first + y * stride */
    size_t stride;
} dv_png_rows;

/* As dv_png_decoder_run with SPNG_FMT_PNG, faster where the file is plain. n_row_bytes: of a row of samples. On failure
 * *rows is zeroed. */
DV_MUST_USE dv_status dv_png_decoder_rows(dv_png_decoder *decoder, size_t n_row_bytes, dv_png_rows *rows);

void dv_png_decoder_clear(dv_png_decoder *decoder);

#endif
