/* mask_set.h: sequences of label maps, in folders of PNG or in an HDF5 file (docs/FORMATS.md, "Masks"). */
#ifndef DV_IO_MASK_SET_H
#define DV_IO_MASK_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/hash.h"
#include "denseval/image.h"
#include "denseval/status.h"

typedef struct dv_mask_set dv_mask_set;

typedef enum dv_mask_palette {
    DV_PALETTE_NONE = 0, /* colours are refused */
    DV_PALETTE_VOC = 1   /* RGB becomes the class of dv_class_colour; an unknown colour is DV_E_DATA */
} dv_mask_palette;

/* Lists sequences and frames; no mask is read. A sequence is a folder `depth` levels below `path` (1: SEQUENCE, 2:
 * SCENE/CAMERA) and its frames are its PNG files, or in an HDF5 file a dataset of such a path. Both are in natural
 * order and joined by name: the frame's is its stem. Depth 0 has one sequence, which may be empty: all PNG files below
 * the folder, called after their key (io/folder.h), or the dataset /labels of an HDF5 file of masks or features, called
 * after its dataset /image_id, its attribute `frames`, or else by row. Hidden and foreign files are passed over and
 * counted; a folder of frames that holds JPEG pictures is DV_E_DATA (no labels survive JPEG). Fails with DV_E_MISSING,
 * DV_E_DATA (no sequence, two frames of one stem, a sequence without frames), DV_E_IO, DV_E_NOMEM. *out: the caller's
 * until dv_mask_set_close */
DV_MUST_USE dv_status dv_mask_set_open(const char *path, size_t depth, dv_mask_palette palette, dv_mask_set **out);
void dv_mask_set_close(dv_mask_set *set); /* NULL is allowed */

const char *dv_mask_set_path(const dv_mask_set *set);
size_t dv_mask_set_n_passed_over(const dv_mask_set *set);
size_t dv_mask_set_n_sequences(const dv_mask_set *set);
/* "SEQUENCE" or "SCENE/CAMERA". Borrowed until close. */
const char *dv_mask_set_sequence(const dv_mask_set *set, size_t sequence);
size_t dv_mask_set_n_frames(const dv_mask_set *set, size_t sequence);
/* The stem. Borrowed until close. */
const char *dv_mask_set_frame(const dv_mask_set *set, size_t sequence, size_t frame);
/* SIZE_MAX: there is none. */
size_t dv_mask_set_find_sequence(const dv_mask_set *set, const char *name);
size_t dv_mask_set_find_frame(const dv_mask_set *set, size_t sequence, const char *stem);

/* How messages call a frame: its file, or "FILE: /SEQUENCE, frame STEM". text char [size], cut where it is too long */
void dv_mask_set_name_frame(const dv_mask_set *set, size_t sequence, size_t frame, char *text, size_t size);

/* Reads one frame; from any thread. *map is zeroed or was read before: its memory is used again where it can be; zeroed
 * on failure. hash: of the file's bytes, or of the labels in an HDF5 stack; char
 * [DV_HASH_TEXT_SIZE]. Fails as dv_label_map_read does; the message begins with the path. */
DV_MUST_USE dv_status dv_mask_set_read(dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map, char *hash);

/* `hash` becomes that of itself, the name of a frame and the hash of what was `read` of it: "" before the first. Both
 * char [DV_HASH_TEXT_SIZE] */
void dv_mask_set_chain_hash(const dv_mask_set *set, size_t sequence, size_t frame, const char *read, char *hash);

#endif
