#include "pipeline/run_results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/folder_content.h"
#include "core/target.h"

static const char last_name[] = "results.json"; /* readers look for it, so it comes when all else is there */
static const char in_progress[] = "run.";       /* begins the names of what a run needs for itself */

typedef struct placing {
    const char *stage, *folder;
    char *fresh, *old; /* lists of names, a line each; owned */
} placing;

/* What to do with a name of a list. */
typedef dv_status (*visit_name)(const placing *p, const char *name);

static dv_status each_name(const placing *p, const char *names, visit_name visit) {
    char *const copy = strdup(names);
    if (!copy) return dv_fail(DV_E_NOMEM, "no memory for a list of names");
    dv_status status = DV_OK;
    char *rest = copy;
    for (const char *name = strsep(&rest, "\n"); status == DV_OK && name; name = strsep(&rest, "\n"))
        if (*name) status = visit(p, name);
    free(copy);
    return status;
}

static dv_status path_in(const char *folder, const char *name, char **path) {
    *path = NULL;
    return asprintf(path, "%s/%s", folder, name) < 0 ? dv_fail(DV_E_NOMEM, "no memory for a path") : DV_OK;
}

static bool is_png(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

static dv_status check_free(const placing *p, const char *name) {
    char *path;
    struct stat found;
    if (strncmp(name, in_progress, sizeof in_progress - 1) == 0)
        return dv_fail(DV_E_INTERNAL, "%s: is no name for a result", name);
    DV_TRY(path_in(p->folder, name, &path));
    const bool taken = lstat(path, &found) == 0 && !(S_ISREG(found.st_mode) && is_png(name));
    dv_status status = DV_OK;
    if (taken && !(S_ISREG(found.st_mode) && dv_names_have(p->old, name)))
        status = dv_fail(DV_E_USAGE,
                         "%s: is in the way of a result and none of ours: move it away, then run the same "
                         "command again",
                         path);
    free(path);
    return status;
}

/* The folder itself is synced once, after all. */
static dv_status sync_parent(const placing *p, char *path) {
    char *const slash = strrchr(path, '/');
    *slash = '\0';
    const int error = strcmp(path, p->folder) == 0 ? 0 : dv_sync_path(path);
    return error ? dv_fail(DV_E_IO, "%s: cannot be synced: %s", path, dv_error_text(error)) : DV_OK;
}

static dv_status move_file(const placing *p, const char *name) {
    char *from, *to = NULL;
    DV_TRY(path_in(p->stage, name, &from));
    dv_status status = path_in(p->folder, name, &to);
    if (status == DV_OK) status = dv_make_parents(p->folder, name);
    if (status == DV_OK && rename(from, to) != 0)
        status = dv_fail(DV_E_IO, "%s: cannot be put in place: %s", to, dv_error_text(errno));
    if (status == DV_OK) status = sync_parent(p, to);
    free(from);
    free(to);
    return status;
}

static dv_status move_but_last(const placing *p, const char *name) {
    return strcmp(name, last_name) == 0 ? DV_OK : move_file(p, name);
}

/* Does a name lead out of its folder? A mark is a file that anybody may have written. */
static bool leads_out(const char *name) {
    return *name == '/' || strcmp(name, "..") == 0 || strncmp(name, "../", 3) == 0 || strstr(name, "/../");
}

/* A file of an older result that the new one does not have, and the folder that it leaves empty. */
static dv_status remove_stale(const placing *p, const char *name) {
    char *path;
    const bool own = strncmp(name, in_progress, sizeof in_progress - 1) == 0;
    if (own || leads_out(name) || dv_names_have(p->fresh, name)) return DV_OK;
    DV_TRY(path_in(p->folder, name, &path));
    dv_status status = DV_OK;
    if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
        status = dv_fail(DV_E_IO, "%s: cannot be removed: %s", path, dv_error_text(errno));
    for (char *slash = strrchr(path, '/'); slash && slash > path + strlen(p->folder); slash = strrchr(path, '/')) {
        *slash = '\0';
        if (rmdir(path) != 0) break; /* not empty */
    }
    free(path);
    return status;
}

static dv_status mark_both(const placing *p) {
    char *both = NULL;
    if (asprintf(&both, "%s%s", p->old, p->fresh) < 0) return dv_fail(DV_E_NOMEM, "no memory for a list of names");
    const dv_status status = dv_folder_write_mark(p->folder, both);
    free(both);
    return status;
}

static dv_status sync_folder(const placing *p) {
    const int error = dv_sync_path(p->folder);
    return error ? dv_fail(DV_E_IO, "%s: cannot be synced: %s", p->folder, dv_error_text(error)) : DV_OK;
}

static dv_status place(const placing *p) {
    DV_TRY(each_name(p, p->fresh, check_free));
    const int error = dv_sync_tree(p->stage);
    if (error) return dv_fail(DV_E_IO, "%s: cannot be synced: %s", p->stage, dv_error_text(error));
    DV_TRY(mark_both(p));
    DV_TRY(each_name(p, p->fresh, move_but_last));
    DV_TRY(sync_folder(p));
    if (dv_names_have(p->fresh, last_name)) DV_TRY(move_file(p, last_name));
    DV_TRY(each_name(p, p->old, remove_stale));
    DV_TRY(dv_folder_write_mark(p->folder, p->fresh));
    return sync_folder(p);
}

dv_status dv_run_results_place(const char *stage, const char *folder) {
    placing p = {.stage = stage, .folder = folder};
    dv_status status = dv_folder_list_files(stage, &p.fresh);
    if (status == DV_OK) status = dv_folder_read_mark(folder, &p.old);
    if (status == DV_OK) status = place(&p);
    free(p.fresh);
    free(p.old);
    return status;
}

bool dv_run_results_none(const char *names) {
    for (const char *line = names; *line;) {
        if (strncmp(line, in_progress, sizeof in_progress - 1) != 0) return false;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return true;
}
