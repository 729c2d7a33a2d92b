#include "pipeline/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"
#include "pipeline/predictions.h"

struct dv_pictures {
    dv_pictures_spec spec;
    dv_predictions *predictions; /* of rank 0 */
    size_t n_pixels, block_images;
    size_t rounds_left;         /* of all ranks */
    uint64_t n_images, *images; /* at work: [block_images], indices into the set */
    uint16_t *maps;             /* [block_images, H, W] */
};

static dv_status begin_folder(dv_pictures *p) {
    const dv_pictures_spec *spec = &p->spec;
    const bool writes = dv_ranks_index(spec->ranks) == 0;
    DV_TRY(dv_ranks_meet(spec->ranks));
    DV_TRY(
        dv_ranks_follow(spec->ranks, writes ? dv_predictions_begin(spec->path, spec->force, &p->predictions) : DV_OK));
    return dv_ranks_tell_temporary(spec->ranks, writes ? dv_predictions_temporary(p->predictions) : NULL);
}

dv_status dv_pictures_begin(const dv_pictures_spec *spec, dv_pictures **out) {
    const dv_preprocessing *size = &spec->queries->preprocessing;
    dv_pictures *made;
    *out = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "pictures", &made));
    *made = (dv_pictures){.spec = *spec, .n_pixels = size->input_h * size->input_w};
    const dv_status status = begin_folder(made);
    if (status != DV_OK) {
        dv_pictures_abandon(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

dv_status dv_pictures_expect(dv_pictures *p, size_t n_images, size_t block_images) {
    DV_TRY(dv_ranks_rounds(p->spec.ranks, n_images, block_images, &p->rounds_left));
    p->block_images = block_images;
    DV_TRY(dv_alloc(block_images, sizeof *p->images, "predictions of a block", &p->images));
    return dv_alloc(block_images * p->n_pixels, sizeof *p->maps, "predictions of a block", &p->maps);
}

static dv_status write_one(void *context, size_t task, size_t worker) {
    (void)worker;
    const dv_pictures *p = context;
    const dv_feature_info *queries = p->spec.queries;
    return dv_predictions_write(p->predictions, queries->image_ids[p->images[task]], p->maps + task * p->n_pixels,
                                queries->preprocessing.input_h, queries->preprocessing.input_w);
}

static dv_status write_block(dv_pictures *p) {
    return dv_pool_run(p->spec.pool, (size_t)p->n_images, write_one, p);
}

static dv_status send_block(dv_pictures *p) {
    dv_ranks *ranks = p->spec.ranks;
    DV_TRY(dv_ranks_send(ranks, 0, &p->n_images, sizeof p->n_images));
    DV_TRY(dv_ranks_send(ranks, 0, p->images, p->n_images * sizeof *p->images));
    return dv_ranks_send(ranks, 0, p->maps, p->n_images * p->n_pixels * sizeof *p->maps);
}

static dv_status receive_block(dv_pictures *p, size_t from) {
    dv_ranks *ranks = p->spec.ranks;
    DV_TRY(dv_ranks_receive(ranks, from, &p->n_images, sizeof p->n_images));
    if (p->n_images > p->block_images)
        return dv_fail(DV_E_INTERNAL, "rank %zu sends %" PRIu64 " images, of %zu at most", from, p->n_images,
                       p->block_images);
    DV_TRY(dv_ranks_receive(ranks, from, p->images, p->n_images * sizeof *p->images));
    for (size_t i = 0; i < p->n_images; i++)
        if (p->images[i] >= p->spec.queries->n_images)
            return dv_fail(DV_E_INTERNAL, "rank %zu sends image %" PRIu64 " of %zu", from, p->images[i],
                           p->spec.queries->n_images);
    return dv_ranks_receive(ranks, from, p->maps, p->n_images * p->n_pixels * sizeof *p->maps);
}

/* A block of every rank, or of some. */
static dv_status finish_round(dv_pictures *p) {
    dv_ranks *ranks = p->spec.ranks;
    p->rounds_left--;
    if (dv_ranks_index(ranks) > 0) return send_block(p);
    DV_TRY(write_block(p));
    for (size_t rank = 1; rank < dv_ranks_count(ranks); rank++) {
        DV_TRY(receive_block(p, rank));
        DV_TRY(write_block(p));
    }
    return DV_OK;
}

dv_status dv_pictures_put(dv_pictures *p, const dv_feature_block *block, dv_device *device, const uint16_t *pred) {
    const size_t n_bytes = block->n_images * p->n_pixels * sizeof *pred;
    DV_TRY(device->ops->download(device, p->maps, pred, n_bytes));
    DV_TRY(device->ops->synchronise(device));
    p->n_images = block->n_images;
    for (size_t i = 0; i < block->n_images; i++) p->images[i] = block->images[i];
    return finish_round(p);
}

dv_status dv_pictures_end(dv_pictures *p) {
    while (p->rounds_left > 0) {
        p->n_images = 0;
        DV_TRY(finish_round(p));
    }
    return DV_OK;
}

static void release(dv_pictures *p) {
    free(p->images);
    free(p->maps);
    free(p);
}

dv_status dv_pictures_commit(dv_pictures *p) {
    const dv_status status = p->predictions ? dv_predictions_commit(p->predictions) : DV_OK;
    release(p);
    return status;
}

void dv_pictures_abandon(dv_pictures *p) {
    if (!p) return;
    dv_predictions_abandon(p->predictions);
    release(p);
}
