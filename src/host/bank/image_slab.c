#include "bank/image_slab.h"

#include <stdlib.h>

#include "bank/handle.h"
#include "core/check.h"
#include "core/memory.h"

enum { SLAB_BYTES = 4 << 20 }; /* one image is read whatever it takes */

/* How many neighbouring images the rows from `row` on need, at most `most`. */
static size_t count_neighbours(const dv_bank *bank, size_t row, size_t end, size_t most) {
    const int32_t first = bank->image[row];
    int32_t last = first;
    for (; row < end && (size_t)(last - first) < most; row++) {
        const int32_t image = bank->image[row];
        if (image == last + 1 && (size_t)(image - first) < most)
            last = image;
        else if (image != last)
            break;
    }
    return (size_t)(last - first) + 1;
}

static dv_status read_images(dv_bank *bank, size_t first, size_t n_images, size_t image_bytes) {
    dv_image_slab *slab = &bank->slab;
    slab->n_images = 0;
    DV_TRY(dv_check_interrupted());
    if (n_images > slab->capacity) {
        dv_image_slab_clear(slab);
        DV_TRY(dv_alloc(n_images, image_bytes, "a slab of images", &slab->rows));
        slab->capacity = n_images;
    }
    DV_TRY(dv_features_read(bank->features, first, n_images, bank->zero_rows, slab->rows, NULL));
    slab->first = first;
    slab->n_images = n_images;
    return DV_OK;
}

dv_status dv_image_slab_find(dv_bank *bank, size_t row, size_t end, const void **source) {
    const dv_image_slab *slab = &bank->slab;
    const size_t image = (size_t)bank->image[row];
    const size_t row_bytes = bank->info.dim * dv_dtype_size(bank->info.dtype);
    size_t image_bytes;
    DV_TRY(dv_mul_size(bank->grid_h * bank->grid_w, row_bytes, "an image", &image_bytes));
    if (image < slab->first || image - slab->first >= slab->n_images) {
        const size_t most = image_bytes < SLAB_BYTES ? SLAB_BYTES / image_bytes : 1;
        DV_TRY(read_images(bank, image, count_neighbours(bank, row, end, most), image_bytes));
    }
    *source = slab->rows + (image - slab->first) * image_bytes + (size_t)bank->patch[row] * row_bytes;
    return DV_OK;
}

size_t dv_image_slab_bytes(const dv_bank *bank) {
    const size_t image_bytes = bank->grid_h * bank->grid_w * bank->info.dim * dv_dtype_size(bank->info.dtype);
    const size_t all_bytes = bank->info.n_images * image_bytes, most = all_bytes < SLAB_BYTES ? all_bytes : SLAB_BYTES;
    if (bank->file) return 0;
    return most > image_bytes ? most : image_bytes;
}

void dv_image_slab_clear(dv_image_slab *slab) {
    free(slab->rows);
    *slab = (dv_image_slab){0};
}
