#include "protocol/splits_pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "denseval/image.h"
#include "io/folder.h"
#include "io/name_list.h"

typedef struct reading {
    const dv_splits_options *options;
    const dv_splits_result *result;
    dv_folder folder; /* files by key */
    size_t n;
    dv_split_picture *pictures;   /* [n] */
    const dv_folder_file **files; /* [n], of the folder; NULL: missing */
    char **faults;                /* [n], each owned; NULL: none */
    uint64_t *bytes;              /* [n] */
} reading;

static int compare_keys(const void *a, const void *b) {
    return strcmp(((const dv_folder_file *)a)->key, ((const dv_folder_file *)b)->key);
}

static int compare_to_key(const void *id, const void *file) {
    return strcmp(id, ((const dv_folder_file *)file)->key);
}

static dv_status list_pictures(reading *r) {
    DV_TRY(dv_folder_list(r->options->images, DV_FOLDER_PICTURES, &r->folder));
    if (r->folder.n_files) qsort(r->folder.files, r->folder.n_files, sizeof *r->folder.files, compare_keys);
    for (size_t i = 1; i < r->folder.n_files; i++)
        if (compare_keys(&r->folder.files[i - 1], &r->folder.files[i]) == 0)
            return dv_fail(DV_E_DATA, "%s: %s and %s are two pictures of one id", r->options->images,
                           r->folder.files[i - 1].path, r->folder.files[i].path);
    return DV_OK;
}

static const char *id_of(const reading *r, size_t i) {
    return r->result->ids[r->pictures[i].split].names[r->pictures[i].id];
}

static dv_status find_pictures(reading *r, dv_splits_result *result) {
    dv_fault_list faults = {.left_out = r->options->skip_bad};
    char message[DV_MESSAGE_SIZE];
    for (size_t i = 0; i < r->n; i++) {
        if (r->folder.n_files)
            r->files[i] =
                bsearch(id_of(r, i), r->folder.files, r->folder.n_files, sizeof *r->folder.files, compare_to_key);
        if (r->files[i]) continue;
        snprintf(message, sizeof message, "%s: no picture of %s", r->options->images, id_of(r, i));
        dv_fault_list_add(&faults, message);
    }
    result->n_left_out = faults.n;
    return dv_fault_list_judge(&faults, DV_E_MISSING, "pictures are missing");
}

static void hash_pixels(const dv_picture *picture, char *hash) {
    char parts[2][DV_HASH_TEXT_SIZE] = {{0}};
    const uint64_t size[2] = {picture->height, picture->width};
    dv_hash_bytes(size, sizeof size, parts[0]);
    dv_hash_bytes(picture->rgb, picture->height * picture->width * 3, parts[1]);
    dv_hash_bytes(parts, sizeof parts, hash);
}

static dv_status read_file(reading *r, size_t i, const char *path) {
    dv_picture picture;
    struct stat facts;
    DV_TRY(dv_picture_read(path, &picture));
    hash_pixels(&picture, r->pictures[i].hash);
    dv_picture_clear(&picture);
    if (stat(path, &facts) == 0) r->bytes[i] = (uint64_t)facts.st_size;
    return DV_OK;
}

static dv_status read_one(reading *r, size_t i) {
    char *path;
    if (!r->files[i]) return DV_OK;
    DV_TRY(dv_path_join(r->options->images, r->files[i]->path, &path));
    const dv_status status = read_file(r, i, path);
    free(path);
    return status;
}

static dv_status run_picture(void *context, size_t i, size_t worker) {
    reading *const r = context;
    (void)worker;
    DV_TRY(dv_check_interrupted());
    const dv_status status = read_one(r, i);
    return status == DV_E_DATA ? dv_strdup(dv_last_error(), &r->faults[i]) : status;
}

static dv_status read_all(reading *r) {
    dv_pool *pool;
    DV_TRY(dv_pool_create(r->options->n_threads, &pool));
    const dv_status status = dv_pool_run(pool, r->n, run_picture, r);
    dv_pool_free(pool);
    return status;
}

static dv_status allocate(reading *r) {
    for (size_t split = 0; split < DV_N_SPLITS; split++) r->n += r->result->ids[split].n;
    DV_TRY(dv_alloc(r->n, sizeof *r->pictures, "pictures", &r->pictures));
    DV_TRY(dv_alloc(r->n, sizeof(const dv_folder_file *), "files of pictures", &r->files));
    DV_TRY(dv_alloc(r->n, sizeof *r->faults, "faults of pictures", &r->faults));
    DV_TRY(dv_alloc(r->n, sizeof *r->bytes, "sizes of pictures", &r->bytes));
    for (size_t split = 0, i = 0; split < DV_N_SPLITS; split++)
        for (size_t id = 0; id < r->result->ids[split].n; id++)
            r->pictures[i++] = (dv_split_picture){.split = split, .id = id};
    return DV_OK;
}

static dv_status judge(const reading *r, dv_splits_result *result) {
    dv_fault_list faults = {.left_out = r->options->skip_bad};
    for (size_t i = 0; i < r->n; i++)
        if (r->faults[i]) dv_fault_list_add(&faults, r->faults[i]);
    result->n_left_out += faults.n;
    return dv_fault_list_judge(&faults, DV_E_DATA, "pictures are bad");
}

static void sum_up(const reading *r, dv_splits_result *result) {
    char *const hash = result->images_hash;
    for (size_t i = 0; i < r->n; i++) {
        char parts[3][DV_HASH_TEXT_SIZE] = {{0}};
        snprintf(parts[0], sizeof parts[0], "%s", hash);
        dv_hash_bytes(id_of(r, i), strlen(id_of(r, i)), parts[1]);
        snprintf(parts[2], sizeof parts[2], "%s", r->pictures[i].hash);
        dv_hash_bytes(parts, sizeof parts, hash);
        result->image_bytes += r->bytes[i];
    }
}

dv_status dv_split_pictures_read(const dv_splits_options *options, dv_splits_result *result,
                                 dv_split_picture **pictures) {
    reading r = {.options = options, .result = result};
    dv_status status = list_pictures(&r);
    if (status == DV_OK) status = allocate(&r);
    if (status == DV_OK) status = find_pictures(&r, result);
    if (status == DV_OK) status = read_all(&r);
    if (status == DV_OK) status = judge(&r, result);
    if (status == DV_OK) sum_up(&r, result);
    *pictures = status == DV_OK ? r.pictures : NULL;
    if (status != DV_OK) free(r.pictures);
    for (size_t i = 0; r.faults && i < r.n; i++) free(r.faults[i]);
    free(r.faults);
    free(r.files);
    free(r.bytes);
    dv_folder_clear(&r.folder);
    return status;
}
