#include "report/json_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "denseval/hash.h"
#include "denseval/version.h"

struct dv_report {
    json_t *root;
    dv_status status; /* the first failure */
    char *message;    /* of that failure; owned */
};

static void keep_failure(dv_report *report, dv_status status) {
    if (report->status != DV_OK) return;
    report->status = status;
    report->message = strdup(dv_last_error());
}

void dv_report_set(dv_report *report, json_t *object, const char *name, json_t *value) {
    if (!value || json_object_set_new(object, name, value) != 0)
        keep_failure(report, dv_fail(DV_E_NOMEM, "JSON key %s: no memory", name));
}

void dv_report_append(dv_report *report, json_t *array, json_t *value) {
    if (!value || json_array_append_new(array, value) != 0)
        keep_failure(report, dv_fail(DV_E_NOMEM, "JSON list: no memory"));
}

void dv_report_top(dv_report *report, const char *name, json_t *value) {
    dv_report_set(report, report->root, name, value);
}

json_t *dv_report_find(const dv_report *report, const char *name) {
    return json_object_get(report->root, name);
}

json_t *dv_json_real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

/* jansson holds integers of 63 bits. A seed may be larger; as text it keeps its digits. */
json_t *dv_json_count(uint64_t value) {
    if (value <= INT64_MAX) return json_integer((json_int_t)value);
    return json_sprintf("%llu", (unsigned long long)value);
}

json_t *dv_json_text(const char *text) {
    static const char replacement[] = DV_UTF8_REPLACEMENT;
    json_t *made = json_string(text);
    char *const valid = made ? NULL : malloc(strlen(text) * (sizeof replacement - 1) + 1);
    if (made || !valid) return made;
    size_t length = 0;
    for (size_t n; *text; text += n ? n : 1) {
        n = dv_utf8_bytes(text);
        memcpy(valid + length, n ? text : replacement, n ? n : sizeof replacement - 1);
        length += n ? n : sizeof replacement - 1;
    }
    made = json_stringn(valid, length);
    free(valid);
    return made;
}

dv_status dv_report_create(const char *schema, const char *command, dv_report **out) {
    *out = NULL;
    dv_report *made;
    DV_TRY(dv_alloc(1, sizeof *made, "a report", &made));
    made->root = json_object();
    if (!made->root) {
        free(made);
        return dv_fail(DV_E_NOMEM, "no memory for a report");
    }
    dv_report_top(made, "schema", json_string(schema));
    dv_report_top(made, "command", json_string(command));
    dv_report_top(made, "version", json_string(dv_version()));
    dv_report_top(made, "settings", json_object());
    dv_report_top(made, "inputs", json_array());
    *out = made;
    return DV_OK;
}

void dv_report_free(dv_report *report) {
    if (!report) return;
    json_decref(report->root);
    free(report->message);
    free(report);
}

static void set_setting(dv_report *report, const char *name, json_t *value) {
    dv_report_set(report, json_object_get(report->root, "settings"), name, value);
}

void dv_report_setting_text(dv_report *report, const char *name, const char *value) {
    set_setting(report, name, value ? dv_json_text(value) : json_null());
}

void dv_report_setting_count(dv_report *report, const char *name, uint64_t value) {
    set_setting(report, name, dv_json_count(value));
}

void dv_report_setting_real(dv_report *report, const char *name, double value) {
    set_setting(report, name, dv_json_real(value));
}

void dv_report_setting_bool(dv_report *report, const char *name, bool value) {
    set_setting(report, name, json_boolean(value));
}

void dv_report_setting_null(dv_report *report, const char *name) {
    set_setting(report, name, json_null());
}

static json_t *number_list(dv_report *report, const int32_t *values, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < n; i++) dv_report_append(report, list, json_integer(values[i]));
    return list;
}

void dv_report_setting_list(dv_report *report, const char *name, const int32_t *values, size_t n) {
    set_setting(report, name, number_list(report, values, n));
}

void dv_report_setting_counts(dv_report *report, const char *name, const uint64_t *values, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < n; i++) dv_report_append(report, list, dv_json_count(values[i]));
    set_setting(report, name, list);
}

void dv_report_setting_names(dv_report *report, const char *name, const dv_names *names) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < names->n; i++) dv_report_append(report, list, dv_json_text(names->names[i]));
    set_setting(report, name, list);
}

void dv_report_setting_row(dv_report *report, const char *list) {
    json_t *rows = json_object_get(json_object_get(report->root, "settings"), list);
    if (!rows) set_setting(report, list, rows = json_array());
    dv_report_append(report, rows, json_object());
}

static json_t *newest_setting_row(const dv_report *report, const char *list) {
    json_t *rows = json_object_get(json_object_get(report->root, "settings"), list);
    return json_array_get(rows, json_array_size(rows) - 1);
}

void dv_report_setting_row_text(dv_report *report, const char *list, const char *name, const char *value) {
    dv_report_set(report, newest_setting_row(report, list), name, value ? dv_json_text(value) : json_null());
}

void dv_report_setting_row_list(dv_report *report, const char *list, const char *name, const int32_t *values,
                                size_t n) {
    dv_report_set(report, newest_setting_row(report, list), name, number_list(report, values, n));
}

