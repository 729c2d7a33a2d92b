#include "report/html_files.h"

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
#include "io/name_list.h"
#include "report/beside.h"

enum { MOST_FILES = 100000, MOST_LEVELS = 32 };

static const char sheet_name[] = "sheet.png";

void dv_html_files_clear(dv_html_files *files) {
    for (size_t i = 0; i < files->n; i++) free(files->files[i].name);
    free(files->files);
    *files = (dv_html_files){0};
}

static dv_html_kind kind_of(const char *name) {
    if (dv_has_extension(name, ".json")) return DV_HTML_JSON;
    if (dv_has_extension(name, ".svg")) return DV_HTML_FIGURE;
    return dv_has_extension(name, ".png") ? DV_HTML_PICTURE : DV_HTML_OTHER;
}

/* name: handed over on success */
static dv_status add_file(dv_html_files *files, char *name, const struct stat *facts) {
    if (files->n == MOST_FILES) return dv_fail(DV_E_DATA, "holds more than %d files", MOST_FILES);
    DV_TRY(dv_grow(&files->files, sizeof *files->files, files->n, 1, "a list of files", &files->capacity));
    dv_html_file file = {.name = name, .size_bytes = (uint64_t)facts->st_size};
    if (S_ISREG(facts->st_mode))
        file.kind = kind_of(name);
    else
        file.why = S_ISLNK(facts->st_mode) ? "a link" : "no regular file";
    files->files[files->n++] = file;
    return DV_OK;
}

static dv_status list_level(const char *folder, const char *below, size_t level, dv_html_files *files);

static dv_status list_entry(const char *folder, const char *below, const char *entry, size_t level,
                            dv_html_files *files) {
    char *name, *path;
    struct stat facts;
    if (*below)
        DV_TRY(dv_path_join(below, entry, &name));
    else
        DV_TRY(dv_strdup(entry, &name));
    dv_status status = dv_path_join(folder, name, &path);
    if (status != DV_OK) {
        free(name);
        return status;
    }
    bool kept = false;
    if (lstat(path, &facts) != 0) {
        status = dv_fail(DV_E_IO, "%s: cannot stat: %s", name, dv_error_text(errno));
    } else if (S_ISDIR(facts.st_mode)) {
        status = list_level(folder, name, level + 1, files);
    } else {
        status = add_file(files, name, &facts);
        kept = status == DV_OK;
    }
    free(path);
    if (!kept) free(name);
    return status;
}

static dv_status read_level(DIR *stream, const char *folder, const char *below, size_t level, dv_html_files *files) {
    for (;;) {
        errno = 0;
        const struct dirent *const entry = readdir(stream);
        if (!entry) break;
        const char *const name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (!*below && strcmp(name, DV_FOLDER_MARK) == 0)
            files->marked = true;
        else if (!*below && strcmp(name, DV_FOLDER_JOURNAL) == 0)
            return dv_fail(DV_E_DATA, "%s: the run is not finished; the same command goes on", name);
        else
            DV_TRY(list_entry(folder, below, name, level, files));
    }
    return errno == 0 ? DV_OK : dv_fail(DV_E_IO, "%s: cannot read: %s", below, dv_error_text(errno));
}

static dv_status list_level(const char *folder, const char *below, size_t level, dv_html_files *files) {
    char *path;
    if (level > MOST_LEVELS) return dv_fail(DV_E_DATA, "%s: lies more than %d folders deep", below, MOST_LEVELS);
    DV_TRY(dv_check_interrupted());
    DV_TRY(*below ? dv_path_join(folder, below, &path) : dv_strdup(folder, &path));
    DIR *const stream = opendir(path);
    const int error = errno;
    free(path);
    if (!stream) {
        const dv_status status = error == ENOENT ? DV_E_MISSING : error == ENOTDIR ? DV_E_DATA : DV_E_IO;
        return dv_fail(status, "%s%scannot open the folder: %s", below, *below ? ": " : "", dv_error_text(error));
    }
    const dv_status status = read_level(stream, folder, below, level, files);
    closedir(stream);
    return status;
}

