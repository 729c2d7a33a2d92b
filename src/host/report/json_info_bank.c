#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/bank.h"
#include "report/json_info.h"
#include "report/json_report.h"

/* Reads n rows. Steps that hold a bad row are halved until it stands alone; then it is taken in, and read as zeros. */
static dv_status read_rows(dv_bank *bank, size_t first, size_t n, char *rows, dv_fault_list *faults) {
    const dv_bank_info *const info = dv_bank_get_info(bank);
    const size_t row_bytes = info->dim * dv_dtype_size(info->dtype);
    for (size_t done = 0, step = n; done < n;) {
        if (step > n - done) step = n - done;
        const dv_status status = dv_bank_read(bank, first + done, step, rows + done * row_bytes);
        if (status != DV_OK && status != DV_E_DATA) return status;
        if (status == DV_E_DATA && step > 1) {
            step /= 2;
            continue;
        }
        if (status == DV_E_DATA) {
            dv_fault_list_add(faults, dv_last_error());
            memset(rows + done * row_bytes, 0, row_bytes);
        }
        done += step;
        step *= 2;
    }
    return DV_OK;
}

static dv_status check_bank(dv_report *report, json_t *object, dv_bank *bank, dv_fault_list *faults) {
    const dv_bank_info *const info = dv_bank_get_info(bank);
    const size_t row_bytes = info->dim * dv_dtype_size(info->dtype);
    size_t n_block = row_bytes ? DV_INFO_BLOCK_BYTES / row_bytes : 1;
    if (n_block == 0) n_block = 1;
    if (n_block > info->n_rows) n_block = info->n_rows;
    size_t n_zero_rows = 0;
    char *rows = NULL;
    dv_status status = dv_alloc(n_block, row_bytes, "a block of bank rows", &rows);
    for (size_t first = 0; status == DV_OK && first < info->n_rows; first += n_block) {
        const size_t n = n_block < info->n_rows - first ? n_block : info->n_rows - first;
        status = read_rows(bank, first, n, rows, faults);
        if (status == DV_OK) n_zero_rows += dv_info_count_zero_rows(rows, info->dtype, n, info->dim);
    }
    if (status == DV_OK) {
        dv_report_set(report, object, "finite", json_true());
        dv_report_set(report, object, "zero_rows", dv_json_count(n_zero_rows));
    }
    free(rows);
    return status;
}

dv_status dv_info_bank(dv_report *report, json_t *object, const char *path, dv_fault_list *faults) {
    dv_bank *bank = NULL;
    DV_TRY(dv_bank_open(path, &bank));
    const dv_bank_info *const info = dv_bank_get_info(bank);
    dv_report_set(report, object, "rows", dv_json_count(info->n_rows));
    dv_report_set(report, object, "dim", dv_json_count(info->dim));
    dv_report_set(report, object, "dtype", json_string(dv_dtype_name(info->dtype)));
    dv_info_set_preprocessing(report, object, &info->preprocessing);
    dv_report_set(report, object, "classes", dv_json_count(info->n_classes));
    dv_info_set_texts(report, object, "class_names", info->class_names, info->class_names ? info->n_classes : 0);
    dv_report_set(report, object, "images", dv_json_count(info->n_bank_images));
    dv_report_set(report, object, "source_images", dv_json_count(info->n_images));
    dv_report_set(report, object, "unfilled_rows", dv_json_count(info->n_unfilled_rows));
    dv_report_set(report, object, "skipped_zero_rows", dv_json_count(info->n_skipped_zero_rows));
    dv_report_set(report, object, "skipped_images", dv_json_count(info->n_skipped_images));
    dv_status status = dv_info_set_distinct(report, object, "objects", info->object_ids, info->n_images);
    if (status == DV_OK && faults)
        status = check_bank(report, object, bank, faults);
    else if (status == DV_OK)
        dv_report_set(report, object, "finite", json_null());
    dv_bank_close(bank);
    return status;
}
