/* json_analysis.c: a viewpoint analysis as JSON (docs/FORMATS.md, "Viewpoint analysis"). */
#include <math.h>

#include "denseval/analysis.h"
#include "report/json_bootstrap.h"
#include "report/json_report.h"

static json_t *bin_list(dv_report *report, const int32_t *bins, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, json_integer(bins[i]));
    return list;
}

static json_t *real_list(dv_report *report, const double *values, size_t n) {
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) dv_report_append(report, list, dv_json_real(values[i]));
    return list;
}

static json_t *count_or_null(uint64_t value) {
    return value ? dv_json_count(value) : json_null();
}

/* A new object with the keys that name a run. */
static json_t *run_object(dv_report *report, const dv_analysis_run *run) {
    json_t *const object = json_object();
    dv_report_set(report, object, "encoder", dv_json_text(run->encoder));
    dv_report_set(report, object, "memory", count_or_null(run->memory));
    if (run->per_image) dv_report_set(report, object, "memory_kind", json_string("per_image"));
    dv_report_set(report, object, "difficulty", dv_json_text(run->difficulty));
    return object;
}

static void add_experiment_a(dv_report *report, const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap) {
    json_t *const list = json_array();
    for (size_t i = 0; i < analysis->n_runs; i++) {
        const dv_analysis_run *const run = &analysis->runs[i];
        json_t *const object = run_object(report, run);
        dv_report_set(report, object, "miou", dv_json_real(run->miou));
        dv_report_set(report, object, "std", dv_json_real(run->std));
        dv_report_set(report, object, "reference_bins", bin_list(report, run->reference_bins, run->n_reference_bins));
        dv_report_set(report, object, "scored_bins", dv_json_count(run->n_scored));
        dv_report_set(report, object, "missing_bins", bin_list(report, run->missing, run->n_missing));
        if (bootstrap) dv_report_run_intervals(report, object, bootstrap, i);
        dv_report_append(report, list, object);
    }
    dv_report_top(report, "experiment_a", list);
}

static json_t *bin_or_null(const dv_breaking_point *point) {
    return point->found ? json_integer(point->bin) : json_null();
}

static json_t *class_curves(dv_report *report, const dv_analysis *analysis, const dv_analysis_curve *curve) {
    const dv_cells *const cells = analysis->cells;
    json_t *const list = json_array();
    for (size_t c = 0; c < cells->n_classes; c++) {
        const size_t at = c * curve->n;
        json_t *const object = json_object();
        dv_report_set(report, object, "id", dv_json_count(c));
        dv_report_set(report, object, "name", cells->class_names ? dv_json_text(cells->class_names[c]) : json_null());
        dv_report_set(report, object, "iou", real_list(report, curve->class_iou + at, curve->n));
        dv_report_set(report, object, "normalised", real_list(report, curve->class_normalised + at, curve->n));
        dv_report_set(report, object, "difference", real_list(report, curve->class_difference + at, curve->n));
        dv_report_append(report, list, object);
    }
    return list;
}

static json_t *curve_object(dv_report *report, const dv_analysis *analysis, const dv_analysis_curve *curve) {
    const dv_breaking_point *const validation = &curve->breaking[DV_STEPS_VALIDATION],
                                   *const all = &curve->breaking[DV_STEPS_ALL];
    json_t *const object = run_object(report, &analysis->runs[curve->run]);
    dv_report_set(report, object, "bins", bin_list(report, curve->bins, curve->n));
    dv_report_set(report, object, "miou", real_list(report, curve->miou, curve->n));
    dv_report_set(report, object, "normalised", real_list(report, curve->normalised, curve->n));
    dv_report_set(report, object, "steps", real_list(report, curve->steps, curve->n - 1));
    dv_report_set(report, object, "breaking_bin_all", bin_or_null(all));
    dv_report_set(report, object, "breaking_bin_validation", bin_or_null(validation));
    dv_report_set(report, object, "breaking_step", dv_json_real(curve->breaking[analysis->steps].step));
    dv_report_set(report, object, "breaking_step_all", dv_json_real(all->step));
    dv_report_set(report, object, "breaking_step_validation", dv_json_real(validation->step));
    dv_report_set(report, object, "steepest_bin", bin_or_null(&curve->steepest[analysis->steps]));
    dv_report_set(report, object, "steepest_step", dv_json_real(curve->steepest[analysis->steps].step));
    dv_report_set(report, object, "missing_bins", bin_list(report, curve->missing, curve->n_missing));
    dv_report_set(report, object, "classes", class_curves(report, analysis, curve));
    return object;
}

