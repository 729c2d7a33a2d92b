#include "io/mask_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/mask_set_private.h"

enum { FIRST_CAPACITY = 16 };

/* Makes room for one more. */
static dv_status grow(void **list, size_t n, size_t size, size_t *capacity) {
    if (n < *capacity) return DV_OK;
    const size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
    void *grown = reallocarray(*list, wanted, size);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a list of %zu masks", wanted);
    *list = grown;
    *capacity = wanted;
    return DV_OK;
}

dv_status dv_mask_set_add_sequence(dv_mask_set *set, const char *name) {
    void *list = set->sequences;
    DV_TRY(grow(&list, set->n_sequences, sizeof *set->sequences, &set->capacity));
    set->sequences = list;
    dv_mask_sequence made = {0};
    DV_TRY(dv_strdup(name, &made.name));
    set->sequences[set->n_sequences++] = made;
    return DV_OK;
}

dv_status dv_mask_set_add_frame(dv_mask_set *set, const char *stem, const char *file, size_t row) {
    dv_mask_sequence *const s = &set->sequences[set->n_sequences - 1];
    void *list = s->frames;
    DV_TRY(grow(&list, s->n_frames, sizeof *s->frames, &s->capacity));
    s->frames = list;
    dv_mask_frame made = {.row = row};
    DV_TRY(dv_strdup(stem, &made.stem));
    const dv_status status = file ? dv_strdup(file, &made.file) : DV_OK;
    if (status != DV_OK) {
        free(made.stem);
        return status;
    }
    s->frames[s->n_frames++] = made;
    return DV_OK;
}

static int compare_sequences(const void *a, const void *b) {
    return dv_natural_compare(((const dv_mask_sequence *)a)->name, ((const dv_mask_sequence *)b)->name);
}

static int compare_frames(const void *a, const void *b) {
    return dv_natural_compare(((const dv_mask_frame *)a)->stem, ((const dv_mask_frame *)b)->stem);
}

static dv_status two_of_one_stem(const dv_mask_set *set, const char *sequence, const dv_mask_frame *pair) {
    if (!pair[0].file)
        return dv_fail(DV_E_DATA, "%s: /%s, names of frames: \"%.200s\" is there twice", set->path, sequence,
                       pair[0].stem);
    return dv_fail(DV_E_DATA, "%s%s%s: %s and %s are two frames of one name", set->path, *sequence ? "/" : "", sequence,
                   pair[0].file, pair[1].file);
}

static dv_status sort_frames(const dv_mask_set *set, dv_mask_sequence *s) {
    if (!s->n_frames && set->depth)
        return dv_fail(DV_E_DATA, "%s%s%s: a sequence without frames", set->path, set->h5 ? ": /" : "/", s->name);
    if (s->n_frames) qsort(s->frames, s->n_frames, sizeof *s->frames, compare_frames);
    for (size_t i = 1; i < s->n_frames; i++)
        if (compare_frames(&s->frames[i - 1], &s->frames[i]) == 0)
            return two_of_one_stem(set, s->name, &s->frames[i - 1]);
    return DV_OK;
}

static dv_status sort_all(dv_mask_set *set) {
    if (!set->n_sequences)
        return dv_fail(DV_E_DATA, "%s: no sequence, expected %s", set->path,
                       set->h5           ? set->depth == 1 ? "datasets /SEQUENCE" : "datasets /SCENE/CAMERA"
                       : set->depth == 1 ? "folders SEQUENCE with FRAME.png"
                                         : "folders SCENE/CAMERA with FRAME.png");
    qsort(set->sequences, set->n_sequences, sizeof *set->sequences, compare_sequences);
    for (size_t i = 0; i < set->n_sequences; i++) DV_TRY(sort_frames(set, &set->sequences[i]));
    return DV_OK;
}

static dv_status list_all(dv_mask_set *set) {
    struct stat facts;
    if (stat(set->path, &facts) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return dv_fail(DV_E_MISSING, "%s: no such folder or HDF5 file of masks", set->path);
        return dv_fail(DV_E_IO, "%s: cannot be looked at: %s", set->path, dv_error_text(errno));
    }
    DV_TRY(S_ISDIR(facts.st_mode) ? dv_mask_set_list_folder(set) : dv_mask_set_list_hdf5(set));
    return sort_all(set);
}

