#include <stdio.h>

#include "core/atomic_file.h"
#include "core/check.h"
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

dv_status dv_label_iou_save_images(const char *path, bool force, const dv_label_iou_result *result) {
    dv_atomic_file *file;
    FILE *stream;
    DV_TRY(dv_atomic_file_begin(path, force, &file));
    const dv_status status = dv_atomic_file_stream(file, &stream);
    if (status != DV_OK) {
        dv_atomic_file_abandon(file);
        return status;
    }
    fputs("image,scored_pixels,ignored_pixels,dropped_pixels,correct_pixels,miou,miou_truth_only,boundary_miou\n",
          stream);
    for (size_t i = 0; i < result->n_images; i++)
        if (result->images[i].counted) put_image(stream, &result->images[i]);
    return dv_atomic_file_commit(file);
}
