#include "io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/folder_content.h"
#include "core/memory.h"

enum { FIRST_CAPACITY = 64 };

/* A folder on the way down, to notice links that lead back up. */
typedef struct level {
    dev_t device;
    ino_t inode;
    const struct level *above;
} level;

typedef struct lister {
    const char *root;
    dv_folder_role role;
    dv_folder *folder;
    size_t capacity; /* of folder->files */
} lister;

static dv_status list_level(lister *l, const char *below, const level *above);

static bool is_picture_folder(const char *name) {
    return strcmp(name, "img") == 0 || strcmp(name, "images") == 0;
}

static bool is_label_folder(const char *name) {
    return strcmp(name, "mask") == 0 || strcmp(name, "masks") == 0;
}

static bool is_wanted_file(const char *name, dv_folder_role role) {
    if (dv_has_extension(name, ".png")) return true;
    return role == DV_FOLDER_PICTURES && (dv_has_extension(name, ".jpg") || dv_has_extension(name, ".jpeg"));
}

dv_status dv_folder_name(const char *path, char **name) {
    DV_TRY(dv_strdup(path, name));
    char *target = *name;
    for (const char *from = path;;) {
        const char *slash = strchr(from, '/');
        const size_t length = slash ? (size_t)(slash - from) : strlen(from);
        memcpy(target, from, length);
        target[length] = '\0';
        if (!slash) return DV_OK;
        from = slash + 1;
        if (is_picture_folder(target) || is_label_folder(target)) continue;
        target[length] = '/';
        target += length + 1;
    }
}

/* folder/name; the one alone where the other is "". */
static dv_status join(const char *folder, const char *name, char **path) {
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    const bool slash = *folder && *name && folder[length - 1] != '/';
    DV_TRY(dv_alloc(size, 1, "a path", path));
    snprintf(*path, size, "%s%s%s", folder, slash ? "/" : "", name);
    return DV_OK;
}

static void clear_file(dv_folder_file *file) {
    free(file->path);
    free(file->name);
    free(file->key);
    memset(file, 0, sizeof *file);
}

static dv_status grow(lister *l) {
    const size_t wanted = l->capacity ? l->capacity * 2 : FIRST_CAPACITY;
    dv_folder_file *files = reallocarray(l->folder->files, wanted, sizeof *files);
    if (!files) return dv_fail(DV_E_NOMEM, "%s: no memory for a list of %zu files", l->root, wanted);
    l->folder->files = files;
    l->capacity = wanted;
    return DV_OK;
}

static dv_status add_file(lister *l, const char *path) {
    if (l->folder->n_files == l->capacity) DV_TRY(grow(l));
    dv_folder_file file = {0};
    dv_status status = dv_strdup(path, &file.path);
    if (status == DV_OK) status = dv_folder_name(path, &file.name);
    if (status == DV_OK) status = dv_strdup(file.name, &file.key);
    if (status != DV_OK) {
        clear_file(&file);
        return status;
    }
    file.key[dv_stem_length(file.key)] = '\0';
    l->folder->files[l->folder->n_files++] = file;
    return DV_OK;
}

/* What the names of one folder say about each other. */
typedef struct layout {
    bool has_pictures, has_labels;
} layout;

static bool is_of_other_role(const lister *l, const layout *lay, const char *name) {
    if (!lay->has_pictures || !lay->has_labels) return false;
    return l->role == DV_FOLDER_PICTURES ? is_label_folder(name) : is_picture_folder(name);
}

/* A name whose facts cannot be had: a broken link, or one in a ring, matters only where a file of its name would. */
static dv_status stat_failure(lister *l, const char *full, const char *name) {
    if (errno != ENOENT && errno != ELOOP) return dv_fail(DV_E_IO, "%s: cannot stat: %s", full, strerror(errno));
    if (is_wanted_file(name, l->role)) return dv_fail(DV_E_MISSING, "%s: a link to a file that is not there", full);
    l->folder->n_passed_over++;
    return DV_OK;
}

