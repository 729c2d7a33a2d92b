/* handle.h: what a bank is made of, shared by the parts that build, read and save it. */
#ifndef DV_BANK_HANDLE_H
#define DV_BANK_HANDLE_H

#include <stddef.h>
#include <stdint.h>

#include "bank/file.h"
#include "bank/image_slab.h"
#include "denseval/bank.h"

struct dv_bank {
    dv_bank_info info;
    size_t grid_h, grid_w, passes;
    dv_zero_rows zero_rows; /* what a zero row among the filled ones is */
    uint16_t *counts;       /* [n_rows, n_classes]; owned, as the three below */
    int32_t *image, *patch, *rank;
    dv_features *features; /* borrowed, of a built bank; NULL for an opened one */
    dv_image_slab slab;
    dv_bank_file *file; /* owned, of an opened bank, with the texts that info points to; NULL for a built one */
};

/* Allocates what a row has beside its features. Fails with DV_E_NOMEM; what was allocated goes with the bank. */
DV_MUST_USE dv_status dv_bank_alloc_rows(dv_bank *bank, size_t n_rows, size_t n_classes);

/* Lets info point to the arrays. */
void dv_bank_publish_rows(dv_bank *bank, size_t n_rows);

#endif
