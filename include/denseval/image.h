/* image.h: label maps and pictures in PNG and JPEG files. */
#ifndef DENSEVAL_IMAGE_H
#define DENSEVAL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

/* A label map: u16 [height, width], the integers as stored. */
typedef struct dv_label_map {
    size_t height, width;
    uint16_t *labels; /* owned; release with dv_label_map_clear */
} dv_label_map;

/* A picture: u8 [height, width, 3], RGB. */
typedef struct dv_picture {
    size_t height, width;
    uint8_t *rgb;    /* owned; release with dv_picture_clear */
    int orientation; /* EXIF orientation 1..8 of a JPEG, else 1; the pixels are as stored */
} dv_picture;

/* Reads labels from an indexed PNG (1, 2, 4, 8 bit: the indices, never the palette's colours), a gray PNG (1, 2, 4 bit
 * unscaled; 8, 16 bit), or an RGB PNG whose three channels are equal everywhere; an alpha channel must be opaque. Fails
 * with DV_E_MISSING, DV_E_DATA (no PNG, a JPEG, colours: the first pixel is named; damage, bad checksums, sizes above
 * 65535 or not backed by the file's bytes, bytes behind its end), DV_E_IO, DV_E_NOMEM; the message begins with the
 * path. */
DV_MUST_USE dv_status dv_label_map_read(const char *path, dv_label_map *map);
void dv_label_map_clear(dv_label_map *map);

/* Writes an indexed 8-bit PNG with the palette of dv_class_colour (labels above 255: 16-bit gray), beside `path` and
 * renamed; what was there is replaced. Bytes repeat. labels u16 [height, width], sides 1..65535. Fails with DV_E_ARG,
 * DV_E_IO, DV_E_NOMEM; the message begins with the path. */
DV_MUST_USE dv_status dv_label_map_write(const char *path, const uint16_t *labels, size_t height, size_t width);

/* Reads a JPEG (gray is replicated; CMYK, and any decoder warning, are DV_E_DATA) or a PNG of 8 bits or fewer (gray is
 * replicated, palettes are expanded, alpha is left out); by content, not name. Fails as dv_label_map_read does. */
DV_MUST_USE dv_status dv_picture_read(const char *path, dv_picture *picture);
void dv_picture_clear(dv_picture *picture);

/* Writes an 8-bit RGB PNG beside `path` and renames it, as dv_label_map_write does. Bytes repeat. */
DV_MUST_USE dv_status dv_picture_write(const char *path, const dv_picture *picture);

/* The colour of a class: the PASCAL VOC colour map (bits of the label spread over R, G, B). rgb u8 [3] */
void dv_class_colour(uint16_t label, uint8_t *rgb);

DV_C_END
#endif
