/* json_job.c: the batch job of a run in its resources. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

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
    dv_report_gpu_spent(report, object, &usage->gpu);
    dv_report_top(report, "job", object);
}

void dv_report_job_resources(dv_report *report, const dv_job *job, const dv_resources *resources) {
    const dv_job_usage usage = {.cpu_s = resources->cpu_s,
                                .allocated_cpu_s = resources->wall_s * (double)job->n_cpus,
                                .max_rss_bytes = resources->max_rss_bytes,
                                .gpu = resources->gpu};
    dv_report_job(report, job, &usage);
}

/* Of the ranks of a node the first one stands for it. */
static bool stands_for_node(const dv_rank_spent *spent, size_t rank) {
    for (size_t i = 0; i < rank; i++)
        if (strcmp(spent[i].host, spent[rank].host) == 0) return false;
    return true;
}

void dv_report_job_ranks(dv_report *report, const dv_job *job, const dv_rank_spent *spent, size_t n_ranks) {
    dv_job all = *job;
    dv_job_usage usage = {0};
    double wall_s = 0;
    all.n_cpus = all.memory_bytes = all.n_gpus = 0;
    for (size_t i = 0; i < n_ranks; i++) {
        wall_s = fmax(wall_s, spent[i].wall_s);
        usage.cpu_s += spent[i].cpu_s;
        usage.max_rss_bytes += (size_t)spent[i].max_rss_bytes;
        dv_gpu_account_join(&usage.gpu, &spent[i].gpu);
        if (!stands_for_node(spent, i)) continue;
        all.n_cpus += (size_t)spent[i].job_cpus;
        all.memory_bytes += (size_t)spent[i].job_memory_bytes;
        all.n_gpus += (size_t)spent[i].job_gpus;
    }
    usage.allocated_cpu_s = wall_s * (double)all.n_cpus;
    dv_report_job(report, &all, &usage);
}
