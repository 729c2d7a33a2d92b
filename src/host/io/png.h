/* png.h: PNG from and to memory. Messages name no file: whoever read it adds the path. */
#ifndef DV_IO_PNG_H
#define DV_IO_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/image.h"

/* Whether the bytes begin with the signature of a PNG. */
bool dv_png_is(const uint8_t *bytes, size_t n_bytes);

/* As dv_label_map_read, from memory. bytes u8 [n_bytes], borrowed for the call. On failure *map is zeroed. */
DV_MUST_USE dv_status dv_png_read_labels(const uint8_t *bytes, size_t n_bytes, dv_label_map *map);

/* As dv_picture_read: gray is replicated, palettes are expanded, alpha is left out. On failure *picture is zeroed. */
DV_MUST_USE dv_status dv_png_read_picture(const uint8_t *bytes, size_t n_bytes, dv_picture *picture);

/* What dv_png_encode writes. */
typedef enum dv_png_format {
    DV_PNG_INDEXED8 = 0, /* u8 [height, width] with the palette of dv_class_colour */
    DV_PNG_GRAY16 = 1,   /* u16 [height, width] */
    DV_PNG_RGB8 = 2      /* u8 [height, width, 3] */
} dv_png_format;

/* Encodes one image; the same pixels give the same bytes. Fails with DV_E_ARG (sizes outside 1..65535), DV_E_NOMEM.
 * pixels   as the format says, borrowed for the call
 * *bytes   u8 [*n_bytes], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_png_encode(dv_png_format format, const void *pixels, size_t height, size_t width,
                                    uint8_t **bytes, size_t *n_bytes);

#endif
