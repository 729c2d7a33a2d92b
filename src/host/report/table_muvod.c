#include <math.h>
#include <stdio.h>
#include <string.h>

#include "denseval/report.h"
#include "report/text_end.h"

enum { LONGEST_NAME = 40 };

/* In percent, as the paper prints it. */
static void print_percent(FILE *stream, double value) {
    if (isnan(value))
        fprintf(stream, "  %13s", "-");
    else
        fprintf(stream, "  %13.1f", 100 * value);
}

static void print_scores(FILE *stream, const dv_muvod_score *all, const dv_muvod_score *by_motion) {
    print_percent(stream, all->jf);
    print_percent(stream, all->j);
    print_percent(stream, all->f);
    for (int i = 0; i < DV_N_MOTIONS; i++) print_percent(stream, by_motion[i].jf);
}

static void print_sparse(FILE *stream, const dv_muvod_result *result, double jf, double sparse_jf) {
    if (!result->has_sparse) return;
    print_percent(stream, sparse_jf);
    print_percent(stream, fabs(jf - sparse_jf));
}

static int name_width(const dv_muvod_result *result) {
    size_t width = sizeof "Global" - 1;
    for (size_t i = 0; i < result->n_scenes; i++)
        if (strlen(result->scenes[i].name) > width) width = strlen(result->scenes[i].name);
    return width < LONGEST_NAME ? (int)width : LONGEST_NAME;
}

static void print_all(FILE *stream, const dv_muvod_options *options, const dv_muvod_result *result) {
    const int width = name_width(result);
    const dv_muvod_global *const global = &result->global[options->set];
    fprintf(stream, "%s set, percent\n\n", options->set == DV_MUVOD_BASIC ? "basic" : "complete");
    fprintf(stream, "%-*s  %7s  %7s  %13s  %13s  %13s", width, "scene", "cameras", "objects", "J&F", "J", "F");
    for (int i = 0; i < DV_N_MOTIONS; i++) fprintf(stream, "  %13s", dv_motion_name((dv_motion)i));
    fprintf(stream, "%s\n", result->has_sparse ? "         sparse     difference" : "");
    for (size_t i = 0; i < result->n_scenes; i++) {
        const dv_muvod_scene *const scene = &result->scenes[i];
        const dv_muvod_scores *const scores = &scene->sets[options->set];
        fprintf(stream, "%-*s  %7zu  %7zu", width, scene->name, scores->all.n, scores->n_objects);
        print_scores(stream, &scores->all, scores->by_motion);
        print_sparse(stream, result, scores->all.jf, scene->sparse_jf);
        fprintf(stream, "\n");
    }
    fprintf(stream, "%-*s  %7s  %7s", width, "Global", "", "");
    print_scores(stream, &global->all, global->by_motion);
    print_sparse(stream, result, global->all.jf, result->global_sparse.jf);
    fprintf(stream, "\n");
    if (result->jf.n_frames_skipped) fprintf(stream, "\n%zu frames are left out\n", result->jf.n_frames_skipped);
}

dv_status dv_report_muvod_table(const dv_muvod_options *options, const dv_muvod_result *result, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_all(stream, options, result);
    return dv_text_end(stream, text);
}