static void add_experiment_b(dv_report *report, const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap) {
    json_t *const list = json_array();
    for (size_t i = 0; i < analysis->n_curves; i++) {
        json_t *const object = curve_object(report, analysis, &analysis->curves[i]);
        if (bootstrap) dv_report_curve_intervals(report, object, bootstrap, i);
        dv_report_append(report, list, object);
    }
    dv_report_top(report, "experiment_b", list);
}

static void set_sizes(dv_report *report, json_t *object, const dv_analysis *analysis, size_t from, size_t to) {
    dv_report_set(report, object, "from", count_or_null(analysis->runs[from].memory));
    dv_report_set(report, object, "to", count_or_null(analysis->runs[to].memory));
    if (analysis->runs[from].per_image) dv_report_set(report, object, "memory_kind", json_string("per_image"));
}

static void set_gains(dv_report *report, json_t *object, double gain, double gain_of_rounded) {
    dv_report_set(report, object, "gain", dv_json_real(gain));
    dv_report_set(report, object, "gain_of_rounded", dv_json_real(gain_of_rounded));
}

/* A list of means: `shared` is the key of what they share, `counted` that of how many they are over. */
static void add_means(dv_report *report, const dv_analysis *analysis, const char *name, bool of_encoder) {
    const dv_analysis_mean_gain *const means = of_encoder ? analysis->encoder_gains : analysis->difficulty_gains;
    const size_t n = of_encoder ? analysis->n_encoder_gains : analysis->n_difficulty_gains;
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        const dv_analysis_run *const run = &analysis->runs[means[i].from];
        json_t *const object = json_object();
        if (of_encoder)
            dv_report_set(report, object, "encoder", dv_json_text(run->encoder));
        else
            dv_report_set(report, object, "difficulty", dv_json_text(run->difficulty));
        set_sizes(report, object, analysis, means[i].from, means[i].to);
        dv_report_set(report, object, of_encoder ? "difficulties" : "encoders", dv_json_count(means[i].n));
        set_gains(report, object, means[i].gain, means[i].gain_of_rounded);
        dv_report_append(report, list, object);
    }
    dv_report_top(report, name, list);
}

static void add_experiment_c(dv_report *report, const dv_analysis *analysis) {
    json_t *const list = json_array();
    for (size_t i = 0; i < analysis->n_gains; i++) {
        const dv_analysis_gain *const gain = &analysis->gains[i];
        json_t *const object = json_object();
        dv_report_set(report, object, "encoder", dv_json_text(analysis->runs[gain->from].encoder));
        set_sizes(report, object, analysis, gain->from, gain->to);
        dv_report_set(report, object, "difficulty", dv_json_text(analysis->runs[gain->from].difficulty));
        set_gains(report, object, gain->gain, gain->gain_of_rounded);
        dv_report_append(report, list, object);
    }
    dv_report_top(report, "experiment_c", list);
    add_means(report, analysis, "experiment_c_averages", true);
    add_means(report, analysis, "experiment_c_tasks", false);
}

static json_t *provenance_object(dv_report *report, const dv_provenance *provenance) {
    json_t *const object = json_object(), *const shares = json_array();
    double total = (double)provenance->n_unfilled;
    for (size_t i = 0; i < provenance->n_bins; i++) total += (double)provenance->from[i];
    for (size_t i = 0; i < provenance->n_bins; i++)
        dv_report_append(report, shares, dv_json_real((double)provenance->from[i] / total));
    dv_report_set(report, object, "bank_bins", bin_list(report, provenance->bins, provenance->n_bins));
    dv_report_set(report, object, "shares", shares);
    dv_report_set(report, object, "same_class", dv_json_real((double)provenance->n_class / total));
    dv_report_set(report, object, "same_object", dv_json_real((double)provenance->n_object / total));
    dv_report_set(report, object, "unfilled", dv_json_real((double)provenance->n_unfilled / total));
    return object;
}

static json_t *point_object(dv_report *report, const dv_cell *cell) {
    json_t *const object = json_object();
    dv_report_set(report, object, "bin", json_integer(cell->bin));
    dv_report_set(report, object, "reference", json_boolean(cell->reference));
    dv_report_set(report, object, "miou", dv_json_real(cell->miou));
    dv_report_set(report, object, "miou_objects", dv_json_real(cell->miou_objects));
    if (cell->provenance.n_bins)
        dv_report_set(report, object, "provenance", provenance_object(report, &cell->provenance));
    return object;
}

