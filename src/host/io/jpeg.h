/* jpeg.h: JPEG from memory. Messages name no file: whoever read it adds the path. */
#ifndef DV_IO_JPEG_H
#define DV_IO_JPEG_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/image.h"

/* Whether the bytes begin as a JPEG does. */
bool dv_jpeg_is(const uint8_t *bytes, size_t n_bytes);

/* As dv_picture_read, from memory: what a decoder would only warn of is DV_E_DATA. bytes u8 [n_bytes], borrowed for the
 * call. Bytes behind the end of the picture are passed over: cameras write previews there. On failure *picture is
 * zeroed. */
DV_MUST_USE dv_status dv_jpeg_read_picture(const uint8_t *bytes, size_t n_bytes, dv_picture *picture);

#endif
