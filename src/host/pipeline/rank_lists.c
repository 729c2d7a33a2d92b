#include "pipeline/rank_lists.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/merge.h"
#include "search/topk.h"

struct dv_rank_lists {
    dv_rank_lists_spec spec;
    size_t n_images; /* of the block at work */
    int64_t *ids;    /* i64 [most_images * P, k], this rank's lists */
    double *cosines;
    double *least; /* f64 [most_images * P] */
    /* Of the share of one rank. */
    dv_merge *merge;
    int64_t *other_ids;
    double *other_cosines;
};

size_t dv_rank_lists_image_bytes(size_t n_patches, size_t k) {
    return n_patches * (4 * k * (sizeof(int64_t) + sizeof(double)) + sizeof(double));
}

static dv_status create(dv_rank_lists *l) {
    const dv_rank_lists_spec *spec = &l->spec;
    const size_t n_ranks = dv_ranks_count(spec->ranks), n = spec->most_images * spec->n_patches;
    const size_t n_share = dv_share_of(spec->most_images, n_ranks, 0).n * spec->n_patches;
    size_t n_places, n_other;
    DV_TRY(dv_mul_size(n, spec->k, "neighbours", &n_places));
    DV_TRY(dv_mul_size(n_share, spec->k, "neighbours", &n_other));
    DV_TRY(dv_alloc(n_places, sizeof *l->ids, "ids of a rank", &l->ids));
    DV_TRY(dv_alloc(n_places, sizeof *l->cosines, "cosines of a rank", &l->cosines));
    DV_TRY(dv_alloc(n, sizeof *l->least, "bounds of queries", &l->least));
    DV_TRY(dv_merge_create(n_share, spec->k, &l->merge));
    DV_TRY(dv_alloc(n_other, sizeof *l->other_ids, "ids of another rank", &l->other_ids));
    return dv_alloc(n_other, sizeof *l->other_cosines, "cosines of another rank", &l->other_cosines);
}

