#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/memory.h"
#include "denseval/report.h"
#include "report/csv_write.h"

static void put_image(FILE *stream, const dv_label_iou_image *image) {
    dv_csv_put_text(stream, image->name);
    fprintf(stream, ",%llu,%llu,%llu,%llu,", (unsigned long long)image->scored_pixels,
            (unsigned long long)image->ignored_pixels, (unsigned long long)image->dropped_pixels,
            (unsigned long long)image->correct_pixels);
    dv_csv_put_real(stream, image->miou, false);
    fputc(',', stream);
    dv_csv_put_real(stream, image->miou_truth_only, false);
    fputc(',', stream);
    dv_csv_put_real(stream, image->boundary_miou, false);
    fputc('\n', stream);
}

static dv_status begin(const char *path, bool force, dv_atomic_file **file, FILE **stream) {
    DV_TRY(dv_atomic_file_begin(path, force, file));
    const dv_status status = dv_atomic_file_stream(*file, stream);
    if (status != DV_OK) dv_atomic_file_abandon(*file);
    return status;
}

dv_status dv_label_iou_save_images(const char *path, bool force, const dv_label_iou_result *result) {
    dv_atomic_file *file;
    FILE *stream;
    DV_TRY(begin(path, force, &file, &stream));
    fputs("image,scored_pixels,ignored_pixels,dropped_pixels,correct_pixels,miou,miou_truth_only,boundary_miou\n",
          stream);
    for (size_t i = 0; i < result->n_images; i++)
        if (result->images[i].counted) put_image(stream, &result->images[i]);
    return dv_atomic_file_commit(file);
}

/* Pixels of each class, u64 [n_classes]. */
typedef struct class_pixels {
    uint64_t *truth, *predicted, *both; /* owned */
} class_pixels;

static dv_status sum_pixels(const dv_confusion *confusion, class_pixels *pixels) {
    const size_t n = dv_confusion_classes(confusion);
    DV_TRY(dv_alloc(n, sizeof *pixels->truth, "pixels of a class", &pixels->truth));
    DV_TRY(dv_alloc(n, sizeof *pixels->predicted, "pixels of a class", &pixels->predicted));
    DV_TRY(dv_alloc(n, sizeof *pixels->both, "pixels of a class", &pixels->both));
    dv_confusion_sums(confusion, pixels->truth, pixels->predicted, pixels->both);
    return DV_OK;
}

static void put_share(FILE *stream, uint64_t part, uint64_t whole) {
    fputc(',', stream);
    dv_csv_put_real(stream, whole ? (double)part / (double)whole : (double)NAN, false);
}

static void put_class(FILE *stream, const dv_label_iou_result *result, const class_pixels *pixels, size_t c,
                      const char *name) {
    const uint64_t truth = pixels->truth[c], predicted = pixels->predicted[c], both = pixels->both[c];
    fprintf(stream, "%zu,", c);
    dv_csv_put_text(stream, name);
    fputc(',', stream);
    dv_csv_put_real(stream, result->iou.iou[c], false);
    put_share(stream, both, truth);
    put_share(stream, both, predicted);
    put_share(stream, 2 * both, truth + predicted);
    fputc(',', stream);
    if (result->boundary_iou) dv_csv_put_real(stream, result->boundary_iou[c], false);
    fprintf(stream, ",%llu,%llu,%llu\n", (unsigned long long)truth, (unsigned long long)predicted,
            (unsigned long long)both);
}

static dv_status save_classes(const char *path, bool force, const dv_label_iou_result *result,
                              const class_pixels *pixels, const char *const *names) {
    dv_atomic_file *file;
    FILE *stream;
    DV_TRY(begin(path, force, &file, &stream));
    fputs("id,name,iou,accuracy,precision,dice,boundary_iou,truth_pixels,predicted_pixels,intersection\n", stream);
    for (size_t c = 0; c < result->iou.n_classes; c++) put_class(stream, result, pixels, c, names ? names[c] : "");
    return dv_atomic_file_commit(file);
}

dv_status dv_label_iou_save_classes(const char *path, bool force, const dv_label_iou_result *result,
                                    const char *const *names) {
    class_pixels pixels = {NULL, NULL, NULL};
    dv_status status = sum_pixels(result->confusion, &pixels);
    if (status == DV_OK) status = save_classes(path, force, result, &pixels, names);
    free(pixels.truth);
    free(pixels.predicted);
    free(pixels.both);
    return status;
}
