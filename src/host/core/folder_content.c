#include "core/folder_content.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"

static int compare_names(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_png(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

/* Opens a walk through a folder, in order of names; NULL with an errno. */
static FTS *open_walk(const char *folder) {
    char *root = strdup(folder); /* fts wants it writable */
    if (!root) return NULL;
    char *const roots[] = {root, NULL};
    FTS *const tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
    free(root);
    return tree;
}

static const char *name_below(const FTSENT *entry, const char *folder) {
    return entry->fts_path + strlen(folder) + 1;
}

/* Writes the names of the files that are no PNG, a line each. */
static dv_status list_files(const char *folder, FILE *mark) {
    FTS *const tree = open_walk(folder);
    dv_status status = DV_OK;
    if (!tree) return dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
    for (;;) {
        errno = 0; /* tells the end of the walk from its failure */
        const FTSENT *const entry = fts_read(tree);
        if (!entry && errno != 0) status = dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
        if (!entry) break;
        if (entry->fts_info == FTS_F && !is_png(entry->fts_name) && strcmp(entry->fts_name, DV_FOLDER_MARK) != 0)
            fprintf(mark, "%s\n", name_below(entry, folder));
    }
    fts_close(tree);
    return status;
}

dv_status dv_folder_mark(const char *folder) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, DV_FOLDER_MARK) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    FILE *const mark = fopen(path, "wbe");
    dv_status status = mark ? list_files(folder, mark) : DV_OK;
    const bool failed = !mark || ferror(mark);
    if ((!mark || fclose(mark) != 0 || failed) && status == DV_OK)
        status = dv_fail(DV_E_IO, "%s: cannot be written: %s", path, dv_error_text(errno));
    free(path);
    return status;
}

/* The text of the mark; NULL where there is none. The caller's until free() */
static char *read_mark(const char *folder) {
    char *path = NULL, *text = NULL;
    size_t capacity = 0;
    struct stat found;
    if (asprintf(&path, "%s/%s", folder, DV_FOLDER_MARK) < 0) return NULL;
    FILE *const mark = lstat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rbe") : NULL;
    free(path);
    if (!mark) return NULL;
    errno = 0;
    if (getdelim(&text, &capacity, '\0', mark) < 0 && text) text[0] = '\0'; /* an empty mark */
    fclose(mark);                                                           /* only read: nothing can be lost */
    return text;
}

/* Is `name` a line of the mark? */
static bool is_listed(const char *mark, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = mark; *at;) {
        const size_t line = strcspn(at, "\n");
        if (line == length && memcmp(at, name, length) == 0) return true;
        at += line + (at[line] == '\n');
    }
    return false;
}

static bool is_ours(const FTSENT *entry, const char *mark, const char *name) {
    switch (entry->fts_info) {
    case FTS_D:
    case FTS_DP:
        return true;
    case FTS_F:
        return is_png(entry->fts_name) || strcmp(entry->fts_name, DV_FOLDER_MARK) == 0 || is_listed(mark, name);
    default:
        return false; /* links, pipes, what cannot be read */
    }
}

static dv_status check_entries(FTS *tree, const char *folder, const char *mark) {
    for (;;) {
        errno = 0; /* tells the end of the walk from its failure */
        const FTSENT *entry = fts_read(tree);
        if (!entry && errno != 0) return dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
        if (!entry) return DV_OK;
        if (entry->fts_level > 0 && (!mark || !is_ours(entry, mark, name_below(entry, folder))))
            return dv_fail(DV_E_USAGE, "%s: %s is in it, so it is no result that could be replaced", folder,
                           name_below(entry, folder));
    }
}

dv_status dv_folder_check_ours(const char *folder) {
    FTS *const tree = open_walk(folder);
    if (!tree) return dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
    char *const mark = read_mark(folder);
    const dv_status status = check_entries(tree, folder, mark);
    free(mark);
    fts_close(tree);
    return status;
}
