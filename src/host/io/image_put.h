/* image_put.h: images as files of a folder that is put in place as a whole. */
#ifndef DV_IO_IMAGE_PUT_H
#define DV_IO_IMAGE_PUT_H

#include "denseval/image.h"

/* As dv_label_map_write and dv_picture_write, but straight to the path and not synced: for files within a
 * dv_atomic_folder, whose commit syncs each of them once. */
DV_MUST_USE dv_status dv_label_map_put(const char *path, const uint16_t *labels, size_t height, size_t width);
DV_MUST_USE dv_status dv_picture_put(const char *path, const dv_picture *picture);

#endif
