#include "cluster/same.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/hash.h"
#include "core/memory.h"
#include "denseval/hash.h"

/* A hash as text, as it is sent. */
typedef struct digest {
    char text[DV_HASH_TEXT_SIZE];
} digest;

/* What is compared: a digest of each file, and one of what was read of them. */
typedef struct seen {
    const char *const *paths; /* [n] */
    digest *files;            /* [n] */
    size_t n;
    digest read;
} seen;

/* ---- Comparing -----------------------------------------------------------------------------------------------------
 */

static dv_status digest_all(const seen *mine, digest *out) {
    dv_hasher *hasher;
    DV_TRY(dv_hasher_create(&hasher));
    dv_hasher_add(hasher, &mine->read, sizeof mine->read);
    dv_hasher_add(hasher, mine->files, mine->n * sizeof *mine->files);
    dv_hasher_end(hasher, out->text);
    dv_hasher_free(hasher);
    return DV_OK;
}

/* *rank: the lowest that sees something else than rank 0, on all; their count where none does */
static dv_status find_odd_rank(dv_ranks *ranks, const seen *mine, size_t *rank) {
    digest own, first;
    DV_TRY(digest_all(mine, &own));
    first = own;
    DV_TRY(dv_ranks_broadcast(ranks, 0, &first, sizeof first));
    const bool differs = memcmp(&own, &first, sizeof own) != 0;
    uint64_t most = differs ? dv_ranks_count(ranks) - dv_ranks_index(ranks) : 0;
    DV_TRY(dv_ranks_largest(ranks, &most, 1));
    *rank = dv_ranks_count(ranks) - (size_t)most;
    return DV_OK;
}

/* The first file that differs; 0 where their list does, or what was read of them. */
static uint64_t odd_file(const seen *mine, const digest *first, size_t n_first) {
    const size_t n = mine->n < n_first ? mine->n : n_first;
    for (size_t i = 0; i < n; i++)
        if (memcmp(&first[i], &mine->files[i], sizeof *first) != 0) return i;
    return 0;
}

/* Which file the odd rank means, on all. */
static dv_status find_odd_file(dv_ranks *ranks, const seen *mine, size_t odd_rank, uint64_t *file) {
    uint64_t n_first = mine->n;
    digest *first;
    DV_TRY(dv_ranks_broadcast(ranks, 0, &n_first, sizeof n_first));
    DV_TRY(dv_alloc((size_t)n_first, sizeof *first, "hashes of files", &first));
    if (dv_ranks_index(ranks) == 0) memcpy(first, mine->files, mine->n * sizeof *first);
    dv_status status = dv_ranks_broadcast(ranks, 0, first, (size_t)n_first * sizeof *first);
    *file = odd_file(mine, first, (size_t)n_first);
    free(first);
    if (status == DV_OK) status = dv_ranks_broadcast(ranks, odd_rank, file, sizeof *file);
    return status;
}

static dv_status compare(dv_ranks *ranks, const seen *mine) {
    size_t rank;
    uint64_t file = 0;
    DV_TRY(find_odd_rank(ranks, mine, &rank));
    if (rank == dv_ranks_count(ranks)) return DV_OK;
    DV_TRY(find_odd_file(ranks, mine, rank, &file));
    return dv_fail(DV_E_DATA, "%s: rank %zu of %zu sees other contents than rank 0: all ranks must see the same files",
                   mine->paths[file < mine->n ? file : 0], rank, dv_ranks_count(ranks));
}

static dv_status compare_files(dv_ranks *ranks, const char *const *paths, size_t n, const digest *read) {
    seen mine = {.paths = paths, .n = n, .read = *read};
    dv_status status = DV_OK;
    DV_TRY(dv_alloc(n, sizeof *mine.files, "hashes of files", &mine.files));
    for (size_t i = 0; status == DV_OK && i < n; i++) status = dv_hash_sample(paths[i], mine.files[i].text);
    if (status == DV_OK) status = compare(ranks, &mine);
    free(mine.files);
    return status;
}

/* ---- What was read -------------------------------------------------------------------------------------------------
 */

static void add_number(dv_hasher *hasher, uint64_t number) {
    dv_hasher_add(hasher, &number, sizeof number);
}

static void add_text(dv_hasher *hasher, const char *text) {
    dv_hasher_add(hasher, text, strlen(text) + 1);
}

