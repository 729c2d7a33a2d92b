/* sweep_table.h: the cells of a sweep as a short table. */
#ifndef DV_APP_SWEEP_TABLE_H
#define DV_APP_SWEEP_TABLE_H

#include "denseval/cells.h"

/* Prints mIoU of each configuration (rows) in each bin (columns); reference bins in brackets. out  where the files are
 */
void dv_sweep_table_print(const dv_cells *cells);

#endif
