/* json_html_resources.c: what runs, their parts and their ranks cost, beside what their jobs were given. */
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "report/json_html.h"

/* Keys of `job`, and what they are called in the line of its run. */
static const char *const job_keys[][2] = {
    {"node", "node"},
    {"cpus", "job_cpus"},
    {"gpus", "job_gpus"},
    {"memory_bytes", "job_memory_bytes"},
    {"allocated_cpu_s", "allocated_cpu_s"},
    {"cpu_efficiency", "job_cpu_efficiency"},
    {"memory_efficiency", "job_memory_efficiency"},
    {"gpu_s", "job_gpu_s"},
    {"gpu_memory_bytes", "job_gpu_memory_bytes"},
    {"restarts", "job_restarts"},
};

/* Sets a key of a line; value is borrowed, NULL: nothing to set. */
static bool set(json_t *line, const char *key, json_t *value) {
    return !value || json_object_set(line, key, value) == 0;
}

/* "1230_3" of an array, else the id of the job, which a part already has as a text. */
static bool set_job_id(json_t *line, const json_t *job) {
    const char *const array = json_string_value(json_object_get(job, "array_id"));
    const char *const task = json_string_value(json_object_get(job, "array_task"));
    char text[128];
    if (!array || !task) return set(line, "job", json_object_get(job, "id"));
    snprintf(text, sizeof text, "%.60s_%.60s", array, task);
    json_t *const id = json_string(text);
    return id ? json_object_set_new(line, "job", id) == 0 : set(line, "job", json_object_get(job, "id"));
}

static bool set_job(json_t *line, const json_t *job) {
    bool good = !json_is_object(job) || set_job_id(line, job);
    for (size_t i = 0; i < sizeof job_keys / sizeof *job_keys; i++)
        good = set(line, job_keys[i][1], json_object_get(job, job_keys[i][0])) && good;
    return good;
}

/* A line: which file, what of it, and all that `costs` tells. of: "run", "part 3", "rank 0" */
static bool add_line(json_t *lines, const dv_html_document *document, const char *of, const json_t *job,
                     json_t *costs) {
    const char *key;
    json_t *value, *const line = json_pack("{s:s, s:s}", "file", document->file, "of", of);
    if (!line) return false;
    bool good = set_job(line, job);
    json_object_foreach(costs, key, value) {
        if (json_is_array(value) || (json_is_object(value) && strcmp(key, "stages_s") != 0)) continue;
        good = set(line, key, value) && good;
    }
    return json_array_append_new(lines, line) == 0 && good;
}

/* Lines of a list within: "part" or "rank" is the key of their numbers. */
static bool add_list(json_t *lines, const dv_html_document *document, const char *number, const json_t *list) {
    bool good = true;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *const costs = json_array_get(list, i);
        char of[64];
        snprintf(of, sizeof of, "%s %lld", number, (long long)json_integer_value(json_object_get(costs, number)));
        good = add_line(lines, document, of, NULL, costs) && good;
    }
    return good;
}

bool dv_html_has_resources(const dv_html_document *documents, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (json_is_object(json_object_get(documents[i].root, "resources"))) return true;
    return false;
}

dv_status dv_html_put_resources(FILE *stream, const dv_html_document *documents, size_t n) {
    json_t *const lines = json_array();
    bool good = lines != NULL;
    for (size_t i = 0; good && i < n; i++) {
        json_t *const root = documents[i].root, *const costs = json_object_get(root, "resources");
        if (!json_is_object(costs)) continue;
        good = add_line(lines, &documents[i], "run", json_object_get(root, "job"), costs) &&
               add_list(lines, &documents[i], "part", json_object_get(root, "of_parts")) &&
               add_list(lines, &documents[i], "rank", json_object_get(costs, "ranks"));
    }
    const dv_status status = good ? dv_html_put_value(stream, "Time, memory and bytes of runs, parts and ranks", lines)
                                  : dv_fail(DV_E_NOMEM, "no memory for a table");
    json_decref(lines);
    return status;
}