/* texts: NULL: the file has none */
static void add_texts(dv_hasher *hasher, const char *const *texts, size_t n) {
    add_number(hasher, texts != NULL);
    for (size_t i = 0; texts && i < n; i++) add_text(hasher, texts[i]);
}

static void add_values(dv_hasher *hasher, const void *values, size_t n_bytes) {
    add_number(hasher, values != NULL);
    if (values) dv_hasher_add(hasher, values, n_bytes);
}

static void add_preprocessing(dv_hasher *hasher, const dv_preprocessing *made) {
    add_text(hasher, made->encoder);
    add_number(hasher, made->patch_size);
    add_number(hasher, made->input_h);
    add_number(hasher, made->input_w);
    add_number(hasher, made->n_mean);
    dv_hasher_add(hasher, made->mean, made->n_mean * sizeof *made->mean);
    add_number(hasher, made->n_std);
    dv_hasher_add(hasher, made->std, made->n_std * sizeof *made->std);
}

static void add_features(dv_hasher *hasher, const dv_feature_info *info) {
    const uint64_t sizes[] = {info->n_images, info->n_patches,       info->grid_h,     info->grid_w,
                              info->dim,      (uint64_t)info->dtype, info->has_labels, info->n_classes};
    dv_hasher_add(hasher, sizes, sizeof sizes);
    add_preprocessing(hasher, &info->preprocessing);
    add_texts(hasher, info->class_names, info->n_classes);
    add_texts(hasher, info->image_ids, info->n_images);
    add_texts(hasher, info->object_ids, info->n_images);
    add_values(hasher, info->view_bins, info->n_images * sizeof *info->view_bins);
    add_values(hasher, info->view_angles, info->n_images * sizeof *info->view_angles);
    add_values(hasher, info->class_ids, info->n_images * sizeof *info->class_ids);
}

static void add_bank(dv_hasher *hasher, const dv_bank_info *info) {
    const size_t n = info->n_rows;
    const uint64_t sizes[] = {n, info->dim, info->n_classes, info->n_images, (uint64_t)info->dtype};
    dv_hasher_add(hasher, sizes, sizeof sizes);
    add_preprocessing(hasher, &info->preprocessing);
    add_texts(hasher, info->class_names, info->n_classes);
    add_texts(hasher, info->image_ids, info->n_images);
    add_texts(hasher, info->object_ids, info->n_images);
    add_values(hasher, info->counts, n * info->n_classes * sizeof *info->counts);
    add_values(hasher, info->image, n * sizeof *info->image);
    add_values(hasher, info->patch, n * sizeof *info->patch);
    add_values(hasher, info->rank, n * sizeof *info->rank);
}

/* ---- Of each kind --------------------------------------------------------------------------------------------------
 */

dv_status dv_ranks_same_features(dv_ranks *ranks, const dv_feature_info *info) {
    dv_hasher *hasher;
    digest read;
    if (dv_ranks_count(ranks) == 1) return DV_OK;
    DV_TRY(dv_hasher_create(&hasher));
    add_features(hasher, info);
    dv_hasher_end(hasher, read.text);
    dv_hasher_free(hasher);
    return compare_files(ranks, info->paths, info->n_files, &read);
}

dv_status dv_ranks_same_bank(dv_ranks *ranks, const dv_bank_info *info, const char *path) {
    dv_hasher *hasher;
    digest read;
    if (dv_ranks_count(ranks) == 1) return DV_OK;
    DV_TRY(dv_hasher_create(&hasher));
    add_bank(hasher, info);
    dv_hasher_end(hasher, read.text);
    dv_hasher_free(hasher);
    return compare_files(ranks, &path, 1, &read);
}

dv_status dv_ranks_same_files(dv_ranks *ranks, const char *const *paths, size_t n) {
    const digest read = {""};
    if (dv_ranks_count(ranks) == 1 || n == 0) return DV_OK;
    return compare_files(ranks, paths, n, &read);
}

dv_status dv_ranks_same_text(dv_ranks *ranks, const char *text, const char *path) {
    digest read;
    if (dv_ranks_count(ranks) == 1) return DV_OK;
    dv_hash_bytes(text, strlen(text), read.text);
    return compare(ranks, &(seen){.paths = &path, .files = &read, .n = 1});
}