static void add_curves(dv_report *report, const dv_analysis *analysis, const dv_viewpoint_bootstrap *bootstrap) {
    json_t *const list = json_array();
    for (size_t r = 0; r < analysis->n_runs; r++) {
        json_t *const object = run_object(report, &analysis->runs[r]), *const points = json_array();
        for (size_t i = 0; i < analysis->n_bins; i++) {
            const dv_cell *const cell = analysis->runs[r].cells[i];
            if (!cell) continue;
            json_t *const point = point_object(report, cell);
            if (bootstrap) dv_report_cell_intervals(report, point, bootstrap, (size_t)(cell - analysis->cells->cells));
            dv_report_append(report, points, point);
        }
        dv_report_set(report, object, "points", points);
        dv_report_append(report, list, object);
    }
    dv_report_top(report, "curves", list);
}

/* Only what there was: parts, a job of its own, several ranks. */
static void set_parts_job_and_ranks(dv_report *report, json_t *object, const dv_run_time *run) {
    if (run->n_parts) dv_report_set(report, object, "sum_of_parts", dv_json_count(run->n_parts));
    if (run->job) dv_report_set(report, object, "job", dv_json_text(run->job));
    if (run->n_cpus) {
        dv_report_set(report, object, "job_cpus", dv_json_count(run->n_cpus));
        dv_report_set(report, object, "allocated_cpu_s", dv_json_real(run->allocated_cpu_s));
    }
    if (run->memory_bytes) dv_report_set(report, object, "job_memory_bytes", dv_json_count(run->memory_bytes));
    if (run->n_ranks == 0) return;
    dv_report_set(report, object, "ranks", dv_json_count(run->n_ranks));
    dv_report_set(report, object, "ranks_cpu_s", dv_json_real(run->ranks_cpu_s));
    dv_report_set(report, object, "ranks_max_rss_bytes", dv_json_count(run->ranks_max_rss_bytes));
    dv_report_set(report, object, "ranks_bytes_read", dv_json_count(run->ranks_bytes_read));
    if (run->ranks_gpu.n_gpus == 0) return;
    dv_report_set(report, object, "ranks_gpu_s", dv_json_real(run->ranks_gpu.gpu_s));
    dv_report_set(report, object, "ranks_gpu_memory_bytes", dv_json_count(run->ranks_gpu.memory_bytes));
}

static void add_runtime(dv_report *report, const dv_run_times *times) {
    json_t *const list = json_array();
    for (size_t i = 0; i < times->n; i++) {
        const dv_run_time *const run = &times->runs[i];
        json_t *const object = json_object();
        dv_report_set(report, object, "results", dv_json_text(run->path));
        dv_report_set(report, object, "encoders", dv_json_text(run->encoders));
        dv_report_set(report, object, "memory", dv_json_text(run->memory));
        dv_report_set(report, object, "wall_s", dv_json_real(run->wall_s));
        dv_report_set(report, object, "cpu_s", dv_json_real(run->cpu_s));
        dv_report_set(report, object, "cpu_efficiency", dv_json_real(run->cpu_efficiency));
        dv_report_set(report, object, "max_rss_bytes", count_or_null(run->max_rss_bytes));
        dv_report_set(report, object, "memory_efficiency", dv_json_real(run->memory_efficiency));
        dv_report_set(report, object, "threads", count_or_null(run->n_threads));
        dv_report_gpu_spent(report, object, &run->gpu);
        set_parts_job_and_ranks(report, object, run);
        dv_report_append(report, list, object);
    }
    dv_report_top(report, "runtime", list);
}

static bool is_partial(const dv_analysis *analysis) {
    for (size_t i = 0; i < analysis->n_runs; i++)
        if (analysis->runs[i].n_missing) return true;
    for (size_t i = 0; i < analysis->n_curves; i++)
        if (analysis->curves[i].n_missing) return true;
    return false;
}

void dv_report_analysis(dv_report *report, const dv_analysis *analysis, const dv_analysis_extras *extras) {
    const dv_viewpoint_bootstrap *const bootstrap = extras ? extras->bootstrap : NULL;
    dv_report_top(report, "partial", json_boolean(is_partial(analysis)));
    dv_report_top(report, "bins", bin_list(report, analysis->bins, analysis->n_bins));
    add_experiment_a(report, analysis, bootstrap);
    add_experiment_b(report, analysis, bootstrap);
    add_experiment_c(report, analysis);
    add_curves(report, analysis, bootstrap);
    if (bootstrap) dv_report_bootstrap(report, analysis, bootstrap);
    if (extras && extras->times && extras->times->n) add_runtime(report, extras->times);
}
