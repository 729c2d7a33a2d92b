#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "denseval/number.h"
#include "report/json_info.h"

enum { NAME_WIDTH = 20, INDENT = 2, MAX_LISTED = 16 };

static void print_scalar(FILE *stream, const json_t *value) {
    char number[DV_NUMBER_SIZE];
    if (json_is_string(value))
        fputs(json_string_value(value), stream);
    else if (json_is_integer(value))
        fprintf(stream, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        fputs(dv_format_double(json_real_value(value), number), stream);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "yes" : "no", stream);
    else
        fputs("-", stream);
}

/* Keys are words with '_' between them. */
static void print_name(FILE *stream, const char *name) {
    for (; *name; name++) fputc(*name == '_' ? ' ' : *name, stream);
}

/* "bin 0, images 12": an object within one line; its name stands for itself. */
static void print_inline(FILE *stream, json_t *value) {
    const char *name, *separator = "";
    json_t *member;
    if (!json_is_object(value)) {
        print_scalar(stream, value);
        return;
    }
    json_object_foreach(value, name, member) {
        if (json_is_null(member)) continue;
        fputs(separator, stream);
        if (strcmp(name, "name") != 0) {
            print_name(stream, name);
            fputc(' ', stream);
        }
        print_scalar(stream, member);
        separator = ", ";
    }
}

static void print_list(FILE *stream, const json_t *list, int indent) {
    const size_t n = json_array_size(list);
    for (size_t i = 0; i < n && i < MAX_LISTED; i++) {
        json_t *const item = json_array_get(list, i);
        if (i > 0 && json_is_object(item))
            fprintf(stream, "\n%*s", indent + NAME_WIDTH, "");
        else if (i > 0)
            fputs(", ", stream);
        print_inline(stream, item);
    }
    if (n > MAX_LISTED) fprintf(stream, ", ... (%zu in all)", n);
    if (n == 0) fputs("-", stream);
}

static void print_object(FILE *stream, json_t *object, int indent) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        const long start = ftell(stream);
        fprintf(stream, "%*s", indent, "");
        print_name(stream, name);
        if (json_is_object(value)) {
            fputc('\n', stream);
            print_object(stream, value, indent + INDENT);
            continue;
        }
        const long width = ftell(stream) - start;
        fprintf(stream, "%*s", width < indent + NAME_WIDTH ? (int)(indent + NAME_WIDTH - width) : 1, "");
        if (json_is_array(value))
            print_list(stream, value, indent);
        else
            print_scalar(stream, value);
        fputc('\n', stream);
    }
}

dv_status dv_info_format(json_t *value, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a table");
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
        if (i > 0) fputc('\n', stream);
        print_object(stream, json_array_get(value, i), 0);
    }
    if (json_is_object(value)) print_object(stream, value, 0);
    const bool failed = ferror(stream);
    if (fclose(stream) == 0 && !failed) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a table");
}
