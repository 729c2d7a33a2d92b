#include <math.h>
#include <stdio.h>
#include <string.h>

#include "denseval/report.h"
#include "report/text_end.h"

static void print_score(FILE *stream, double score) {
    if (isnan(score))
        fprintf(stream, "  %8s", "-");
    else
        fprintf(stream, "  %8.3f", fabs(score) < 0.0005 ? 0 : score); /* no -0.000 */
}

static void print_scores(FILE *stream, double j, double f) {
    print_score(stream, (j + f) / 2);
    print_score(stream, j);
    print_score(stream, f);
}

static int name_width(const dv_jf_result *result) {
    size_t width = sizeof "per sequence" - 1;
    for (size_t i = 0; i < result->n_sequences; i++)
        if (strlen(result->sequences[i].name) > width) width = strlen(result->sequences[i].name);
    return width < 60 ? (int)width : 60;
}

static void print_object(FILE *stream, int width, const dv_jf_sequence *sequence, const dv_jf_object *object) {
    fprintf(stream, "%-*s  %6d", width, sequence->name, object->id);
    if (object->matched_id)
        fprintf(stream, "  %7d", object->matched_id);
    else
        fprintf(stream, "  %7s", "-");
    fprintf(stream, "  %6zu", object->n_frames);
    print_scores(stream, object->j_statistics.mean, object->f_statistics[0].mean);
    fprintf(stream, "%s\n", object->extra ? "  in the prediction alone" : "");
}

static void print_objects(FILE *stream, int width, const dv_jf_result *result) {
    fprintf(stream, "%-*s  %6s  %7s  %6s  %8s  %8s  %8s\n", width, "sequence", "object", "matched", "frames", "J&F",
            "J", "F");
    for (size_t i = 0; i < result->n_sequences; i++) {
        const dv_jf_sequence *const sequence = &result->sequences[i];
        if (sequence->n_objects == 0) fprintf(stream, "%-*s  %6s\n", width, sequence->name, "none");
        for (size_t o = 0; o < sequence->n_objects; o++) print_object(stream, width, sequence, &sequence->objects[o]);
    }
}

static void print_mean(FILE *stream, int width, const char *name, const dv_jf_mean *mean) {
    fprintf(stream, "%-*s  %23zu", width, name, mean->n);
    print_scores(stream, mean->j, mean->f);
    fprintf(stream, "\n");
}

static void print_curve(FILE *stream, const char *name, const dv_curve_statistics *curve) {
    fprintf(stream, "%-8s", name);
    print_score(stream, curve->mean);
    print_score(stream, curve->recall);
    print_score(stream, curve->decay);
    fprintf(stream, "\n");
}

static void print_all(FILE *stream, const dv_jf_result *result) {
    const int width = name_width(result);
    char name[32];
    print_objects(stream, width, result);
    fprintf(stream, "\n");
    print_mean(stream, width, "per object", &result->per_object[0]);
    print_mean(stream, width, "per sequence", &result->per_sequence[0]);
    print_mean(stream, width, "per frame", &result->per_frame[0]);
    fprintf(stream, "\n%-8s  %8s  %8s  %8s\n", "objects", "mean", "recall", "decay");
    print_curve(stream, "J", &result->j_statistics);
    if (result->n_radii == 1) print_curve(stream, "F", &result->f_statistics[0]);
    for (size_t r = 0; result->n_radii > 1 && r < result->n_radii; r++) {
        snprintf(name, sizeof name, "F %lu px", (unsigned long)result->radii_px[r]);
        print_curve(stream, name, &result->f_statistics[r]);
    }
    if (result->n_frames_skipped) fprintf(stream, "\n%zu frames are left out\n", result->n_frames_skipped);
}

static void print_worst(FILE *stream, const dv_jf_result *result, const dv_jf_worst *worst, size_t n_worst) {
    const int width = name_width(result);
    fprintf(stream, "%-*s  %-12s  %6s  %8s  %8s  %8s\n", width, "worst in", "frame", "object", "J&F", "J", "F");
    for (size_t i = 0; i < n_worst; i++) {
        const dv_jf_sequence *const sequence = &result->sequences[worst[i].sequence];
        fprintf(stream, "%-*s  %-12s  %6d", width, sequence->name, sequence->frames[worst[i].frame],
                sequence->objects[worst[i].object].id);
        print_scores(stream, worst[i].j, worst[i].f);
        fprintf(stream, "\n");
    }
}

dv_status dv_report_jf_table(const dv_jf_result *result, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_all(stream, result);
    return dv_text_end(stream, text);
}

dv_status dv_report_jf_worst_table(const dv_jf_result *result, const dv_jf_worst *worst, size_t n_worst, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_worst(stream, result, worst, n_worst);
    return dv_text_end(stream, text);
}
