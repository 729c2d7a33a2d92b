#include "io/text_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/regular_file.h"

enum { FIRST_CAPACITY = 1 << 16, MARK_LENGTH = 3 };

/* Makes room for as much again as there is. */
static dv_status grow(char **text, size_t *capacity) {
    size_t wanted;
    DV_TRY(dv_mul_size(*capacity, 2, "a text", &wanted));
    char *const grown = realloc(*text, wanted);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a text of %zu bytes", wanted);
    *text = grown;
    *capacity = wanted;
    return DV_OK;
}

static dv_status read_all(FILE *stream, size_t most, char **text, size_t *length) {
    size_t capacity = FIRST_CAPACITY;
    DV_TRY(dv_alloc(capacity, 1, "a text", text));
    *length = 0;
    for (;;) {
        errno = 0;
        const size_t got = fread(*text + *length, 1, capacity - 1 - *length, stream);
        *length += got;
        if (ferror(stream)) return dv_fail(DV_E_IO, "byte %zu: cannot read: %s", *length, dv_error_text(errno));
        if (*length > most) return dv_fail(DV_E_DATA, "larger than the %zu bytes that are allowed", most);
        if (feof(stream)) break;
        DV_TRY(grow(text, &capacity));
    }
    if (*length >= MARK_LENGTH && memcmp(*text, "\xef\xbb\xbf", MARK_LENGTH) == 0) {
        *length -= MARK_LENGTH;
        memmove(*text, *text + MARK_LENGTH, *length);
    }
    (*text)[*length] = '\0';
    return DV_OK;
}

/* Inputs are read again for their hash, so they must be files. */
dv_status dv_text_file_open(const char *path, FILE **stream) {
    const int error = dv_regular_file_open(path, stream);
    switch (error) {
    case 0:
        return DV_OK;
    case EISDIR:
        return dv_fail(DV_E_DATA, "%s: a folder: a file was expected", path);
    case EINVAL:
        return dv_fail(DV_E_DATA, "%s: is not a regular file", path);
    case ENOMEM:
        return dv_fail(DV_E_NOMEM, "%s: no memory", path);
    default:
        return dv_fail(error == ENOENT || error == ENOTDIR ? DV_E_MISSING : DV_E_IO, "%s: cannot open: %s", path,
                       dv_error_text(error));
    }
}

dv_status dv_text_file_load_within(const char *path, size_t most, char **text, size_t *length) {
    FILE *stream;
    *text = NULL;
    DV_TRY(dv_text_file_open(path, &stream));
    const dv_status status = read_all(stream, most, text, length);
    fclose(stream); /* only read: nothing can be lost */
    if (status == DV_OK) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_context(status, "%s", path);
}

dv_status dv_text_file_load(const char *path, char **text, size_t *length) {
    return dv_text_file_load_within(path, SIZE_MAX, text, length);
}
