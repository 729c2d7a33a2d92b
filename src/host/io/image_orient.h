/* image_orient.h: turning a picture as its EXIF orientation says. */
#ifndef DV_IO_IMAGE_ORIENT_H
#define DV_IO_IMAGE_ORIENT_H

#include "denseval/image.h"

/* Moves the pixels so that the orientation becomes 1; 5..8 swap width and height. On failure (DV_E_NOMEM) nothing
 * changes. */
DV_MUST_USE dv_status dv_picture_orient(dv_picture *picture);

#endif
