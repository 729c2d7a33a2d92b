#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "io/text_file.h"
#include "report/json_info.h"
#include "report/json_report.h"

/* Scores and sizes that a result may hold; what it has is shown. */
static const char *const shown[] = {"command", "version", "images", "patches",       "queries",
                                    "rows",    "k",       "miou",   "mean_accuracy", "pixel_accuracy"};
enum { N_SHOWN = sizeof shown / sizeof *shown };

static dv_status load(const char *path, json_t **root) {
    char *text;
    size_t length;
    json_error_t error;
    *root = NULL;
    DV_TRY(dv_text_file_load(path, &text, &length));
    *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (*root) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: line %d column %d: %s", path, error.line, error.column, error.text);
}

static dv_status check_keys(const char *path, const json_t *root) {
    const char *const schema = json_string_value(json_object_get(root, "schema"));
    if (!schema || strncmp(schema, "denseval ", 9) != 0)
        return dv_fail(DV_E_DATA, "%s: schema %s: must begin with 'denseval '", path, schema ? schema : "missing");
    if (!json_is_string(json_object_get(root, "version"))) return dv_fail(DV_E_DATA, "%s: version: missing", path);
    if (!json_is_object(json_object_get(root, "settings"))) return dv_fail(DV_E_DATA, "%s: settings: missing", path);
    if (!json_is_array(json_object_get(root, "inputs"))) return dv_fail(DV_E_DATA, "%s: inputs: missing", path);
    return DV_OK;
}

dv_status dv_info_result(dv_report *report, json_t *object, const char *path) {
    json_t *root;
    DV_TRY(load(path, &root));
    const dv_status status = check_keys(path, root);
    if (status == DV_OK) {
        dv_report_set(report, object, "schema", json_incref(json_object_get(root, "schema")));
        for (size_t i = 0; i < N_SHOWN; i++) {
            json_t *const value = json_object_get(root, shown[i]);
            if (value) dv_report_set(report, object, shown[i], json_incref(value));
        }
        const json_t *const classes = json_object_get(root, "classes"), *const bins = json_object_get(root, "bins");
        if (json_is_array(classes)) dv_report_set(report, object, "classes", dv_json_count(json_array_size(classes)));
        if (json_is_array(bins)) dv_report_set(report, object, "bins", dv_json_count(json_array_size(bins)));
        dv_report_set(report, object, "inputs", json_incref(json_object_get(root, "inputs")));
        dv_report_set(report, object, "settings", json_incref(json_object_get(root, "settings")));
    }
    json_decref(root);
    return status;
}
