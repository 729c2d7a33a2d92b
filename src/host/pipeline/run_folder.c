#include "pipeline/run_folder.h"

#include <errno.h>
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
#include "pipeline/run_owner.h"
#include "pipeline/run_results.h"

struct dv_run_folder {
    char *path, *journal_path, *owner_path, *stage_path; /* DIR without slashes at its end, and in it; owned */
    dv_journal *journal;                                 /* NULL before it is ours */
    dv_run_owner *owner;                                 /* likewise */
    dv_run_beat beat;
    bool alone; /* nobody of another machine is at work */
    bool known; /* whether there is a finished block */
    bool continued;
};

static dv_status path_in(const char *folder, const char *name, char **path) {
    *path = NULL;
    return asprintf(path, "%s/%s", folder, name) < 0 ? dv_fail(DV_E_NOMEM, "no memory for a path") : DV_OK;
}

static bool exists(const char *path) {
    struct stat found;
    return lstat(path, &found) == 0;
}

static void free_folder(dv_run_folder *folder) {
    dv_run_owner_release(folder->owner); /* before the lock goes */
    dv_journal_close(folder->journal);
    free(folder->path);
    free(folder->journal_path);
    free(folder->owner_path);
    free(folder->stage_path);
    free(folder);
}

static dv_status make_handle(const char *path, dv_run_folder **out) {
    dv_run_folder *folder;
    dv_target target;
    DV_TRY(dv_alloc(1, sizeof *folder, "output folder", &folder));
    dv_status status = dv_target_init(&target, path, S_IFDIR, true); /* whether it may exist is looked at later */
    if (status == DV_OK) status = dv_strdup(target.path, &folder->path);
    if (status == DV_OK) status = path_in(folder->path, DV_FOLDER_JOURNAL, &folder->journal_path);
    if (status == DV_OK) status = path_in(folder->path, DV_FOLDER_OWNER, &folder->owner_path);
    if (status == DV_OK) status = path_in(folder->path, DV_FOLDER_STAGE, &folder->stage_path);
    dv_target_clear(&target);
    if (status == DV_OK)
        *out = folder;
    else
        free_folder(folder);
    return status;
}

/* ---- Beginning -----------------------------------------------------------------------------------------------------
 */

/* DIR with a journal in it appears at once. */
static dv_status make_folder(const dv_run_spec *spec) {
    dv_atomic_folder *made;
    char *journal;
    DV_TRY(dv_atomic_folder_begin(spec->path, false, &made));
    dv_status status = path_in(dv_atomic_folder_temporary(made), DV_FOLDER_JOURNAL, &journal);
    if (status == DV_OK) status = dv_journal_create(journal, &spec->key, false);
    free(journal);
    if (status == DV_OK) return dv_atomic_folder_commit(made);
    dv_atomic_folder_abandon(made);
    return status;
}

/* Sees to it that DIR has a journal, of whatever run. */
static dv_status ensure_journal(const dv_run_folder *folder, const dv_run_spec *spec) {
    if (exists(folder->journal_path)) return DV_OK;
    if (exists(folder->path) && spec->force) {
        DV_TRY(dv_folder_check_run(folder->path));
        const dv_status status = dv_journal_create(folder->journal_path, &spec->key, false);
        return status == DV_E_USAGE && exists(folder->journal_path) ? DV_OK : status; /* made by another process */
    }
    const dv_status status = make_folder(spec);
    return status == DV_E_USAGE && exists(folder->journal_path) ? DV_OK : status;
}

static void close_journal(dv_run_folder *folder) {
    dv_journal_close(folder->journal);
    folder->journal = NULL;
}

/* Having the lock, or none where `locked` is false: is there nobody else? */
static dv_status ensure_alone(dv_run_folder *folder, bool locked) {
    if (folder->alone) return DV_OK;
    const dv_status status = dv_run_owner_watch(folder->owner_path, locked, &folder->beat);
    folder->alone = status == DV_OK;
    return dv_context(status, "%s", folder->path);
}

static dv_status open_journal(dv_run_folder *folder, const dv_run_spec *spec) {
    dv_status status = dv_journal_open(folder->journal_path, &spec->key, &folder->journal);
    if (status == DV_E_INTERRUPTED) return dv_context(dv_run_owner_refuse(folder->owner_path), "%s", folder->path);
    if (status == DV_OK) status = ensure_alone(folder, dv_journal_is_locked(folder->journal));
    if (status == DV_E_INTERRUPTED) close_journal(folder); /* it is another's */
    return status;
}

/* Without force a journal that cannot be gone on with says so; with force a new one takes its place. */
static dv_status take_journal(dv_run_folder *folder, const dv_run_spec *spec) {
    dv_status status = open_journal(folder, spec);
    if (status == DV_OK && spec->force) { /* damage must show before visit has seen anything */
        status = dv_journal_read(folder->journal, NULL, NULL);
        close_journal(folder);
        if (status == DV_OK) status = open_journal(folder, spec);
    }
    if (status != DV_E_DATA || !spec->force) return status;
    dv_log(DV_LOG_WARNING, "%s; it is replaced, as force was asked for", dv_last_error());
    DV_TRY(ensure_alone(folder, true)); /* its lock was had: whoever has it is refused before its key is read */
    DV_TRY(dv_folder_check_run(folder->path));
    DV_TRY(dv_journal_create(folder->journal_path, &spec->key, true));
    return open_journal(folder, spec);
}

static dv_status remove_stage(const dv_run_folder *folder) {
    const int error = dv_remove_tree(folder->stage_path);
    if (error == 0 || error == ENOENT) return DV_OK;
    return dv_fail(DV_E_IO, "%s: cannot be removed: %s", folder->stage_path, dv_error_text(error));
}

