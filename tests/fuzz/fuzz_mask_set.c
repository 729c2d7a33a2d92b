/* fuzz_mask_set.c: a set of masks from arbitrary bytes as an HDF5 file: its lists at both depths, then the first
 * frames. */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "io/mask_set.h"

enum { MOST_READ = 8 };

static void read_first_frames(dv_mask_set *set) {
    dv_label_map map = {0};
    char hash[DV_HASH_TEXT_SIZE];
    size_t n_read = 0;
    for (size_t s = 0; s < dv_mask_set_n_sequences(set); s++) {
        const size_t n_frames = dv_mask_set_n_frames(set, s);
        if (n_frames == 0 || dv_mask_set_find_sequence(set, dv_mask_set_sequence(set, s)) == SIZE_MAX) abort();
        for (size_t f = 0; f < n_frames && n_read < MOST_READ; f++, n_read++) {
            if (dv_mask_set_find_frame(set, s, dv_mask_set_frame(set, s, f)) != f) abort();
            if (dv_mask_set_read(set, s, f, &map, hash) != DV_OK) continue;
            uint32_t sum = 0; /* looks at every label, so that the sanitizers see one that was never written */
            for (size_t i = 0; i < map.height * map.width; i++) sum += map.labels[i];
            if (map.height * map.width == 0 || sum > 65535u * map.height * map.width) abort();
        }
    }
    dv_label_map_clear(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE];
    const int file = memory_file_open(data, size, path);
    for (size_t depth = 1; depth <= 2; depth++) {
        dv_mask_set *set;
        if (dv_mask_set_open(path, depth, DV_PALETTE_NONE, &set) == DV_OK) read_first_frames(set);
        dv_mask_set_close(set);
    }
    memory_file_close(file);
    return 0;
}
