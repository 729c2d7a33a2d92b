/* image_file.h: the bytes of image files, and what kind of image they are. */
#ifndef DV_IO_IMAGE_FILE_H
#define DV_IO_IMAGE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* Reads a file whole. Fails with DV_E_MISSING, DV_E_DATA (empty, or no regular file), DV_E_IO, DV_E_NOMEM; the message
 * begins with the path. *bytes: u8 [*n_bytes], the caller's until free(); NULL on failure */
DV_MUST_USE dv_status dv_image_file_load(const char *path, uint8_t **bytes, size_t *n_bytes);

/* Writes bytes beside `path` and renames; what was there is replaced. Fails with DV_E_IO. */
DV_MUST_USE dv_status dv_image_file_store(const char *path, const uint8_t *bytes, size_t n_bytes);

/* Writes bytes straight to the path, not synced: for a file within a dv_atomic_folder, whose commit syncs all that it
 * holds. Fails with DV_E_IO. */
DV_MUST_USE dv_status dv_image_file_put(const char *path, const uint8_t *bytes, size_t n_bytes);

/* What the first bytes say, whatever the name says: "PNG", "JPEG", "GIF", "BMP", "TIFF", "WebP", "HDF5" or "unknown".
 * Static lifetime. */
const char *dv_image_file_kind(const uint8_t *bytes, size_t n_bytes);

#endif
