#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/target.h"

int dv_sync_path(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    int error = fsync(file) == 0 ? 0 : errno;
    if (error == EINVAL || error == ENOTSUP) error = 0; /* some network file systems sync no folders */
    if (close(file) != 0 && error == 0) error = errno;
    return error;
}

static int sync_entry(const FTSENT *entry) {
    const bool has_content = entry->fts_info == FTS_F || entry->fts_info == FTS_DP;
    return has_content ? dv_sync_path(entry->fts_path) : 0;
}

static int remove_entry(const FTSENT *entry) {
    return remove(entry->fts_path) == 0 ? 0 : errno;
}

static int visit_entry(const FTSENT *entry, int (*visit)(const FTSENT *entry)) {
    switch (entry->fts_info) {
    case FTS_D:
        return 0; /* comes again, as FTS_DP, after all it holds */
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return entry->fts_errno;
    default:
        return visit(entry);
    }
}

/* Visits each file and folder, what a folder holds before the folder. The first errno; the walk goes on after it. */
static int walk(const char *path, int (*visit)(const FTSENT *entry)) {
    char *root = strdup(path); /* fts wants it writable */
    if (!root) return ENOMEM;
    char *const roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    int first = tree ? 0 : errno;
    while (tree) {
        errno = 0; /* tells the end of the walk from its failure */
        const FTSENT *entry = fts_read(tree);
        const int error = entry ? visit_entry(entry, visit) : errno;
        if (first == 0) first = error;
        if (!entry) break;
    }
    if (tree) fts_close(tree);
    free(root);
    return first;
}

int dv_sync_tree(const char *path) {
    return walk(path, sync_entry);
}

int dv_remove_tree(const char *path) {
    return walk(path, remove_entry);
}
