#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/file.h"
#include "cluster/exchange.h"
#include "cluster/rank_bad.h"
#include "cluster/same.h"
#include "core/check.h"
#include "core/memory.h"
#include "denseval/search.h"
#include "io/feature_bad.h"
#include "io/hdf5_file.h"
#include "pipeline/retriever.h"

enum { PIECE_BYTES = 1 << 20 }; /* of neighbours that are written at once; one image is whatever it takes */

typedef struct knn_run {
    const dv_search_options *options;
    const dv_feature_info *queries;
    size_t first_image, n_images;
    dv_share images;                   /* of those, that this rank reads */
    size_t block_images, piece_images; /* searched, and written, together; the same on all ranks */
    size_t rounds_left;                /* blocks of the rank that has the most */
    dv_retriever *retriever;
    dv_device *device;
    int64_t *device_ids;
    double *device_cosines;
    int64_t *ids;    /* [piece patches, k], host */
    double *cosines; /* likewise */
    float *rounded;  /* likewise, as the file holds them */
    dv_h5_writer *writer;
    dv_h5_rows *out_ids, *out_cosines; /* borrowed from the writer */
} knn_run;

static dv_status create_file(knn_run *run, const char *path, bool force, size_t n_bank_rows) {
    const size_t dims[] = {run->n_images, run->queries->n_patches, run->options->k};
    DV_TRY(dv_h5_create(path, force, &run->writer));
    DV_TRY(dv_h5_put_attribute_text(run->writer, "schema", "denseval knn v1"));
    DV_TRY(dv_h5_put_attribute_u64(run->writer, "k", run->options->k));
    DV_TRY(dv_h5_put_attribute_u64(run->writer, "bank_rows", n_bank_rows));
    DV_TRY(dv_h5_put_attribute_u64(run->writer, "first_image", run->first_image));
    DV_TRY(dv_h5_put_texts(run->writer, "/image_id", run->n_images, run->queries->image_ids + run->first_image));
    DV_TRY(dv_h5_rows_create(run->writer, "/ids", DV_H5_I64, 3, dims, 0, 0, &run->out_ids));
    return dv_h5_rows_create(run->writer, "/cosines", DV_H5_F32, 3, dims, 0, 0, &run->out_cosines);
}

static dv_status begin_file(knn_run *run, const char *path, bool force, size_t n_bank_rows) {
    dv_ranks *ranks = run->options->ranks;
    const bool writes = dv_ranks_index(ranks) == 0;
    DV_TRY(dv_ranks_meet(ranks));
    DV_TRY(dv_ranks_follow(ranks, writes ? create_file(run, path, force, n_bank_rows) : DV_OK));
    return dv_ranks_tell_temporary(ranks, writes ? dv_h5_temporary(run->writer) : NULL);
}

static dv_status alloc_block(knn_run *run) {
    size_t n, n_piece;
    DV_TRY(dv_mul_size(run->block_images * run->queries->n_patches, run->options->k, "the neighbours of a block", &n));
    void *memory;
    DV_TRY(run->device->ops->alloc(run->device, n * sizeof *run->ids, &memory));
    run->device_ids = memory;
    DV_TRY(run->device->ops->alloc(run->device, n * sizeof *run->cosines, &memory));
    run->device_cosines = memory;
    n_piece = run->piece_images * run->queries->n_patches * run->options->k;
    DV_TRY(dv_alloc(n_piece, sizeof *run->ids, "neighbours to write", &run->ids));
    DV_TRY(dv_alloc(n_piece, sizeof *run->cosines, "neighbours to write", &run->cosines));
    return dv_alloc(n_piece, sizeof *run->rounded, "neighbours to write", &run->rounded);
}

/* What the host holds of the neighbours of an image, beside what the device does. */
static size_t list_bytes(const knn_run *run) {
    const size_t neighbour_bytes = sizeof *run->ids + sizeof *run->cosines + sizeof *run->rounded;
    return run->queries->n_patches * run->options->k * neighbour_bytes;
}

static size_t image_places(const knn_run *run) {
    return run->queries->n_patches * run->options->k;
}

