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

/* What becomes of the colours of an RGB PNG. */
typedef struct dv_png_colours {
    /* The label of a colour of `depth` bits a channel; -1: none. rgb u16 [3] */
    int32_t (*label_of)(const uint16_t *rgb, unsigned depth);
    const char *refusal; /* what the message says behind a colour without label */
} dv_png_colours;

/* The same, but RGB becomes labels by `colours` (NULL: as dv_label_map_read has it), and *map is zeroed or was read
 * before: its memory is used again where the size is the same, since new pages cost more than reading a mask. */
DV_MUST_USE dv_status dv_png_read_coloured(const uint8_t *bytes, size_t n_bytes, const dv_png_colours *colours,
                                           dv_label_map *map);

/* The same of any bytes: what is no PNG is DV_E_DATA that says what it is. */
DV_MUST_USE dv_status dv_label_map_decode(const uint8_t *bytes, size_t n_bytes, const dv_png_colours *colours,
                                          dv_label_map *map);

/* Labels of equal channels alone, as dv_label_map_read has it: a dv_png_colours.label_of. */
int32_t dv_png_gray_label(const uint16_t *rgb, unsigned depth);

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
