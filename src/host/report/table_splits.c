#include <stdio.h>

#include "denseval/report.h"
#include "report/text_end.h"

static void print_pairs(FILE *stream, const dv_split_pairs *list, const dv_names *a, const dv_names *b) {
    for (size_t i = 0; i < list->n; i++)
        fprintf(stream, "  %s  %s\n", a->names[list->pairs[i].a], b->names[list->pairs[i].b]);
}

static void print_all(FILE *stream, const dv_splits_options *options, const dv_splits_result *result) {
    const dv_names *const ids = result->ids;
    for (size_t split = 0; split < DV_N_SPLITS; split++)
        fprintf(stream, "%s: %zu ids, %zu repeated\n", options->lists[split], ids[split].n, result->n_repeated[split]);
    fprintf(stream, "%zu ids in both\n", result->same_id.n);
    for (size_t i = 0; i < result->same_id.n; i++) fprintf(stream, "  %s\n", ids[0].names[result->same_id.pairs[i].a]);
    if (!options->images) return;
    fprintf(stream, "%zu pairs with the same pixels and other ids\n", result->same_pixels.n);
    print_pairs(stream, &result->same_pixels, &ids[0], &ids[1]);
    for (size_t split = 0; split < DV_N_SPLITS; split++) {
        fprintf(stream, "%zu pairs with the same pixels inside %s\n", result->inside[split].n, options->lists[split]);
        print_pairs(stream, &result->inside[split], &ids[split], &ids[split]);
    }
    if (result->n_left_out) fprintf(stream, "%zu pictures are left out\n", result->n_left_out);
}

dv_status dv_report_splits_table(const dv_splits_options *options, const dv_splits_result *result, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_all(stream, options, result);
    return dv_text_end(stream, text);
}