dv_status dv_rank_lists_create(const dv_rank_lists_spec *spec, dv_rank_lists **out) {
    *out = NULL;
    dv_rank_lists *made;
    DV_TRY(dv_alloc(1, sizeof *made, "the lists of ranks", &made));
    made->spec = *spec;
    const dv_status status = create(made);
    if (status != DV_OK) {
        dv_rank_lists_free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

void dv_rank_lists_free(dv_rank_lists *l) {
    if (!l) return;
    dv_merge_free(l->merge);
    free(l->ids);
    free(l->cosines);
    free(l->least);
    free(l->other_ids);
    free(l->other_cosines);
    free(l);
}

dv_feature_block dv_rank_lists_own(dv_ranks *ranks, const dv_feature_info *queries, const dv_feature_block *block) {
    const dv_share share = dv_ranks_share(ranks, block->n_images);
    const size_t image_bytes = queries->n_patches * queries->dim * dv_dtype_size(queries->dtype);
    const size_t n_pixels = queries->preprocessing.input_h * queries->preprocessing.input_w;
    return (dv_feature_block){
        .n_images = share.n,
        .images = block->images + share.first,
        .places = block->places + share.first,
        .rows = block->rows ? (const unsigned char *)block->rows + share.first * image_bytes : NULL,
        .labels = block->labels ? block->labels + share.first * n_pixels : NULL,
    };
}

static size_t n_queries(const dv_rank_lists *l) {
    return l->n_images * l->spec.n_patches;
}

void dv_rank_lists_begin(dv_rank_lists *l, size_t n_images) {
    l->n_images = n_images;
    for (size_t q = 0; q < n_queries(l); q++) l->least[q] = DV_NO_COSINE;
}

dv_status dv_rank_lists_share_least(dv_rank_lists *l, const double *cosines) {
    const dv_device_ops *ops = l->spec.device->ops;
    const size_t n = n_queries(l), k = l->spec.k;
    DV_TRY(ops->download(l->spec.device, l->cosines, cosines, n * k * sizeof *cosines));
    DV_TRY(ops->synchronise(l->spec.device));
    for (size_t q = 0; q < n; q++) {
        const double own = l->cosines[q * k + k - 1];
        if (own > l->least[q]) l->least[q] = own;
    }
    return dv_ranks_largest_real(l->spec.ranks, l->least, n);
}

const double *dv_rank_lists_least(const dv_rank_lists *l) {
    return l->least;
}

static dv_status add_other(dv_rank_lists *l, size_t from, size_t n) {
    const size_t n_places = n * l->spec.k;
    DV_TRY(dv_ranks_receive(l->spec.ranks, from, l->other_ids, n_places * sizeof *l->other_ids));
    DV_TRY(dv_ranks_receive(l->spec.ranks, from, l->other_cosines, n_places * sizeof *l->other_cosines));
    dv_merge_add_queries(l->merge, 0, n, l->other_ids, l->other_cosines, l->spec.k);
    return DV_OK;
}

/* A binomial tree with `owner` at its root: a rank that is 2^i behind another one gives it what it has by then. */
static dv_status merge_share(dv_rank_lists *l, size_t owner, size_t first, size_t n) {
    dv_ranks *ranks = l->spec.ranks;
    const size_t count = dv_ranks_count(ranks), behind = (dv_ranks_index(ranks) + count - owner) % count;
    const size_t base = first * l->spec.k, n_places = n * l->spec.k;
    dv_merge_resume(l->merge, n, l->ids + base, l->cosines + base);
    for (size_t step = 1; step < count; step *= 2) {
        if (behind & step) {
            const size_t to = (behind - step + owner) % count;
            DV_TRY(dv_ranks_send(ranks, to, dv_merge_ids(l->merge), n_places * sizeof *l->ids));
            return dv_ranks_send(ranks, to, dv_merge_cosines(l->merge), n_places * sizeof *l->cosines);
        }
        if (behind + step < count) DV_TRY(add_other(l, (behind + step + owner) % count, n));
    }
    memcpy(l->ids + base, dv_merge_ids(l->merge), n_places * sizeof *l->ids);
    memcpy(l->cosines + base, dv_merge_cosines(l->merge), n_places * sizeof *l->cosines);
    return DV_OK;
}

/* What is in ids and cosines, of all shares. */
static dv_status merge_shares(dv_rank_lists *l) {
    const size_t count = dv_ranks_count(l->spec.ranks), n_patches = l->spec.n_patches;
    for (size_t owner = 0; owner < count; owner++) {
        const dv_share share = dv_share_of(l->n_images, count, owner);
        if (share.n) DV_TRY(merge_share(l, owner, share.first * n_patches, share.n * n_patches));
    }
    return DV_OK;
}

dv_status dv_rank_lists_merge_host(dv_rank_lists *l, const int64_t *ids, const double *cosines, const int64_t **own_ids,
                                   const double **own_cosines) {
    const size_t n_places = n_queries(l) * l->spec.k;
    const size_t base = dv_ranks_share(l->spec.ranks, l->n_images).first * l->spec.n_patches * l->spec.k;
    memcpy(l->ids, ids, n_places * sizeof *ids);
    memcpy(l->cosines, cosines, n_places * sizeof *cosines);
    *own_ids = l->ids + base;
    *own_cosines = l->cosines + base;
    return merge_shares(l);
}

dv_status dv_rank_lists_merge(dv_rank_lists *l, int64_t *ids, double *cosines) {
    const dv_device_ops *ops = l->spec.device->ops;
    const size_t n_places = n_queries(l) * l->spec.k;
    DV_TRY(ops->download(l->spec.device, l->ids, ids, n_places * sizeof *ids));
    DV_TRY(ops->download(l->spec.device, l->cosines, cosines, n_places * sizeof *cosines));
    DV_TRY(ops->synchronise(l->spec.device));
    DV_TRY(merge_shares(l));
    const dv_share mine = dv_ranks_share(l->spec.ranks, l->n_images);
    const size_t base = mine.first * l->spec.n_patches * l->spec.k, n_mine = mine.n * l->spec.n_patches * l->spec.k;
    DV_TRY(ops->upload(l->spec.device, ids, l->ids + base, n_mine * sizeof *ids));
    DV_TRY(ops->upload(l->spec.device, cosines, l->cosines + base, n_mine * sizeof *cosines));
    return ops->synchronise(l->spec.device);
}
