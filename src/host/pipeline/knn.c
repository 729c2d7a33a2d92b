#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/search.h"
#include "io/hdf5_file.h"
#include "pipeline/retriever.h"

enum { PIECE_BYTES = 1 << 20 }; /* of neighbours that are written at once; one image is whatever it takes */

typedef struct knn_run {
    const dv_search_options *options;
    const dv_feature_info *queries;
    size_t first_image, n_images;
    size_t block_images, piece_images; /* searched, and written, together */
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

/* Images first .. first + n_images - 1 of a block, a piece at most. */
static dv_status write_piece(knn_run *run, size_t first, size_t n_images) {
    const dv_device_ops *ops = run->device->ops;
    const size_t image_places = run->queries->n_patches * run->options->k, n = n_images * image_places;
    const size_t begin = first * image_places;
    DV_TRY(ops->download(run->device, run->ids, run->device_ids + begin, n * sizeof *run->ids));
    DV_TRY(ops->download(run->device, run->cosines, run->device_cosines + begin, n * sizeof *run->cosines));
    DV_TRY(ops->synchronise(run->device));
    for (size_t i = 0; i < n; i++) run->rounded[i] = (float)run->cosines[i];
    DV_TRY(dv_h5_rows_append(run->out_ids, n_images, run->ids));
    return dv_h5_rows_append(run->out_cosines, n_images, run->rounded);
}

static dv_status write_block(knn_run *run, size_t n_images) {
    for (size_t done = 0; done < n_images; done += run->piece_images) {
        const size_t left = n_images - done;
        DV_TRY(write_piece(run, done, left < run->piece_images ? left : run->piece_images));
    }
    return DV_OK;
}

static dv_status search_blocks(knn_run *run, dv_feature_reader *reader) {
    size_t n_done = 0;
    for (;;) {
        const dv_feature_block *block;
        DV_TRY(dv_feature_reader_next(reader, &block));
        if (!block) return DV_OK;
        DV_TRY(dv_retriever_search(run->retriever, block, run->device_ids, run->device_cosines));
        DV_TRY(write_block(run, block->n_images));
        n_done += block->n_images;
        if (run->options->progress)
            run->options->progress(run->options->progress_user, "images", n_done, run->n_images);
    }
}

static dv_status search_all(knn_run *run, dv_features *queries) {
    if (run->n_images == 0) return DV_OK;
    size_t *images;
    DV_TRY(dv_alloc(run->n_images, sizeof *images, "the query images", &images));
    for (size_t i = 0; i < run->n_images; i++) images[i] = run->first_image + i;
    const dv_feature_reader_options options = {.images = images,
                                               .n_images = run->n_images,
                                               .images_per_block = run->block_images,
                                               .want_rows = true,
                                               .zero_rows = run->options->zero_rows,
                                               .bad_images = DV_BAD_LIST,
                                               .one_block = dv_retriever_one_block(run->retriever)};
    dv_feature_reader *reader = NULL;
    dv_status status = alloc_block(run);
    if (status == DV_OK) status = dv_feature_reader_open(queries, &options, &reader);
    if (status == DV_OK) status = search_blocks(run, reader);
    dv_feature_reader_close(reader);
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
    status = create_file(&run, out_path, force, dv_bank_get_info(bank)->n_rows);
    if (status == DV_OK) status = search_all(&run, queries);
    if (status == DV_OK) {
        dv_retriever_summary(run.retriever, summary);
        dv_h5_writer *writer = run.writer;
        run.writer = NULL; /* the commit frees it in every case */
        status = dv_h5_commit(writer);
    }
    release(&run);
    return status;
}
