#include "io/image_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/memory.h"

static dv_status open_failure(const char *path) {
    const dv_status status = errno == ENOENT || errno == ENOTDIR ? DV_E_MISSING : DV_E_IO;
    return dv_fail(status, "%s: cannot open: %s", path, strerror(errno));
}

/* A file that changes its size meanwhile is refused: half of one image and half of another would be neither. */
static dv_status read_exactly(int descriptor, const char *path, uint8_t *bytes, size_t n_bytes) {
    size_t n_read = 0;
    while (n_read < n_bytes) {
        const ssize_t got = read(descriptor, bytes + n_read, n_bytes - n_read);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return dv_fail(DV_E_IO, "%s: byte %zu: cannot read: %s", path, n_read, strerror(errno));
        if (got == 0)
            return dv_fail(DV_E_IO, "%s: byte %zu: the file ended, %zu bytes were expected", path, n_read, n_bytes);
        n_read += (size_t)got;
    }
    return DV_OK;
}

static dv_status load(int descriptor, const char *path, uint8_t **bytes, size_t *n_bytes) {
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) return dv_fail(DV_E_IO, "%s: cannot stat: %s", path, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return dv_fail(DV_E_DATA, "%s: %s: an image file was expected", path,
                       S_ISDIR(facts.st_mode) ? "a folder" : "no regular file");
    if (facts.st_size == 0) return dv_fail(DV_E_DATA, "%s: 0 bytes: an image file was expected", path);
    uint8_t *made;
    DV_TRY(dv_context(dv_alloc((size_t)facts.st_size, 1, "a file in memory", &made), "%s", path));
    const dv_status status = read_exactly(descriptor, path, made, (size_t)facts.st_size);
    if (status != DV_OK) {
        free(made);
        return status;
    }
    *bytes = made;
    *n_bytes = (size_t)facts.st_size;
    return DV_OK;
}

dv_status dv_image_file_load(const char *path, uint8_t **bytes, size_t *n_bytes) {
    *bytes = NULL;
    *n_bytes = 0;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not stop us */
    if (descriptor < 0) return open_failure(path);
    const dv_status status = load(descriptor, path, bytes, n_bytes);
    close(descriptor); /* nothing was written, so nothing can be lost here */
    return status;
}

dv_status dv_image_file_store(const char *path, const uint8_t *bytes, size_t n_bytes) {
    dv_atomic_file *file;
    DV_TRY(dv_atomic_file_begin(path, true, &file));
    FILE *stream;
    dv_status status = dv_atomic_file_stream(file, &stream);
    if (status == DV_OK && fwrite(bytes, 1, n_bytes, stream) != n_bytes)
        status = dv_fail(DV_E_IO, "%s: cannot write: %s", path, strerror(errno));
    if (status == DV_OK) return dv_atomic_file_commit(file);
    dv_atomic_file_abandon(file);
    return status;
}

dv_status dv_image_file_put(const char *path, const uint8_t *bytes, size_t n_bytes) {
    FILE *stream = fopen(path, "wbe");
    if (!stream) return dv_fail(DV_E_IO, "%s: cannot be made: %s", path, dv_error_text(errno));
    const int write_error = fwrite(bytes, 1, n_bytes, stream) == n_bytes ? 0 : errno;
    const int close_error = fclose(stream) == 0 ? 0 : errno;
    const int error = write_error ? write_error : close_error;
    return error ? dv_fail(DV_E_IO, "%s: cannot write: %s", path, dv_error_text(error)) : DV_OK;
}

const char *dv_image_file_kind(const uint8_t *bytes, size_t n_bytes) {
    static const struct {
        const char *name;
        size_t at, length;
        const char *magic;
    } kinds[] = {
        {"PNG", 0, 4, "\x89PNG"},   {"JPEG", 0, 3, "\xff\xd8\xff"}, {"GIF", 0, 4, "GIF8"},  {"BMP", 0, 2, "BM"},
        {"TIFF", 0, 4, "II\x2a\0"}, {"TIFF", 0, 4, "MM\0\x2a"},     {"WebP", 8, 4, "WEBP"}, {"HDF5", 0, 4, "\x89HDF"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (n_bytes >= kinds[i].at + kinds[i].length &&
            memcmp(bytes + kinds[i].at, kinds[i].magic, kinds[i].length) == 0)
            return kinds[i].name;
    return "unknown";
}
