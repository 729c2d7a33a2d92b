/* colmap_parse.h: what the binary and the text form of a COLMAP model share. */
#ifndef DV_IO_COLMAP_PARSE_H
#define DV_IO_COLMAP_PARSE_H

#include <stdint.h>
#include <stdio.h>

#include "io/colmap.h"

/* Both read an open file to its end and append to the model, in the file's order; messages begin with the place.
 * n_bytes  size of the file */
DV_MUST_USE dv_status dv_colmap_read_binary(FILE *stream, uint64_t n_bytes, dv_colmap_model *model);
DV_MUST_USE dv_status dv_colmap_read_text(FILE *stream, dv_colmap_model *model);

/* Appends an image; name is copied. place  "image 3 of 23" or "line 7", for messages; pose f64 [7]: w x y z, tx ty tz
 */
DV_MUST_USE dv_status dv_colmap_add(dv_colmap_model *model, const char *place, const char *name, const double *pose);

#endif
