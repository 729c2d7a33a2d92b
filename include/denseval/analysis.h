/* analysis.h: Experiments A, B and C of the multi-view benchmark from the cells of a sweep. Definitions and their
 * sources: docs/METRICS.md, "Viewpoint benchmark". */
#ifndef DENSEVAL_ANALYSIS_H
#define DENSEVAL_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/cells.h"
#include "denseval/gpu_account.h"
#include "denseval/labels.h"
#include "denseval/object_counts.h"
#include "denseval/report.h"
#include "denseval/status.h"
#include "denseval/viewpoint.h"

DV_C_BEGIN

typedef struct dv_analysis_options {
    dv_steps steps;      /* whose breaking points the tables show; the JSON has both */
    double threshold;    /* a step of at most -threshold breaks; 0.1 in the paper */
    const int32_t *bins; /* i32 [n_bins], rising: the bins that each run should have; NULL: those of all cells, filled
                          * up to a regular grid where all distances are multiples of the smallest. Borrowed */
    size_t n_bins;
} dv_analysis_options;

/* One configuration over all bins: an encoder with a memory size and a set of reference bins. */
typedef struct dv_analysis_run {
    const char *encoder; /* this and the next ones: borrowed from the cells */
    uint64_t memory;
    bool per_image;
    const int32_t *reference_bins;
    size_t n_reference_bins;
    char *difficulty;      /* its name; where the cells have none, the reference bins: "0_15" */
    const dv_cell **cells; /* [n_bins]; NULL: this bin is missing */
    double miou, std;      /* Experiment A: means over the validation bins that have a value; NaN: there is none */
    size_t n_scored;       /* bins of these means */
    int32_t *missing;      /* i32 [n_missing]: validation bins without a value */
    size_t n_missing;
} dv_analysis_run;

typedef struct dv_breaking_point {
    bool found;
    int32_t bin; /* the first bin behind a step of at most -threshold */
    double step; /* that step; NaN where none breaks */
} dv_breaking_point;

/* Experiment B: a run of one reference bin, from that bin upwards. Curves are f64 [n], steps f64 [n - 1]; NaN: missing.
 */
typedef struct dv_analysis_curve {
    size_t run; /* index into runs */
    size_t n;
    int32_t *bins; /* i32 [n]; the first one is the reference bin */
    double *miou, *normalised, *steps;
    dv_breaking_point breaking[2]; /* by dv_steps */
    dv_breaking_point steepest[2]; /* the lowest step tested, whether it breaks or not */
    int32_t *missing;              /* i32 [n_missing]: bins without a value */
    size_t n_missing;
    /* Of each class, f64 [n_classes, n]: IoU, IoU over that in the reference bin, and this less `normalised`
     * (Appendix E.2) */
    double *class_iou, *class_normalised, *class_difference;
} dv_analysis_curve;

/* Experiment C: what a larger memory gains. */
typedef struct dv_analysis_gain {
    size_t from, to;        /* indices into runs: same encoder and reference bins, rising memory */
    double gain;            /* of the mIoU of Experiment A; NaN where the two are not over the same bins */
    double gain_of_rounded; /* of the values rounded to three decimals, as in the paper's Table 10 */
} dv_analysis_gain;

/* Its mean over difficulties, or over encoders; NaN where one of them has none. */
typedef struct dv_analysis_mean_gain {
    size_t from, to; /* runs of one of the gains: which memory sizes, and which encoder or difficulty */
    size_t n;
    double gain, gain_of_rounded;
} dv_analysis_mean_gain;

typedef struct dv_analysis {
    const dv_cells *cells; /* borrowed until the analysis is cleared */
    dv_steps steps;
    double threshold;
    size_t n_bins, n_runs, n_curves, n_gains, n_encoder_gains, n_difficulty_gains;
    int32_t *bins;         /* i32 [n_bins], rising */
    dv_analysis_run *runs; /* encoders as they come, memory rising, difficulties as they come */
    dv_analysis_curve *curves;
    dv_analysis_gain *gains; /* neighbouring sizes first, then ever farther ones; as runs within */
    dv_analysis_mean_gain *encoder_gains, *difficulty_gains;
} dv_analysis;

/* Fails with DV_E_ARG (threshold not above 0, bins not rising), DV_E_DATA (no cell has a score), DV_E_NOMEM.
 * *out: release with dv_analysis_clear; zeroed on failure */
DV_MUST_USE dv_status dv_analysis_compute(const dv_cells *cells, const dv_analysis_options *options, dv_analysis *out);
void dv_analysis_clear(dv_analysis *analysis); /* also on a zeroed struct */

