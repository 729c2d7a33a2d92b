/* cmd_iou.c: `denseval iou`: IoU of label maps against label maps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/output.h"
#include "app/targets.h"
#include "denseval/class_names.h"
#include "denseval/label_iou.h"
#include "denseval/plot.h"
#include "denseval/report.h"
#include "denseval/splits.h"

typedef enum iou_protocol { PROTOCOL_NONE = 0, PROTOCOL_FOODSEG103 = 1 } iou_protocol;
typedef enum iou_resize { RESIZE_NONE = 0, RESIZE_NEAREST = 1 } iou_resize;

typedef struct iou_args {
    const char *truth, *pred, *class_names, *ignore_pixels, *exclude_classes, *class_map, *per_image, *per_class,
        *images, *heat_map;
    dv_path_list splits;
    size_t classes, bootstrap;
    bool boundary;
    double boundary_ratio;
    iou_protocol protocol;
    iou_resize resize;
    dv_absent absent;
    dv_invalid_labels invalid_labels;
} iou_args;

static const iou_args defaults = {.ignore_pixels = "255", .exclude_classes = "none", .boundary_ratio = 0.02};

static const char *const protocol_words[] = {"none", "foodseg103"};
static const char *const resize_words[] = {"none", "nearest"};
static const char *const absent_words[] = {"skip", "zero", "one", "truth-only"};
static const char *const invalid_labels_words[] = {"error", "drop", "false-positive"};

static const dv_option options[] = {
    {"truth", "DIR|H5", "true label maps, PNG files below a folder, or an HDF5 file with /labels", DV_OPT_PATH,
     offsetof(iou_args, truth), 0, 0},
    {"pred", "DIR|H5", "predicted label maps of the same names", DV_OPT_PATH, offsetof(iou_args, pred), 0, 0},
    {"classes", "C", "classes, background included [those of --class-names or --protocol]", DV_OPT_COUNT,
     offsetof(iou_args, classes), 1, DV_MAX_SPARSE_CLASSES},
    {"class-names", "FILE", "list of NAME or ID<TAB>NAME lines, no CSV", DV_OPT_PATH, offsetof(iou_args, class_names),
     0, 0},
    {"protocol", "none|foodseg103", "foodseg103: 104 classes, and the recipes of FoodSeg103 beside [none]",
     DV_OPT_CHOICE, offsetof(iou_args, protocol), 0, 0},
    {"class-map", "MAP.csv", "classes that true labels become, columns source_id and target_id", DV_OPT_PATH,
     offsetof(iou_args, class_map), 0, 0},
    {"ignore-pixels", "LIST", "true labels that are ignored, 255 or 0,255 or none [255]", DV_OPT_TEXT,
     offsetof(iou_args, ignore_pixels), 0, 0},
    {"exclude-classes", "LIST", "classes that are left out of the means [none]", DV_OPT_TEXT,
     offsetof(iou_args, exclude_classes), 0, 0},
    {"absent", "skip|zero|one|truth-only", "what an absent class scores [skip]", DV_OPT_CHOICE,
     offsetof(iou_args, absent), 0, 0},
    {"invalid-labels", "error|drop|false-positive", "true labels that are no class and not ignored [error]",
     DV_OPT_CHOICE, offsetof(iou_args, invalid_labels), 0, 0},
    {"resize", "none|nearest", "refuse predictions of another size, or resize them [none]", DV_OPT_CHOICE,
     offsetof(iou_args, resize), 0, 0},
    {"boundary", NULL, "also IoU of the pixels near contours", DV_OPT_FLAG, offsetof(iou_args, boundary), 0, 0},
    {"boundary-ratio", "R", "how near --boundary is, in diagonals of the image [0.02]", DV_OPT_POSITIVE,
     offsetof(iou_args, boundary_ratio), 0, 0},
    {"bootstrap", "B", "95 % interval of mIoU from B resamples of the images [0]", DV_OPT_COUNT,
     offsetof(iou_args, bootstrap), 0, 10000000},
    {"per-image", "FILE.csv", "write a line an image", DV_OPT_PATH, offsetof(iou_args, per_image), 0, 0},
    {"per-class", "FILE.csv", "write a line a class, precision and Dice with it", DV_OPT_PATH,
     offsetof(iou_args, per_class), 0, 0},
    {"heat-map", "NAME", "draw the confusion to NAME.svg and NAME.png, by gnuplot", DV_OPT_PATH,
     offsetof(iou_args, heat_map), 0, 0},
    {"splits", "A.txt,B.txt", "lists of ids of two splits: tell what they share, with or without label maps",
     DV_OPT_PATHS, offsetof(iou_args, splits), 0, 0},
    {"images", "DIR", "pictures of the ids of --splits, whose pixels are compared", DV_OPT_PATH,
     offsetof(iou_args, images), 0, 0},
    {0},
};

/* A run in progress. */
typedef struct iou_run {
    const dv_app_context *context;
    const iou_args *args;
    dv_names names; /* n = 0: none */
    char *heat_map; /* without extension; NULL: none. Owned */
    bool *excluded; /* [n_classes], owned */
    dv_class_map *map;
    dv_label_iou_options chosen;
    dv_label_iou_result result; /* zeroed where there are splits alone */
    dv_splits_options splits;
    dv_splits_result leakage; /* zeroed without splits */
    dv_resources resources;
} iou_run;

