/* bench_files.c: the way of a bench's rows from feature files and into them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench.h"
#include "app/bench_data.h"
#include "app/message.h"
#include "denseval/features.h"

static uint16_t half_of(float value) {
    const uint32_t largest = 0x7bff, subnormal_below = 0x38800000, half_bits = 0x3f000000;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits < subnormal_below) { /* adding a half leaves the bits of a subnormal, rounded by the processor */
        float sum;
        memcpy(&sum, &bits, sizeof sum);
        sum += 0.5f;
        memcpy(&bits, &sum, sizeof bits);
        return (uint16_t)(sign | (bits - half_bits));
    }
    bits = (bits + 0xfff + (bits >> 13 & 1) - 0x38000000) >> 13; /* to even, and from bias 127 to 15 */
    return (uint16_t)(sign | (bits > largest ? largest : bits));
}

static uint16_t bfloat_of(float value) {
    const uint32_t largest = 0x7f7f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)(sign | (bits > largest ? largest : bits));
}

void dv_bench_narrow(const float *source, dv_dtype dtype, void *target, size_t n) {
    if (dtype == DV_F32) {
        memcpy(target, source, n * sizeof *source);
        return;
    }
    uint16_t *const stored = target;
    for (size_t i = 0; i < n; i++) stored[i] = dtype == DV_F16 ? half_of(source[i]) : bfloat_of(source[i]);
}

/* Images first .. first + n - 1 as f32. */
static dv_status read_images(dv_features *features, size_t first, size_t n, float **rows) {
    const dv_feature_info *const info = dv_features_info(features);
    const size_t n_values = info->n_patches * info->dim;
    void *stored = NULL;
    DV_TRY(dv_bench_alloc(n * info->n_patches, info->dim * sizeof **rows, "real rows", rows));
    dv_status status = dv_bench_alloc(n_values, dv_dtype_size(info->dtype), "stored values", &stored);
    for (size_t i = 0; status == DV_OK && i < n; i++) {
        status = dv_features_read(features, first + i, 1, DV_ZERO_KEEP, stored, NULL);
        if (status == DV_OK) dv_widen_f32(stored, info->dtype, *rows + i * n_values, n_values);
    }
    free(stored);
    return status;
}

static size_t images_for(size_t rows, size_t n_patches, size_t most) {
    const size_t n = (rows + n_patches - 1) / n_patches;
    return n < most ? n : most;
}

static dv_status read_base(dv_features *features, size_t rows, size_t n_queries, dv_bench_base *base) {
    const dv_feature_info *const info = dv_features_info(features);
    if (info->n_images < 2)
        return dv_app_fail(DV_E_DATA, "%s: 1 image: a bench needs one for the bank and one for the queries",
                           info->paths[0]);
    const size_t first_query = info->n_images - (info->n_images + 3) / 4;
    const size_t bank_images = images_for(rows, info->n_patches, first_query);
    const size_t query_images = images_for(n_queries, info->n_patches, info->n_images - first_query);
    base->dim = info->dim;
    base->n_bank = bank_images * info->n_patches;
    base->n_queries = query_images * info->n_patches;
    DV_TRY(read_images(features, 0, bank_images, &base->bank));
    return read_images(features, first_query, query_images, &base->queries);
}

dv_status dv_bench_base_read(const dv_path_list *paths, size_t rows, size_t n_queries, dv_bench_base *base) {
    dv_features *features;
    *base = (dv_bench_base){0};
    DV_TRY(dv_features_open(dv_path_list_items(paths), paths->n, &features));
    const dv_status status = read_base(features, rows, n_queries, base);
    dv_features_close(features);
    return status;
}

void dv_bench_base_clear(dv_bench_base *base) {
    free(base->bank);
    free(base->queries);
    *base = (dv_bench_base){0};
}

static size_t largest_divisor(size_t n, size_t most) {
    size_t divisor = most < n ? most : n;
    while (n % divisor) divisor--;
    return divisor;
}

dv_status dv_bench_data_save(const dv_rows *rows, const char *encoder, size_t most_patches, bool force,
                             const char *path) {
    const size_t n_patches = largest_divisor(rows->n_rows, most_patches);
    const dv_feature_spec spec = {
        .n_images = rows->n_rows / n_patches,
        .grid_h = 1,
        .grid_w = n_patches,
        .dim = rows->dim,
        .dtype = rows->dtype,
        .preprocessing = {.encoder = encoder, .patch_size = 1, .input_h = 1, .input_w = n_patches},
    };
    dv_feature_writer *writer;
    DV_TRY(dv_feature_writer_create(path, &spec, force, &writer));
    dv_status status = dv_feature_writer_append(writer, spec.n_images, rows->data, NULL);
    if (status == DV_OK) status = dv_feature_writer_finish(writer);
    dv_feature_writer_free(writer);
    return status;
}
