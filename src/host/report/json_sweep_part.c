#include "report/json_sweep_part.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/folder_content.h"
#include "io/text_file.h"
#include "report/json_report.h"

enum { MAX_SHOWN = 200, MAX_PARTS = 1 << 20 };

dv_status dv_sweep_split(const char *text, size_t n_cells, dv_sweep_part *out) {
    *out = (dv_sweep_part){.n = n_cells, .n_cells = n_cells};
    if (!text) return DV_OK;
    char *end;
    const bool first_digit = *text >= '0' && *text <= '9';
    const unsigned long long part = strtoull(text, &end, 10);
    const bool second_digit = *end == '/' && end[1] >= '0' && end[1] <= '9';
    const unsigned long long n_parts = second_digit ? strtoull(end + 1, &end, 10) : 0;
    if (!first_digit || !second_digit || *end || part < 1 || part > n_parts || n_parts > SIZE_MAX - 1)
        return dv_fail(DV_E_USAGE, "\"%.100s\": must be A/B, the A-th of B parts, 1 <= A <= B", text);
    if (n_parts > n_cells)
        return dv_fail(DV_E_USAGE, "\"%.100s\": there are %zu cells, so at most %zu parts", text, n_cells, n_cells);
    const size_t whole = n_cells / n_parts, longer = n_cells % n_parts, before = (size_t)part - 1;
    out->part = part;
    out->n_parts = n_parts;
    out->first = before * whole + (before < longer ? before : longer);
    out->n = whole + (before < longer);
    return DV_OK;
}

void dv_report_sweep_part(dv_report *report, const dv_sweep_part *part, const char *configuration_hash,
                          const char *inputs_hash) {
    if (!part->n_parts) return;
    json_t *const object = json_object();
    dv_report_set(report, object, "index", dv_json_count(part->part));
    dv_report_set(report, object, "count", dv_json_count(part->n_parts));
    dv_report_set(report, object, "first_cell", dv_json_count(part->first));
    dv_report_set(report, object, "cells", dv_json_count(part->n));
    dv_report_set(report, object, "all_cells", dv_json_count(part->n_cells));
    dv_report_set(report, object, "configuration", json_string(configuration_hash));
    dv_report_set(report, object, "inputs", json_string(inputs_hash));
    dv_report_top(report, "part", object);
}

/* ---- Reading a part -----------------------------------------------------------------------------------------------
 */

static dv_status path_in(const char *folder, const char *name, char **path) {
    *path = NULL;
    return asprintf(path, "%s/%s", folder, name) < 0 ? dv_fail(DV_E_NOMEM, "no memory for a path") : DV_OK;
}

static dv_status check_finished(const char *folder) {
    char *journal;
    struct stat found;
    DV_TRY(path_in(folder, DV_FOLDER_JOURNAL, &journal));
    const bool unfinished = lstat(journal, &found) == 0;
    free(journal);
    return unfinished ? dv_fail(DV_E_MISSING, "%s: the run is not finished: give its command again first", folder)
                      : DV_OK;
}

static dv_status get_size(const json_t *object, const char *name, size_t *value) {
    const json_t *const found = json_object_get(object, name);
    if (!json_is_integer(found) || json_integer_value(found) < 0)
        return dv_fail(DV_E_DATA, "part: %s: must be a whole number", name);
    *value = (size_t)json_integer_value(found);
    return DV_OK;
}

/* The numbers of `part` are those of the split; there are so many cells. */
static dv_status check_part(dv_sweep_part_file *file) {
    const json_t *const object = json_object_get(file->root, "part");
    dv_sweep_part *const part = &file->part;
    dv_sweep_part wanted;
    char text[64];
    if (!json_is_object(object))
        return dv_fail(DV_E_DATA, "part: is missing: this is no result of a part (sweep --cells A/B)");
    DV_TRY(get_size(object, "index", &part->part));
    DV_TRY(get_size(object, "count", &part->n_parts));
    DV_TRY(get_size(object, "first_cell", &part->first));
    DV_TRY(get_size(object, "cells", &part->n));
    DV_TRY(get_size(object, "all_cells", &part->n_cells));
    if (part->n_parts > MAX_PARTS) return dv_fail(DV_E_DATA, "part: count: must be below %d", MAX_PARTS + 1);
    snprintf(text, sizeof text, "%zu/%zu", part->part, part->n_parts);
    if (dv_sweep_split(text, part->n_cells, &wanted) != DV_OK || part->first != wanted.first || part->n != wanted.n)
        return dv_fail(DV_E_DATA, "part: cells %zu to %zu of %zu are not part %s", part->first, part->first + part->n,
                       part->n_cells, text);
    const json_t *const cells = json_object_get(file->root, "cells");
    if (!json_is_array(cells) || json_array_size(cells) != part->n)
        return dv_fail(DV_E_DATA, "cells: there are %zu, %zu belong to part %s", json_array_size(cells), part->n, text);
    return DV_OK;
}

