#include "pipeline/block_size.h"

#include "core/check.h"
#include "core/memory.h"

enum { DEFAULT_BLOCK_PATCHES = 4096, BLOCK_PATCHES_PER_THREAD = 512 };

dv_status dv_block_images(const dv_block_need *need, size_t *n_images) {
    const dv_feature_info *queries = need->queries;
    const dv_search_options *options = need->options;
    if (options->images_per_block) {
        *n_images = options->images_per_block;
        return DV_OK;
    }
    const size_t threads = options->n_threads ? options->n_threads : 1;
    size_t wanted = threads * BLOCK_PATCHES_PER_THREAD;
    if (wanted < DEFAULT_BLOCK_PATCHES) wanted = DEFAULT_BLOCK_PATCHES;
    *n_images = (wanted + queries->n_patches - 1) / queries->n_patches;
    if (options->memory_limit == 0) return DV_OK;
    /* Rows twice: one block is read ahead. */
    const size_t list_bytes = options->k * (sizeof(int64_t) + sizeof(double));
    const size_t patch_bytes = 2 * queries->dim * dv_dtype_size(queries->dtype) + need->n_lists * list_bytes;
    size_t image_bytes;
    DV_TRY(dv_mul_size(queries->n_patches, patch_bytes, "a query image", &image_bytes));
    DV_TRY(dv_add_size(image_bytes, need->extra_bytes, "a query image", &image_bytes));
    const size_t limit = options->memory_limit / 2, fitting = limit / image_bytes;
    if (fitting == 0)
        return dv_fail(DV_E_NOMEM, "a query image takes %zu bytes, half of the memory limit is %zu", image_bytes,
                       limit);
    if (need->bank_is_streamed || fitting < *n_images)
        *n_images = fitting < queries->n_images ? fitting : queries->n_images;
    if (*n_images == 0) *n_images = 1;
    return DV_OK;
}
