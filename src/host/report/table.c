#include <math.h>
#include <stdio.h>

#include "report/class_names.h"
#include "report/text_end.h"

enum { SCORE_WIDTH = 10 };

/* A score with 4 decimals, "-" where there is none, right-aligned in `width` columns. */
static void print_score(FILE *stream, int width, double score) {
    if (isnan(score))
        fprintf(stream, "%*s", width, "-");
    else
        fprintf(stream, "%*.4f", width, score);
}

static void print_named(FILE *stream, const char *name, double score, const char *after) {
    fputs(name, stream);
    print_score(stream, 0, score);
    fputs(after, stream);
}

static void print_classes(FILE *stream, const dv_iou *iou, const char *const *names, const bool *excluded) {
    fprintf(stream, "\n%5s  %-20s  %8s  %8s  %12s\n", "class", "name", "IoU", "accuracy", "truth pixels");
    for (size_t c = 0; c < iou->n_classes; c++) {
        fprintf(stream, "%5zu  %-20.20s", c, names ? names[c] : "");
        print_score(stream, SCORE_WIDTH, iou->iou[c]);
        print_score(stream, SCORE_WIDTH, iou->accuracy[c]);
        fprintf(stream, "  %12llu%s\n", (unsigned long long)iou->truth_pixels[c],
                excluded && excluded[c] ? "  (not in the means)" : "");
    }
}

static void print_bins(FILE *stream, const dv_eval_result *result, const char *const *names) {
    enum { MAX_COLUMNS = 16 }; /* more classes than this do not fit a line; the JSON has them all */
    const size_t n_columns = result->n_classes <= MAX_COLUMNS ? result->n_classes : 0;
    fprintf(stream, "\n%5s  %6s  %8s", "bin", "images", "mIoU");
    for (size_t c = 0; c < n_columns; c++) fprintf(stream, "  %8.8s", names ? names[c] : "");
    fprintf(stream, "\n");
    for (size_t i = 0; i < result->n_bins; i++) {
        const dv_eval_group *group = &result->bins[i];
        fprintf(stream, "%5d  %6zu", (int)group->bin, group->n_images);
        print_score(stream, SCORE_WIDTH, group->iou.miou);
        for (size_t c = 0; c < n_columns; c++) print_score(stream, SCORE_WIDTH, group->iou.iou[c]);
        fprintf(stream, "\n");
    }
}

/* What does not show in the numbers below: rows that are padding, images that are out. */
static void print_left_out(FILE *stream, const dv_eval_result *result, const dv_bank_info *bank) {
    if (bank->n_unfilled_rows)
        fprintf(stream, "%zu of the bank rows are unfilled: zeros without a label\n", bank->n_unfilled_rows);
    if (bank->n_skipped_zero_rows) fprintf(stream, "%zu zero rows are not in the bank\n", bank->n_skipped_zero_rows);
    if (bank->n_skipped_images) fprintf(stream, "%zu bad images are not in the bank\n", bank->n_skipped_images);
    if (result->n_skipped_images) fprintf(stream, "%zu bad query images are not scored\n", result->n_skipped_images);
    if (result->n_dropped_images)
        fprintf(stream, "%zu query images of last incomplete batches are not scored\n", result->n_dropped_images);
}

static void print_total(FILE *stream, const dv_eval_result *result, const dv_bank_info *bank) {
    const dv_iou *iou = &result->total.iou;
    fprintf(stream, "%zu images, %zu patches against %zu bank rows, k %zu, backend %s\n", result->total.n_images,
            result->search.n_query_rows, result->search.n_bank_rows, result->search.k, result->search.backend);
    print_left_out(stream, result, bank);
    print_named(stream, "mIoU ", iou->miou, "   ");
    print_named(stream, "mean accuracy ", iou->mean_accuracy, "   ");
    print_named(stream, "pixel accuracy ", iou->pixel_accuracy, "\n");
    if (result->total.iou_relabelled.relabel)
        print_named(stream, "mIoU after Hungarian relabelling ", result->total.iou_relabelled.miou, "\n");
    if (result->interval.n_resamples)
        fprintf(stream, "95 %% interval of mIoU over images: %.4f .. %.4f (%zu resamples)\n", result->interval.low,
                result->interval.high, result->interval.n_resamples);
}

dv_status dv_report_eval_table(const dv_eval_result *result, const dv_bank_info *bank, const dv_feature_info *queries,
                               const bool *excluded, char **text) {
    const char *const *names = dv_report_class_names(bank, queries);
    size_t size;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream) return dv_text_end(stream, text);
    print_total(stream, result, bank);
    print_classes(stream, &result->total.iou, names, excluded);
    if (result->bins) print_bins(stream, result, names);
    return dv_text_end(stream, text);
}
