/* fuzz_mask_set.c: a set of masks from arbitrary bytes as an HDF5 file: its lists at both depths, then the first
 * frames. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
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

static char path[512]; /* of the one file that every input is written to; HDF5 wants a real path */

static void remove_file(void) {
    unlink(path);
}

static void make_path(void) {
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/fuzz_mask_set-XXXXXX", folder && *folder ? folder : P_tmpdir);
    const int descriptor = mkstemp(path);
    if (descriptor < 0) abort();
    close(descriptor);
    atexit(remove_file);
}

static void write_file(const uint8_t *data, size_t size) {
    if (!path[0]) make_path();
    FILE *stream = fopen(path, "wbe");
    if (!stream || fwrite(data, 1, size, stream) != size || fclose(stream) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    write_file(data, size);
    for (size_t depth = 1; depth <= 2; depth++) {
        dv_mask_set *set;
        if (dv_mask_set_open(path, depth, DV_PALETTE_NONE, &set) == DV_OK) read_first_frames(set);
        dv_mask_set_close(set);
    }
    return 0;
}
