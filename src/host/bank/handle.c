#include "bank/handle.h"

#include <stdlib.h>
#include <string.h>

#include "bank/image_slab.h"
#include "core/check.h"
#include "core/memory.h"

dv_status dv_bank_alloc_rows(dv_bank *bank, size_t n_rows, size_t n_classes) {
    size_t n_counts;
    DV_TRY(dv_mul_size(n_rows, n_classes, "the pixel counts of the bank", &n_counts));
    DV_TRY(dv_alloc(n_counts, sizeof *bank->counts, "the pixel counts of the bank", &bank->counts));
    DV_TRY(dv_alloc(n_rows, sizeof *bank->image, "the images of the bank rows", &bank->image));
    DV_TRY(dv_alloc(n_rows, sizeof *bank->patch, "the patches of the bank rows", &bank->patch));
    return dv_alloc(n_rows, sizeof *bank->rank, "the ranks of the bank rows", &bank->rank);
}

void dv_bank_publish_rows(dv_bank *bank, size_t n_rows) {
    bank->info.n_rows = n_rows;
    bank->info.counts = bank->counts;
    bank->info.image = bank->image;
    bank->info.patch = bank->patch;
    bank->info.rank = bank->rank;
}

const dv_bank_info *dv_bank_get_info(const dv_bank *bank) {
    return &bank->info;
}

void dv_bank_close(dv_bank *bank) {
    if (!bank) return;
    dv_image_slab_clear(&bank->slab);
    dv_bank_file_close(bank->file);
    free(bank->counts);
    free(bank->image);
    free(bank->patch);
    free(bank->rank);
    free(bank);
}

dv_status dv_bank_read(dv_bank *bank, size_t first, size_t n_rows, void *rows) {
    const dv_bank_info *info = &bank->info;
    if (first > info->n_rows || n_rows > info->n_rows - first)
        return dv_fail(DV_E_ARG, "bank rows %zu to %zu: the bank has %zu", first, first + n_rows, info->n_rows);
    if (bank->file) return dv_bank_file_read(bank, first, n_rows, rows);
    const size_t row_bytes = info->dim * dv_dtype_size(info->dtype);
    for (size_t i = 0; i < n_rows; i++) {
        unsigned char *target = (unsigned char *)rows + i * row_bytes;
        if (bank->image[first + i] < 0) {
            memset(target, 0, row_bytes);
            continue;
        }
        const void *source;
        DV_TRY(dv_image_slab_find(bank, first + i, first + n_rows, &source));
        memcpy(target, source, row_bytes);
    }
    return DV_OK;
}
