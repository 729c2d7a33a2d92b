/* cmd_info.c: `denseval info`: what files hold; without one, what this machine offers. */
#include <stdint.h>
#include <stdlib.h>

#include "app/commands.h"
#include "app/message.h"
#include "denseval/info.h"
#include "denseval/report.h"

typedef struct info_args {
    bool check;
} info_args;

static const dv_option options[] = {
    {"check", NULL, "read everything, and refuse what is not finite or not in its range", DV_OPT_FLAG,
     offsetof(info_args, check), 0, 0},
    {0},
};

/* Fills the report. The table is made of the same values. */
static dv_status gather(const dv_app_context *context, const info_args *args, dv_report *report, char **table) {
    const size_t n = context->files.n;
    const char *const *const paths = dv_path_list_items(&context->files);
    if (n == 0) return dv_info_machine(report, &context->limits, table);
    dv_report_setting_bool(report, "check", args->check);
    DV_TRY(dv_info_files(report, paths, n, args->check, table));
    for (size_t i = 0; context->common.json && i < n; i++) dv_report_input(report, paths[i]);
    return DV_OK;
}

static dv_status run_info(const dv_app_context *context, void *arguments) {
    const info_args *const args = arguments;
    if (args->check && context->files.n == 0) return dv_app_fail(DV_E_USAGE, "--check: needs a file");
    dv_report *report = NULL;
    char *table = NULL, *json = NULL;
    dv_resources resources;
    dv_resources_start(&resources, context->n_threads);
    dv_status status = dv_report_create("denseval info v1", context->command, &report);
    if (status == DV_OK) status = gather(context, args, report, &table);
    if (status == DV_OK) {
        dv_resources_stop(&resources);
        dv_report_resources(report, &resources, NULL, NULL, 0);
        status = dv_report_json(report, &json); /* also tells what failed while the report grew */
    }
    if (status == DV_OK) dv_print("%s", context->common.json ? json : table);
    free(json);
    free(table);
    dv_report_free(report);
    return status;
}

const dv_command dv_cmd_info = {
    .name = "info",
    .summary = "Tell what a feature, bank, knn or result file holds, or what this machine offers",
    .usage = "[FILE...] [OPTIONS]",
    .options = options,
    .common = DV_COMMON_JSON | DV_COMMON_THREADS,
    .args_size = sizeof(info_args),
    .max_files = SIZE_MAX,
    .run = run_info,
};
