#include "report/json_info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "io/hdf5_file.h"
#include "report/json_report.h"

typedef dv_status (*info_function)(dv_report *report, json_t *object, const char *path, bool check);

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

static dv_status fill_hdf5(dv_report *report, json_t *object, const char *path, bool check) {
    char *schema = NULL;
    dv_status status = read_schema(path, &schema);
    size_t kind = 0;
    while (status == DV_OK && kind < N_KINDS && strcmp(kinds[kind].schema, schema) != 0) kind++;
    if (status == DV_OK && kind == N_KINDS)
        status = dv_fail(DV_E_DATA, "%s: attribute schema '%s': must be '%s', '%s' or '%s'", path, schema,
                         kinds[0].schema, kinds[1].schema, kinds[2].schema);
    if (status == DV_OK) {
        dv_report_set(report, object, "schema", json_string(schema));
        status = kinds[kind].fill(report, object, path, check);
    }
    free(schema);
    return status;
}

static dv_status fill_file(dv_report *report, json_t *object, const char *path, bool check) {
    bool is_json = false;
    dv_report_set(report, object, "path", dv_json_text(path));
    DV_TRY(looks_like_json(path, &is_json));
    return is_json ? dv_info_result(report, object, path) : fill_hdf5(report, object, path, check);
}

dv_status dv_info_files(dv_report *report, const char *const *paths, size_t n_paths, bool check, char **table) {
    if (table) *table = NULL;
    json_t *const files = json_array();
    if (!files) return dv_fail(DV_E_NOMEM, "no memory for the report");
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < n_paths; i++) {
        json_t *const object = json_object();
        status = object ? fill_file(report, object, paths[i], check) : dv_fail(DV_E_NOMEM, "no memory for the report");
        if (status == DV_OK)
            dv_report_append(report, files, object);
        else
            json_decref(object);
    }
    if (status == DV_OK && table) status = dv_info_format(files, table);
    if (status == DV_OK)
        dv_report_top(report, "files", files);
    else
        json_decref(files);
    return status;
}
