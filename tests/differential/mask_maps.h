/* mask_maps.h: seeded label maps that make contours and their disks hard. */
#ifndef DV_TEST_MASK_MAPS_H
#define DV_TEST_MASK_MAPS_H

#include "differential/corpus.h"

typedef enum mask_kind {
    MASKS_BLOBS, /* ellipses of up to n_ids ids */
    MASKS_NOISE, /* a pixel in two has an id */
    MASKS_STRIPES,
    MASKS_CHECKERS,
    MASKS_SPARSE, /* single pixels */
    MASKS_EMPTY,
    MASKS_N_KINDS
} mask_kind;

/* u16 [height, width]; ids are 0, small ones, 255, 256, 65535 and others near them. */
void mask_map_fill(corpus_random *random, mask_kind kind, size_t n_ids, size_t height, size_t width, uint16_t *map);

/* The same objects a little off: the map moved by some pixels, with holes. */
void mask_map_disturb(corpus_random *random, const uint16_t *map, size_t height, size_t width, uint16_t *out);

#endif
