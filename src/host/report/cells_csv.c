#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "denseval/cells.h"
#include "denseval/number.h"
#include "report/csv_write.h"

void dv_csv_put_text(FILE *stream, const char *text) {
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void dv_csv_put_real(FILE *stream, double value, bool rounded) {
    char number[DV_NUMBER_SIZE];
    if (isnan(value)) return;
    if (rounded)
        fprintf(stream, "%.3f", value);
    else
        fputs(dv_format_double(value, number), stream);
}

static void put_score(FILE *stream, double value, bool rounded) {
    fputc(',', stream);
    dv_csv_put_real(stream, value, rounded);
}

/* Population deviation over all classes with a value, as in the published files. */
static double deviation(const double *iou, size_t n_classes) {
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t c = 0; c < n_classes; c++) {
        if (isnan(iou[c])) continue;
        sum += iou[c];
        n++;
    }
    const double mean = sum / (double)n; /* NaN without a class, and so is the result */
    for (size_t c = 0; c < n_classes; c++)
        if (!isnan(iou[c])) squares += (iou[c] - mean) * (iou[c] - mean);
    return sqrt(squares / (double)n);
}

static bool has_per_image(const dv_cells *cells) {
    for (size_t i = 0; i < cells->n; i++)
        if (cells->cells[i].per_image) return true;
    return false;
}

static void put_count(FILE *stream, uint64_t count) {
    fputc(',', stream);
    if (count) fprintf(stream, "%llu", (unsigned long long)count);
}

static void put_cell(FILE *stream, const dv_cell *cell, size_t n_classes, bool rounded, bool kinds) {
    dv_csv_put_text(stream, cell->encoder ? cell->encoder : "");
    for (size_t i = 0; i < cell->n_reference_bins; i++)
        fprintf(stream, "%c%ld", i ? '_' : ',', (long)cell->reference_bins[i]);
    if (!cell->n_reference_bins) fputc(',', stream);
    fprintf(stream, ",%ld", (long)cell->bin);
    put_score(stream, cell->miou, rounded);
    put_score(stream, deviation(cell->iou, n_classes), rounded);
    for (size_t c = 0; c < n_classes; c++) put_score(stream, cell->iou[c], rounded);
    put_count(stream, cell->memory);
    if (kinds) fputs(cell->per_image ? ",per_image" : ",rows", stream);
    fputc(',', stream);
    dv_csv_put_text(stream, cell->difficulty ? cell->difficulty : "");
    put_count(stream, cell->n_images);
    put_count(stream, cell->n_bank_rows);
    fputc('\n', stream);
}

dv_status dv_cells_csv(const dv_cells *cells, bool rounded, char **text) {
    size_t size;
    const bool kinds = has_per_image(cells);
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a table");
    fputs("model,train_bins,val_bin,jac_mean,jac_std", stream);
    for (size_t c = 0; c < cells->n_classes; c++) fprintf(stream, ",jac%zu", c);
    fputs(kinds ? ",memory,memory_kind" : ",memory", stream);
    fputs(",difficulty,images,bank_rows\n", stream);
    for (size_t i = 0; i < cells->n; i++) put_cell(stream, &cells->cells[i], cells->n_classes, rounded, kinds);
    const bool failed = ferror(stream);
    if (fclose(stream) == 0 && !failed) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a table");
}
