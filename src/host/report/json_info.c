#include "report/json_info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_file.h"
#include "report/json_report.h"

typedef dv_status (*info_function)(dv_report *report, json_t *object, const char *path, dv_fault_list *faults);

static const struct {
    const char *schema;
    info_function fill;
} kinds[] = {
    {"denseval features v1", dv_info_features},
    {"denseval bank v1", dv_info_bank},
    {"denseval knn v1", dv_info_knn},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* A text file of ours begins with a brace, after blanks and a byte-order mark; no HDF5 file does. */
static dv_status looks_like_json(const char *path, bool *is_json) {
    struct stat facts;
    *is_json = false;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) return DV_OK; /* to open a pipe is to wait for its writer */
    FILE *const stream = fopen(path, "rbe");
    if (!stream && (errno == ENOENT || errno == ENOTDIR)) return dv_fail(DV_E_MISSING, "%s: no such file", path);
    if (!stream) return dv_fail(DV_E_IO, "%s: %s", path, strerror(errno));
    char start[256];
    const size_t n = fread(start, 1, sizeof start - 1, stream);
    fclose(stream); /* only read: nothing can be lost */
    start[n] = '\0';
    const char *const text = strncmp(start, "\xef\xbb\xbf", 3) == 0 ? start + 3 : start;
    *is_json = text[strspn(text, " \t\r\n")] == '{';
    return DV_OK;
}

static dv_status read_schema(const char *path, char **schema) {
    dv_h5 *file = NULL;
    *schema = NULL;
    DV_TRY(dv_h5_open(path, &file));
    const dv_status status = dv_h5_attribute_text(file, "schema", schema);
    dv_h5_close(file);
    return status;
}

static dv_status fill_hdf5(dv_report *report, json_t *object, const char *path, dv_fault_list *faults) {
    char *schema = NULL;
    dv_status status = read_schema(path, &schema);
    size_t kind = 0;
    while (status == DV_OK && kind < N_KINDS && strcmp(kinds[kind].schema, schema) != 0) kind++;
    if (status == DV_OK && kind == N_KINDS)
        status = dv_fail(DV_E_DATA, "%s: attribute schema '%s': must be '%s', '%s' or '%s'", path, schema,
                         kinds[0].schema, kinds[1].schema, kinds[2].schema);
    if (status == DV_OK) {
        dv_report_set(report, object, "schema", json_string(schema));
        status = kinds[kind].fill(report, object, path, faults);
    }
    free(schema);
    return status;
}

static dv_status fill_of_kind(dv_report *report, json_t *object, const char *path, dv_fault_list *faults) {
    bool is_json = false;
    DV_TRY(looks_like_json(path, &is_json));
    return is_json ? dv_info_result(report, object, path) : fill_hdf5(report, object, path, faults);
}

/* A file with faults is refused, after all of them are listed; so a report that is shown says that it is sound. */
static dv_status judge(const char *path, const dv_fault_list *faults) {
    const size_t length = strlen(path);
    const char *first = faults->first;
    if (faults->n == 0) return DV_OK;
    if (strncmp(first, path, length) == 0 && strncmp(first + length, ": ", 2) == 0) first += length + 2;
    dv_fault_list_end(faults);
    return dv_fail(DV_E_DATA, "%s: not sound: %zu problem%s, the first: %s", path, faults->n, faults->n > 1 ? "s" : "",
                   first);
}

static dv_status fill_file(dv_report *report, json_t *object, const char *path, bool check) {
    dv_fault_list *faults = NULL;
    if (check) DV_TRY(dv_alloc(1, sizeof *faults, "a list of problems", &faults));
    dv_report_set(report, object, "path", dv_json_text(path));
    dv_status status = fill_of_kind(report, object, path, faults);
    if (status == DV_OK && check) status = judge(path, faults);
    if (status == DV_OK) dv_report_set(report, object, "sound", check ? json_true() : json_null());
    free(faults);
    return status;
}

/* Adds the object of one file to the list. */
static dv_status add_file(dv_report *report, json_t *files, const char *path, bool check) {
    json_t *const object = json_object();
    if (!object) return dv_fail(DV_E_NOMEM, "no memory for the report");
    const dv_status status = fill_file(report, object, path, check);
    if (status == DV_OK)
        dv_report_append(report, files, object);
    else
        json_decref(object);
    return status;
}

/* Bad files do not end the pass, so that all of them are known at its end (R12). */
static dv_status add_files(dv_report *report, json_t *files, const char *const *paths, size_t n_paths, bool check) {
    dv_fault_list bad = {0};
    dv_status bad_status = DV_OK;
    for (size_t i = 0; i < n_paths; i++) {
        const dv_status status = add_file(report, files, paths[i], check);
        if (status == DV_OK) continue;
        if (status != DV_E_DATA && status != DV_E_MISSING) return status;
        if (bad_status != DV_E_DATA) bad_status = status;
        dv_fault_list_add(&bad, dv_last_error());
    }
    if (bad.n == 0) return DV_OK;
    dv_fault_list_end(&bad);
    if (bad.n == 1) return dv_fail(bad_status, "%s", bad.first);
    return dv_fail(bad_status, "%s (%zu of %zu files are bad)", bad.first, bad.n, n_paths);
}

dv_status dv_info_files(dv_report *report, const char *const *paths, size_t n_paths, bool check, char **table) {
    if (table) *table = NULL;
    json_t *const files = json_array();
    if (!files) return dv_fail(DV_E_NOMEM, "no memory for the report");
    dv_status status = add_files(report, files, paths, n_paths, check);
    if (status == DV_OK && table) status = dv_info_format(files, table);
    if (status == DV_OK)
        dv_report_top(report, "files", files);
    else
        json_decref(files);
    return status;
}
