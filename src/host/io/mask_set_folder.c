#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/folder_content.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/image_file.h"
#include "io/mask_set_private.h"

/* Is called with each entry of a folder that is not hidden. full: its path; facts NULL: a link to nothing */
typedef dv_status (*visit_entry)(dv_mask_set *set, const char *above, const char *name, const char *full,
                                 const struct stat *facts);

static dv_status join(const char *folder, const char *name, char **path) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    DV_TRY(dv_alloc(size, 1, "a path", path));
    snprintf(*path, size, "%s%s%s", folder, *folder ? "/" : "", name);
    return DV_OK;
}

static dv_status visit_one(dv_mask_set *set, const char *folder, const char *above, const char *name,
                           visit_entry visit) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, DV_FOLDER_MARK) == 0) return DV_OK;
    if (name[0] == '.') {
        set->n_passed_over++;
        return DV_OK;
    }
    char *full;
    DV_TRY(join(folder, name, &full));
    struct stat facts;
    dv_status status;
    if (stat(full, &facts) == 0)
        status = visit(set, above, name, full, &facts);
    else if (errno == ENOENT || errno == ELOOP)
        status = visit(set, above, name, full, NULL);
    else
        status = dv_fail(DV_E_IO, "%s: cannot stat: %s", full, dv_error_text(errno));
    free(full);
    return status;
}

static dv_status visit_folder(dv_mask_set *set, const char *folder, const char *above, visit_entry visit) {
    struct dirent **entries;
    const int n = scandir(folder, &entries, NULL, NULL);
    if (n < 0) return dv_fail(DV_E_IO, "%s: cannot list: %s", folder, dv_error_text(errno));
    dv_status status = DV_OK;
    for (int i = 0; i < n; i++) {
        if (status == DV_OK) status = visit_one(set, folder, above, entries[i]->d_name, visit);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static dv_status visit_frame(dv_mask_set *set, const char *above, const char *name, const char *full,
                             const struct stat *facts) {
    (void)above;
    const bool is_file = !facts || S_ISREG(facts->st_mode);
    if (is_file && (dv_has_extension(name, ".jpg") || dv_has_extension(name, ".jpeg")))
        return dv_fail(DV_E_DATA, "%s: masks must be PNG; JPEG changes labels", full);
    if (!is_file || !dv_has_extension(name, ".png")) {
        set->n_passed_over++;
        return DV_OK;
    }
    if (!facts) return dv_fail(DV_E_MISSING, "%s: a link to a file that is not there", full);
    char *stem;
    DV_TRY(dv_strdup(name, &stem));
    stem[dv_stem_length(name)] = '\0';
    const dv_status status = dv_mask_set_add_frame(set, stem, name, 0);
    free(stem);
    return status;
}

static dv_status visit_sequence(dv_mask_set *set, const char *above, const char *name, const char *full,
                                const struct stat *facts) {
    if (!facts || !S_ISDIR(facts->st_mode)) {
        set->n_passed_over++;
        return DV_OK;
    }
    char *sequence;
    DV_TRY(join(above, name, &sequence));
    dv_status status = dv_mask_set_add_sequence(set, sequence);
    if (status == DV_OK) status = visit_folder(set, full, sequence, visit_frame);
    free(sequence);
    return status;
}

static dv_status visit_scene(dv_mask_set *set, const char *above, const char *name, const char *full,
                             const struct stat *facts) {
    (void)above;
    if (!facts || !S_ISDIR(facts->st_mode)) {
        set->n_passed_over++;
        return DV_OK;
    }
    const size_t n_before = set->n_sequences;
    DV_TRY(visit_folder(set, full, name, visit_sequence));
    return set->n_sequences > n_before ? DV_OK : dv_fail(DV_E_DATA, "%s: a scene without cameras", full);
}

/* All PNG files below the folder, as one sequence without a name. */
static dv_status list_flat(dv_mask_set *set) {
    dv_folder folder;
    DV_TRY(dv_folder_list(set->path, DV_FOLDER_LABELS, &folder));
    dv_status status = dv_mask_set_add_sequence(set, "");
    for (size_t i = 0; i < folder.n_files && status == DV_OK; i++)
        status = dv_mask_set_add_frame(set, folder.files[i].key, folder.files[i].path, 0);
    set->n_passed_over = folder.n_passed_over;
    dv_folder_clear(&folder);
    return status;
}

dv_status dv_mask_set_list_folder(dv_mask_set *set) {
    if (set->depth == 0) return list_flat(set);
    return visit_folder(set, set->path, "", set->depth == 1 ? visit_sequence : visit_scene);
}

static dv_status decode(const dv_mask_set *set, const char *path, dv_label_map *map, char *hash) {
    uint8_t *bytes;
    size_t n_bytes;
    DV_TRY(dv_image_file_load(path, &bytes, &n_bytes));
    dv_hash_bytes(bytes, n_bytes, hash);
    const dv_status status = dv_label_map_decode(bytes, n_bytes, dv_mask_colours(set->palette), map);
    free(bytes);
    return dv_context(status, "%s", path);
}

dv_status dv_mask_set_read_file(const dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map, char *hash) {
    const dv_mask_sequence *s = &set->sequences[sequence];
    const size_t size = strlen(set->path) + strlen(s->name) + strlen(s->frames[frame].file) + 3;
    char *path;
    DV_TRY(dv_alloc(size, 1, "a path", &path));
    dv_mask_set_name_frame(set, sequence, frame, path, size);
    const dv_status status = decode(set, path, map, hash);
    free(path);
    return status;
}
