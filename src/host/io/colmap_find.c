#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/colmap.h"
#include "io/name_list.h"

static dv_status add(dv_colmap_files *files, const char *number, const char *path) {
    dv_colmap_file *const grown = reallocarray(files->files, files->n + 1, sizeof *grown);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a list of models");
    files->files = grown;
    dv_colmap_file made = {0};
    dv_status status = dv_strdup(number, &made.number);
    if (status == DV_OK) status = dv_strdup(path, &made.path);
    if (status == DV_OK)
        files->files[files->n++] = made;
    else
        free(made.number);
    return status;
}

/* Adds the model that a folder is; nothing where it is none. */
static dv_status add_folder(dv_colmap_files *files, const char *number, const char *folder) {
    static const char *const names[] = {"images.bin", "images.txt"};
    const size_t before = files->n;
    for (size_t i = 0; i < sizeof names / sizeof *names && files->n == before; i++) {
        char *path;
        DV_TRY(dv_path_join(folder, names[i], &path));
        const dv_status status = access(path, F_OK) == 0 ? add(files, number, path) : DV_OK;
        free(path);
        DV_TRY(status);
    }
    return DV_OK;
}

static dv_status add_numbered(dv_colmap_files *files, const char *folder) {
    dv_names names = {0};
    dv_status status = dv_subfolders(folder, &names);
    for (size_t i = 0; i < names.n && status == DV_OK; i++) {
        if (names.names[i][strspn(names.names[i], "0123456789")] != '\0') continue;
        char *path;
        status = dv_path_join(folder, names.names[i], &path);
        if (status == DV_OK) status = add_folder(files, names.names[i], path);
        free(path);
    }
    dv_name_list_clear(&names);
    return status;
}

static dv_status find_in(dv_colmap_files *files, const char *folder) {
    DV_TRY(add_folder(files, "", folder));
    return files->n ? DV_OK : add_numbered(files, folder);
}

static dv_status find(dv_colmap_files *files, const char *folder) {
    DV_TRY(find_in(files, folder));
    if (files->n) return DV_OK;
    char *sparse;
    DV_TRY(dv_path_join(folder, "sparse", &sparse));
    const dv_status status = access(sparse, F_OK) == 0 ? find_in(files, sparse) : DV_OK;
    free(sparse);
    return status;
}

dv_status dv_colmap_find(const char *folder, dv_colmap_files *files) {
    *files = (dv_colmap_files){0};
    const dv_status status = find(files, folder);
    if (status != DV_OK) dv_colmap_files_clear(files);
    return status;
}

void dv_colmap_files_clear(dv_colmap_files *files) {
    for (size_t i = 0; i < files->n; i++) {
        free(files->files[i].number);
        free(files->files[i].path);
    }
    free(files->files);
    *files = (dv_colmap_files){0};
}
