/* bench_io.c: feature files read block by block, as every command reads them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench_stages.h"
#include "app/message.h"
#include "denseval/features.h"

enum { PATH_ROOM = 4096, BLOCK_BYTES = 16 << 20 };
static const size_t default_dims[] = {384, 768};

const dv_option dv_bench_io_options[] = {
    {"features", "F", "feature files to read [a made one, removed afterwards]", DV_OPT_PATHS,
     offsetof(dv_bench_io_args, features), 0, 0},
    {"images", "N", "images of a made file [512]", DV_OPT_COUNT, offsetof(dv_bench_io_args, images), 1, 1 << 24},
    {"patches", "N", "patches of each image [196]", DV_OPT_COUNT, offsetof(dv_bench_io_args, patches), 1, 65535},
    {"dims", "LIST", "dimensions of made files [384,768]", DV_OPT_SIZES, offsetof(dv_bench_io_args, dims), 1,
     DV_MAX_DIM},
    {0},
};

static const dv_bench_column columns[] = {
    {"dtype", "dtype", "", -5, 0},         {"images", "images", "(1)", 8, 0},
    {"patches", "patches", "(1)", 8, 0},   {"dim", "dim", "(1)", 6, 0},
    {"size_mb", "size", "(MB)", 9, 1},     {"p50_ms", "p50", "(ms)", 9, 2},
    {"best_ms", "best", "(ms)", 9, 2},     {"rate_gbps", "rate", "(GB/s)", 8, 3},
    {"peak_percent", "peak", "(%)", 6, 1}, {0},
};

/* A set that is read again and again. */
typedef struct reading {
    dv_features *features;
    size_t *images; /* [n_images], all; owned */
    size_t block_images;
    char *expected; /* one image as a plain read gives it, where blocks are compared; owned */
    bool compare;
    size_t n_wrong;
} reading;

static size_t image_bytes(const dv_feature_info *info) {
    return info->n_patches * info->dim * dv_dtype_size(info->dtype);
}

/* Images of the block that differ from what a plain read gives. */
static dv_status compare_block(reading *r, dv_features *plain, const dv_feature_block *block) {
    const size_t n_bytes = image_bytes(dv_features_info(plain));
    for (size_t i = 0; i < block->n_images; i++) {
        DV_TRY(dv_features_read(plain, block->images[i], 1, DV_ZERO_KEEP, r->expected, NULL));
        r->n_wrong += memcmp(r->expected, (const char *)block->rows + i * n_bytes, n_bytes) != 0;
    }
    return DV_OK;
}

static dv_status read_blocks(reading *r, dv_features *plain) {
    const dv_feature_reader_options options = {.images = r->images,
                                               .n_images = dv_features_info(r->features)->n_images,
                                               .images_per_block = r->block_images,
                                               .want_rows = true,
                                               .zero_rows = DV_ZERO_KEEP};
    dv_feature_reader *reader;
    DV_TRY(dv_feature_reader_open(r->features, &options, &reader));
    const dv_feature_block *block = NULL;
    dv_status status;
    while ((status = dv_feature_reader_next(reader, &block)) == DV_OK && block)
        if (plain && (status = compare_block(r, plain, block)) != DV_OK) break;
    dv_feature_reader_close(reader);
    return status;
}

static dv_status read_once(void *user) {
    return read_blocks(user, NULL);
}

static dv_status bench_set(dv_bench *bench, reading *r, dv_features *plain) {
    const dv_feature_info *const info = dv_features_info(r->features);
    dv_bench_times times;
    DV_TRY(dv_bench_alloc(info->n_images, sizeof *r->images, "image numbers", &r->images));
    DV_TRY(dv_bench_alloc(image_bytes(info), 1, "bytes of an image", &r->expected));
    for (size_t i = 0; i < info->n_images; i++) r->images[i] = i;
    r->block_images = BLOCK_BYTES / image_bytes(info) + 1;
    DV_TRY(read_blocks(r, plain));
    DV_TRY(dv_bench_time(bench, read_once, r, &times));
    const double n_bytes = (double)info->n_images * (double)image_bytes(info);
    const dv_bench_cell cells[] = {
        {.text = dv_dtype_name(info->dtype)},
        {.number = (double)info->n_images},
        {.number = (double)info->n_patches},
        {.number = (double)info->dim},
        {.number = n_bytes / 1e6},
        {.number = times.p50_s * 1e3},
        {.number = times.best_s * 1e3},
        {.number = n_bytes / times.p50_s / 1e9},
        {.number = 100 * n_bytes / times.p50_s / bench->peaks.read_bytes_per_s},
    };
    dv_bench_row(bench, cells, r->n_wrong);
    return DV_OK;
}

/* Opened twice: a set that a reader has must not be read by anyone else. */
static dv_status bench_paths(dv_bench *bench, const char *const *paths, size_t n_paths) {
    reading r = {0};
    dv_features *plain = NULL;
    dv_status status = dv_features_open(paths, n_paths, &r.features);
    if (status == DV_OK) status = dv_features_open(paths, n_paths, &plain);
    if (status == DV_OK) status = bench_set(bench, &r, plain);
    dv_features_close(r.features);
    dv_features_close(plain);
    free(r.images);
    free(r.expected);
    return status;
}

static dv_status make_file(const dv_bench *bench, const dv_bench_io_args *args, size_t dim, const char *path) {
    const dv_bench_shape shape = {.kind = DV_BENCH_RANDOM,
                                  .n_rows = args->images * args->patches,
                                  .n_queries = 1,
                                  .dim = dim,
                                  .dtype = DV_F16,
                                  .seed = bench->context->common.seed};
    const dv_bench_base none = {0};
    dv_bench_data data;
    dv_status status = dv_bench_data_make(&shape, &none, bench->context->n_threads, &data);
    if (status == DV_OK) status = dv_bench_data_save(&data.bank, "bench io", args->patches, false, path);
    dv_bench_data_clear(&data);
    return status;
}

static dv_status bench_made(dv_bench *bench, const dv_bench_io_args *args, size_t dim) {
    char folder[PATH_ROOM], path[PATH_ROOM + 16];
    const char *const chosen = getenv("TMPDIR"), *const parent = chosen && *chosen ? chosen : P_tmpdir;
    if ((size_t)snprintf(folder, sizeof folder, "%s/denseval-bench-XXXXXX", parent) >= sizeof folder ||
        !mkdtemp(folder))
        return dv_app_fail(DV_E_IO, "%s: no folder for a feature file can be made there", parent);
    snprintf(path, sizeof path, "%s/io.h5", folder);
    const char *const paths[] = {path};
    dv_status status = make_file(bench, args, dim, path);
    if (status == DV_OK) status = bench_paths(bench, paths, 1);
    (void)unlink(path); /* it may not be there */
    (void)rmdir(folder);
    return status;
}

dv_status dv_bench_io(dv_bench *bench, const dv_bench_io_args *args) {
    const dv_sizes dims = dv_sizes_or(&args->dims, default_dims, sizeof default_dims / sizeof *default_dims);
    dv_bench_begin(bench, "io", columns,
                   "read in blocks of 16 MiB, as far as possible from the page cache   peak: read");
    if (args->features.n) {
        for (size_t i = 0; bench->report && i < args->features.n; i++)
            dv_report_input(bench->report, args->features.paths[i]);
        return bench_paths(bench, dv_path_list_items(&args->features), args->features.n);
    }
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < dims.n; i++) status = bench_made(bench, args, dims.values[i]);
    return status;
}
