#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/folder_content.h"
#include "core/left_over.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/target.h"

struct dv_atomic_folder {
    dv_target target;
};

static int make_folder(const char *path) {
    return mkdir(path, 0777) == 0 ? 0 : errno;
}

dv_status dv_atomic_folder_begin(const char *path, bool force, dv_atomic_folder **out) {
    *out = NULL;
    dv_atomic_folder *folder = NULL;
    DV_TRY(dv_alloc(1, sizeof *folder, "atomic folder", &folder));
    dv_status status = dv_target_init(&folder->target, path, S_IFDIR, force);
    if (status == DV_OK && access(folder->target.path, F_OK) == 0) status = dv_folder_check_ours(folder->target.path);
    if (status == DV_OK) dv_remove_abandoned(folder->target.path);
    if (status == DV_OK) status = dv_target_reserve(&folder->target, make_folder);
    if (status == DV_OK)
        *out = folder;
    else
        dv_atomic_folder_abandon(folder);
    return status;
}

const char *dv_atomic_folder_temporary(const dv_atomic_folder *folder) {
    return folder->target.temporary;
}

static int move_aside(const char *path, char *aside) {
    return mkdtemp(aside) && rename(path, aside) == 0 ? 0 : errno;
}

/* For file systems that cannot exchange two names: three renames, the first undone when the second fails. An errno. */
static int exchange_by_renames(const char *temporary, const char *path) {
    char *aside = NULL;
    if (asprintf(&aside, "%s.XXXXXX", temporary) < 0) return ENOMEM;
    int error = move_aside(path, aside); /* an empty folder may be renamed over */
    if (error != 0) {
        rmdir(aside);
    } else if (rename(temporary, path) != 0) {
        error = errno;
        if (rename(aside, path) != 0) dv_log(DV_LOG_ERROR, "%s: the old folder is now %s", path, aside);
    } else if (rename(aside, temporary) != 0) {
        dv_log(DV_LOG_WARNING, "%s: the old folder is now %s", path, aside);
    }
    free(aside);
    return error;
}

/* The new folder gets the name and the old one the temporary name. */
static dv_status exchange(const dv_target *target) {
    int error = 0;
    if (renameat2(AT_FDCWD, target->temporary, AT_FDCWD, target->path, RENAME_EXCHANGE) != 0) error = errno;
    if (error == EINVAL || error == ENOSYS || error == ENOTSUP)
        error = exchange_by_renames(target->temporary, target->path);
    if (error == 0) return DV_OK;
    return dv_fail(DV_E_IO, "%s: cannot be put in place: %s", target->path, dv_error_text(error));
}

static bool take_back(const dv_target *target, bool replaced) {
    return replaced ? renameat2(AT_FDCWD, target->temporary, AT_FDCWD, target->path, RENAME_EXCHANGE) == 0
                    : rename(target->path, target->temporary) == 0;
}

static void remove_folder(const char *path) {
    const int error = dv_remove_tree(path);
    if (error != 0 && error != ENOENT)
        dv_log(DV_LOG_WARNING, "%s: left over, cannot be removed: %s", path, dv_error_text(error));
}

static dv_status put_in_place(const dv_target *target) {
    struct stat found;
    const bool replaces = target->force && lstat(target->path, &found) == 0;
    if (replaces && !S_ISDIR(found.st_mode)) return dv_fail(DV_E_USAGE, "%s: is no folder by now", target->path);
    if (replaces) DV_TRY(dv_folder_check_ours(target->path)); /* again: the run may have taken hours */
    DV_TRY(replaces ? exchange(target) : dv_target_rename_new(target));
    const dv_status status = dv_target_sync_folder(target);
    /* A result that may vanish is none: back to how it was, and the caller removes what is under the temporary name. */
    if (status != DV_OK && take_back(target, replaces)) return status;
    if (status != DV_OK)
        dv_log(DV_LOG_WARNING, "%s: complete, but the folder that holds it could not be synced", target->path);
    if (replaces) remove_folder(target->temporary); /* the old one */
    return status;
}

dv_status dv_atomic_folder_commit(dv_atomic_folder *folder) {
    const dv_target *target = &folder->target;
    dv_status status = dv_target_check(target);
    if (status == DV_OK) status = dv_folder_mark(target->temporary);
    const int error = status == DV_OK ? dv_sync_tree(target->temporary) : 0;
    if (error != 0) status = dv_fail(DV_E_IO, "%s: cannot be synced: %s", target->path, dv_error_text(error));
    if (status == DV_OK) status = put_in_place(target);
    dv_atomic_folder_abandon(folder); /* under the temporary name is now nothing, or what could not be put in place */
    return status;
}

void dv_atomic_folder_abandon(dv_atomic_folder *folder) {
    if (!folder) return;
    if (folder->target.temporary && dv_target_is_there(&folder->target)) remove_folder(folder->target.temporary);
    dv_target_clear(&folder->target);
    free(folder);
}
