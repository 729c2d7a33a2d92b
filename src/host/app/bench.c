#include "app/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/environment.h"
#include "app/message.h"
#include "denseval/version.h"

enum { MODEL_SIZE = 128, CELL_SIZE = 64 };
static const dv_bench_column wrong_column = {"wrong", "wrong", "(1)", 6, 0};

const dv_option dv_bench_options_table[] = {
    {"runs", "N", "timed runs of each row [3]", DV_OPT_COUNT, offsetof(dv_bench_args, runs), 1, 10000},
    {"warm-up", "N", "runs before them that are not timed [1]", DV_OPT_COUNT, offsetof(dv_bench_args, warm_up), 0,
     10000},
    {"kernel", "NAME",
     "scan kernel of the cpu backend, see info [DENSEVAL_CPU, else the fastest]; of the cuda backend, where built: "
     "wgmma or wgmma-pair",
     DV_OPT_TEXT, offsetof(dv_bench_args, kernel), 0, 0},
    {"stages", "auto|1|2", "stages of the cpu backend's filter [by a probe of the bank]", DV_OPT_CHOICE,
     offsetof(dv_bench_args, stages), 0, 0},
    {"head-dim", "N", "elements of the first of two stages [by the probe]", DV_OPT_COUNT,
     offsetof(dv_bench_args, head_dim), 1, 0},
    {0},
};

static dv_status begin_report(dv_bench *bench) {
    const dv_app_context *const context = bench->context;
    DV_TRY(dv_report_create("denseval bench v1", context->command, &bench->report));
    dv_report_setting_text(bench->report, "backend", context->common.backend);
    dv_report_setting_count(bench->report, "seed", context->common.seed);
    dv_report_setting_count(bench->report, "warm_up", bench->args->warm_up);
    dv_report_setting_count(bench->report, "runs", bench->args->runs);
    dv_report_text(bench->report, "commit", DENSEVAL_COMMIT);
    dv_report_text(bench->report, "backend", bench->device->ops->name);
    dv_report_text(bench->report, "backend_summary", bench->device->ops->summary);
    dv_report_peaks(bench->report, &bench->peaks);
    return DV_OK;
}

dv_status dv_bench_open(const dv_app_context *context, const dv_bench_args *args, dv_bench *bench) {
    *bench = (dv_bench){.context = context, .args = args};
    dv_resources_start(&bench->resources, context->n_threads);
    const dv_device_options options = {.n_threads = context->n_threads,
                                       .kernel = args->kernel ? args->kernel : dv_environment_kernel(),
                                       .n_stages = (size_t)args->stages,
                                       .head_dim = args->head_dim,
                                       .account = &bench->resources.gpu};
    DV_TRY(dv_device_open(context->common.backend, &options, &bench->device));
    const size_t limit = context->common.memory_limit, wanted = dv_peaks_read_bytes();
    DV_TRY(dv_peaks_measure(context->n_threads, limit && limit < wanted ? limit : wanted, &bench->peaks));
    return context->common.json ? begin_report(bench) : DV_OK;
}

/* "unknown CPU" where the system does not say. text  char [size] */
static void cpu_model(char *text, size_t size) {
    char line[MODEL_SIZE];
    snprintf(text, size, "unknown CPU");
    FILE *const file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        const char *const value = strstr(line, ": ");
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        snprintf(text, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        break;
    }
    (void)fclose(file); /* only read */
}

static void print_machine(const dv_bench *bench) {
    char model[MODEL_SIZE];
    const dv_peaks *const peaks = &bench->peaks;
    cpu_model(model, sizeof model);
    dv_print("# machine: %ld x %s   threads %zu\n", sysconf(_SC_NPROCESSORS_ONLN), model, peaks->n_threads);
    dv_print("# measured peaks: int8 %.0f Gop/s (%s)   fp32 %.0f Gop/s (%s)   read %.1f GB/s\n",
             peaks->int8_ops_per_s / 1e9, peaks->int8_kernel, peaks->fp32_ops_per_s / 1e9, peaks->fp32_kernel,
             peaks->read_bytes_per_s / 1e9);
}

/* A cell of text, left- or right-justified; what is too long pushes the rest. */
static void print_cell(const dv_bench_column *column, const char *text) {
    if (column->width < 0)
        dv_print(" %-*s", -column->width, text);
    else
        dv_print(" %*s", column->width, text);
}

static void print_heading(const dv_bench_column *columns, bool units) {
    dv_print("#");
    for (const dv_bench_column *column = columns; column->key; column++)
        print_cell(column, units ? column->unit : column->title);
    print_cell(&wrong_column, units ? wrong_column.unit : wrong_column.title);
    dv_print("\n");
}

