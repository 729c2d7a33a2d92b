#include "core/folder_content.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/left_over.h"
#include "core/regular_file.h"

static bool has_suffix(const char *name, const char *suffix) {
    const size_t n_name = strlen(name), n_suffix = strlen(suffix);
    return n_name > n_suffix && strcmp(name + n_name - n_suffix, suffix) == 0;
}

bool dv_names_have(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = names; *line;) {
        const size_t n = strcspn(line, "\n");
        if (n == length && memcmp(line, name, n) == 0) return true;
        line += n + (line[n] == '\n');
    }
    return false;
}

/* ---- The mark ------------------------------------------------------------------------------------------------------
 */

static dv_status path_in(const char *folder, const char *name, char **path) {
    *path = NULL;
    return asprintf(path, "%s/%s", folder, name) < 0 ? dv_fail(DV_E_NOMEM, "no memory for a path") : DV_OK;
}

dv_status dv_folder_write_mark(const char *folder, const char *names) {
    char *path;
    dv_atomic_file *file;
    FILE *out;
    DV_TRY(path_in(folder, DV_FOLDER_MARK, &path));
    dv_status status = dv_atomic_file_begin(path, true, &file);
    free(path);
    DV_TRY(status);
    status = dv_atomic_file_stream(file, &out);
    if (status == DV_OK) fputs(names, out); /* the commit looks at the stream's state */
    if (status == DV_OK) return dv_atomic_file_commit(file);
    dv_atomic_file_abandon(file);
    return status;
}

static dv_status read_lines(const char *path, char **names) {
    FILE *file;
    size_t capacity = 0;
    int error = dv_regular_file_open(path, &file);
    if (error == ENOENT) return dv_fail(DV_E_MISSING, "%s: is not there", path);
    if (error == EISDIR || error == EINVAL) return dv_fail(DV_E_DATA, "%s: is no regular file", path);
    if (error) return dv_fail(DV_E_IO, "%s: cannot be opened: %s", path, dv_error_text(error));
    errno = 0;
    const ssize_t length = getdelim(names, &capacity, '\0', file); /* names have no NUL: the whole file */
    error = ferror(file) ? errno : 0;
    fclose(file); /* only read: nothing can be lost */
    if (error) return dv_fail(DV_E_IO, "%s: cannot be read: %s", path, dv_error_text(error));
    if (length >= 0) return DV_OK;
    free(*names);
    *names = NULL;
    return dv_fail(DV_E_MISSING, "%s: is empty", path);
}

dv_status dv_folder_read_mark(const char *folder, char **names) {
    char *path;
    *names = NULL;
    DV_TRY(path_in(folder, DV_FOLDER_MARK, &path));
    dv_status status = read_lines(path, names);
    free(path);
    if (status == DV_E_MISSING) {
        *names = strdup("");
        status = *names ? DV_OK : dv_fail(DV_E_NOMEM, "no memory for a list of names");
    }
    return status;
}

/* ---- What a folder holds ------------------------------------------------------------------------------------------
 */

