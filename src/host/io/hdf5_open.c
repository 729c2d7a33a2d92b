#include "io/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t library_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static bool library_is_safe; /* written once, by ask_library */

static void ask_library(void) {
    hbool_t safe = 0;
    library_is_safe = H5is_library_threadsafe(&safe) >= 0 && safe;
}

dv_h5_session dv_h5_enter(void) {
    dv_h5_session session = {0};
    pthread_once(&once, ask_library);
    session.locked = !library_is_safe;
    if (session.locked) pthread_mutex_lock(&library_lock);
    H5Eget_auto2(H5E_DEFAULT, &session.print, &session.print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return session;
}

void dv_h5_leave(dv_h5_session *session) {
    H5Eset_auto2(H5E_DEFAULT, session->print, session->print_data);
    if (session->locked) pthread_mutex_unlock(&library_lock);
}

/* What a walk over the error stack looks for. */
typedef struct error_view {
    char *text;
    size_t size;
    bool no_memory;
} error_view;

static herr_t view_error(unsigned n, const H5E_error2_t *error, void *context) {
    error_view *view = context;
    if (n == 0) {
        snprintf(view->text, view->size, "%s", error->desc ? error->desc : "unknown");
        view->no_memory = error->maj_num == H5E_RESOURCE && error->min_num == H5E_NOSPACE;
    }
    return 0;
}

static void walk_errors(error_view *view) {
    if (view->size) view->text[0] = '\0';
    view->no_memory = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, view_error, view);
    for (char *c = view->text; *c; c++)
        if (*c == '\n') *c = ' ';
}

void dv_h5_error_text(char *text, size_t size) {
    error_view view = {.text = text, .size = size};
    walk_errors(&view);
}

/* The system's own words out of "file read failed: ..., errno = 5, error message = 'Input/output error', ...". */
static bool system_reason(const char *text, char *reason, size_t size) {
    static const char key[] = "error message = '";
    const char *begin = strstr(text, key);
    if (!begin) return false;
    begin += sizeof key - 1;
    const char *end = strchr(begin, '\'');
    const size_t length = end ? (size_t)(end - begin) : strlen(begin);
    snprintf(reason, size, "%.*s", (int)(length < size ? length : size - 1), begin);
    return true;
}

dv_status dv_h5_failed(const char *path, const char *name, const char *what) {
    char text[512], reason[128];
    error_view view = {.text = text, .size = sizeof text};
    walk_errors(&view);
    const char *separator = name ? ": " : "";
    if (!name) name = "";
    if (system_reason(text, reason, sizeof reason))
        return dv_fail(DV_E_IO, "%s%s%s: %s: %s", path, separator, name, what, reason);
    if (view.no_memory) return dv_fail(DV_E_NOMEM, "%s%s%s: %s: no memory", path, separator, name, what);
    return dv_fail(DV_E_DATA, "%s%s%s: %s (HDF5: %s)", path, separator, name, what, text);
}

hid_t dv_h5_access(void) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_file_locking(access, 0, 1) < 0) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

/* What the system says about the path, before HDF5 sees it: its own messages do not tell these cases apart. */
static dv_status check_path(const char *path, uint64_t *size_bytes) {
    struct stat info;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe must not block */
    if (descriptor < 0) {
        const int error = errno;
        if (error == ENOENT || error == ENOTDIR) return dv_fail(DV_E_MISSING, "%s: no such file", path);
        return dv_fail(DV_E_IO, "%s: cannot be opened: %s", path, strerror(error));
    }
    const int status = fstat(descriptor, &info);
    const int error = errno;
    close(descriptor);
    if (status != 0) return dv_fail(DV_E_IO, "%s: cannot be looked at: %s", path, strerror(error));
    if (S_ISDIR(info.st_mode)) return dv_fail(DV_E_DATA, "%s: is a folder, expected an HDF5 file", path);
    if (!S_ISREG(info.st_mode)) return dv_fail(DV_E_DATA, "%s: is not a regular file, expected an HDF5 file", path);
    if (info.st_size == 0) return dv_fail(DV_E_DATA, "%s: is empty, expected an HDF5 file", path);
    *size_bytes = (uint64_t)info.st_size;
    return DV_OK;
}