/* With the first row: a stage that fails before it has said nothing. */
static void print_head(const dv_bench *bench) {
    const dv_device_ops *const ops = bench->device->ops;
    dv_print("# denseval bench %s   version %s   commit %s   backend %s   seed %" PRIu64 "   warm-up %zu   runs %zu\n",
             bench->stage, dv_version(), DENSEVAL_COMMIT, ops->name, bench->context->common.seed, bench->args->warm_up,
             bench->args->runs);
    dv_print("# backend: %s\n", ops->summary);
    print_machine(bench);
    dv_print("# %s\n", bench->note);
    print_heading(bench->columns, false);
    print_heading(bench->columns, true);
}

void dv_bench_begin(dv_bench *bench, const char *stage, const dv_bench_column *columns, const char *note) {
    bench->stage = stage;
    bench->columns = columns;
    bench->has_head = false;
    snprintf(bench->note, sizeof bench->note, "%s", note);
}

static void print_value(const dv_bench_column *column, const dv_bench_cell *cell) {
    char text[CELL_SIZE] = "-";
    if (!isnan(cell->number)) snprintf(text, sizeof text, "%.*f", column->decimals, cell->number);
    print_cell(column, column->width < 0 ? cell->text : text);
}

static void report_value(dv_report *report, const dv_bench_column *column, const dv_bench_cell *cell) {
    if (column->width < 0)
        dv_report_row_text(report, "rows", column->key, cell->text);
    else if (column->decimals == 0 && cell->number >= 0) /* false for NaN */
        dv_report_row_count(report, "rows", column->key, (uint64_t)cell->number);
    else
        dv_report_row_real(report, "rows", column->key, cell->number);
}

void dv_bench_row(dv_bench *bench, const dv_bench_cell *cells, size_t n_wrong) {
    const bool checked = n_wrong != DV_BENCH_UNCHECKED && n_wrong != DV_BENCH_NOT_PROMISED;
    const dv_bench_cell wrong = {.number = checked ? (double)n_wrong : NAN};
    bench->n_rows++;
    bench->n_wrong += checked ? n_wrong : 0;
    bench->n_unchecked += n_wrong == DV_BENCH_UNCHECKED;
    if (bench->report) {
        dv_report_row(bench->report, "rows");
        dv_report_row_text(bench->report, "rows", "stage", bench->stage);
        for (size_t i = 0; bench->columns[i].key; i++) report_value(bench->report, &bench->columns[i], &cells[i]);
        report_value(bench->report, &wrong_column, &wrong);
        return;
    }
    if (!bench->has_head) print_head(bench);
    bench->has_head = true;
    dv_print(" ");
    for (size_t i = 0; bench->columns[i].key; i++) print_value(&bench->columns[i], &cells[i]);
    print_value(&wrong_column, &wrong);
    dv_print("\n");
    (void)fflush(stdout); /* a row may have taken minutes; what goes wrong here is found when the output is closed */
}

void dv_bench_remark(dv_bench *bench, const char *about, const char *text) {
    if (!bench->report) {
        dv_print("# %s: %s\n", about, text);
        return;
    }
    dv_report_row(bench->report, "remarks");
    dv_report_row_text(bench->report, "remarks", "about", about);
    dv_report_row_text(bench->report, "remarks", "text", text);
}

bool dv_bench_on_host(const dv_bench *bench) {
    return strcmp(bench->device->ops->name, "cuda") != 0;
}

double dv_bench_peak(const dv_bench *bench, double peak) {
    return dv_bench_on_host(bench) ? peak : NAN;
}

static const char *verdict(const dv_bench *bench) {
    if (bench->n_wrong) return "WRONG";
    return bench->n_unchecked ? "NOT CHECKED" : "OK";
}

static dv_status finish(dv_bench *bench) {
    char *text = NULL;
    if (!bench->report) {
        dv_print("# verdict: %s   %zu wrong in %zu rows", verdict(bench), bench->n_wrong, bench->n_rows);
        if (bench->n_unchecked) dv_print(", %zu rows not checked", bench->n_unchecked);
        dv_print("\n");
        return DV_OK;
    }
    dv_resources_stop(&bench->resources);
    dv_report_text(bench->report, "verdict", verdict(bench));
    dv_report_count(bench->report, "wrong", bench->n_wrong);
    dv_report_resources(bench->report, &bench->resources, NULL, NULL, 0);
    DV_TRY(dv_report_json(bench->report, &text));
    dv_print("%s", text);
    free(text);
    return DV_OK;
}

dv_status dv_bench_close(dv_bench *bench, dv_status status) {
    if (status == DV_OK) status = finish(bench);
    if (status == DV_OK && bench->n_wrong)
        status =
            dv_app_fail(DV_E_INTERNAL, "bench: %zu results are not those of the backend reference", bench->n_wrong);
    if (bench->device) bench->device->ops->close(bench->device);
    dv_report_free(bench->report);
    return status;
}
