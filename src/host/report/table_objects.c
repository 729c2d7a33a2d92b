#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "denseval/report.h"
#include "report/text_end.h"

enum { LEAST_COLUMN = 8, MOST_COLUMN = 24, MOST_NAME = 40, CATEGORY_WIDTH = 8 };

/* Widths of the columns that names decide. */
typedef struct layout {
    int id, scene, *methods; /* [n_methods] */
} layout;

static int widened(int width, const char *name, int most) {
    const size_t length = strlen(name);
    return length > (size_t)most ? most : (int)length > width ? (int)length : width;
}

static dv_status make_layout(const dv_objects_result *result, layout *widths) {
    *widths = (layout){.id = sizeof "target" - 1, .scene = sizeof "scene" - 1};
    widths->methods = calloc(result->n_methods, sizeof *widths->methods);
    if (!widths->methods) return dv_fail(DV_E_NOMEM, "no memory for a table");
    for (size_t t = 0; t < result->n_targets; t++) {
        widths->id = widened(widths->id, result->targets[t].id, MOST_NAME);
        widths->scene = widened(widths->scene, result->targets[t].scene, MOST_NAME);
    }
    for (size_t i = 0; i < result->n_methods; i++)
        widths->methods[i] = widened(LEAST_COLUMN, result->methods[i].name, MOST_COLUMN);
    return DV_OK;
}

static void print_real(FILE *stream, int width, double value) {
    if (isnan(value))
        fprintf(stream, "  %*s", width, "-");
    else
        fprintf(stream, "  %*.3f", width, value);
}

static void print_methods(FILE *stream, const layout *widths, const dv_objects_result *result) {
    for (size_t i = 0; i < result->n_methods; i++)
        fprintf(stream, "  %*.*s", widths->methods[i], MOST_COLUMN, result->methods[i].name);
    fprintf(stream, "\n");
}

static void print_targets(FILE *stream, const layout *widths, const dv_objects_options *options,
                          const dv_objects_result *result) {
    fprintf(stream, "%-*s  %-*s  %-*s", widths->id, "target", widths->scene, "scene", CATEGORY_WIDTH, "category");
    print_methods(stream, widths, result);
    for (size_t t = 0; t < result->n_targets; t++) {
        const dv_object_target *const target = &result->targets[t];
        fprintf(stream, "%-*s  %-*s  %-*s", widths->id, target->id, widths->scene, target->scene, CATEGORY_WIDTH,
                dv_object_category_name(target->category));
        for (size_t i = 0; i < result->n_methods; i++)
            print_real(stream, widths->methods[i], result->methods[i].targets[t].iou[options->views]);
        fprintf(stream, "\n");
    }
}

/* ---- Categories ----------------------------------------------------------------------------------------------------
 */

/* -1: all; then the categories. */
static const dv_object_group *group_of(const dv_objects_scores *scores, int category) {
    return category < 0 ? &scores->all : &scores->categories[category];
}

/* Everything about one method. */
static void print_statistics(FILE *stream, const dv_objects_scores *scores) {
    static const char *const names[] = {"mean", "std", "min", "q1", "median", "q3", "max"};
    fprintf(stream, "\n%-*s  %6s", CATEGORY_WIDTH, "category", "n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) fprintf(stream, "  %6s", names[i]);
    fprintf(stream, "  %s\n", "outliers");
    for (int c = -1; c < DV_N_OBJECT_CATEGORIES; c++) {
        const dv_object_group *const group = group_of(scores, c);
        const dv_box *const box = &group->box;
        const double values[] = {box->mean, box->sd, box->min, box->q1, box->median, box->q3, box->max};
        fprintf(stream, "%-*s  %6zu", CATEGORY_WIDTH, group->name, box->n);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) print_real(stream, 6, values[i]);
        fprintf(stream, "  %8zu\n", box->n_low + box->n_high);
    }
}

/* A column a method. */
static void print_means(FILE *stream, const layout *widths, const dv_objects_result *result, bool medians) {
    fprintf(stream, "\n%-*s  %6s", CATEGORY_WIDTH, medians ? "median" : "mean", "n");
    print_methods(stream, widths, result);
    for (int c = -1; c < DV_N_OBJECT_CATEGORIES; c++) {
        fprintf(stream, "%-*s  %6zu", CATEGORY_WIDTH, group_of(&result->methods[0], c)->name,
                group_of(&result->methods[0], c)->box.n);
        for (size_t i = 0; i < result->n_methods; i++) {
            const dv_box *const box = &group_of(&result->methods[i], c)->box;
            print_real(stream, widths->methods[i], medians ? box->median : box->mean);
        }
        fprintf(stream, "\n");
    }
}

static void print_all(FILE *stream, const layout *widths, const dv_objects_options *options,
                      const dv_objects_result *result) {
    print_targets(stream, widths, options, result);
    if (result->n_methods == 1) {
        print_statistics(stream, &result->methods[0]);
        fprintf(stream, "\nmean of category means");
        print_real(stream, 6, result->methods[0].mean_of_category_means);
        fprintf(stream, "\n");
    } else {
        print_means(stream, widths, result, false);
        print_means(stream, widths, result, true);
    }
    for (size_t i = 0; i < result->n_methods; i++)
        if (result->methods[i].n_views_left_out)
            fprintf(stream, "\n%s: %zu views are left out\n", result->methods[i].name,
                    result->methods[i].n_views_left_out);
}

dv_status dv_report_objects_table(const dv_objects_options *options, const dv_objects_result *result, char **text) {
    size_t size;
    layout widths;
    *text = NULL;
    DV_TRY(make_layout(result, &widths));
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_all(stream, &widths, options, result);
    free(widths.methods);
    return dv_text_end(stream, text);
}