/* Turns the failure of H5Fopen into a sentence. */
static dv_status open_failed(const char *path, uint64_t size_bytes) {
    char text[512];
    dv_h5_error_text(text, sizeof text);
    if (strstr(text, "truncated file")) {
        const char *stored = strstr(text, "stored_eof = ");
        const unsigned long long expected = stored ? strtoull(stored + strlen("stored_eof = "), NULL, 10) : 0;
        return dv_fail(DV_E_DATA, "%s: the file is truncated: %llu bytes, expected %llu", path,
                       (unsigned long long)size_bytes, expected);
    }
    if (strstr(text, "already open for write") || strstr(text, "already open for read-only") ||
        strstr(text, "consistency flags"))
        return dv_fail(DV_E_DATA, "%s: its writer did not close it; \"h5clear -s\" clears the mark if it is whole",
                       path);
    if (strstr(text, "unable to lock file"))
        return dv_fail(DV_E_IO, "%s: is locked by another process, and HDF5_USE_FILE_LOCKING asks to respect that",
                       path);
    return dv_h5_failed(path, NULL, "the file is damaged");
}

static dv_status ask_system(const dv_h5 *file, struct stat *info) {
    if (fstat(file->descriptor, info) == 0) return DV_OK;
    return dv_fail(DV_E_IO, "%s: cannot be looked at: %s", file->path, dv_error_text(errno));
}

/* What the file is before anything of it is read. */
static dv_status look_at(dv_h5 *file) {
    struct stat info;
    void *handle;
    if (H5Fget_vfd_handle(file->id, H5P_DEFAULT, &handle) < 0)
        return dv_h5_failed(file->path, NULL, "its descriptor is not told");
    file->descriptor = *(const int *)handle;
    DV_TRY(ask_system(file, &info));
    file->size_bytes = (uint64_t)info.st_size;
    file->written = info.st_mtim;
    return DV_OK;
}

dv_status dv_h5_check_unchanged(const dv_h5 *file) {
    struct stat info;
    DV_TRY(ask_system(file, &info));
    if ((uint64_t)info.st_size == file->size_bytes && info.st_mtim.tv_sec == file->written.tv_sec &&
        info.st_mtim.tv_nsec == file->written.tv_nsec)
        return DV_OK;
    return dv_fail(DV_E_IO, "%s: was changed while it was read", file->path);
}

dv_status dv_h5_open(const char *path, dv_h5 **out) {
    *out = NULL;
    uint64_t size_bytes = 0;
    DV_TRY(check_path(path, &size_bytes));
    DV_H5_SESSION;
    if (H5Fis_hdf5(path) == 0) return dv_fail(DV_E_DATA, "%s: is not an HDF5 file", path);
    dv_h5 *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "HDF5 file", &made));
    made->id = H5I_INVALID_HID;
    made->descriptor = -1;
    dv_status status = dv_strdup(path, &made->path);
    if (status != DV_OK) goto done;
    const hid_t access = dv_h5_access();
    if (access < 0) {
        status = dv_fail(DV_E_INTERNAL, "%s: HDF5 gives no access properties", path);
        goto done;
    }
    made->id = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (made->id < 0) status = open_failed(path, size_bytes);
    H5Pclose(access);
    if (status == DV_OK) status = look_at(made);
    if (status != DV_OK) goto done;
    *out = made;
    made = NULL;
done:
    dv_h5_close(made);
    return status;
}

void dv_h5_close(dv_h5 *file) {
    if (!file) return;
    DV_H5_SESSION;
    if (file->id >= 0) H5Fclose(file->id); /* read-only: nothing can be lost here */
    free(file->path);
    free(file);
}

const char *dv_h5_path(const dv_h5 *file) {
    return file->path;
}

bool dv_h5_has(dv_h5 *file, const char *name) {
    DV_H5_SESSION;
    return H5Lexists(file->id, name, H5P_DEFAULT) > 0 && H5Oexists_by_name(file->id, name, H5P_DEFAULT) > 0;
}
