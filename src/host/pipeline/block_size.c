#include "pipeline/block_size.h"

#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/devices.h"

enum { DEFAULT_BLOCK_PATCHES = 4096, BLOCK_PATCHES_PER_THREAD = 512 };
/* Of a run with a journal: what an end of the process loses. A row takes the reference some hundred times as long as
 * the other devices, and more queries at once are of no use to it. Where the bank is read once a block, reading a row
 * takes about as long as a thousand queries. */
enum { REFERENCE_PATCHES_PER_THREAD = 128, STREAMED_PATCHES_PER_THREAD = 16384 };

static size_t images_of(const dv_block_need *need, size_t patches_per_thread, size_t least_patches) {
    const size_t threads = need->options->n_threads ? need->options->n_threads : 1, n = need->queries->n_patches;
    const size_t wanted = threads * patches_per_thread;
    return ((wanted < least_patches ? least_patches : wanted) + n - 1) / n;
}

static bool is_slow(const dv_block_need *need) {
    const char *const backend = need->options->backend;
    return backend && strcmp(backend, dv_device_reference.name) == 0;
}

static size_t wanted_images(const dv_block_need *need) {
    if (need->has_journal && is_slow(need)) return images_of(need, REFERENCE_PATCHES_PER_THREAD, 1);
    return images_of(need, BLOCK_PATCHES_PER_THREAD, DEFAULT_BLOCK_PATCHES);
}

/* Where the bank is read once a block. */
static size_t most_streamed_images(const dv_block_need *need) {
    if (is_slow(need)) return wanted_images(need);
    const size_t most = images_of(need, STREAMED_PATCHES_PER_THREAD, 1);
    return most < need->queries->n_images ? most : need->queries->n_images;
}

dv_status dv_block_images(const dv_block_need *need, size_t *n_images) {
    const dv_feature_info *queries = need->queries;
    const dv_search_options *options = need->options;
    if (options->images_per_block) {
        *n_images = options->images_per_block;
        return DV_OK;
    }
    *n_images = need->bank_is_streamed ? most_streamed_images(need) : wanted_images(need);
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
    if (fitting < *n_images) *n_images = fitting;
    if (*n_images == 0) *n_images = 1;
    return DV_OK;
}
