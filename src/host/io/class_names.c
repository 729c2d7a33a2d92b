#include "denseval/class_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "denseval/labels.h"
#include "denseval/number.h"
#include "io/name_list.h"
#include "io/text_file.h"

/* A file as it is read, line by line. */
typedef struct reading {
    bool numbered;  /* lines are ID<TAB>NAME */
    dv_names names; /* numbered: by id, with room for all ids and NULL where none was read yet */
    size_t n_read;
} reading;

/* Takes the next line off *text, without its end; NULL behind the last one. */
static char *next_line(char **text, char *end) {
    char *const line = *text;
    if (line >= end) return NULL;
    char *const newline = memchr(line, '\n', (size_t)(end - line));
    char *const stop = newline ? newline : end;
    *text = stop + 1;
    *stop = '\0';
    if (stop > line && stop[-1] == '\r') stop[-1] = '\0';
    return line;
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t")] == '\0';
}

static dv_status take_numbered(reading *r, char *line) {
    char *const tab = strchr(line, '\t');
    uint64_t id;
    if (!tab) return dv_fail(DV_E_DATA, "\"%.60s\": must be ID<TAB>NAME, as the first line is", line);
    *tab = '\0';
    if (dv_parse_u64(line, &id) != DV_OK || id >= DV_MAX_SPARSE_CLASSES)
        return dv_fail(DV_E_DATA, "id \"%.60s\": must be 0..%d", line, DV_MAX_SPARSE_CLASSES - 1);
    if (is_blank(tab + 1)) return dv_fail(DV_E_DATA, "class %d has no name", (int)id);
    if (r->names.names[id]) return dv_fail(DV_E_DATA, "class %d is listed twice", (int)id);
    if (id >= r->names.n) r->names.n = id + 1;
    return dv_strdup(tab + 1, &r->names.names[id]);
}

/* A tab, or a number and a comma, are those of a table that is no such list. */
static dv_status take_plain(reading *r, const char *line) {
    const size_t n_digits = strspn(line, "0123456789");
    if (is_blank(line)) return dv_fail(DV_E_DATA, "a name of blanks alone");
    if (strchr(line, '\t'))
        return dv_fail(DV_E_DATA, "\"%.60s\": must be NAME without a tab, as the first line is", line);
    if (n_digits && line[n_digits] == ',')
        return dv_fail(DV_E_DATA, "\"%.60s\": is of a CSV: must be NAME, or ID<TAB>NAME for a name that begins so",
                       line);
    return dv_name_list_add(&r->names, line);
}

static bool is_utf8(const char *text) {
    for (size_t n; *text; text += n)
        if ((n = dv_utf8_bytes(text)) == 0) return false;
    return true;
}

static dv_status take_line(reading *r, char *line) {
    if (!is_utf8(line)) return dv_fail(DV_E_DATA, "must be UTF-8");
    if (strchr(line, '\r')) return dv_fail(DV_E_DATA, "a carriage return within a line");
    if (!r->n_read && strchr(line, '\t')) {
        r->numbered = true;
        DV_TRY(dv_alloc(DV_MAX_SPARSE_CLASSES, sizeof *r->names.names, "names of classes", &r->names.names));
    }
    if (++r->n_read > DV_MAX_SPARSE_CLASSES)
        return dv_fail(DV_E_DATA, "must list at most %d classes", DV_MAX_SPARSE_CLASSES);
    return r->numbered ? take_numbered(r, line) : take_plain(r, line);
}

static dv_status take_all(reading *r, char *text, size_t length) {
    char *line, *const end = text + length;
    if (memchr(text, '\0', length)) return dv_fail(DV_E_DATA, "a NUL byte: must be text");
    for (size_t number = 1; (line = next_line(&text, end)); number++)
        if (*line) {
            const dv_status status = take_line(r, line);
            if (status != DV_OK) return dv_context(status, "line %zu", number);
        }
    if (!r->names.n) return dv_fail(DV_E_DATA, "no class is listed");
    for (size_t id = 0; id < r->names.n; id++)
        if (!r->names.names[id]) return dv_fail(DV_E_DATA, "class %zu is not listed", id);
    return DV_OK;
}

/* The first line of a CSV would be taken for class 0. */
static bool is_called_csv(const char *path) {
    const char *const dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".csv") == 0;
}

dv_status dv_class_names_read(const char *path, dv_names *names) {
    char *text;
    size_t length;
    reading r = {.n_read = 0};
    *names = r.names;
    if (is_called_csv(path))
        return dv_fail(DV_E_DATA, "%s: must be a list of NAME or ID<TAB>NAME lines, not a CSV", path);
    DV_TRY(dv_text_file_load(path, &text, &length));
    const dv_status status = take_all(&r, text, length);
    free(text);
    if (status == DV_OK)
        *names = r.names;
    else
        dv_class_names_clear(&r.names);
    return dv_context(status, "%s", path);
}

void dv_class_names_clear(dv_names *names) {
    dv_name_list_clear(names);
}
