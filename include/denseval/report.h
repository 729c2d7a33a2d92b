/* report.h: results as one JSON object, and as a short table for people. */
#ifndef DENSEVAL_REPORT_H
#define DENSEVAL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/cells.h"
#include "denseval/dining.h"
#include "denseval/dining_compare.h"
#include "denseval/eval.h"
#include "denseval/gpu_account.h"
#include "denseval/jf.h"
#include "denseval/jf_worst.h"
#include "denseval/job.h"
#include "denseval/label_iou.h"
#include "denseval/muvod.h"
#include "denseval/names.h"
#include "denseval/objects.h"
#include "denseval/overlay.h"
#include "denseval/peak.h"
#include "denseval/ranks.h"
#include "denseval/search.h"
#include "denseval/splits.h"
#include "denseval/status.h"
#include "denseval/viewpoint_bin.h"

DV_C_BEGIN

/* Time and memory of this process between dv_resources_start and dv_resources_stop. */
typedef struct dv_resources {
    double wall_s, cpu_s;
    size_t max_rss_bytes, n_threads;
    size_t memory_limit_bytes; /* what the machine and the memory cgroup allow; 0: not known */
    dv_gpu_account gpu;        /* of devices that were given it, see dv_device_options */
} dv_resources;

void dv_resources_start(dv_resources *resources, size_t n_threads);
void dv_resources_stop(dv_resources *resources);
/* Bytes of this process that are in memory now; 0 where the system does not tell. */
size_t dv_resident_bytes(void);

/* A JSON object that grows key by key, in the order of the calls. The first failure is kept and comes back from
 * dv_report_failure and dv_report_json, so the calls in between need no check. Texts need not be UTF-8: other bytes
 * become U+FFFD. A count above INT64_MAX becomes a text. It always has `schema`, `command`, `version`, `settings` and
 * `inputs` in front. */
typedef struct dv_report dv_report;

DV_MUST_USE dv_status dv_report_create(const char *schema, const char *command, dv_report **out);
void dv_report_free(dv_report *report);

/* One policy or option that was in force. A text may be NULL: null. */
void dv_report_setting_text(dv_report *report, const char *name, const char *value);
void dv_report_setting_count(dv_report *report, const char *name, uint64_t value);
void dv_report_setting_real(dv_report *report, const char *name, double value);
void dv_report_setting_bool(dv_report *report, const char *name, bool value);
void dv_report_setting_null(dv_report *report, const char *name);
/* Numbers, for example bins. */
void dv_report_setting_list(dv_report *report, const char *name, const int32_t *values, size_t n);
void dv_report_setting_counts(dv_report *report, const char *name, const uint64_t *values, size_t n);
/* A list of objects, as dv_report_row below. A text may be NULL: null. */
void dv_report_setting_row(dv_report *report, const char *list);
void dv_report_setting_row_text(dv_report *report, const char *list, const char *name, const char *value);
void dv_report_setting_row_list(dv_report *report, const char *list, const char *name, const int32_t *values, size_t n);

/* Texts, for example paths. */
void dv_report_setting_names(dv_report *report, const char *name, const dv_names *names);

/* An input file: path as given, size, content hash. Reads it whole. */
void dv_report_input(dv_report *report, const char *path);
/* The same for a file whose hash is known. */
void dv_report_hashed_input(dv_report *report, const char *path, uint64_t size_bytes, const char *hash);

/* A top-level value. */
void dv_report_count(dv_report *report, const char *name, uint64_t value);
void dv_report_text(dv_report *report, const char *name, const char *value);
void dv_report_real(dv_report *report, const char *name, double value);

/* A list of objects at the top: dv_report_row adds an empty object to the list `list`, which the first call makes; the
 * others fill the newest object, the first one where there is none yet. NaN becomes null. */
void dv_report_row(dv_report *report, const char *list);
void dv_report_row_text(dv_report *report, const char *list, const char *name, const char *value);
void dv_report_row_count(dv_report *report, const char *list, const char *name, uint64_t value);
void dv_report_row_real(dv_report *report, const char *list, const char *name, double value);

/* The keys of docs/FORMATS.md, "Result JSON": `miou`, `classes`, `confusion`, ... ; `queries`, `rows`, `k`, `search`;
 * `rows`,
 * ... */
void dv_report_eval(dv_report *report, const dv_eval_result *result, const dv_bank_info *bank,
                    const dv_feature_info *queries, const bool *excluded);
void dv_report_knn(dv_report *report, const dv_search_summary *summary);
void dv_report_bank(dv_report *report, const dv_bank_info *bank);
/* `cells`, in their order (docs/FORMATS.md, "Results of a sweep"). */
void dv_report_cells(dv_report *report, const dv_cells *cells);
/* `peaks` of a bench. */
void dv_report_peaks(dv_report *report, const dv_peaks *peaks);
void dv_report_overlay(dv_report *report, const dv_overlay_result *result);
/* The keys of docs/FORMATS.md, "J and F", and both folders among the inputs. */
void dv_report_jf(dv_report *report, const dv_jf_options *options, const dv_jf_result *result);
/* `worst`, in its order. */
void dv_report_jf_worst(dv_report *report, const dv_jf_result *result, const dv_jf_worst *worst, size_t n_worst);
/* The keys of docs/FORMATS.md, "MUVOD", and metadata and folders among the inputs. */
void dv_report_muvod(dv_report *report, const dv_muvod_options *options, const dv_muvod_result *result);