/* Images first .. first + n_images - 1 of a block, a piece at most, to the host. */
static dv_status download_piece(knn_run *run, size_t first, size_t n_images) {
    const dv_device_ops *ops = run->device->ops;
    const size_t begin = first * image_places(run), n = n_images * image_places(run);
    DV_TRY(ops->download(run->device, run->ids, run->device_ids + begin, n * sizeof *run->ids));
    DV_TRY(ops->download(run->device, run->cosines, run->device_cosines + begin, n * sizeof *run->cosines));
    DV_TRY(ops->synchronise(run->device));
    for (size_t i = 0; i < n; i++) run->rounded[i] = (float)run->cosines[i];
    return DV_OK;
}

/* place: of the first image in the file */
static dv_status write_piece(knn_run *run, size_t place, size_t n_images) {
    DV_TRY(dv_h5_rows_put(run->out_ids, place, n_images, run->ids));
    return dv_h5_rows_put(run->out_cosines, place, n_images, run->rounded);
}

static dv_status send_piece(const knn_run *run, size_t n_images) {
    const size_t n = n_images * image_places(run);
    DV_TRY(dv_ranks_send(run->options->ranks, 0, run->ids, n * sizeof *run->ids));
    return dv_ranks_send(run->options->ranks, 0, run->rounded, n * sizeof *run->rounded);
}

static dv_status receive_piece(const knn_run *run, size_t from, size_t n_images) {
    const size_t n = n_images * image_places(run);
    DV_TRY(dv_ranks_receive(run->options->ranks, from, run->ids, n * sizeof *run->ids));
    return dv_ranks_receive(run->options->ranks, from, run->rounded, n * sizeof *run->rounded);
}

/* Takes images of a block out of `left`, a piece at most. */
static size_t next_piece(const knn_run *run, size_t *left) {
    const size_t n = *left < run->piece_images ? *left : run->piece_images;
    *left -= n;
    return n;
}

/* Where a rank's images are in the file, and how many. */
typedef struct extent {
    uint64_t place, n_images;
} extent;

static dv_status put_own(knn_run *run, const extent *own) {
    const bool writes = dv_ranks_index(run->options->ranks) == 0;
    size_t left = (size_t)own->n_images;
    if (!writes) DV_TRY(dv_ranks_send(run->options->ranks, 0, own, sizeof *own));
    for (size_t done = 0; left > 0;) {
        const size_t n = next_piece(run, &left);
        DV_TRY(download_piece(run, done, n));
        DV_TRY(writes ? write_piece(run, (size_t)own->place + done, n) : send_piece(run, n));
        done += n;
    }
    return DV_OK;
}

static dv_status put_others(knn_run *run, size_t from) {
    extent other = {0};
    DV_TRY(dv_ranks_receive(run->options->ranks, from, &other, sizeof other));
    if (other.place > run->n_images || other.n_images > run->n_images - other.place)
        return dv_fail(DV_E_INTERNAL, "rank %zu sends %" PRIu64 " images from %" PRIu64 " on, of %zu", from,
                       other.n_images, other.place, run->n_images);
    size_t left = (size_t)other.n_images;
    for (size_t done = 0; left > 0;) {
        const size_t n = next_piece(run, &left);
        DV_TRY(receive_piece(run, from, n));
        DV_TRY(write_piece(run, (size_t)other.place + done, n));
        done += n;
    }
    return DV_OK;
}

/* Writes a block of every rank, or of some. block: NULL: this rank has none */
static dv_status finish_round(knn_run *run, const dv_feature_block *block) {
    dv_ranks *ranks = run->options->ranks;
    extent own = {0};
    if (block && block->n_images) own = (extent){run->images.first + block->places[0], block->n_images};
    run->rounds_left--;
    DV_TRY(put_own(run, &own));
    for (size_t rank = 1; dv_ranks_index(ranks) == 0 && rank < dv_ranks_count(ranks); rank++)
        DV_TRY(put_others(run, rank));
    return DV_OK;
}

