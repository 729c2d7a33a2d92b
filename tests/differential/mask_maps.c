#include "differential/mask_maps.h"

static uint16_t id_of(size_t number) {
    static const uint16_t special[] = {1, 255, 65535, 256, 2, 254, 257, 32768, 65534};
    enum { N_SPECIAL = sizeof special / sizeof *special };
    return number < N_SPECIAL ? special[number] : (uint16_t)(number * 3);
}

static void fill_blob(corpus_random *random, uint16_t id, size_t height, size_t width, uint16_t *map) {
    const int64_t cy = (int64_t)corpus_below(random, height), cx = (int64_t)corpus_below(random, width);
    const int64_t ry = 1 + (int64_t)corpus_below(random, height / 3 + 1),
                  rx = 1 + (int64_t)corpus_below(random, width / 3 + 1);
    for (int64_t y = 0; y < (int64_t)height; y++)
        for (int64_t x = 0; x < (int64_t)width; x++) {
            const int64_t dy = (y - cy) * rx, dx = (x - cx) * ry;
            if (dy * dy + dx * dx <= ry * ry * rx * rx) map[(size_t)y * width + (size_t)x] = id;
        }
}

void mask_map_fill(corpus_random *random, mask_kind kind, size_t n_ids, size_t height, size_t width, uint16_t *map) {
    const size_t period = 1 + corpus_below(random, 9), phase = corpus_below(random, 9);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            uint16_t *at = &map[y * width + x];
            const size_t any = corpus_below(random, n_ids);
            *at = 0;
            if (kind == MASKS_NOISE && corpus_below(random, 2)) *at = id_of(any);
            if (kind == MASKS_SPARSE && corpus_below(random, 60) == 0) *at = id_of(any);
            if (kind == MASKS_STRIPES && (x + phase) / period % 2) *at = id_of((x + phase) / period % n_ids);
            if (kind == MASKS_CHECKERS && ((x + phase) / period + y / period) % 2) *at = id_of(y / period % n_ids);
        }
    for (size_t i = 0; kind == MASKS_BLOBS && i < n_ids; i++) fill_blob(random, id_of(i), height, width, map);
}

void mask_map_disturb(corpus_random *random, const uint16_t *map, size_t height, size_t width, uint16_t *out) {
    const size_t down = corpus_below(random, 12), right = corpus_below(random, 12);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const bool inside = y >= down && x >= right, hole = corpus_below(random, 100) == 0;
            out[y * width + x] = inside && !hole ? map[(y - down) * width + x - right] : 0;
        }
}
