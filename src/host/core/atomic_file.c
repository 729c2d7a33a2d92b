#include "core/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/target.h"

struct dv_atomic_file {
    dv_target target;
    FILE *stream; /* NULL: not asked for, or closed */
};

static int make_file(const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    return close(file) == 0 ? 0 : errno;
}

dv_status dv_atomic_file_begin(const char *path, bool force, dv_atomic_file **out) {
    *out = NULL;
    dv_atomic_file *file = NULL;
    DV_TRY(dv_alloc(1, sizeof *file, "atomic file", &file));
    dv_status status = dv_target_init(&file->target, path, S_IFREG, force);
    if (status == DV_OK) status = dv_target_reserve(&file->target, make_file);
    if (status == DV_OK)
        *out = file;
    else
        dv_atomic_file_abandon(file);
    return status;
}

const char *dv_atomic_file_temporary(const dv_atomic_file *file) {
    return file->target.temporary;
}

dv_status dv_atomic_file_stream(dv_atomic_file *file, FILE **stream) {
    if (!file->stream) file->stream = fopen(file->target.temporary, "wbe");
    *stream = file->stream;
    if (file->stream) return DV_OK;
    return dv_fail(DV_E_IO, "%s: temporary file cannot be opened: %s", file->target.path, dv_error_text(errno));
}

/* Everything that was written is on the disk afterwards, and the stream is closed in every case. */
static dv_status finish_content(dv_atomic_file *file) {
    int error = 0;
    bool failed_before = false;
    if (file->stream) {
        failed_before = ferror(file->stream) != 0;
        if (fclose(file->stream) != 0) error = errno;
        file->stream = NULL;
    }
    if (error == 0 && !failed_before) error = dv_sync_path(file->target.temporary);
    if (error != 0) return dv_fail(DV_E_IO, "%s: writing failed: %s", file->target.path, dv_error_text(error));
    if (failed_before) return dv_fail(DV_E_IO, "%s: writing failed", file->target.path);
    return DV_OK;
}

static dv_status put_in_place(const dv_target *target) {
    if (!target->force) return dv_target_rename_new(target);
    if (rename(target->temporary, target->path) == 0) return DV_OK;
    return dv_fail(DV_E_IO, "%s: cannot be put in place: %s", target->path, dv_error_text(errno));
}

dv_status dv_atomic_file_commit(dv_atomic_file *file) {
    dv_status status = finish_content(file);
    if (status == DV_OK) status = dv_target_check(&file->target);
    if (status == DV_OK) status = put_in_place(&file->target);
    if (status == DV_OK) {
        status = dv_target_sync_folder(&file->target);
        if (status != DV_OK) unlink(file->target.path); /* a result that may vanish is none */
    }
    dv_atomic_file_abandon(file); /* after a rename there is no temporary file to be removed */
    return status;
}

void dv_atomic_file_abandon(dv_atomic_file *file) {
    if (!file) return;
    if (file->stream) fclose(file->stream);
    if (file->target.temporary && dv_target_is_there(&file->target)) unlink(file->target.temporary);
    dv_target_clear(&file->target);
    free(file);
}
