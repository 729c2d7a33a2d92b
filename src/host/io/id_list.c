#include "io/id_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/check.h"
#include "io/folder.h"
#include "io/name_list.h"
#include "io/text_file.h"

static int compare_ids(const void *a, const void *b) {
    return dv_natural_compare(*(char *const *)a, *(char *const *)b);
}

/* Cuts blanks and the extension of a picture off; returns where the id begins. */
static char *trim(char *line) {
    static const char *const extensions[] = {".png", ".jpg", ".jpeg"};
    line += strspn(line, " \t\r");
    size_t n = strlen(line);
    while (n && strchr(" \t\r", line[n - 1])) n--;
    line[n] = '\0';
    char *const end = line + dv_stem_length(line);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(end, extensions[i]) == 0) *end = '\0';
    return line;
}

static dv_status take_lines(char *text, dv_names *ids) {
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *const id = trim(line);
        if (strchr(id, '\r')) return dv_fail(DV_E_DATA, "\"%.60s\": a carriage return within a line", id);
        if (*id) DV_TRY(dv_name_list_add(ids, id));
    }
    return ids->n ? DV_OK : dv_fail(DV_E_DATA, "no id in it");
}

static size_t drop_repeated(dv_names *ids) {
    size_t n = 0;
    const size_t n_before = ids->n;
    qsort(ids->names, ids->n, sizeof *ids->names, compare_ids);
    for (size_t i = 0; i < n_before; i++)
        if (n && strcmp(ids->names[n - 1], ids->names[i]) == 0)
            free(ids->names[i]);
        else
            ids->names[n++] = ids->names[i];
    ids->n = n;
    return n_before - n;
}

dv_status dv_id_list_read(const char *path, dv_names *ids, size_t *n_repeated) {
    char *text;
    size_t length;
    *ids = (dv_names){0};
    DV_TRY(dv_text_file_load(path, &text, &length));
    dv_status status = DV_OK;
    if (memchr(text, '\0', length)) status = dv_fail(DV_E_DATA, "a NUL byte: must be text");
    if (status == DV_OK) status = take_lines(text, ids);
    free(text);
    if (status == DV_OK)
        *n_repeated = drop_repeated(ids);
    else
        dv_name_list_clear(ids);
    return dv_context(status, "%s", path);
}