void dv_report_input(dv_report *report, const char *path) {
    char hash[DV_HASH_TEXT_SIZE];
    uint64_t size_bytes;
    const dv_status status = dv_hash_file(path, hash, &size_bytes);
    if (status != DV_OK)
        keep_failure(report, status);
    else
        dv_report_hashed_input(report, path, size_bytes, hash);
}

void dv_report_hashed_input(dv_report *report, const char *path, uint64_t size_bytes, const char *hash) {
    json_t *input = json_object();
    dv_report_set(report, input, "path", dv_json_text(path));
    dv_report_set(report, input, "size", dv_json_count(size_bytes));
    dv_report_set(report, input, "hash", json_string(hash));
    dv_report_append(report, json_object_get(report->root, "inputs"), input);
}

void dv_report_count(dv_report *report, const char *name, uint64_t value) {
    dv_report_top(report, name, dv_json_count(value));
}

void dv_report_text(dv_report *report, const char *name, const char *value) {
    dv_report_top(report, name, dv_json_text(value));
}

void dv_report_gpu_spent(dv_report *report, json_t *object, const dv_gpu_account *spent) {
    if (spent->n_gpus == 0) return;
    dv_report_set(report, object, "gpu_s", dv_json_real(spent->gpu_s));
    dv_report_set(report, object, "gpu_memory_bytes", dv_json_count(spent->memory_bytes));
}

static void set_gpus(dv_report *report, json_t *object, const dv_gpu_account *spent) {
    if (spent->n_gpus) dv_report_set(report, object, "gpus", dv_json_count(spent->n_gpus));
    dv_report_gpu_spent(report, object, spent);
}

void dv_report_resources(dv_report *report, const dv_resources *resources, const char *const *stages,
                         const double *stage_s, size_t n_stages) {
    json_t *object = json_object(), *seconds = json_object();
    const double budget_s = resources->wall_s * (double)resources->n_threads;
    dv_report_set(report, object, "wall_s", dv_json_real(resources->wall_s));
    dv_report_set(report, object, "cpu_s", dv_json_real(resources->cpu_s));
    dv_report_set(report, object, "cpu_efficiency", dv_json_real(budget_s > 0 ? resources->cpu_s / budget_s : NAN));
    dv_report_set(report, object, "max_rss_bytes", dv_json_count(resources->max_rss_bytes));
    if (resources->memory_limit_bytes) {
        const double share = (double)resources->max_rss_bytes / (double)resources->memory_limit_bytes;
        dv_report_set(report, object, "memory_limit_bytes", dv_json_count(resources->memory_limit_bytes));
        dv_report_set(report, object, "memory_efficiency", dv_json_real(share));
    }
    dv_report_set(report, object, "threads", dv_json_count(resources->n_threads));
    set_gpus(report, object, &resources->gpu);
    for (size_t i = 0; i < n_stages; i++) dv_report_set(report, seconds, stages[i], dv_json_real(stage_s[i]));
    dv_report_set(report, object, "stages_s", seconds);
    dv_report_top(report, "resources", object);
}

static json_t *rank_account(dv_report *report, size_t rank, const dv_rank_spent *spent) {
    const dv_rank_counts *counts = &spent->counts;
    json_t *object = json_object();
    dv_report_set(report, object, "rank", dv_json_count(rank));
    dv_report_set(report, object, "host", dv_json_text(spent->host));
    dv_report_set(report, object, "wall_s", dv_json_real(spent->wall_s));
    dv_report_set(report, object, "cpu_s", dv_json_real(spent->cpu_s));
    dv_report_set(report, object, "max_rss_bytes", dv_json_count(spent->max_rss_bytes));
    dv_report_set(report, object, "threads", dv_json_count(spent->n_threads));
    set_gpus(report, object, &spent->gpu);
    dv_report_set(report, object, "bytes_read", dv_json_count(counts->bytes_read));
    dv_report_set(report, object, "bytes_sent", dv_json_count(counts->bytes_sent));
    dv_report_set(report, object, "bytes_received", dv_json_count(counts->bytes_received));
    dv_report_set(report, object, "rows_scanned", dv_json_count(counts->rows_scanned));
    dv_report_set(report, object, "rows_scored", dv_json_count(counts->rows_scored));
    dv_report_set(report, object, "collectives", dv_json_count(counts->collectives));
    return object;
}

void dv_report_ranks(dv_report *report, const dv_rank_spent *spent, size_t n_ranks) {
    json_t *list = json_array();
    for (size_t i = 0; i < n_ranks; i++) dv_report_append(report, list, rank_account(report, i, &spent[i]));
    dv_report_set(report, json_object_get(report->root, "resources"), "ranks", list);
}

dv_status dv_report_failure(const dv_report *report) {
    if (report->status == DV_OK) return DV_OK;
    return dv_fail(report->status, "%s", report->message ? report->message : "no memory for a report");
}

dv_status dv_json_dump(const json_t *value, char **text) {
    *text = NULL;
    char *body = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (!body) return dv_fail(DV_E_NOMEM, "no memory for the JSON text");
    const size_t length = strlen(body);
    dv_status status = dv_alloc(length + 2, 1, "the JSON text", text);
    if (status == DV_OK) {
        memcpy(*text, body, length);
        (*text)[length] = '\n';
    }
    free(body);
    return status;
}

dv_status dv_report_json(dv_report *report, char **text) {
    *text = NULL;
    DV_TRY(dv_report_failure(report));
    return dv_json_dump(report->root, text);
}
