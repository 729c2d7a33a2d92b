/* jpeg_exif.h: the orientation that a camera noted in a JPEG. */
#ifndef DV_IO_JPEG_EXIF_H
#define DV_IO_JPEG_EXIF_H

#include <stddef.h>
#include <stdint.h>

/* The orientation 1..8 in the data of an APP1 marker ("Exif", two zeros, a TIFF header, directories); 1 where the data
 * is something else, is damaged or holds no such value. bytes u8 [n_bytes], borrowed for the call.
 * Source: CIPA DC-008 (Exif 2.32), tag 0x0112. */
int dv_exif_orientation(const uint8_t *bytes, size_t n_bytes);

#endif
