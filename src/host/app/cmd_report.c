/* cmd_report.c: `denseval report`: a result folder as one page. */
#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/html_report.h"
#include "denseval/report.h"

typedef struct report_args {
    const char *out;
} report_args;

static const dv_option options[] = {
    {"out", "REPORT", "HTML file to write", DV_OPT_PATH, offsetof(report_args, out), 0, 0},
    {0},
};

static dv_status print_json(const dv_app_context *context, const char *out, const dv_html_report *page,
                            const dv_resources *resources) {
    dv_report *report;
    DV_TRY(dv_report_create("denseval report v1", context->command, &report));
    dv_report_setting_text(report, "folder", context->files.paths[0]);
    dv_report_text(report, "out", out);
    dv_report_count(report, "results", page->n_results);
    dv_report_count(report, "figures", page->n_figures);
    dv_report_count(report, "pictures", page->n_pictures);
    dv_report_count(report, "left_out", page->n_left_out);
    dv_report_count(report, "passed_over", page->n_passed_over);
    dv_report_resources(report, resources, NULL, NULL, 0);
    const dv_status status = dv_output_report(report);
    dv_report_free(report);
    return status;
}

static dv_status run_report(const dv_app_context *context, void *arguments) {
    const report_args *const args = arguments;
    const char *const folder = context->files.paths[0];
    dv_html_report page;
    dv_resources resources;
    DV_TRY(dv_target_check_new(args->out, context->common.force));
    DV_TRY(dv_target_check_input("--out", args->out, folder));
    dv_resources_start(&resources, 1);
    DV_TRY(dv_html_report_save(folder, args->out, context->common.force, &page));
    dv_resources_stop(&resources);
    if (context->common.json) return print_json(context, args->out, &page, &resources);
    dv_print("%zu results, %zu figures, %zu pictures; %zu images left out, %zu files passed over\n", page.n_results,
             page.n_figures, page.n_pictures, page.n_left_out, page.n_passed_over);
    dv_print("page: %s\n", args->out);
    return DV_OK;
}

const dv_command dv_cmd_report = {
    .name = "report",
    .summary = "Make one HTML page of a result folder",
    .usage = "DIR --out REPORT [OPTIONS]",
    .notes = "DIR is what sweep, viewpoint analyze, jf, objects or overlay left, or a folder with the output of --json "
             "of any "
             "command. The page needs no other file and no network: what was run, tables, curves, heat maps of "
             "confusion, figures, pictures and resources.",
    .options = options,
    .common = DV_COMMON_FORCE | DV_COMMON_JSON,
    .required = "out",
    .args_size = sizeof(report_args),
    .min_files = 1,
    .max_files = 1,
    .run = run_report,
};
