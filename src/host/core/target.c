#include "core/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/left_over.h"
#include "core/memory.h"

enum { ATTEMPTS = 100 };

static const char *last_component(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "a/b//" -> "a/b", but "/" stays; the caller's until free(). */
static dv_status copy_path(const char *path, char **copy) {
    DV_TRY(dv_strdup(path, copy));
    size_t length = strlen(*copy);
    while (length > 1 && (*copy)[length - 1] == '/') (*copy)[--length] = '\0';
    return DV_OK;
}

/* The folder of a path without slashes at its end: "" has "." and "/a" has "/"; the caller's until free(). */
static dv_status folder_of(const char *path, char **folder) {
    const char *name = last_component(path);
    if (name == path) return dv_strdup(".", folder);
    DV_TRY(dv_strdup(path, folder));
    const size_t length = (size_t)(name - path);
    (*folder)[length > 1 ? length - 1 : 1] = '\0';
    return DV_OK;
}

static dv_status check_name(const char *given, const char *path, mode_t kind) {
    const char *name = last_component(path);
    if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return dv_fail(DV_E_USAGE, "\"%s\": names nothing that could be written", given);
    if (kind == S_IFREG && given[strlen(given) - 1] == '/')
        return dv_fail(DV_E_USAGE, "%s: names a folder, must name a file", given);
    return DV_OK;
}

/* Whoever asks for force, here by a flag, is told the name that it has on the command line. */
static dv_status exists_already(const dv_target *target) {
    return dv_fail(DV_E_USAGE, "%s: exists already; --force replaces it", target->path);
}

static dv_status check_existing(const dv_target *target, mode_t kind) {
    struct stat found;
    if (lstat(target->path, &found) != 0) { /* a path that cannot be reached fails at the reservation */
        if (errno != ENAMETOOLONG) return DV_OK;
        return dv_fail(DV_E_IO, "%s: cannot be written: %s", target->path, dv_error_text(errno));
    }
    if (!target->force) return exists_already(target);
    const mode_t type = found.st_mode & S_IFMT;
    if (type == kind || (kind == S_IFREG && type == S_IFLNK)) return DV_OK;
    return dv_fail(DV_E_USAGE, "%s: exists and is no %s, so --force does not replace it", target->path,
                   kind == S_IFREG ? "regular file" : "folder");
}

dv_status dv_target_init(dv_target *target, const char *path, mode_t kind, bool force) {
    *target = (dv_target){.lock = -1, .force = force};
    DV_TRY(copy_path(path, &target->path));
    DV_TRY(check_name(path, target->path, kind));
    DV_TRY(folder_of(target->path, &target->folder));
    return check_existing(target, kind);
}

dv_status dv_target_reserve(dv_target *target, int (*make)(const char *temporary)) {
    size_t room;
    char name[DV_TEMPORARY_SIZE];
    DV_TRY(dv_add_size(strlen(target->folder), 1 + sizeof name, "temporary name", &room));
    DV_TRY(dv_alloc(room, 1, "temporary name", &target->temporary));
    int error = EEXIST;
    for (int i = 0; i < ATTEMPTS && error == EEXIST; i++) {
        if (!dv_temporary_name(last_component(target->path), name))
            return dv_fail(DV_E_IO, "%s: no random number for a temporary name: %s", target->path,
                           dv_error_text(errno));
        snprintf(target->temporary, room, "%s/%s", target->folder, name);
        error = make(target->temporary);
        if (error == 0 && !dv_temporary_hold(target->temporary, &target->lock)) error = EEXIST;
    }
    if (error == 0) return DV_OK;
    free(target->temporary);
    target->temporary = NULL; /* nothing of ours is there to be removed */
    return dv_fail(DV_E_IO, "%s: folder %s: cannot be written to: %s", target->path, target->folder,
                   dv_error_text(error));
}

bool dv_target_is_there(const dv_target *target) {
    struct stat made, named;
    if (target->lock < 0) return true;
    return fstat(target->lock, &made) == 0 && lstat(target->temporary, &named) == 0 && made.st_dev == named.st_dev &&
           made.st_ino == named.st_ino;
}

dv_status dv_target_check(const dv_target *target) {
    if (dv_target_is_there(target)) return DV_OK;
    return dv_fail(DV_E_IO, "%s: %s, where it was being written, was removed by somebody else", target->path,
                   target->temporary);
}

/* Does this errno mean that the file system lacks the operation, so that another way must be tried? */
static bool is_lacking(int error) {
    return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EPERM;
}

/* An errno. First the rename that refuses to replace, then a hard link, which does too (but not for folders); where the
 * file system has neither, a look and a plain rename, between which another program could come. */
static int rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (!is_lacking(errno)) return errno;
    if (link(from, to) == 0) return 0; /* the caller removes the temporary name in any case */
    if (!is_lacking(errno)) return errno;
    struct stat found;
    if (lstat(to, &found) == 0) return EEXIST;
    return rename(from, to) == 0 ? 0 : errno;
}

dv_status dv_target_rename_new(const dv_target *target) {
    const int error = rename_new(target->temporary, target->path);
    if (error == EEXIST || error == ENOTEMPTY) return exists_already(target);
    if (error != 0) return dv_fail(DV_E_IO, "%s: cannot be put in place: %s", target->path, dv_error_text(error));
    return DV_OK;
}

dv_status dv_target_sync_folder(const dv_target *target) {
    const int error = dv_sync_path(target->folder);
    if (error == 0 || error == EACCES) return DV_OK; /* a folder may be open to writers only */
    return dv_fail(DV_E_IO, "%s: folder %s: cannot be synced: %s", target->path, target->folder, dv_error_text(error));
}

void dv_target_clear(dv_target *target) {
    free(target->path);
    free(target->folder);
    free(target->temporary);
    if (target->lock >= 0) close(target->lock);
    *target = (dv_target){.lock = -1};
}

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

dv_status dv_make_parents(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    dv_status status = DV_OK;
    for (char *slash = path + strlen(folder); status == DV_OK && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0) {
            const int error = errno;
            if (!is_folder(path))
                status =
                    dv_fail(DV_E_IO, "%s/%s: folder %s: cannot be made: %s", folder, name, path, dv_error_text(error));
        }
        *slash = '/';
    }
    free(path);
    return status;
}