/* Time and memory of the run that left a result file, from the `resources.json` beside it. NaN and 0: not told there.
 * The efficiencies are of what the run's batch job was given; where there was none that told, that of CPUs is of the
 * threads, and that of memory NaN. */
typedef struct dv_run_time {
    char *path;      /* of the result file */
    char *resources; /* of the resources.json */
    char *encoders;  /* names with ", " between them */
    char *memory;    /* sizes likewise */
    double wall_s, cpu_s, cpu_efficiency, memory_efficiency;
    uint64_t max_rss_bytes, n_threads;
    uint64_t n_parts;              /* of a merged result, whose times are their sum, and memory that of the largest */
    char *job;                     /* its id, "1230_3"; NULL: none */
    double allocated_cpu_s;        /* CPUs of the job times wall seconds */
    uint64_t n_cpus, memory_bytes; /* of the job */
    /* Of all ranks together, where there were several: 0 and NaN otherwise; the largest peak of one. */
    uint64_t n_ranks, ranks_bytes_read, ranks_max_rss_bytes;
    double ranks_cpu_s;
    dv_gpu_account gpu, ranks_gpu; /* of the run, and of all ranks together; zeroed where no GPU was used */
} dv_run_time;

typedef struct dv_run_times {
    size_t n;
    dv_run_time *runs; /* [n]: of the files that have one beside them */
} dv_run_times;

/* Looks beside each of the result files. *out: release with dv_run_times_clear; zeroed on failure. Fails with DV_E_DATA
 * (a resources.json that is none, or has numbers that no run could have), DV_E_IO, DV_E_NOMEM, and as dv_cells_read. */
DV_MUST_USE dv_status dv_run_times_read(const char *const *paths, size_t n_paths, dv_run_times *out);
void dv_run_times_clear(dv_run_times *times); /* also on a zeroed struct */

/* The counts of all cells, in their order, from the object_counts.h5 beside the result files that the cells were read
 * from; all must be of the same objects. *absent is the policy of their settings (skip where they tell none). *out:
 * release with dv_object_counts_clear; zeroed on failure. Fails with DV_E_MISSING (no counts beside a file), DV_E_DATA
 * (counts of other cells, classes or objects; different policies; a cell that no counts are of), DV_E_IO, DV_E_NOMEM.
 */
DV_MUST_USE dv_status dv_analysis_counts_read(const char *const *paths, size_t n_paths, const dv_cells *cells,
                                              dv_object_counts *out, dv_absent *absent);

struct dv_viewpoint_bootstrap; /* denseval/viewpoint_bootstrap.h */

/* What an analysis may show beside the numbers of its cells; NULL: not known. All borrowed for the call. */
typedef struct dv_analysis_extras {
    const dv_run_times *times;
    const struct dv_viewpoint_bootstrap *bootstrap; /* of this analysis */
} dv_analysis_extras;

/* `experiment_a`, `experiment_b`, `experiment_c` and the other keys of docs/FORMATS.md, "Viewpoint analysis".
 * extras  NULL: none */
void dv_report_analysis(dv_report *report, const dv_analysis *analysis, const dv_analysis_extras *extras);

typedef enum dv_plots {
    DV_PLOTS_AUTO = 0,    /* where gnuplot can draw them, else a warning is logged */
    DV_PLOTS_NONE = 1,    /* none */
    DV_PLOTS_REQUIRED = 2 /* all, or the call fails */
} dv_plots;

/* Writes all files of docs/FORMATS.md, "Viewpoint analysis", into a folder that exists; each is written beside its name
 * and renamed, and replaces what was there.
 * report  holds settings and inputs, gets what dv_report_analysis adds, and is written as analysis.json; borrowed
 * Fails with DV_E_IO, DV_E_NOMEM, and as dv_report_failure and dv_plot_analysis. */
DV_MUST_USE dv_status dv_analysis_write(const char *folder, const dv_analysis *analysis,
                                        const dv_analysis_extras *extras, dv_plots plots, dv_report *report);

/* The same into a new folder `path`, which is absent or complete. An existing one is DV_E_USAGE unless `force`, which
 * replaces a folder that holds nothing but a result of this program. */
DV_MUST_USE dv_status dv_analysis_save(const char *path, bool force, const dv_analysis *analysis,
                                       const dv_analysis_extras *extras, dv_plots plots, dv_report *report);

/* The tables of Experiments A and B as short text for people. *text: the caller's until free() */
DV_MUST_USE dv_status dv_analysis_table(const dv_analysis *analysis, char **text);

DV_C_END
#endif