static dv_status list_entry(lister *l, const char *path, const char *name, const layout *lay, const level *here) {
    char *full;
    DV_TRY(join(l->root, path, &full));
    struct stat facts;
    if (stat(full, &facts) != 0) {
        const dv_status status = stat_failure(l, full, name);
        free(full);
        return status;
    }
    free(full);
    if (S_ISDIR(facts.st_mode) && !is_of_other_role(l, lay, name)) return list_level(l, path, here);
    if (S_ISREG(facts.st_mode) && is_wanted_file(name, l->role)) return add_file(l, path);
    l->folder->n_passed_over++;
    return DV_OK;
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* All names of an open folder, without "." and "..". */
static dv_status read_names(DIR *stream, const char *path, char ***names, size_t *n_names) {
    size_t capacity = 0;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(stream);
        if (!entry) break;
        if (is_dots(entry->d_name)) continue;
        if (*n_names == capacity) {
            capacity = capacity ? capacity * 2 : FIRST_CAPACITY;
            char **grown = reallocarray(*names, capacity, sizeof *grown);
            if (!grown) return dv_fail(DV_E_NOMEM, "%s: no memory for %zu names", path, capacity);
            *names = grown;
        }
        DV_TRY(dv_strdup(entry->d_name, &(*names)[*n_names]));
        (*n_names)++;
    }
    return errno == 0 ? DV_OK : dv_fail(DV_E_IO, "%s: cannot list: %s", path, strerror(errno));
}

static dv_status list_names(lister *l, const char *below, char *const *names, size_t n_names, const level *here) {
    layout lay = {0};
    for (size_t i = 0; i < n_names; i++) {
        lay.has_pictures |= is_picture_folder(names[i]);
        lay.has_labels |= is_label_folder(names[i]);
    }
    dv_status status = DV_OK;
    for (size_t i = 0; i < n_names && status == DV_OK; i++) {
        if (names[i][0] == '.') {
            if (strcmp(names[i], DV_FOLDER_MARK) != 0) l->folder->n_passed_over++;
            continue;
        }
        char *path;
        status = join(below, names[i], &path);
        if (status == DV_OK) status = list_entry(l, path, names[i], &lay, here);
        free(path);
    }
    return status;
}

static dv_status open_failure(const char *path) {
    if (errno == ENOENT) return dv_fail(DV_E_MISSING, "%s: no such folder", path);
    if (errno == ENOTDIR) return dv_fail(DV_E_DATA, "%s: not a folder", path);
    return dv_fail(DV_E_IO, "%s: cannot open: %s", path, strerror(errno));
}

static dv_status check_ring(const level *here, const char *path) {
    for (const level *above = here->above; above; above = above->above)
        if (above->device == here->device && above->inode == here->inode)
            return dv_fail(DV_E_DATA, "%s: a link back to a folder above it", path);
    return DV_OK;
}

static dv_status list_open(lister *l, DIR *stream, const char *path, const char *below, const level *above) {
    struct stat facts;
    if (fstat(dirfd(stream), &facts) != 0) return dv_fail(DV_E_IO, "%s: cannot stat: %s", path, strerror(errno));
    const level here = {.device = facts.st_dev, .inode = facts.st_ino, .above = above};
    DV_TRY(check_ring(&here, path));
    char **names = NULL;
    size_t n_names = 0;
    dv_status status = read_names(stream, path, &names, &n_names);
    if (status == DV_OK) status = list_names(l, below, names, n_names, &here);
    for (size_t i = 0; i < n_names; i++) free(names[i]);
    free(names);
    return status;
}

/* below: the folder within the root, "" for the root itself. */
static dv_status list_level(lister *l, const char *below, const level *above) {
    char *path;
    DV_TRY(join(l->root, below, &path));
    DIR *stream = opendir(path);
    dv_status status;
    if (stream) {
        status = list_open(l, stream, path, below, above);
        closedir(stream);
    } else {
        status = open_failure(path);
    }
    free(path);
    return status;
}

static int compare_files(const void *a, const void *b) {
    return dv_natural_compare(((const dv_folder_file *)a)->path, ((const dv_folder_file *)b)->path);
}

dv_status dv_folder_list(const char *path, dv_folder_role role, dv_folder *folder) {
    memset(folder, 0, sizeof *folder);
    lister l = {.root = path, .role = role, .folder = folder};
    const dv_status status = list_level(&l, "", NULL);
    if (status != DV_OK) {
        dv_folder_clear(folder);
        return status;
    }
    if (folder->n_files > 1) qsort(folder->files, folder->n_files, sizeof *folder->files, compare_files);
    return DV_OK;
}

void dv_folder_clear(dv_folder *folder) {
    if (!folder) return;
    for (size_t i = 0; i < folder->n_files; i++) clear_file(&folder->files[i]);
    free(folder->files);
    memset(folder, 0, sizeof *folder);
}