/* ---- Options -------------------------------------------------------------------------------------------------------
 */

static dv_status find_classes(iou_run *run) {
    const iou_args *const args = run->args;
    size_t n = args->protocol == PROTOCOL_FOODSEG103 ? DV_FOODSEG103_CLASSES : args->classes;
    if (args->classes && args->classes != n)
        return dv_app_fail(DV_E_USAGE, "--classes %zu: --protocol foodseg103 has %zu", args->classes, n);
    if (args->class_names) DV_TRY(dv_class_names_read(args->class_names, &run->names));
    if (!n) n = run->names.n;
    if (!n)
        return dv_app_fail(DV_E_USAGE,
                           "--classes, --class-names or --protocol must be given: classes are not guessed from labels");
    if (run->names.n && run->names.n != n)
        return dv_app_fail(DV_E_USAGE, "--class-names %s: lists %zu classes, expected %zu", args->class_names,
                           run->names.n, n);
    run->chosen.n_classes = n;
    return DV_OK;
}

static dv_status parse_excluded(iou_run *run) {
    const char *const text = run->args->exclude_classes;
    const size_t n_classes = run->chosen.n_classes;
    dv_label_set set = {{0}};
    size_t n_excluded = 0;
    const dv_status status = dv_label_set_parse(text, &set);
    if (status != DV_OK) return dv_app_prefix(status, "--exclude-classes");
    run->excluded = calloc(n_classes, sizeof *run->excluded);
    if (!run->excluded) return dv_app_fail(DV_E_NOMEM, "no memory for %zu classes", n_classes);
    for (size_t label = 0; label <= UINT16_MAX; label++) {
        if (!dv_label_set_has(&set, (uint16_t)label)) continue;
        if (label >= n_classes)
            return dv_app_fail(DV_E_USAGE, "--exclude-classes %zu: there are %zu classes", label, n_classes);
        run->excluded[label] = true;
        n_excluded++;
    }
    if (n_excluded == n_classes)
        return dv_app_fail(DV_E_USAGE, "--exclude-classes %s: no class is left to score", text);
    run->chosen.excluded = run->excluded;
    return DV_OK;
}

static dv_status read_map(iou_run *run) {
    if (!run->args->class_map) return DV_OK;
    run->map = malloc(sizeof *run->map);
    if (!run->map) return dv_app_fail(DV_E_NOMEM, "no memory for a class map");
    run->chosen.map = run->map;
    return dv_class_map_read(run->args->class_map, run->chosen.n_classes, &run->chosen.pixels.ignored, run->map);
}

static dv_status choose_splits(iou_run *run) {
    const iou_args *const args = run->args;
    if (args->splits.n != DV_N_SPLITS && (args->splits.n || args->images))
        return dv_app_fail(DV_E_USAGE, "--splits: %zu lists, expected two", args->splits.n);
    for (size_t i = 0; i < args->splits.n; i++) run->splits.lists[i] = args->splits.paths[i];
    run->splits.images = args->images;
    run->splits.skip_bad = run->context->common.skip_bad;
    run->splits.n_threads = run->context->n_threads;
    return DV_OK;
}

/* Are there label maps to score? */
static dv_status check_sides(const iou_run *run) {
    const iou_args *const args = run->args;
    if (!args->truth != !args->pred || (!args->truth && !args->splits.n))
        return dv_app_fail(DV_E_USAGE, "--%s must be given", args->truth ? "pred" : "truth");
    const char *const alone = args->per_image ? "per-image" : args->per_class ? "per-class" : "heat-map";
    if (!args->truth && (args->per_image || args->per_class || args->heat_map))
        return dv_app_fail(DV_E_USAGE, "--%s goes with --truth and --pred", alone);
    DV_TRY(dv_target_check_other("--per-class", args->per_class, "--per-image", args->per_image));
    if (dv_given(run->context, "boundary-ratio") && !args->boundary)
        return dv_app_fail(DV_E_USAGE, "--boundary-ratio goes with --boundary");
    if (args->boundary_ratio > 1)
        return dv_app_fail(DV_E_USAGE, "--boundary-ratio %.17g: must be at most 1", args->boundary_ratio);
    return DV_OK;
}

