/* png_inflate.h: the image data of a PNG inflated in one piece, which libspng does row by row: a mask of 480 x 854
 * takes a fifth of the time. */
#ifndef DV_IO_PNG_INFLATE_H
#define DV_IO_PNG_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* The rows of an image that is not interlaced. */
typedef struct dv_png_shape {
    size_t height;
    size_t n_row_bytes;   /* without the byte that names the filter */
    size_t n_pixel_bytes; /* bytes between a sample and that of the pixel to the left, at least 1 */
} dv_png_shape;

/* Inflates and unfilters. Checks the sums of the image data and of IEND; those of the chunks before are the caller's
 * matter. Anything but plain, sound files (IDAT chunks in a row, then IEND, exactly the data of the rows) gives DV_OK
 * and *rows NULL, so that a slower decoder says what is wrong, or reads it. Fails with DV_E_NOMEM.
 * bytes  u8 [n_bytes], a PNG whose chunks all lie within it up to IEND; borrowed for the call
 * *rows  u8 [height, 1 + n_row_bytes], the byte before each row is of no meaning; the caller's until free() */
DV_MUST_USE dv_status dv_png_inflate(const uint8_t *bytes, size_t n_bytes, const dv_png_shape *shape, uint8_t **rows);

#endif