static dv_status parse(dv_sweep_part_file *file, const char *text, size_t length) {
    json_error_t error;
    file->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!file->root) return dv_fail(DV_E_DATA, "line %d, column %d: %s", error.line, error.column, error.text);
    return check_part(file);
}

dv_status dv_sweep_part_file_read(const char *folder, dv_sweep_part_file *out) {
    *out = (dv_sweep_part_file){0};
    char *text;
    size_t length;
    DV_TRY(check_finished(folder));
    DV_TRY(path_in(folder, DV_SWEEP_RESULTS, &out->results));
    DV_TRY(path_in(folder, DV_SWEEP_COUNTS, &out->counts));
    DV_TRY(dv_text_file_load(out->results, &text, &length));
    const dv_status status = parse(out, text, length);
    free(text);
    return dv_context(status, "%s", out->results);
}

void dv_sweep_part_file_clear(dv_sweep_part_file *file) {
    json_decref(file->root);
    free(file->results);
    free(file->counts);
    *file = (dv_sweep_part_file){0};
}

/* ---- Comparing ----------------------------------------------------------------------------------------------------
 */

/* A value on one line, for a message; "nothing" for NULL. */
static void show(const json_t *value, char *text, size_t size) {
    char *const dumped = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) : NULL;
    snprintf(text, size, "%.*s", MAX_SHOWN - 1, dumped ? dumped : "nothing");
    free(dumped);
}

static dv_status differs(const dv_sweep_part_file *first, const dv_sweep_part_file *other, const char *where,
                         const json_t *theirs, const json_t *ours) {
    char a[MAX_SHOWN], b[MAX_SHOWN];
    show(theirs, a, sizeof a);
    show(ours, b, sizeof b);
    return dv_fail(DV_E_DATA, "%s: %s: is %s, %s in %s: parts must be of one sweep", other->results, where, b, a,
                   first->results);
}

/* Compares what the objects (or lists) `a` and `b` hold, one level down, so that the message is short. */
static dv_status compare_members(const dv_sweep_part_file *first, const dv_sweep_part_file *other, const char *where,
                                 json_t *a, json_t *b) {
    char name[MAX_SHOWN];
    const char *key;
    json_t *value;
    json_object_foreach(a, key, value) {
        snprintf(name, sizeof name, "%s: %s", where, key);
        if (!json_equal(value, json_object_get(b, key)))
            return differs(first, other, name, value, json_object_get(b, key));
    }
    for (size_t i = 0; i < json_array_size(a) && i < json_array_size(b); i++) {
        snprintf(name, sizeof name, "%s: item %zu", where, i);
        if (!json_equal(json_array_get(a, i), json_array_get(b, i)))
            return differs(first, other, name, json_array_get(a, i), json_array_get(b, i));
    }
    return differs(first, other, where, a, b);
}

/* Hashes and count of `part` are the same in all parts. */
static dv_status compare_parts(const dv_sweep_part_file *first, const dv_sweep_part_file *other) {
    static const char *const shared[] = {"count", "all_cells", "configuration", "inputs"};
    const json_t *const a = json_object_get(first->root, "part"), *const b = json_object_get(other->root, "part");
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        const json_t *const theirs = json_object_get(a, shared[i]), *const ours = json_object_get(b, shared[i]);
        if (!theirs || !json_equal(theirs, ours)) return differs(first, other, shared[i], theirs, ours);
    }
    return DV_OK;
}

dv_status dv_sweep_part_file_compare(const dv_sweep_part_file *first, const dv_sweep_part_file *other) {
    const char *key;
    json_t *value;
    json_object_foreach(first->root, key, value) {
        json_t *const ours = json_object_get(other->root, key);
        if (strcmp(key, "part") == 0 || strcmp(key, "cells") == 0 || json_equal(value, ours)) continue;
        return compare_members(first, other, key, value, ours);
    }
    if (json_object_size(first->root) != json_object_size(other->root))
        return dv_fail(DV_E_DATA, "%s: has other keys than %s", other->results, first->results);
    return compare_parts(first, other);
}
