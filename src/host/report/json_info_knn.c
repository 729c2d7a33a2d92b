#include <math.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "io/hdf5_file.h"
#include "report/json_info.h"
#include "report/json_report.h"

/* A knn file that is open. Where masks left a query short, the rest holds id -1 and cosine -2. */
typedef struct knn_file {
    const char *path;
    dv_h5 *file;
    dv_h5_data *ids, *cosines;
    size_t n_images, n_patches, k;
    uint64_t bank_rows, first_image;
} knn_file;

static dv_status open_knn(knn_file *knn) {
    uint64_t k;
    DV_TRY(dv_h5_open(knn->path, &knn->file));
    DV_TRY(dv_h5_attribute_u64(knn->file, "k", &k));
    DV_TRY(dv_h5_attribute_u64(knn->file, "bank_rows", &knn->bank_rows));
    DV_TRY(dv_h5_attribute_u64(knn->file, "first_image", &knn->first_image));
    DV_TRY(dv_h5_data_open(knn->file, "/ids", &knn->ids));
    DV_TRY(dv_h5_data_open(knn->file, "/cosines", &knn->cosines));
    DV_TRY(dv_h5_expect(knn->ids, 3, (const size_t[]){SIZE_MAX, SIZE_MAX, (size_t)k}));
    const dv_h5_shape *const shape = dv_h5_data_shape(knn->ids);
    DV_TRY(dv_h5_expect(knn->cosines, 3, shape->dims));
    knn->n_images = shape->dims[0];
    knn->n_patches = shape->dims[1];
    knn->k = shape->dims[2];
    return DV_OK;
}

static void close_knn(knn_file *knn) {
    dv_h5_data_close(knn->cosines);
    dv_h5_data_close(knn->ids);
    dv_h5_close(knn->file);
}

/* The neighbours of one query: ids of the bank, cosines in range and falling. */
static dv_status check_query(const knn_file *knn, const int64_t *ids, const double *cosines, size_t image,
                             size_t patch) {
    char text[DV_NUMBER_SIZE];
    for (size_t i = 0; i < knn->k; i++) {
        const double cosine = cosines[i];
        const bool empty = ids[i] == -1 && cosine == -2;
        if (!empty && (ids[i] < 0 || (uint64_t)ids[i] >= knn->bank_rows))
            return dv_fail(DV_E_DATA, "%s: /ids image %zu patch %zu, value %lld: must be a row below %llu", knn->path,
                           image, patch, (long long)ids[i], (unsigned long long)knn->bank_rows);
        if (!empty && !(cosine >= -1 && cosine <= 1))
            return dv_fail(DV_E_DATA, "%s: /cosines image %zu patch %zu, value %s: must be in -1..1", knn->path, image,
                           patch, dv_format_double(cosine, text));
        if (i > 0 && cosine > cosines[i - 1])
            return dv_fail(DV_E_DATA, "%s: /cosines image %zu patch %zu, neighbour %zu: must not rise", knn->path,
                           image, patch, i);
    }
    return DV_OK;
}

static dv_status check_knn(knn_file *knn, dv_fault_list *faults) {
    size_t n;
    int64_t *ids = NULL;
    double *cosines = NULL;
    dv_status status = dv_mul_size(knn->n_patches, knn->k, "the neighbours of an image", &n);
    if (status == DV_OK) status = dv_alloc(n, sizeof *ids, "the neighbours of an image", &ids);
    if (status == DV_OK) status = dv_alloc(n, sizeof *cosines, "the neighbours of an image", &cosines);
    for (size_t image = 0; status == DV_OK && image < knn->n_images; image++) {
        status = dv_context(dv_check_interrupted(), "%s", knn->path);
        if (status == DV_OK) status = dv_h5_read_i64(knn->ids, image, 1, ids);
        if (status == DV_OK) status = dv_h5_read_f64(knn->cosines, image, 1, cosines);
        for (size_t patch = 0; status == DV_OK && patch < knn->n_patches; patch++)
            if (check_query(knn, ids + patch * knn->k, cosines + patch * knn->k, image, patch) != DV_OK)
                dv_fault_list_add(faults, dv_last_error());
    }
    free(cosines);
    free(ids);
    return status;
}

dv_status dv_info_knn(dv_report *report, json_t *object, const char *path, dv_fault_list *faults) {
    knn_file knn = {.path = path};
    dv_status status = open_knn(&knn);
    if (status == DV_OK && faults) status = check_knn(&knn, faults);
    if (status == DV_OK) {
        dv_report_set(report, object, "images", dv_json_count(knn.n_images));
        dv_report_set(report, object, "first_image", dv_json_count(knn.first_image));
        dv_report_set(report, object, "patches", dv_json_count(knn.n_patches));
        dv_report_set(report, object, "k", dv_json_count(knn.k));
        dv_report_set(report, object, "bank_rows", dv_json_count(knn.bank_rows));
        dv_report_set(report, object, "finite", faults ? json_true() : json_null());
    }
    close_knn(&knn);
    return status;
}
