/* json_job.c: the batch job of a run in its resources. */
#include <jansson.h>
#include <math.h>

#include "report/json_report.h"

static double share_of(double used, double given) {
    return given > 0 ? used / given : NAN;
}

static void set_text(dv_report *report, json_t *object, const char *name, const char *text) {
    if (text) dv_report_set(report, object, name, dv_json_text(text));
}

static void set_count(dv_report *report, json_t *object, const char *name, size_t count) {
    if (count) dv_report_set(report, object, name, dv_json_count(count));
}

void dv_report_job(dv_report *report, const dv_job *job, const dv_job_usage *usage) {
    if (!job->id && !job->n_cpus) return;
    json_t *const object = json_object();
    set_text(report, object, "id", job->id);
    set_text(report, object, "array_id", job->array_id);
    set_text(report, object, "array_task", job->array_task);
    set_text(report, object, "node", job->node);
    if (job->id) dv_report_set(report, object, "restarts", dv_json_count(job->n_restarts));
    set_count(report, object, "cpus", job->n_cpus);
    set_count(report, object, "memory_bytes", job->memory_bytes);
    set_count(report, object, "gpus", job->n_gpus);
    if (job->n_cpus) {
        dv_report_set(report, object, "allocated_cpu_s", dv_json_real(usage->allocated_cpu_s));
        dv_report_set(report, object, "cpu_efficiency", dv_json_real(share_of(usage->cpu_s, usage->allocated_cpu_s)));
    }
    if (job->memory_bytes)
        dv_report_set(report, object, "memory_efficiency",
                      dv_json_real(share_of((double)usage->max_rss_bytes, (double)job->memory_bytes)));
    dv_report_top(report, "job", object);
}

void dv_report_job_resources(dv_report *report, const dv_job *job, const dv_resources *resources) {
    const dv_job_usage usage = {.cpu_s = resources->cpu_s,
                                .allocated_cpu_s = resources->wall_s * (double)job->n_cpus,
                                .max_rss_bytes = resources->max_rss_bytes};
    dv_report_job(report, job, &usage);
}