static dv_status choose(iou_run *run) {
    const iou_args *const args = run->args;
    const dv_app_context *const context = run->context;
    run->chosen = (dv_label_iou_options){
        .truth = args->truth,
        .pred = args->pred,
        .pixels = {.invalid = args->invalid_labels},
        .absent = args->absent,
        .resize = args->resize == RESIZE_NEAREST,
        .boundary_ratio = args->boundary ? args->boundary_ratio : 0,
        .recipes = args->protocol == PROTOCOL_FOODSEG103,
        .skip_bad = context->common.skip_bad,
        .allow_empty = context->common.allow_empty,
        .n_resamples = args->bootstrap,
        .seed = context->common.seed,
        .n_threads = context->n_threads,
        .progress = context->progress,
        .progress_user = context->progress_user,
    };
    DV_TRY(find_classes(run));
    const dv_status status = dv_label_set_parse(args->ignore_pixels, &run->chosen.pixels.ignored);
    if (status != DV_OK) return dv_app_prefix(status, "--ignore-pixels");
    DV_TRY(parse_excluded(run));
    return read_map(run);
}

static dv_status check_file(const iou_run *run, const char *option, const char *path) {
    const iou_args *const args = run->args;
    DV_TRY(dv_target_check_new(path, run->context->common.force));
    DV_TRY(dv_target_check_input(option, path, args->truth));
    DV_TRY(dv_target_check_input(option, path, args->pred));
    DV_TRY(dv_target_check_input(option, path, args->class_names));
    DV_TRY(dv_target_check_inputs(option, path, &args->splits));
    DV_TRY(dv_target_check_input(option, path, args->images));
    return dv_target_check_input(option, path, args->class_map);
}

/* NAME of --heat-map, given as NAME, NAME.svg or NAME.png. */
static dv_status name_figure(iou_run *run) {
    const char *const given = run->args->heat_map;
    if (!given) return DV_OK;
    if (given[strlen(given) - 1] == '/') /* an option has a value */
        return dv_app_fail(DV_E_USAGE, "--heat-map %s: names a folder, must name a file", given);
    run->heat_map = strdup(given);
    if (!run->heat_map) return dv_app_fail(DV_E_NOMEM, "no memory for a path");
    char *const dot = strrchr(run->heat_map, '.');
    const bool named = dot && dot > run->heat_map && dot[-1] != '/';
    if (named && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0)) *dot = '\0';
    return DV_OK;
}

static dv_status check_figure(const iou_run *run, const char *extension) {
    char *path;
    if (asprintf(&path, "%s.%s", run->heat_map, extension) < 0) return dv_app_fail(DV_E_NOMEM, "no memory for a path");
    dv_status status = check_file(run, "--heat-map", path);
    if (status == DV_OK) status = dv_target_check_other("--heat-map", path, "--per-image", run->args->per_image);
    if (status == DV_OK) status = dv_target_check_other("--heat-map", path, "--per-class", run->args->per_class);
    free(path);
    return status;
}

static dv_status check_targets(const iou_run *run) {
    char why[256];
    if (run->args->per_image) DV_TRY(check_file(run, "--per-image", run->args->per_image));
    if (run->args->per_class) DV_TRY(check_file(run, "--per-class", run->args->per_class));
    if (!run->heat_map) return DV_OK;
    if (!dv_plot_usable(why, sizeof why)) return dv_app_fail(DV_E_BACKEND, "--heat-map: %s", why);
    DV_TRY(check_figure(run, "svg"));
    return check_figure(run, "png");
}

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

static void add_settings(dv_report *report, const iou_run *run) {
    const iou_args *const args = run->args;
    dv_report_setting_text(report, "protocol", protocol_words[args->protocol]);
    dv_report_setting_count(report, "classes", run->chosen.n_classes);
    dv_report_setting_text(report, "class_names", args->class_names);
    dv_report_setting_text(report, "class_map", args->class_map);
    dv_report_setting_text(report, "ignore_pixels", args->ignore_pixels);
    dv_report_setting_text(report, "exclude_classes", args->exclude_classes);
    dv_report_setting_text(report, "absent", absent_words[args->absent]);
    dv_report_setting_text(report, "invalid_labels", invalid_labels_words[args->invalid_labels]);
    dv_report_setting_text(report, "resize", resize_words[args->resize]);
    if (args->boundary)
        dv_report_setting_real(report, "boundary_ratio", args->boundary_ratio);
    else
        dv_report_setting_null(report, "boundary_ratio");
    dv_report_setting_count(report, "bootstrap", args->bootstrap);
    dv_report_setting_count(report, "seed", run->chosen.seed);
}

