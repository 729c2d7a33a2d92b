/* fuzz_png.c: label maps and pictures from arbitrary bytes as PNG. */
#include <stddef.h>
#include <stdint.h>

#include "io/png.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dv_label_map map;
    if (dv_png_read_labels(data, size, &map) == DV_OK) dv_label_map_clear(&map);
    dv_picture picture;
    if (dv_png_read_picture(data, size, &picture) == DV_OK) dv_picture_clear(&picture);
    return 0;
}
