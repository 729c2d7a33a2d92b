#include <errno.h>
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

static void put_images(FILE *stream, const dv_label_iou_result *result) {
    fputs("image,scored_pixels,ignored_pixels,dropped_pixels,correct_pixels,miou,miou_truth_only,boundary_miou\n",
          stream);
    for (size_t i = 0; i < result->n_images; i++)
        if (result->images[i].counted) put_image(stream, &result->images[i]);
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

static dv_status put_classes(FILE *stream, const dv_label_iou_result *result, const char *const *names) {
    class_pixels pixels = {NULL, NULL, NULL};
    const dv_status status = sum_pixels(result->confusion, &pixels);
    fputs("id,name,iou,accuracy,precision,dice,boundary_iou,truth_pixels,predicted_pixels,intersection\n", stream);
    for (size_t c = 0; c < result->iou.n_classes && status == DV_OK; c++)
        put_class(stream, result, &pixels, c, names ? names[c] : "");
    free(pixels.truth);
    free(pixels.predicted);
    free(pixels.both);
    return status;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------
 */

/* *file NULL where there is no path; the caller's on failure, too. */
static dv_status begin(const char *path, bool force, dv_atomic_file **file, FILE **stream) {
    *file = NULL;
    if (!path) return DV_OK;
    DV_TRY(dv_atomic_file_begin(path, force, file));
    return dv_atomic_file_stream(*file, stream);
}

static dv_status flush(const char *path, FILE *stream) {
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream)) return DV_OK;
    return dv_fail(DV_E_IO, "%s: writing failed: %s", path, dv_error_text(errno));
}

static dv_status write_images(const char *path, bool force, const dv_label_iou_result *result, dv_atomic_file **file) {
    FILE *stream;
    DV_TRY(begin(path, force, file, &stream));
    if (!*file) return DV_OK;
    put_images(stream, result);
    return flush(path, stream);
}

static dv_status write_classes(const char *path, bool force, const dv_label_iou_result *result,
                               const char *const *names, dv_atomic_file **file) {
    FILE *stream;
    DV_TRY(begin(path, force, file, &stream));
    if (!*file) return DV_OK;
    DV_TRY(put_classes(stream, result, names));
    return flush(path, stream);
}

/* The tables wait, complete, until the figure is there: it has more ways to fail. */
dv_status dv_label_iou_save(const dv_label_iou_files *files, bool force, const dv_label_iou_result *result,
                            const char *const *names) {
    enum { N_TABLES = 2 };
    dv_atomic_file *tables[N_TABLES] = {NULL, NULL};
    dv_status status = write_images(files->per_image, force, result, &tables[0]);
    if (status == DV_OK) status = write_classes(files->per_class, force, result, names, &tables[1]);
    if (status == DV_OK && files->heat_map) status = dv_label_iou_draw(files->heat_map, force, result, names);
    for (size_t i = 0; i < N_TABLES; i++) {
        if (status == DV_OK && tables[i])
            status = dv_atomic_file_commit(tables[i]);
        else
            dv_atomic_file_abandon(tables[i]);
    }
    return status;
}
