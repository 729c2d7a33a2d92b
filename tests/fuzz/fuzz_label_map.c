/* fuzz_label_map.c: label maps from arbitrary bytes. What is accepted must be written in full. */
#include <stdlib.h>

#include "denseval/image.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE];
    const int file = memory_file_open(data, size, path);
    dv_label_map map;
    if (dv_label_map_read(path, &map) == DV_OK) {
        uint32_t sum = 0; /* looks at every label, so that the sanitizers see one that was never written */
        for (size_t i = 0; i < map.height * map.width; i++) sum += map.labels[i];
        if (map.height * map.width == 0 || sum > 65535u * map.height * map.width) abort();
        dv_label_map_clear(&map);
    }
    memory_file_close(file);
    return 0;
}
