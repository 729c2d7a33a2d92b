/* fuzz_features.c: a feature set from arbitrary bytes as an HDF5 file: all that opening reads, then the first images.
 */
#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "denseval/features.h"

enum { MOST_BYTES = 1 << 22 }; /* of a buffer: what opening let through may still be larger than a fuzzer likes */

static char path[512]; /* of the one file that every input is written to; HDF5 wants a real path */

static void remove_file(void) {
    unlink(path);
}

/* Opens the file for writing, empty; negative on failure. */
static int open_file(void) {
    if (path[0]) return open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/fuzz_features-XXXXXX", folder && *folder ? folder : P_tmpdir);
    const int descriptor = mkstemp(path);
    if (descriptor >= 0) atexit(remove_file);
    return descriptor;
}

static bool write_file(const uint8_t *data, size_t size) {
    const int descriptor = open_file();
    if (descriptor < 0) return false;
    bool good = true;
    for (size_t done = 0; done < size && good;) {
        const ssize_t n = write(descriptor, data + done, size - done);
        good = n > 0;
        if (good) done += (size_t)n;
    }
    return close(descriptor) == 0 && good;
}

static void read_first_images(dv_features *set) {
    const dv_feature_info *info = dv_features_info(set);
    const dv_preprocessing *p = &info->preprocessing;
    const size_t image_bytes = info->n_patches * info->dim * dv_dtype_size(info->dtype);
    const size_t label_bytes = p->input_h * p->input_w * sizeof(uint16_t);
    if (image_bytes > MOST_BYTES || label_bytes > MOST_BYTES || info->n_images > 64) return;
    void *rows = malloc(info->n_images * image_bytes);
    uint16_t *labels = info->has_labels ? malloc(info->n_images * label_bytes) : NULL;
    for (dv_zero_rows policy = DV_ZERO_ERROR; rows && policy <= DV_ZERO_KEEP; policy++)
        if (dv_features_read(set, 0, info->n_images, policy, rows, labels) != DV_OK) continue;
    if (dv_features_load_uniforms(set) != DV_OK) (void)dv_last_error();
    free(labels);
    free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!write_file(data, size)) return 0;
    dv_features *set = NULL;
    if (dv_features_open((const char *const[]){path}, 1, &set) == DV_OK) read_first_images(set);
    dv_features_close(set);
    return 0;
}
