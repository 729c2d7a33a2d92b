#include "io/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "io/name_list.h"
#include "io/text_file.h"

enum { MOST_BYTES = 64 << 20 };

dv_status dv_json_load(const char *path, const char *schema, json_t **root) {
    char *text;
    size_t length;
    json_error_t error;
    *root = NULL;
    DV_TRY(dv_text_file_load_within(path, MOST_BYTES, &text, &length));
    json_t *const made = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!made)
        return dv_fail(DV_E_DATA, "%s: line %d column %d: is no JSON: %s", path, error.line, error.column, error.text);
    const char *const found = json_string_value(json_object_get(made, "schema"));
    dv_status status = DV_OK;
    if (!found)
        status = dv_fail(DV_E_DATA, "%s: schema: missing, expected \"%s\"", path, schema);
    else if (strcmp(found, schema) != 0)
        status = dv_fail(DV_E_DATA, "%s: schema: \"%.100s\", expected \"%s\"", path, found, schema);
    if (status == DV_OK)
        *root = made;
    else
        json_decref(made);
    return status;
}

static dv_status wrong(const char *where, const char *name, const json_t *value, const char *expected) {
    if (!value) return dv_fail(DV_E_DATA, "%s: %s: missing, must be %s", where, name, expected);
    char *const text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const dv_status status =
        dv_fail(DV_E_DATA, "%s: %s: %.60s: must be %s", where, name, text ? text : "another value", expected);
    free(text);
    return status;
}

dv_status dv_json_member(const json_t *object, const char *where, const char *name, json_t **member) {
    *member = json_object_get(object, name);
    return json_object_size(*member) ? DV_OK : wrong(where, name, *member, "an object that is not empty");
}

static bool is_text(const json_t *value) {
    const char *const text = json_string_value(value);
    return text && *text && strlen(text) == json_string_length(value) && !dv_utf8_has_control(text);
}

dv_status dv_json_text_member(const json_t *object, const char *where, const char *name, const char **text) {
    const json_t *const value = json_object_get(object, name);
    if (!is_text(value)) return wrong(where, name, value, "a text");
    *text = json_string_value(value);
    return DV_OK;
}

dv_status dv_json_count_member(const json_t *object, const char *where, const char *name, uint64_t least, uint64_t most,
                               size_t *count) {
    const json_t *const value = json_object_get(object, name);
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number < least || (uint64_t)number > most) {
        char expected[80];
        snprintf(expected, sizeof expected, "a whole number %llu to %llu", (unsigned long long)least,
                 (unsigned long long)most);
        return wrong(where, name, value, expected);
    }
    *count = (size_t)number;
    return DV_OK;
}

dv_status dv_json_check_name(const char *where, const char *text) {
    if (!*text || strcmp(text, ".") == 0 || strcmp(text, "..") == 0 || strchr(text, '/') || dv_utf8_has_control(text))
        return dv_fail(DV_E_DATA, "%s: \"%.60s\": must be the name of a file or folder", where, text);
    return DV_OK;
}

dv_status dv_json_names_member(const json_t *object, const char *where, const char *name, dv_names *names) {
    const json_t *const list = json_object_get(object, name);
    memset(names, 0, sizeof *names);
    if (json_array_size(list) == 0) return wrong(where, name, list, "a list of names");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const value = json_array_get(list, i);
        if (!is_text(value)) return wrong(where, name, value, "a list of names");
        const char *const text = json_string_value(value);
        DV_TRY(dv_json_check_name(where, text));
        if (dv_names_find(names, text) != SIZE_MAX)
            return dv_fail(DV_E_DATA, "%s: %s: \"%.60s\" stands there twice", where, name, text);
        DV_TRY(dv_name_list_add(names, text));
    }
    return DV_OK;
}

size_t dv_names_find(const dv_names *names, const char *text) {
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->names[i], text) == 0) return i;
    return SIZE_MAX;
}