static int compare_entries(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Takes what is in a folder, whose name from there on is `name`; a folder before what it holds. */
typedef dv_status (*visit_entry)(void *user, const FTSENT *entry, const char *name);

static dv_status walk_tree(FTS *tree, const char *folder, visit_entry visit, void *user) {
    for (;;) {
        errno = 0; /* tells the end of the walk from its failure */
        const FTSENT *entry = fts_read(tree);
        if (!entry && errno != 0) return dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
        if (!entry) return DV_OK;
        if (entry->fts_level > 0 && entry->fts_info != FTS_DP)
            DV_TRY(visit(user, entry, entry->fts_path + strlen(folder) + 1));
    }
}

static dv_status walk(const char *folder, visit_entry visit, void *user) {
    char *root = strdup(folder); /* fts wants it writable */
    if (!root) return dv_fail(DV_E_NOMEM, "no memory for a path");
    char *const roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
    const dv_status status = tree ? walk_tree(tree, root, visit, user)
                                  : dv_fail(DV_E_IO, "%s: cannot be listed: %s", folder, dv_error_text(errno));
    if (tree) fts_close(tree);
    free(root);
    return status;
}

static bool is_link(const FTSENT *entry) {
    return entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE;
}

typedef struct listing {
    FILE *out;
    const char *folder;
    bool without_png;
} listing;

static dv_status list_entry(void *user, const FTSENT *entry, const char *name) {
    const listing *const l = user;
    if (entry->fts_info == FTS_D || (l->without_png && is_link(entry))) return DV_OK;
    if (entry->fts_info != FTS_F || strchr(name, '\n'))
        return dv_fail(DV_E_USAGE, "%s: %s is no file of a result", l->folder, name);
    if (strcmp(name, DV_FOLDER_MARK) == 0 || (l->without_png && has_suffix(name, ".png"))) return DV_OK;
    fprintf(l->out, "%s\n", name);
    return DV_OK;
}

static dv_status list_files(const char *folder, bool without_png, char **names) {
    size_t length;
    *names = NULL;
    listing l = {open_memstream(names, &length), folder, without_png};
    dv_status status = l.out ? walk(folder, list_entry, &l) : DV_E_NOMEM;
    const bool failed = !l.out || ferror(l.out) != 0;
    if ((l.out && fclose(l.out) != 0) || (failed && status == DV_OK) || status == DV_E_NOMEM)
        status = dv_fail(DV_E_NOMEM, "no memory for a list of names");
    if (status == DV_OK) return DV_OK;
    free(*names);
    *names = NULL;
    return status;
}

dv_status dv_folder_list_files(const char *folder, char **names) {
    return list_files(folder, false, names);
}

/* A new folder is synced as a whole by its maker. */
static dv_status write_new_mark(const char *folder, const char *names) {
    char *path;
    DV_TRY(path_in(folder, DV_FOLDER_MARK, &path));
    FILE *const out = fopen(path, "wbe");
    const bool failed = !out || fputs(names, out) < 0;
    dv_status status = DV_OK;
    if ((out && fclose(out) != 0) || failed)
        status = dv_fail(DV_E_IO, "%s: cannot be written: %s", path, dv_error_text(errno));
    free(path);
    return status;
}

dv_status dv_folder_mark(const char *folder) {
    char *names;
    DV_TRY(list_files(folder, true, &names));
    const dv_status status = write_new_mark(folder, names);
    free(names);
    return status;
}

/* ---- Ours or not ---------------------------------------------------------------------------------------------------
 */

typedef struct checking {
    const char *folder;
    bool marked;
    bool is_run;       /* what a run needs for itself is ours, too */
    const char *names; /* of the mark */
} checking;

static bool is_of_run(const char *name) {
    return strcmp(name, DV_FOLDER_JOURNAL) == 0 || strcmp(name, DV_FOLDER_OWNER) == 0 ||
           strncmp(name, DV_FOLDER_STAGE "/", sizeof DV_FOLDER_STAGE) == 0;
}

static bool is_ours(const checking *c, const FTSENT *entry, const char *name) {
    if (entry->fts_info == FTS_D) return true;
    if (is_link(entry)) return dv_names_have(c->names, DV_FOLDER_MANIFEST); /* what it leads to stays */
    if (entry->fts_info != FTS_F) return false;                             /* pipes, what cannot be read */
    const char *const base = entry->fts_name;
    if (c->is_run && is_of_run(name)) return true;
    return strcmp(name, DV_FOLDER_MARK) == 0 || has_suffix(name, ".png") || dv_names_have(c->names, name) ||
           (*base == '.' && has_suffix(base, DV_TEMPORARY_SUFFIX));
}

static dv_status check_entry(void *user, const FTSENT *entry, const char *name) {
    const checking *const c = user;
    if (c->marked && is_ours(c, entry, name)) return DV_OK;
    return dv_fail(DV_E_USAGE, "%s: %s is in it, so it is no result that could be replaced", c->folder, name);
}

static bool is_marked(const char *folder) {
    char *path = NULL;
    struct stat found;
    if (asprintf(&path, "%s/%s", folder, DV_FOLDER_MARK) < 0) return false;
    const bool marked = lstat(path, &found) == 0 && S_ISREG(found.st_mode);
    free(path);
    return marked;
}

static dv_status check(const char *folder, bool is_run) {
    char *names = NULL;
    checking c = {.folder = folder, .marked = is_marked(folder), .is_run = is_run};
    if (c.marked) DV_TRY(dv_folder_read_mark(folder, &names));
    c.names = names;
    const dv_status status = walk(folder, check_entry, &c);
    free(names);
    return status;
}

dv_status dv_folder_check_ours(const char *folder) {
    return check(folder, false);
}

dv_status dv_folder_check_run(const char *folder) {
    return check(folder, true);
}
