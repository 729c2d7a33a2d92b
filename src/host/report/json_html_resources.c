/* json_html_resources.c: what runs, their parts and their ranks cost, beside what their jobs were given. */
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "report/json_html.h"

/* Keys beside `resources` of a file of nothing else, told in the line of the run. */
static const char *const run_keys[] = {"restarts", "parts", "skipped_images"};

/* Keys of `job` behind its id. */
static const char *const job_keys[] = {"node",         "restarts",        "cpus",           "gpus",
                                       "memory_bytes", "allocated_cpu_s", "cpu_efficiency", "memory_efficiency",
                                       "gpu_s",        "gpu_memory_bytes"};

/* Lists of the lines of each table; owned. */
typedef struct tables {
    json_t *costs, *jobs, *stages;
} tables;

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

/* Names of files are of any bytes. */
static json_t *new_line(const dv_html_document *document) {
    json_t *const line = json_object();
    if (json_object_set_new(line, "file", json_string_nocheck(document->file)) == 0) return line;
    json_decref(line);
    return NULL;
}

/* A line: which file, what of it, and all that `costs` tells but what lies within. root: what else the run tells; NULL:
 * a part or rank. of: "run", "part 3", "rank 0" */
static bool add_line(json_t *lines, const dv_html_document *document, const char *of, const json_t *root,
                     json_t *costs) {
    const char *key;
    json_t *value, *const line = new_line(document);
    if (!line) return false;
    bool good = json_object_set_new(line, "of", json_string(of)) == 0;
    json_object_foreach(costs, key, value) {
        const bool is_number = strcmp(key, "part") == 0 || strcmp(key, "rank") == 0; /* which `of` tells */
        if (is_number || json_is_array(value) || json_is_object(value)) continue;
        good = set(line, key, value) && good;
    }
    for (size_t i = 0; !dv_html_has_result(document) && i < sizeof run_keys / sizeof *run_keys; i++)
        good = set(line, run_keys[i], json_object_get(root, run_keys[i])) && good;
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

/* What the batch job of a run was given, and how much of it was used; no line where there was none. */
static bool add_job(json_t *lines, const dv_html_document *document, const json_t *job) {
    if (json_object_size(job) == 0) return true;
    json_t *const line = new_line(document);
    if (!line) return false;
    bool good = set_job_id(line, job);
    for (size_t i = 0; i < sizeof job_keys / sizeof *job_keys; i++)
        good = set(line, job_keys[i], json_object_get(job, job_keys[i])) && good;
    return json_array_append_new(lines, line) == 0 && good;
}

/* A line with the seconds of each stage; none where the run tells none. */
static bool add_stages(json_t *lines, const dv_html_document *document, json_t *costs) {
    json_t *const stages = json_object_get(costs, "stages_s");
    if (json_object_size(stages) == 0) return true;
    json_t *const line = new_line(document);
    const bool good = line && json_object_update_missing(line, stages) == 0;
    return json_array_append_new(lines, line) == 0 && good;
}

bool dv_html_has_resources(const dv_html_document *documents, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (json_is_object(json_object_get(documents[i].root, "resources"))) return true;
    return false;
}

static bool add_document(const tables *t, const dv_html_document *document) {
    json_t *const root = document->root, *const costs = json_object_get(root, "resources");
    const json_t *const ranks = json_object_get(costs, "ranks");
    if (!json_is_object(costs)) return true;
    return add_line(t->costs, document, json_array_size(ranks) ? "run, as rank 0 saw it" : "run", root, costs) &&
           add_list(t->costs, document, "part", json_object_get(root, "of_parts")) &&
           add_list(t->costs, document, "rank", ranks) && add_job(t->jobs, document, json_object_get(root, "job")) &&
           add_stages(t->stages, document, costs);
}

dv_status dv_html_put_resources(FILE *stream, const dv_html_document *documents, size_t n) {
    const tables t = {json_array(), json_array(), json_array()};
    bool good = t.costs && t.jobs && t.stages;
    for (size_t i = 0; good && i < n; i++) good = add_document(&t, &documents[i]);
    dv_status status = good ? dv_html_put_value(stream, "Time and memory of runs, parts and ranks", t.costs)
                            : dv_fail(DV_E_NOMEM, "no memory for a table");
    if (status == DV_OK) status = dv_html_put_value(stream, "Batch jobs: what they were given and used", t.jobs);
    if (status == DV_OK) status = dv_html_put_value(stream, "Seconds of each stage", t.stages);
    json_decref(t.costs);
    json_decref(t.jobs);
    json_decref(t.stages);
    return status;
}
