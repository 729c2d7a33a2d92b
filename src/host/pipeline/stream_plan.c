#include "pipeline/stream_plan.h"

#include <stdbool.h>
#include <stdint.h>

#include "core/check.h"
#include "core/memory.h"

enum {
    /* A bank that would stay if blocks were smaller than this is rather read again. */
    LEAST_RESIDENT_PATCHES = 512,
    /* A block without a limit, for which a bank is read that the device cannot hold. */
    UNLIMITED_BLOCK_BYTES = 256 << 20
};

/* How many pieces of b, at least one each, make a. */
static size_t divide_up(size_t a, size_t b) {
    return b > 1 ? a / b + (a % b != 0) : a;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Bytes of a block, with the next one where that is read ahead; SIZE_MAX where no memory holds it. */
static size_t block_bytes(const dv_stream_sizes *s, size_t images, bool ahead) {
    const size_t held = s->image_bytes + (ahead && images < s->n_images ? s->ahead_bytes : 0);
    size_t bytes;
    return __builtin_mul_overflow(images, held, &bytes) ? SIZE_MAX : bytes;
}

/* Rows of a slab beside a block; 0: no room. */
static size_t rows_beside(const dv_stream_sizes *s, size_t images, bool ahead) {
    const size_t block = block_bytes(s, images, ahead), room = s->limit - s->fixed_bytes;
    return block < room ? least((room - block) / s->row_bytes, s->most_rows) : 0;
}

/* Time by which plans differ: to read and code a row takes about as long as a query in a slab beside its scan
 * (docs/PERFORMANCE.md). */
static double cost(const dv_stream_sizes *s, size_t images, size_t slab_rows) {
    const double n_blocks = (double)divide_up(s->n_images, images), n_slabs = (double)divide_up(s->n_rows, slab_rows);
    return n_blocks * (double)s->n_rows + n_slabs * (double)s->n_images * (double)s->n_patches;
}

/* The largest block that leaves the whole bank in memory; 0: none that is worth it. */
static size_t resident_images(const dv_stream_sizes *s) {
    size_t images = s->block_images ? s->block_images : s->usual_images;
    while (images > 1 && !s->block_images && rows_beside(s, images, true) < s->n_rows) images--;
    if (rows_beside(s, images, true) < s->n_rows) return 0;
    const bool small = images * s->n_patches < LEAST_RESIDENT_PATCHES && images < least(s->n_images, s->usual_images);
    return small && !s->block_images ? 0 : images;
}

static dv_status check_room(const dv_stream_sizes *s, size_t images) {
    if (s->limit > s->fixed_bytes && rows_beside(s, images, false) > 0) return DV_OK;
    size_t wanted;
    DV_TRY(dv_add_size(s->fixed_bytes, s->row_bytes, "a search", &wanted));
    DV_TRY(dv_add_size(wanted, block_bytes(s, images, false), "a search", &wanted));
    return dv_fail(DV_E_NOMEM,
                   "the memory limit leaves %zu bytes for a search, which takes at least %zu: a bank row %zu, "
                   "%zu query images %zu, the rest %zu",
                   s->limit, wanted, s->row_bytes, images, block_bytes(s, images, false), s->fixed_bytes);
}

static dv_status plan_slabs(const dv_stream_sizes *s, dv_stream_plan *plan) {
    DV_TRY(check_room(s, s->block_images ? s->block_images : 1));
    plan->resident = false;
    plan->block_images = s->block_images ? s->block_images : 1;
    double best = cost(s, plan->block_images, rows_beside(s, plan->block_images, false));
    for (size_t images = 2; !s->block_images && images <= s->n_images && rows_beside(s, images, false) > 0; images++) {
        const double found = cost(s, images, rows_beside(s, images, false));
        if (found > best) continue;
        best = found;
        plan->block_images = images;
    }
    const size_t n_slabs = divide_up(s->n_rows, rows_beside(s, plan->block_images, false));
    if (plan->n_parts < n_slabs) plan->n_parts = n_slabs;
    return DV_OK;
}

/* Slabs for the device's sake alone. */
static void plan_device_slabs(const dv_stream_sizes *s, dv_stream_plan *plan) {
    const size_t n_slabs = divide_up(s->n_rows, s->most_rows), images = UNLIMITED_BLOCK_BYTES / (s->image_bytes + 1);
    plan->resident = false;
    if (plan->n_parts < n_slabs) plan->n_parts = n_slabs;
    if (!s->block_images)
        plan->block_images = least(s->n_images, images > plan->block_images ? images : plan->block_images);
}

dv_status dv_stream_plan_make(const dv_stream_sizes *given, dv_stream_plan *plan) {
    dv_stream_sizes s = *given;
    if (s.n_images == 0) s.n_images = 1;
    if (s.usual_images > s.n_images) s.usual_images = s.n_images;
    if (s.block_images > s.n_images) s.block_images = s.n_images;
    *plan = (dv_stream_plan){.resident = true,
                             .n_parts = s.n_shards ? s.n_shards : 1,
                             .block_images = s.block_images ? s.block_images : s.usual_images};
    if (plan->n_parts > s.n_rows)
        return dv_fail(DV_E_USAGE, "%zu shards: the bank has %zu rows", plan->n_parts, s.n_rows);
    if (s.most_rows == 0 || s.most_rows > s.n_rows) s.most_rows = s.n_rows;
    if (s.limit == 0) {
        if (s.most_rows < s.n_rows) plan_device_slabs(&s, plan);
        return DV_OK;
    }
    const size_t images = s.limit > s.fixed_bytes ? resident_images(&s) : 0;
    if (images == 0) return plan_slabs(&s, plan);
    plan->block_images = images;
    return DV_OK;
}