/* What a kill in the middle of a commit left. */
static dv_status clean_up(const dv_run_folder *folder) {
    char *mark;
    DV_TRY(path_in(folder->path, DV_FOLDER_MARK, &mark));
    dv_remove_left_over(mark);
    dv_remove_left_over(folder->journal_path);
    dv_remove_left_over(folder->owner_path);
    free(mark);
    return remove_stage(folder);
}

/* A run leaves files: what else has their names, a link to nothing too, is not ours to remove. */
static dv_status check_kind(const char *path) {
    struct stat found;
    if (stat(path, &found) == 0 ? S_ISREG(found.st_mode) : !exists(path)) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: is no regular file, as a run leaves it: remove it first", path);
}

static dv_status begin(dv_run_folder *folder, const dv_run_spec *spec) {
    DV_TRY(check_kind(folder->journal_path));
    DV_TRY(check_kind(folder->owner_path));
    DV_TRY(ensure_journal(folder, spec));
    DV_TRY(take_journal(folder, spec));
    DV_TRY(dv_journal_read(folder->journal, spec->visit, spec->user));
    folder->known = true; /* from here on a failure undoes what was made */
    DV_TRY(dv_run_owner_claim(folder->owner_path, spec->job, &folder->beat, &folder->owner));
    DV_TRY(clean_up(folder));
    folder->continued = dv_journal_n_records(folder->journal) > 0;
    return DV_OK;
}

dv_status dv_run_folder_begin(const dv_run_spec *spec, dv_run_folder **out) {
    *out = NULL;
    dv_run_folder *folder = NULL;
    DV_TRY(make_handle(spec->path, &folder));
    folder->beat = spec->beat.every_s > 0 ? spec->beat : dv_run_beat_usual;
    const dv_status status = begin(folder, spec);
    if (status == DV_OK)
        *out = folder;
    else
        dv_run_folder_abandon(folder);
    return status;
}

bool dv_run_folder_continued(const dv_run_folder *folder) {
    return folder->continued;
}

dv_status dv_run_folder_append(dv_run_folder *folder, const dv_journal_record *record) {
    DV_TRY(dv_run_owner_check(folder->owner));
    return dv_journal_append(folder->journal, record);
}

dv_status dv_run_folder_stage(dv_run_folder *folder, const char **path) {
    DV_TRY(remove_stage(folder));
    if (mkdir(folder->stage_path, 0777) != 0)
        return dv_fail(DV_E_IO, "%s: cannot be made: %s", folder->stage_path, dv_error_text(errno));
    *path = folder->stage_path;
    return DV_OK;
}

/* ---- Ending --------------------------------------------------------------------------------------------------------
 */

/* The journal goes last: what a kill leaves before is still a run that can go on. */
static dv_status finish(dv_run_folder *folder) {
    dv_run_owner_release(folder->owner);
    folder->owner = NULL;
    if (unlink(folder->journal_path) != 0)
        return dv_fail(DV_E_IO, "%s: cannot be removed: %s", folder->journal_path, dv_error_text(errno));
    const int error = dv_sync_path(folder->path);
    return error ? dv_fail(DV_E_IO, "%s: cannot be synced: %s", folder->path, dv_error_text(error)) : DV_OK;
}

dv_status dv_run_folder_commit(dv_run_folder *folder) {
    dv_status status = dv_run_owner_check(folder->owner);
    if (status == DV_OK) status = dv_run_results_place(folder->stage_path, folder->path);
    if (status == DV_OK) status = remove_stage(folder);
    if (status == DV_OK) {
        status = finish(folder);
        free_folder(folder);
        return status;
    }
    folder->known = false; /* some files may have moved: the journal says that the result is not whole */
    dv_run_folder_abandon(folder);
    return status;
}

/* A run without a finished block leaves a folder as it found it. */
static void undo(const dv_run_folder *folder) {
    char *names = NULL;
    const bool fresh = dv_folder_read_mark(folder->path, &names) == DV_OK && dv_run_results_none(names);
    unlink(folder->journal_path);
    if (fresh) {
        char *mark;
        if (path_in(folder->path, DV_FOLDER_MARK, &mark) == DV_OK) unlink(mark);
        free(mark);
        rmdir(folder->path); /* stays where others have put something into it */
    }
    free(names);
}

void dv_run_folder_abandon(dv_run_folder *folder) {
    if (!folder) return;
    const bool lost = folder->owner && dv_run_owner_check(folder->owner) != DV_OK;
    if (folder->journal && !lost) { /* else it belongs to another process */
        const int error = dv_remove_tree(folder->stage_path);
        if (error != 0 && error != ENOENT)
            dv_log(DV_LOG_WARNING, "%s: left over, cannot be removed: %s", folder->stage_path, dv_error_text(error));
        dv_run_owner_release(folder->owner);
        folder->owner = NULL;
        if (folder->known && dv_journal_n_records(folder->journal) == 0) undo(folder);
    }
    free_folder(folder);
}

/* The owner's token stands before the path. */
dv_status dv_run_folder_claim(const dv_run_folder *folder, char **claim) {
    *claim = NULL;
    if (folder->continued) return DV_OK;
    if (asprintf(claim, "%s%s", dv_run_owner_token(folder->owner), folder->path) >= 0) return DV_OK;
    *claim = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a path");
}

void dv_run_folder_undo(const char *claim) {
    char token[DV_OWNER_TOKEN_SIZE];
    dv_run_folder *folder;
    snprintf(token, sizeof token, "%s", claim);
    if (make_handle(claim + sizeof token - 1, &folder) != DV_OK) return;
    if (dv_run_owner_remove(folder->owner_path, token)) undo(folder);
    free_folder(folder);
}
