#include "io/json_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/text_file.h"

enum { FIRST_CAPACITY = 1 << 18, MOST_LINE = 16 << 20, MARK_LENGTH = 3 };

struct dv_json_lines {
    char *path; /* owned */
    FILE *stream;
    uint64_t number;        /* lines that were given or passed over */
    char *buffer;           /* [capacity], owned */
    size_t capacity, at, n; /* what was read and not yet given: buffer[at..n) */
    bool at_end;            /* of the file */
};

dv_status dv_json_lines_open(const char *path, dv_json_lines **out) {
    dv_json_lines *made;
    *out = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "a reader of lines", &made));
    made->capacity = FIRST_CAPACITY;
    dv_status status = dv_strdup(path, &made->path);
    if (status == DV_OK) status = dv_alloc_unset(made->capacity, 1, "a buffer of lines", &made->buffer);
    if (status == DV_OK) status = dv_text_file_open(path, &made->stream);
    if (status == DV_OK)
        *out = made;
    else
        dv_json_lines_close(made);
    return status;
}

void dv_json_lines_close(dv_json_lines *lines) {
    if (!lines) return;
    if (lines->stream) fclose(lines->stream); /* only read: nothing can be lost */
    free(lines->buffer);
    free(lines->path);
    free(lines);
}

/* Moves what is left to the front and reads behind it, into twice the room where it fills all of it. */
static dv_status refill(dv_json_lines *lines) {
    DV_TRY(dv_check_interrupted());
    lines->n -= lines->at;
    memmove(lines->buffer, lines->buffer + lines->at, lines->n);
    lines->at = 0;
    if (lines->n == lines->capacity) {
        if (lines->n > MOST_LINE)
            return dv_fail(DV_E_DATA, "%s: line %llu: longer than %d MiB", lines->path,
                           (unsigned long long)lines->number + 1, MOST_LINE >> 20);
        char *const grown = realloc(lines->buffer, 2 * lines->capacity);
        if (!grown) return dv_fail(DV_E_NOMEM, "%s: no memory for a line", lines->path);
        lines->buffer = grown;
        lines->capacity *= 2;
    }
    errno = 0;
    const size_t got = fread(lines->buffer + lines->n, 1, lines->capacity - lines->n, lines->stream);
    if (ferror(lines->stream))
        return dv_fail(DV_E_IO, "%s: line %llu: cannot read: %s", lines->path, (unsigned long long)lines->number + 1,
                       dv_error_text(errno));
    lines->at_end = got == 0;
    lines->n += got;
    return DV_OK;
}

/* The next line as it stands, without its newline. */
static dv_status next_raw(dv_json_lines *lines, const char **text, size_t *n, bool *found) {
    size_t searched = 0;
    for (;;) {
        const size_t left = lines->n - lines->at;
        const char *const begin = lines->buffer + lines->at;
        const char *const newline = memchr(begin + searched, '\n', left - searched);
        if (newline || lines->at_end) {
            *text = begin;
            *n = newline ? (size_t)(newline - begin) : left;
            *found = newline || left > 0;
            lines->at += *n + (newline != NULL);
            lines->number += *found;
            return DV_OK;
        }
        searched = left;
        DV_TRY(refill(lines));
    }
}

static bool is_white(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

dv_status dv_json_lines_next(dv_json_lines *lines, dv_json_line *line, bool *found) {
    for (;;) {
        *line = (dv_json_line){0};
        DV_TRY(next_raw(lines, &line->text, &line->n, found));
        if (!*found) return DV_OK;
        line->number = lines->number;
        if (line->number == 1 && line->n >= MARK_LENGTH && memcmp(line->text, "\xef\xbb\xbf", MARK_LENGTH) == 0) {
            line->marked = true;
            line->text += MARK_LENGTH;
            line->n -= MARK_LENGTH;
        }
        while (line->n > 0 && is_white(line->text[line->n - 1])) line->n--;
        for (; line->n > 0 && is_white(line->text[0]); line->n--) line->text++;
        if (line->n > 0) return DV_OK;
    }
}
