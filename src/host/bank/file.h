/* file.h: an opened "denseval bank v1" file. */
#ifndef DV_BANK_FILE_H
#define DV_BANK_FILE_H

#include <stddef.h>

#include "denseval/bank.h"
#include "denseval/status.h"

/* The open file and the texts that the bank's info points to. */
typedef struct dv_bank_file dv_bank_file;

/* Rows as dv_bank_read gives them, the range being checked. Fails with DV_E_DATA naming "/rows row N" for a value that
 * is not finite, and for a zero row that is neither unfilled nor kept on purpose; DV_E_IO,
 * DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_bank_file_read(dv_bank *bank, size_t first, size_t n_rows, void *rows);

/* DV_E_DATA unless all ranks opened the same file (cluster/same.h). Of a built bank they told each other the rows:
 * DV_OK. */
DV_MUST_USE dv_status dv_bank_same(dv_ranks *ranks, const dv_bank *bank);

/* NULL is allowed. */
void dv_bank_file_close(dv_bank_file *file);

#endif
