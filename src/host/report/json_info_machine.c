#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "denseval/device.h"
#include "denseval/plot.h"
#include "denseval/version.h"
#include "report/json_info.h"
#include "report/json_report.h"

enum { FACTS_SIZE = 4096, REASON_SIZE = 512 };

static json_t *limit(size_t value) {
    return value ? dv_json_count(value) : json_null();
}

static json_t *threads_object(dv_report *report, const dv_thread_limits *limits) {
    json_t *const object = json_object();
    dv_report_set(report, object, "allowed", dv_json_count(limits->allowed));
    dv_report_set(report, object, "option", limit(limits->option));
    dv_report_set(report, object, "omp_num_threads", limit(limits->omp));
    dv_report_set(report, object, "slurm_cpus_per_task", limit(limits->slurm));
    dv_report_set(report, object, "affinity", limit(limits->affinity));
    dv_report_set(report, object, "cgroup", limit(limits->cgroup));
    return object;
}

/* The lines "name: value" of dv_build_info as an object. */
static json_t *build_object(dv_report *report) {
    char facts[FACTS_SIZE];
    json_t *const object = json_object();
    dv_build_info(facts, sizeof facts);
    char *rest = facts;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        char *const colon = strstr(line, ": ");
        if (!colon) continue;
        *colon = '\0';
        dv_report_set(report, object, line, json_string(colon + 2));
    }
    return object;
}

static json_t *device_list(dv_report *report) {
    json_t *const list = json_array();
    for (const dv_device_ops *const *device = dv_devices(); *device; device++) {
        char why[REASON_SIZE] = "";
        const bool usable = (*device)->usable(why, sizeof why);
        json_t *const object = json_object();
        dv_report_set(report, object, "name", json_string((*device)->name));
        dv_report_set(report, object, "usable", json_boolean(usable));
        dv_report_set(report, object, "reason", usable ? json_null() : json_string(why));
        dv_report_set(report, object, "summary", json_string((*device)->summary));
        dv_report_append(report, list, object);
    }
    return list;
}

/* The scan kernels of the cpu device, the fastest first: name and whether this processor runs it. */
static json_t *kernel_list(dv_report *report) {
    enum { MOST = 16 };
    dv_cpu_kernel kernels[MOST];
    const size_t n = dv_cpu_kernels(kernels, MOST);
    json_t *const list = json_array();
    for (size_t i = 0; i < n && i < MOST; i++) {
        json_t *const object = json_object();
        dv_report_set(report, object, "name", json_string(kernels[i].name));
        dv_report_set(report, object, "usable", json_boolean(kernels[i].usable));
        dv_report_append(report, list, object);
    }
    return list;
}

static json_t *plots_object(dv_report *report) {
    char text[REASON_SIZE];
    const bool usable = dv_plot_usable(text, sizeof text);
    json_t *const object = json_object();
    dv_report_set(report, object, "usable", json_boolean(usable));
    dv_report_set(report, object, "program", usable ? dv_json_text(text) : json_null());
    dv_report_set(report, object, "reason", usable ? json_null() : dv_json_text(text));
    return object;
}

dv_status dv_info_machine(dv_report *report, const dv_thread_limits *limits, char **table) {
    if (table) *table = NULL;
    json_t *const machine = json_object();
    if (!machine) return dv_fail(DV_E_NOMEM, "no memory for the report");
    dv_report_set(report, machine, "version", json_string(dv_version()));
    dv_report_set(report, machine, "blas", json_string(dv_blas_core()));
    dv_report_set(report, machine, "cpu_kernels", kernel_list(report));
    dv_report_set(report, machine, "build", build_object(report));
    dv_report_set(report, machine, "threads", threads_object(report, limits));
    dv_report_set(report, machine, "devices", device_list(report));
    dv_report_set(report, machine, "plots", plots_object(report));
    const dv_status status = table ? dv_info_format(machine, table) : DV_OK;
    if (status == DV_OK)
        dv_report_top(report, "machine", machine);
    else
        json_decref(machine);
    return status;
}
