#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/report.h"
#include "report/text_end.h"

enum { NAME_MOST = 32, PRECISION = 4 };

/* A class and where it stands in the table. */
typedef struct line {
    size_t id;
    double iou;
} line;

static void print_score(FILE *stream, int width, double score) {
    if (isnan(score))
        fprintf(stream, "%*s", width, "-");
    else
        fprintf(stream, "%*.*f", width, PRECISION, score);
}

/* Rising IoU, classes without one last; equal ones by id. */
static int compare_lines(const void *a, const void *b) {
    const line *const x = a, *const y = b;
    if (isnan(x->iou) != isnan(y->iou)) return isnan(x->iou) ? 1 : -1;
    if (!isnan(x->iou) && x->iou != y->iou) return x->iou < y->iou ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

static void print_line(FILE *stream, const dv_label_iou_result *result, size_t c, const char *name, bool excluded) {
    const dv_iou *const iou = &result->iou;
    fprintf(stream, "%5zu  %-*.*s", c, NAME_MOST, NAME_MOST, name);
    print_score(stream, 8, iou->iou[c]);
    if (result->boundary_iou) print_score(stream, 10, result->boundary_iou[c]);
    print_score(stream, 10, iou->accuracy[c]);
    fprintf(stream, "  %14llu  %16llu%s\n", (unsigned long long)iou->truth_pixels[c],
            (unsigned long long)iou->predicted_pixels[c], excluded ? "  (not in the means)" : "");
}

static dv_status print_classes(FILE *stream, const dv_label_iou_options *options, const dv_label_iou_result *result,
                               const char *const *names) {
    const dv_iou *const iou = &result->iou;
    line *lines;
    size_t n = 0;
    DV_TRY(dv_alloc(iou->n_classes, sizeof *lines, "a table", &lines));
    for (size_t c = 0; c < iou->n_classes; c++)
        if (iou->truth_pixels[c] || iou->predicted_pixels[c]) lines[n++] = (line){c, iou->iou[c]};
    qsort(lines, n, sizeof *lines, compare_lines);
    fprintf(stream, "\n%5s  %-*s%8s%s%10s  %14s  %16s\n", "class", NAME_MOST, "name", "IoU",
            result->boundary_iou ? "  boundary" : "", "accuracy", "truth pixels", "predicted pixels");
    for (size_t i = 0; i < n; i++)
        print_line(stream, result, lines[i].id, names ? names[lines[i].id] : "",
                   options->excluded && options->excluded[lines[i].id]);
    free(lines);
    const size_t n_absent = iou->n_classes - n;
    if (n_absent)
        fprintf(stream, "%zu class%s in no label map of either side\n", n_absent, n_absent == 1 ? " is" : "es are");
    return DV_OK;
}

static void print_named(FILE *stream, const char *name, double score, const char *after) {
    fputs(name, stream);
    print_score(stream, 0, score);
    fputs(after, stream);
}

static void print_total(FILE *stream, const dv_label_iou_options *options, const dv_label_iou_result *result) {
    fprintf(stream, "%zu images, %zu classes\n", result->n_scored, options->n_classes);
    if (result->n_left_out) fprintf(stream, "%zu images are left out\n", result->n_left_out);
    print_named(stream, "mIoU ", result->iou.miou, "   ");
    print_named(stream, "mean accuracy ", result->iou.mean_accuracy, "   ");
    print_named(stream, "pixel accuracy ", result->iou.pixel_accuracy, "   ");
    print_named(stream, "mean of the images' mIoU ", result->mean_of_images, "\n");
    if (result->interval.n_resamples)
        fprintf(stream, "95 %% interval of mIoU over images: %.4f .. %.4f (%zu resamples)\n", result->interval.low,
                result->interval.high, result->interval.n_resamples);
    if (result->boundary_iou) {
        fprintf(stream, "within %g of the diagonal from contours: ", options->boundary_ratio);
        print_named(stream, "mIoU ", result->boundary_miou, "   ");
        print_named(stream, "mean of the images' mIoU ", result->boundary_mean_of_images, "\n");
    }
    if (options->map) {
        fprintf(stream, "mIoU over the %zu classes of the map ", result->n_mapped);
        print_named(stream, "", result->mapped_miou, "\n");
    }
    if (options->recipes) {
        print_named(stream, "recipe: mIoU over 0..102 ", result->recipes.miou_0_102, "   ");
        print_named(stream, "over 1..103 ", result->recipes.miou_1_103, "\n");
    }
}

dv_status dv_report_label_iou_table(const dv_label_iou_options *options, const dv_label_iou_result *result,
                                    const char *const *names, char **text) {
    size_t size;
    dv_status status = DV_OK;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_text_end(stream, text);
    print_total(stream, options, result);
    status = print_classes(stream, options, result, names);
    const dv_status ended = dv_text_end(stream, text);
    if (status == DV_OK) return ended;
    free(*text);
    *text = NULL;
    return status;
}