/* [n_classes], or NULL where nobody told them. */
static const char *const *class_names(const iou_run *run) {
    if (run->names.n) return (const char *const *)run->names.names;
    return run->args->protocol == PROTOCOL_FOODSEG103 ? dv_foodseg103_class_names() : NULL;
}

static dv_status print_json(const iou_run *run) {
    static const char *const stages[] = {"read", "count"};
    const double stage_s[] = {run->result.read_s, run->result.count_s}; /* of all threads together */
    dv_report *report;
    DV_TRY(dv_report_create("denseval iou v1", run->context->command, &report));
    if (run->args->truth) add_settings(report, run);
    dv_report_setting_bool(report, "skip_bad", run->context->common.skip_bad);
    dv_report_setting_bool(report, "allow_empty", run->context->common.allow_empty);
    if (run->args->class_names) dv_report_input(report, run->args->class_names);
    if (run->args->class_map) dv_report_input(report, run->args->class_map);
    if (run->args->truth) dv_report_label_iou(report, &run->chosen, &run->result, class_names(run));
    if (run->args->splits.n) dv_report_splits(report, &run->splits, &run->leakage);
    dv_report_resources(report, &run->resources, stages, stage_s, sizeof stages / sizeof *stages);
    const dv_status status = dv_output_report(report);
    dv_report_free(report);
    return status;
}

static dv_status print_scores(const iou_run *run) {
    char *text;
    DV_TRY(dv_report_label_iou_table(&run->chosen, &run->result, class_names(run), &text));
    dv_print("%s", text);
    if (run->args->per_image) dv_print("\nimages: %s\n", run->args->per_image);
    if (run->args->per_class) dv_print("\nclasses: %s\n", run->args->per_class);
    if (run->heat_map) dv_print("\nheat map: %s.svg, %s.png\n", run->heat_map, run->heat_map);
    free(text);
    return DV_OK;
}

static dv_status print_leakage(const iou_run *run) {
    char *text;
    DV_TRY(dv_report_splits_table(&run->splits, &run->leakage, &text));
    dv_print("%s%s", run->args->truth ? "\n" : "", text);
    free(text);
    return DV_OK;
}

static dv_status print_table(const iou_run *run) {
    if (run->args->truth) DV_TRY(print_scores(run));
    return run->args->splits.n ? print_leakage(run) : DV_OK;
}

static dv_status give(const iou_run *run) {
    const dv_label_iou_files files = {run->args->per_image, run->args->per_class, run->heat_map};
    DV_TRY(dv_label_iou_save(&files, run->context->common.force, &run->result, class_names(run)));
    return run->context->common.json ? print_json(run) : print_table(run);
}

static dv_status measure(iou_run *run) {
    if (run->args->splits.n) DV_TRY(dv_splits_run(&run->splits, &run->leakage));
    if (!run->args->truth) return DV_OK;
    DV_TRY(choose(run));
    return dv_label_iou_run(&run->chosen, &run->result);
}

static dv_status run_iou(const dv_app_context *context, void *arguments) {
    iou_run run = {.context = context, .args = arguments};
    DV_TRY(check_sides(&run));
    DV_TRY(choose_splits(&run));
    dv_resources_start(&run.resources, context->n_threads);
    dv_status status = name_figure(&run);
    if (status == DV_OK) status = check_targets(&run);
    if (status == DV_OK) status = measure(&run);
    dv_resources_stop(&run.resources);
    if (status == DV_OK) status = give(&run);
    dv_label_iou_result_clear(&run.result);
    dv_splits_result_clear(&run.leakage);
    dv_class_names_clear(&run.names);
    free(run.heat_map);
    free(run.excluded);
    free(run.map);
    return status;
}

const dv_command dv_cmd_iou = {
    .name = "iou",
    .summary = "IoU of label maps: mIoU, accuracies and confusion",
    .usage = "--truth DIR --pred DIR --classes C [OPTIONS] | --splits A.txt,B.txt [--images DIR]",
    .notes =
        "Label maps are joined by name. Counts are those of the whole data set, in 64 bits; a class map is applied "
        "to the truth once, before all else.",
    .options = options,
    .common = DV_COMMON_JSON | DV_COMMON_PROGRESS | DV_COMMON_THREADS | DV_COMMON_SEED | DV_COMMON_FORCE |
              DV_COMMON_SKIP_BAD | DV_COMMON_ALLOW_EMPTY,
    .args_size = sizeof(iou_args),
    .defaults = &defaults,
    .run = run_iou,
};