dv_status dv_mask_set_open(const char *path, size_t depth, dv_mask_palette palette, dv_mask_set **out) {
    *out = NULL;
    if (depth > 2) return dv_fail(DV_E_ARG, "%s: sequences %zu folders down, must be 0, 1 or 2", path, depth);
    dv_mask_set *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "a set of masks", &made));
    pthread_mutex_init(&made->lock, NULL); /* cannot fail with default attributes */
    made->depth = depth;
    made->palette = palette;
    dv_status status = dv_strdup(path, &made->path);
    if (status == DV_OK) {
        for (size_t n = strlen(made->path); n > 1 && made->path[n - 1] == '/'; n--) made->path[n - 1] = '\0';
        status = list_all(made);
    }
    if (status != DV_OK) {
        dv_mask_set_close(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

static void clear_sequence(dv_mask_sequence *s) {
    for (size_t i = 0; i < s->n_frames; i++) {
        free(s->frames[i].stem);
        free(s->frames[i].file);
    }
    free(s->frames);
    free(s->name);
}

void dv_mask_set_close(dv_mask_set *set) {
    if (!set) return;
    for (size_t i = 0; i < set->n_sequences; i++) clear_sequence(&set->sequences[i]);
    free(set->sequences);
    dv_h5_data_close(set->data);
    dv_h5_close(set->h5);
    pthread_mutex_destroy(&set->lock);
    free(set->path);
    free(set);
}

const char *dv_mask_set_path(const dv_mask_set *set) {
    return set->path;
}

size_t dv_mask_set_n_passed_over(const dv_mask_set *set) {
    return set->n_passed_over;
}

size_t dv_mask_set_n_sequences(const dv_mask_set *set) {
    return set->n_sequences;
}

const char *dv_mask_set_sequence(const dv_mask_set *set, size_t sequence) {
    return set->sequences[sequence].name;
}

size_t dv_mask_set_n_frames(const dv_mask_set *set, size_t sequence) {
    return set->sequences[sequence].n_frames;
}

const char *dv_mask_set_frame(const dv_mask_set *set, size_t sequence, size_t frame) {
    return set->sequences[sequence].frames[frame].stem;
}

static int compare_to_sequence(const void *name, const void *sequence) {
    return dv_natural_compare(name, ((const dv_mask_sequence *)sequence)->name);
}

static int compare_to_frame(const void *stem, const void *frame) {
    return dv_natural_compare(stem, ((const dv_mask_frame *)frame)->stem);
}

size_t dv_mask_set_find_sequence(const dv_mask_set *set, const char *name) {
    const dv_mask_sequence *found =
        bsearch(name, set->sequences, set->n_sequences, sizeof *set->sequences, compare_to_sequence);
    return found ? (size_t)(found - set->sequences) : SIZE_MAX;
}

size_t dv_mask_set_find_frame(const dv_mask_set *set, size_t sequence, const char *stem) {
    const dv_mask_sequence *s = &set->sequences[sequence];
    const dv_mask_frame *found =
        s->n_frames ? bsearch(stem, s->frames, s->n_frames, sizeof *s->frames, compare_to_frame) : NULL;
    return found ? (size_t)(found - s->frames) : SIZE_MAX;
}

void dv_mask_set_name_frame(const dv_mask_set *set, size_t sequence, size_t frame, char *text, size_t size) {
    const dv_mask_sequence *s = &set->sequences[sequence];
    if (set->h5)
        snprintf(text, size, "%s: /%s, frame %s", set->path, s->name, s->frames[frame].stem);
    else
        snprintf(text, size, "%s/%s%s%s", set->path, s->name, *s->name ? "/" : "", s->frames[frame].file);
}

dv_status dv_mask_set_read(dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map, char *hash) {
    const dv_status status = set->h5 ? dv_mask_set_read_row(set, sequence, frame, map, hash)
                                     : dv_mask_set_read_file(set, sequence, frame, map, hash);
    if (status != DV_OK) dv_label_map_clear(map);
    return status;
}

void dv_mask_set_chain_hash(const dv_mask_set *set, size_t sequence, size_t frame, const char *read, char *hash) {
    char parts[4][DV_HASH_TEXT_SIZE] = {{0}};
    const char *const sequence_name = dv_mask_set_sequence(set, sequence);
    const char *const stem = dv_mask_set_frame(set, sequence, frame);
    snprintf(parts[0], sizeof parts[0], "%s", hash);
    dv_hash_bytes(sequence_name, strlen(sequence_name), parts[1]);
    dv_hash_bytes(stem, strlen(stem), parts[2]);
    snprintf(parts[3], sizeof parts[3], "%s", read);
    dv_hash_bytes(parts, sizeof parts, hash);
}