static dv_status search_blocks(knn_run *run, dv_feature_reader *reader) {
    size_t n_done = 0;
    for (;;) {
        const dv_feature_block *block;
        DV_TRY(dv_feature_reader_next(reader, &block));
        if (!block) break;
        DV_TRY(dv_retriever_search(run->retriever, block, run->device_ids, run->device_cosines));
        const dv_feature_block own = dv_retriever_own(run->retriever, block);
        DV_TRY(finish_round(run, &own));
        n_done += block->n_images;
        if (run->options->progress)
            run->options->progress(run->options->progress_user, "images", n_done, run->images.n);
    }
    while (run->rounds_left > 0) DV_TRY(finish_round(run, NULL));
    return DV_OK;
}

static dv_status read_and_search(knn_run *run, dv_features *queries, const size_t *images) {
    const bool shared = dv_retriever_queries_are_split(run->retriever);
    const dv_feature_reader_options options = {.images = images,
                                               .n_images = run->images.n,
                                               .images_per_block = run->block_images,
                                               .want_rows = true,
                                               .zero_rows = run->options->zero_rows,
                                               .bad_images = DV_BAD_LIST,
                                               .one_block = dv_retriever_one_block(run->retriever),
                                               .keep_bad = shared};
    dv_feature_reader *reader;
    DV_TRY(dv_feature_reader_open(queries, &options, &reader));
    dv_status status = search_blocks(run, reader);
    if (status == DV_OK && shared)
        status = dv_rank_bad_judge(run->options->ranks, dv_feature_reader_bad(reader), run->n_images);
    dv_feature_reader_close(reader);
    return status;
}

static dv_status search_all(knn_run *run, dv_features *queries) {
    if (run->n_images == 0) return DV_OK;
    size_t *images;
    run->images = dv_retriever_images(run->retriever, run->n_images);
    DV_TRY(dv_ranks_rounds(run->options->ranks, run->images.n, run->block_images, &run->rounds_left));
    DV_TRY(alloc_block(run));
    DV_TRY(dv_alloc(run->images.n, sizeof *images, "the query images", &images));
    for (size_t i = 0; i < run->images.n; i++) images[i] = run->first_image + run->images.first + i;
    const dv_status status = read_and_search(run, queries, images);
    free(images);
    return status;
}

static void release(knn_run *run) {
    if (run->device) {
        run->device->ops->release(run->device, run->device_ids);
        run->device->ops->release(run->device, run->device_cosines);
    }
    dv_retriever_close(run->retriever);
    dv_h5_abandon(run->writer);
    free(run->ids);
    free(run->cosines);
    free(run->rounded);
}

dv_status dv_knn_run(dv_bank *bank, dv_features *queries, size_t first_image, size_t n_images,
                     const dv_search_options *options, const char *out_path, bool force, dv_search_summary *summary) {
    *summary = (dv_search_summary){0};
    DV_TRY(dv_bank_same(options->ranks, bank));
    DV_TRY(dv_ranks_same_features(options->ranks, dv_features_info(queries)));
    knn_run run = {
        .options = options, .queries = dv_features_info(queries), .first_image = first_image, .n_images = n_images};
    if (first_image > run.queries->n_images || n_images > run.queries->n_images - first_image)
        return dv_fail(DV_E_USAGE, "images %zu:%zu: the queries have %zu images", first_image, first_image + n_images,
                       run.queries->n_images);
    run.piece_images = PIECE_BYTES / (list_bytes(&run) + 1) + 1;
    const dv_retriever_use use = {.n_images = n_images, .fixed_bytes = run.piece_images * list_bytes(&run)};
    dv_status status = dv_retriever_open(bank, run.queries, options, &use, &run.retriever);
    if (status != DV_OK) return status;
    run.device = dv_retriever_device(run.retriever);
    run.block_images = dv_retriever_block_images(run.retriever);
    if (run.piece_images > run.block_images) run.piece_images = run.block_images;
    const bool writes = dv_ranks_index(options->ranks) == 0;
    status = begin_file(&run, out_path, force, dv_bank_get_info(bank)->n_rows);
    if (status == DV_OK) status = search_all(&run, queries);
    if (status == DV_OK) status = dv_retriever_summary(run.retriever, summary);
    if (status == DV_OK && writes) {
        dv_h5_writer *writer = run.writer;
        run.writer = NULL; /* the commit frees it in every case */
        status = dv_h5_commit(writer);
    }
    dv_ranks_hush(options->ranks, status);
    release(&run);
    return status;
}