/* The keys of docs/FORMATS.md, "3D targets", and the file of targets and all folders among the inputs. */
void dv_report_objects(dv_report *report, const dv_objects_options *options, const dv_objects_result *result);
/* The keys of docs/FORMATS.md, "Dining", and both files among the inputs. */
void dv_report_dining(dv_report *report, const dv_dining_options *options, const dv_dining_result *result);
/* `against`, and its file among the inputs. */
void dv_report_dining_comparison(dv_report *report, const char *against, const dv_dining_comparison *comparison);
/* The keys of docs/FORMATS.md, "Label maps", and both sides among the inputs. names: [n_classes], or NULL */
void dv_report_label_iou(dv_report *report, const dv_label_iou_options *options, const dv_label_iou_result *result,
                         const char *const *names);
/* `leakage`, and lists and pictures among the inputs. */
void dv_report_splits(dv_report *report, const dv_splits_options *options, const dv_splits_result *result);
/* `objects`, `classes`, `total`, `skipped`, `partial` of `viewpoint bin`, and its models among the inputs. */
void dv_report_viewpoint_bin(dv_report *report, const dv_view_options *options, const dv_view_result *result);
/* `images` of the manifest of a folder of links, `partial`, and the models among the inputs. */
void dv_report_view_manifest(dv_report *report, const dv_view_options *options, const dv_view_result *result);
/* `resources`; stages are [n_stages] names with wall seconds. */
void dv_report_resources(dv_report *report, const dv_resources *resources, const char *const *stages,
                         const double *stage_s, size_t n_stages);

/* `resources.ranks`, behind dv_report_resources: the account of each rank, in order. */
void dv_report_ranks(dv_report *report, const dv_rank_spent *spent, size_t n_ranks);

/* What a job used of what it was given. */
typedef struct dv_job_usage {
    double cpu_s, allocated_cpu_s; /* used; CPUs given times wall seconds */
    size_t max_rss_bytes;
    dv_gpu_account gpu; /* used */
} dv_job_usage;

/* `job`: ids, what was given, and the shares of it that were used. Nothing where there is no job. */
void dv_report_job(dv_report *report, const dv_job *job, const dv_job_usage *usage);
/* The same of a run that had the job's CPUs from its beginning to its end. */
void dv_report_job_resources(dv_report *report, const dv_job *job, const dv_resources *resources);
/* The same of ranks: what their nodes were given together, and the shares that all ranks used, from accounts. A node is
 * known by its host name. */
void dv_report_job_ranks(dv_report *report, const dv_job *job, const dv_rank_spent *spent, size_t n_ranks);

/* What went wrong so far: to be asked before a result takes its name, since what fails later comes too late. */
DV_MUST_USE dv_status dv_report_failure(const dv_report *report);

enum { DV_DIFFERS_SIZE = 128 };

/* Compares a report with the text of a result file that may be of the same run: version, settings, inputs and part.
 * *kind    are schema and command the same? Not so where the text is no JSON object
 * differs  char [DV_DIFFERS_SIZE]: the first thing that is not the same, for example "settings.k"; "": nothing
 * Fails with what went wrong while the report grew. */
DV_MUST_USE dv_status dv_report_begins_as(const dv_report *report, const char *text, bool *kind, char *differs);

/* Writes the object as indented text with 17 significant digits and a newline. *text: the caller's until free(). */
DV_MUST_USE dv_status dv_report_json(dv_report *report, char **text);

/* The table of eval: overall scores, a line a class, a line a bin. *text: the caller's until free(). */
DV_MUST_USE dv_status dv_report_eval_table(const dv_eval_result *result, const dv_bank_info *bank,
                                           const dv_feature_info *queries, const bool *excluded, char **text);

/* The table of viewpoint bin: a line a bin of each model, or a line an object and a class. *text: as above */
DV_MUST_USE dv_status dv_report_viewpoint_bin_table(const dv_view_options *options, const dv_view_result *result,
                                                    char **text);

/* The table of jf: a line an object, then the totals. *text: as above */
DV_MUST_USE dv_status dv_report_jf_table(const dv_jf_result *result, char **text);

/* The table of dining: the scores, then a line a group. *text: as above */
DV_MUST_USE dv_status dv_report_dining_table(const dv_dining_options *options, const dv_dining_result *result,
                                             char **text);

/* The table of a comparison, a line a metric. *text: as above */
DV_MUST_USE dv_status dv_report_dining_comparison_table(const char *against, const dv_dining_comparison *comparison,
                                                        char **text);

