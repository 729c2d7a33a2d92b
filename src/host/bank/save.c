#include <stdlib.h>
#include <string.h>

#include "bank/format.h"
#include "bank/handle.h"
#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_file.h"

enum { SLAB_BYTES = 16 << 20 }; /* of rows that are copied at a time */

typedef struct named_size {
    const char *name;
    size_t value;
} named_size;

static dv_status put_attributes(dv_h5_writer *writer, const dv_bank *bank) {
    const dv_bank_info *info = &bank->info;
    const dv_preprocessing *p = &info->preprocessing;
    const named_size sizes[] = {
        {"grid_h", bank->grid_h},
        {"grid_w", bank->grid_w},
        {"patch_size", p->patch_size},
        {"input_h", p->input_h},
        {"input_w", p->input_w},
        {"bfloat16", info->dtype == DV_BF16},
        {"passes", bank->passes},
        {"n_images", info->n_images},
        {"n_bank_images", info->n_bank_images},
        {"unfilled_rows", info->n_unfilled_rows},
        {"skipped_zero_rows", info->n_skipped_zero_rows},
    };
    DV_TRY(dv_h5_put_attribute_text(writer, "schema", DV_BANK_SCHEMA));
    DV_TRY(dv_h5_put_attribute_text(writer, "zero_rows", dv_zero_rows_name(bank->zero_rows)));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        DV_TRY(dv_h5_put_attribute_u64(writer, sizes[i].name, sizes[i].value));
    if (info->n_skipped_images) DV_TRY(dv_h5_put_attribute_u64(writer, "skipped_images", info->n_skipped_images));
    if (p->encoder && p->encoder[0]) DV_TRY(dv_h5_put_attribute_text(writer, "encoder", p->encoder));
    if (p->n_mean) DV_TRY(dv_h5_put_attribute_f64(writer, "mean", p->n_mean, p->mean));
    if (p->n_std) DV_TRY(dv_h5_put_attribute_f64(writer, "std", p->n_std, p->std));
    return DV_OK;
}

/* Everything but the features. */
static dv_status put_metadata(dv_h5_writer *writer, const dv_bank *bank) {
    const dv_bank_info *info = &bank->info;
    const size_t dims[2] = {info->n_rows, info->n_classes};
    DV_TRY(put_attributes(writer, bank));
    DV_TRY(dv_h5_put(writer, "/pixel_counts", DV_H5_U16, 2, dims, info->counts));
    DV_TRY(dv_h5_put(writer, "/image", DV_H5_I32, 1, dims, info->image));
    DV_TRY(dv_h5_put(writer, "/patch", DV_H5_I32, 1, dims, info->patch));
    DV_TRY(dv_h5_put(writer, "/rank", DV_H5_I32, 1, dims, info->rank));
    DV_TRY(dv_h5_put_texts(writer, "/image_id", info->n_images, info->image_ids));
    if (info->object_ids) DV_TRY(dv_h5_put_texts(writer, "/object_id", info->n_images, info->object_ids));
    if (info->class_names) DV_TRY(dv_h5_put_texts(writer, "/class_names", info->n_classes, info->class_names));
    return DV_OK;
}

static dv_status put_rows(dv_h5_writer *writer, dv_bank *bank) {
    const dv_bank_info *info = &bank->info;
    const size_t dims[2] = {info->n_rows, info->dim}, row_bytes = info->dim * dv_dtype_size(info->dtype);
    const size_t fitting = row_bytes < SLAB_BYTES ? SLAB_BYTES / row_bytes : 1;
    const size_t slab_rows = fitting < info->n_rows ? fitting : info->n_rows;
    const dv_h5_type type = info->dtype == DV_BF16 ? DV_H5_U16 : dv_h5_type_of(info->dtype); /* as feature files do */
    dv_h5_rows *rows;
    DV_TRY(dv_h5_rows_create(writer, "/rows", type, 2, dims, 0, 0, &rows));
    unsigned char *slab;
    DV_TRY(dv_alloc(slab_rows, row_bytes, "a slab of bank rows", &slab));
    dv_status status = DV_OK;
    for (size_t first = 0; status == DV_OK && first < info->n_rows; first += slab_rows) {
        const size_t n = slab_rows < info->n_rows - first ? slab_rows : info->n_rows - first;
        status = dv_bank_read(bank, first, n, slab);
        if (status == DV_OK) status = dv_h5_rows_append(rows, n, slab);
    }
    free(slab);
    return status;
}

dv_status dv_bank_save(dv_bank *bank, const char *path, bool force) {
    if (bank->info.n_classes == 0)
        return dv_fail(DV_E_USAGE, "%s: a bank without classes: a bank file holds soft labels", path);
    dv_h5_writer *writer;
    DV_TRY(dv_h5_create(path, force, &writer));
    dv_status status = put_metadata(writer, bank);
    if (status == DV_OK) status = put_rows(writer, bank);
    if (status == DV_OK) return dv_h5_commit(writer);
    dv_h5_abandon(writer);
    return status;
}