static int compare_names(const void *a, const void *b) {
    return dv_natural_compare(((const dv_html_file *)a)->name, ((const dv_html_file *)b)->name);
}

dv_status dv_html_files_list(const char *folder, dv_html_files *out) {
    *out = (dv_html_files){0};
    const dv_status status = list_level(folder, "", 0, out);
    if (status != DV_OK) return dv_context(status, "%s", folder);
    if (out->n) qsort(out->files, out->n, sizeof *out->files, compare_names);
    return DV_OK;
}

/* ---- Choosing -----------------------------------------------------------------------------------------------------
 */

/* The PNG beside an SVG; NULL: none. */
static dv_html_file *png_of(dv_html_files *files, const dv_html_file *svg) {
    const size_t stem = dv_stem_length(svg->name);
    dv_html_file wanted = {0};
    if (asprintf(&wanted.name, "%.*s.png", (int)stem, svg->name) < 0) return NULL; /* shown twice, at worst */
    dv_html_file *const found = bsearch(&wanted, files->files, files->n, sizeof wanted, compare_names);
    free(wanted.name);
    return found && found->kind == DV_HTML_PICTURE ? found : NULL;
}

/* A PNG of a figure stands in for an SVG that is too large. */
static void pair_figures(dv_html_files *files) {
    for (size_t i = 0; i < files->n; i++) {
        dv_html_file *const svg = &files->files[i];
        dv_html_file *const png = svg->kind == DV_HTML_FIGURE ? png_of(files, svg) : NULL;
        if (!png) continue;
        if (svg->size_bytes > DV_HTML_IMAGE_BYTES && png->size_bytes <= DV_HTML_IMAGE_BYTES) {
            svg->kind = DV_HTML_TWIN;
            png->kind = DV_HTML_FIGURE;
        } else {
            png->kind = DV_HTML_TWIN;
        }
    }
}

static bool is_sheet(const dv_html_file *file) {
    return file->kind == DV_HTML_PICTURE && strcmp(file->name + dv_folder_bytes(file->name), sheet_name) == 0;
}

static void show(dv_html_file *file, uint64_t *room) {
    file->why = NULL;
    if (file->size_bytes > DV_HTML_IMAGE_BYTES)
        file->why = "larger than 16 MiB";
    else if (file->size_bytes > *room)
        file->why = "the page has 64 MiB of images";
    else
        file->shown = true;
    if (file->shown) *room -= file->size_bytes;
}

/* Marks what a sheet that is shown stands for. */
static void cover_by_sheet(dv_html_files *files, const dv_html_file *sheet) {
    const size_t length = dv_folder_bytes(sheet->name);
    for (size_t i = 0; i < files->n; i++) {
        dv_html_file *const file = &files->files[i];
        if (file->kind == DV_HTML_PICTURE && !file->shown && strncmp(file->name, sheet->name, length) == 0)
            file->why = "on the contact sheet";
    }
}

void dv_html_files_choose(dv_html_files *files) {
    uint64_t room = DV_HTML_IMAGES_BYTES;
    size_t n_pictures = 0;
    pair_figures(files);
    for (size_t i = 0; i < files->n; i++)
        if (files->files[i].kind == DV_HTML_FIGURE) show(&files->files[i], &room);
    for (size_t i = 0; i < files->n; i++) {
        if (!is_sheet(&files->files[i]) || files->files[i].why) continue;
        show(&files->files[i], &room);
        if (files->files[i].shown) cover_by_sheet(files, &files->files[i]);
    }
    for (size_t i = 0; i < files->n; i++) {
        dv_html_file *const file = &files->files[i];
        if (file->kind != DV_HTML_PICTURE || file->shown || file->why) continue;
        if (n_pictures == DV_HTML_PICTURES)
            file->why = "beyond the first 24";
        else
            show(file, &room);
        n_pictures += file->shown;
    }
}