/* Writes a CSV of a line a question: its place, the line of its prediction, what became of it, and the option or the
 * numbers that were read. An existing file is DV_E_USAGE unless force. Fails with DV_E_IO, DV_E_NOMEM too. */
DV_MUST_USE dv_status dv_dining_save_records(const char *path, bool force, const dv_dining_options *options,
                                             const dv_dining_result *result);

/* The table of the worst frames, a line each. *text: as above */
DV_MUST_USE dv_status dv_report_jf_worst_table(const dv_jf_result *result, const dv_jf_worst *worst, size_t n_worst,
                                               char **text);

/* What a result folder of jf has beside its tables. All borrowed for the call. */
typedef struct dv_jf_figures {
    const dv_jf_options *options; /* resolved, that the result was made by; its masks are read again */
    size_t n_worst;               /* 0: no pictures */
    const dv_jf_worst *worst;
    const char *images; /* folder SEQUENCE/FRAME.jpg or .png, to draw over; NULL: over gray */
    bool curves;        /* figures of J and F over frames, up to eight sequences each */
} dv_jf_figures;

/* The files of a result of jf: results.json of `results`, resources.json of `resources`, and the tables
 * global_results.csv, per-sequence_results.csv (both as davis2017-evaluation names them) and per-frame.csv; and what
 * `figures` asks for: worst/SEQUENCE_FRAME_ID.png, curves-01.svg and .png, and so on. NULL: nothing.
 * dv_jf_write puts them into a folder that is there, dv_jf_save makes the folder: it is absent or complete, and one
 * that exists is DV_E_USAGE unless force, which replaces a result of ours. Fails with DV_E_IO, DV_E_NOMEM, what went
 * wrong in the reports, DV_E_MISSING and DV_E_DATA where pictures to draw over are missing or of another size (all are
 * listed; with skip_bad they are gray), and DV_E_BACKEND where there is no gnuplot for curves. */
DV_MUST_USE dv_status dv_jf_write(const char *folder, const dv_jf_result *result, const dv_jf_figures *figures,
                                  dv_report *results, dv_report *resources);
DV_MUST_USE dv_status dv_jf_save(const char *path, bool force, const dv_jf_result *result, const dv_jf_figures *figures,
                                 dv_report *results, dv_report *resources);

/* The table of muvod: a line a scene, then the means. *text: as above */
DV_MUST_USE dv_status dv_report_muvod_table(const dv_muvod_options *options, const dv_muvod_result *result,
                                            char **text);

/* As dv_jf_save, with scenes.csv in place of the tables of DAVIS, and where there is gnuplot a figure of scores against
 * numbers of objects, objects.svg and objects.png. */
DV_MUST_USE dv_status dv_muvod_save(const char *path, bool force, const dv_muvod_options *options,
                                    const dv_muvod_result *result, dv_report *results, dv_report *resources);

/* The table of objects: a line a target, a column a method, then the statistics of the categories. *text: as above */
DV_MUST_USE dv_status dv_report_objects_table(const dv_objects_options *options, const dv_objects_result *result,
                                              char **text);

/* As dv_jf_save, with the tables per-target.csv and per-view.csv, and where there is gnuplot a box plot of the
 * categories, iou.svg and iou.png. */
DV_MUST_USE dv_status dv_objects_save(const char *path, bool force, const dv_objects_options *options,
                                      const dv_objects_result *result, dv_report *results, dv_report *resources);

/* The table of iou: overall scores, then a line a class, the least IoU first; classes without pixels are counted.
 * *text: as above */
DV_MUST_USE dv_status dv_report_label_iou_table(const dv_label_iou_options *options, const dv_label_iou_result *result,
                                                const char *const *names, char **text);

/* What two splits share. *text: as above */
DV_MUST_USE dv_status dv_report_splits_table(const dv_splits_options *options, const dv_splits_result *result,
                                             char **text);

/* Draws the confusion as a heat map to PATH.svg and PATH.png: of the pixels of each true class, the share of each
 * predicted one; classes with pixels on either side, of more than 256 those with the most. names: [n_classes], or NULL.
 * Fails as dv_plot_matrix_draw, and with DV_E_DATA where no class has a pixel. */
DV_MUST_USE dv_status dv_label_iou_draw(const char *path, bool force, const dv_label_iou_result *result,
                                        const char *const *names);

/* Files of a result; NULL: not wanted. Paths are borrowed. */
typedef struct dv_label_iou_files {
    const char *per_image; /* CSV of a line an image (docs/FORMATS.md, "Scores of label maps") */
    const char *per_class; /* CSV of a line a class, by id, absent classes included */
    const char *heat_map;  /* as `path` of dv_label_iou_draw */
} dv_label_iou_files;

/* Writes files beside their paths; none is put in place before all are complete. An existing one is DV_E_USAGE unless
 * force. names: [n_classes], or NULL. Fails with DV_E_IO, DV_E_NOMEM, and as dv_label_iou_draw. */
DV_MUST_USE dv_status dv_label_iou_save(const dv_label_iou_files *files, bool force, const dv_label_iou_result *result,
                                        const char *const *names);

DV_C_END
#endif
