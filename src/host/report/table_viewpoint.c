#include <math.h>
#include <stdio.h>

#include "denseval/report.h"
#include "report/text_end.h"

static void print_angle(FILE *stream, int width, double angle_deg) {
    if (fabs(angle_deg) < 0.0005) angle_deg = 0; /* no -0.000 */
    if (isnan(angle_deg))
        fprintf(stream, "  %*s", width, "-");
    else
        fprintf(stream, "  %*.3f", width, angle_deg);
}

/* Every bin of one object, a line each. */
static void print_bins(FILE *stream, const dv_view_options *options, const dv_view_object *object) {
    fprintf(stream, "%s: %zu frames, reference %s%s\n", object->name, object->n_frames,
            object->frames[object->reference].name, object->accepted ? "" : ", not accepted");
    fprintf(stream, "%5s  %9s  %9s  %s\n", "bin", "angle", "error", "frame");
    for (size_t bin = 0; bin < options->n_bins; bin++) {
        const dv_view_choice *const choice = &object->choices[bin];
        fprintf(stream, "%5d", (int)options->bins[bin]);
        print_angle(stream, 9, choice->angle_deg);
        print_angle(stream, 9, choice->error_deg);
        fprintf(stream, "  %s\n", choice->frame == SIZE_MAX ? "-" : object->frames[choice->frame].name);
    }
}

static void print_head(FILE *stream, const dv_view_options *options) {
    for (size_t bin = 0; bin < options->n_bins; bin++) fprintf(stream, "  %7d", (int)options->bins[bin]);
}

/* The error of every bin, an object a line. */
static void print_objects(FILE *stream, const dv_view_options *options, const dv_view_result *result) {
    fprintf(stream, "error of the frame of each bin, in degrees\n%-24s  %6s", "object", "frames");
    print_head(stream, options);
    fprintf(stream, "\n");
    for (size_t i = 0; i < result->n_objects; i++) {
        const dv_view_object *const object = &result->objects[i];
        fprintf(stream, "%-24s  %6zu", object->name, object->n_frames);
        for (size_t bin = 0; bin < options->n_bins; bin++) print_angle(stream, 7, object->choices[bin].error_deg);
        fprintf(stream, "%s\n", object->accepted ? "" : "  not accepted");
    }
}

static void print_statistics(FILE *stream, const char *name, const dv_view_statistics *statistics, size_t n_bins) {
    fprintf(stream, "%-12s  %7zu", name, statistics->n_objects);
    print_angle(stream, 10, statistics->mean_error_deg);
    print_angle(stream, 9, statistics->std_error_deg);
    fprintf(stream, "  %10.2f ", statistics->images_per_bin);
    for (size_t bin = 0; bin < n_bins; bin++) fprintf(stream, " %zu", statistics->images[bin]);
}

static void print_classes(FILE *stream, const dv_view_result *result) {
    fprintf(stream, "\n%-12s  %7s  %10s  %9s  %10s  %s\n", "class", "objects", "mean error", "deviation", "images/bin",
            "images of each bin");
    for (size_t c = 0; c < result->n_classes; c++) {
        const dv_view_class *const of_class = &result->classes[c];
        print_statistics(stream, of_class->name, &of_class->statistics, result->n_bins);
        fprintf(stream, "%s\n", of_class->accepted ? "" : "  not accepted");
    }
    print_statistics(stream, "all", &result->total, result->n_bins);
    fprintf(stream, "\n");
}

static void print_all(FILE *stream, const dv_view_options *options, const dv_view_result *result) {
    if (options->layout == DV_VIEW_MODELS) {
        for (size_t i = 0; i < result->n_objects; i++) {
            if (i) fprintf(stream, "\n");
            print_bins(stream, options, &result->objects[i]);
        }
    } else {
        print_objects(stream, options, result);
        print_classes(stream, result);
    }
    if (result->n_skipped) fprintf(stream, "%zu captures are left out\n", result->n_skipped);
}

dv_status dv_report_viewpoint_bin_table(const dv_view_options *options, const dv_view_result *result, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_all(stream, options, result);
    return dv_text_end(stream, text);
}
