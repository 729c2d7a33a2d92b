/* fuzz_colmap.c: cameras from arbitrary bytes, as images.bin and as images.txt. What is accepted is sorted, named and
 * of unit length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "io/colmap.h"
#include "io/colmap_parse.h"

static void check(const dv_colmap_model *model) {
    for (size_t i = 0; i < model->n_images; i++) {
        const double *const q = model->images[i].rotation;
        const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(fabs(size - 1) < 1e-9) || !model->images[i].name[0]) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE];
    dv_colmap_model model;
    const int descriptor = memory_file_open(data, size, path);
    if (dv_colmap_read(path, &model) == DV_OK) {
        check(&model);
        dv_colmap_clear(&model);
    }
    FILE *const text = fopen(path, "rb");
    model = (dv_colmap_model){0};
    if (text && dv_colmap_read_text(text, &model) == DV_OK) check(&model);
    dv_colmap_clear(&model);
    if (text) fclose(text);
    memory_file_close(descriptor);
    return 0;
}
