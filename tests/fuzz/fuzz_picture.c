/* fuzz_picture.c: JPEG and PNG pictures from arbitrary bytes. What is accepted must be whole. */
#include <stdlib.h>

#include "denseval/image.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE];
    const int file = memory_file_open(data, size, path);
    dv_picture picture;
    if (dv_picture_read(path, &picture) == DV_OK) {
        volatile uint8_t last = 0; /* looks at every byte, so that the sanitizers see one out of bounds */
        for (size_t i = 0; i < picture.height * picture.width * 3; i++) last = picture.rgb[i];
        (void)last;
        if (picture.height * picture.width == 0 || picture.orientation < 1 || picture.orientation > 8) abort();
        dv_picture_clear(&picture);
    }
    memory_file_close(file);
    return 0;
}
