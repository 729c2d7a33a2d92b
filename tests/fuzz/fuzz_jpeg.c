/* fuzz_jpeg.c: pictures, and the orientation that stands beside them, from arbitrary bytes as JPEG. */
#include <stddef.h>
#include <stdint.h>

#include "io/jpeg.h"
#include "io/jpeg_exif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (dv_exif_orientation(data, size) == 0) return -1; /* never: 1..8 */
    dv_picture picture;
    if (dv_jpeg_read_picture(data, size, &picture) == DV_OK) dv_picture_clear(&picture);
    return 0;
}
