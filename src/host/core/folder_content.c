#include "core/folder_content.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"

dv_status dv_folder_mark(const char *folder) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, DV_FOLDER_MARK) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    dv_status status = DV_OK;
    if (file < 0 || close(file) != 0)
        status = dv_fail(DV_E_IO, "%s: cannot be written: %s", path, dv_error_text(errno));
    free(path);
    return status;
}

static bool is_png(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

static bool is_ours(const FTSENT *entry) {
    switch (entry->fts_info) {
    case FTS_D:
    case FTS_DP:
        return true;
    case FTS_F:
        return is_png(entry->fts_name) || strcmp(entry->fts_name, DV_FOLDER_MARK) == 0;
    default:
        return false; /* links, pipes, what cannot be read */
    }
}

static bool is_marked(const char *folder) {
    char *path = NULL;
    struct stat found;
    if (asprintf(&path, "%s/%s", folder, DV_FOLDER_MARK) < 0) return false;
    const bool marked = lstat(path, &found) == 0 && S_ISREG(found.st_mode);
    free(path);
    return marked;
}

static dv_status check_entries(FTS *tree, const char *folder) {
    const bool marked = is_marked(folder);
    for (;;) {
        errno = 0; /* tells the end of the walk from its failure */
        const FTSENT *entry = fts_read(tree);
        if (!entry && errno != 0) return dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
        if (!entry) return DV_OK;
        if (entry->fts_level > 0 && (!marked || !is_ours(entry)))
            return dv_fail(DV_E_USAGE, "%s: %s is in it, so it is no result that could be replaced", folder,
                           entry->fts_path + strlen(folder) + 1);
    }
}

dv_status dv_folder_check_ours(const char *folder) {
    char *root = strdup(folder); /* fts wants it writable */
    if (!root) return dv_fail(DV_E_NOMEM, "no memory for a path");
    char *const roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    const dv_status status =
        tree ? check_entries(tree, root) : dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
    if (tree) fts_close(tree);
    free(root);
    return status;
}
