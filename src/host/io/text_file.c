#include "io/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"

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

static dv_status read_all(FILE *stream, char **text, size_t *length) {
    size_t capacity = FIRST_CAPACITY;
    DV_TRY(dv_alloc(capacity, 1, "a text", text));
    *length = 0;
    for (;;) {
        errno = 0;
        const size_t got = fread(*text + *length, 1, capacity - 1 - *length, stream);
        *length += got;
        if (ferror(stream)) return dv_fail(DV_E_IO, "byte %zu: cannot read: %s", *length, dv_error_text(errno));
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

static dv_status open_text(const char *path, FILE **stream) {
    struct stat facts;
    *stream = fopen(path, "rbe");
    if (!*stream)
        return dv_fail(errno == ENOENT || errno == ENOTDIR ? DV_E_MISSING : DV_E_IO, "%s: cannot open: %s", path,
                       dv_error_text(errno));
    if (fstat(fileno(*stream), &facts) != 0 || !S_ISDIR(facts.st_mode)) return DV_OK;
    fclose(*stream);
    return dv_fail(DV_E_DATA, "%s: a folder: a file was expected", path);
}

dv_status dv_text_file_load(const char *path, char **text, size_t *length) {
    FILE *stream;
    *text = NULL;
    DV_TRY(open_text(path, &stream));
    const dv_status status = read_all(stream, text, length);
    fclose(stream); /* only read: nothing can be lost */
    if (status == DV_OK) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_context(status, "%s", path);
}
