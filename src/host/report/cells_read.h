/* cells_read.h: the parts of dv_cells_read: a reader a kind of file, and what makes one set of several files. */
#ifndef DV_REPORT_CELLS_READ_H
#define DV_REPORT_CELLS_READ_H

#include "core/fault_list.h"
#include "denseval/cells.h"

/* Where a cell was read. */
typedef struct dv_cell_origin {
    size_t path; /* index into the paths */
    bool json;   /* place is a position in `cells`, from 0; else a line, from 1 */
    size_t place;
} dv_cell_origin;

/* A set of cells that grows file by file. */
typedef struct dv_cells_reader {
    dv_cells cells;
    dv_cell_origin *origins;  /* [cells.n] */
    size_t path;              /* the file that is read */
    const char *classes_from; /* file that told n_classes; NULL: none did yet. Borrowed */
} dv_cells_reader;

/* Appends a cell and its origin. */
DV_MUST_USE dv_status dv_cells_reader_add(dv_cells_reader *reader, bool json, size_t place, dv_cell **out);

/* The number of classes of the file `path`, which must be that of the files before. */
DV_MUST_USE dv_status dv_cells_reader_classes(dv_cells_reader *reader, const char *path, size_t n_classes);

/* Append the cells of one file. text: char [length + 1]. Messages lack the path. Faults of single cells go to `faults`
 * as whole messages, with the path, and are no failure. */
DV_MUST_USE dv_status dv_cells_read_csv(dv_cells_reader *reader, const char *path, char *text, size_t length,
                                        dv_fault_list *faults); /* text is handed over, also on failure */
DV_MUST_USE dv_status dv_cells_read_json(dv_cells_reader *reader, const char *path, const char *text, size_t length,
                                         dv_fault_list *faults);

/* Frees what a cell owns. */
void dv_cell_clear(dv_cell *cell);

/* By encoder, memory, reference bins, bin: equal for the same cell. */
int dv_cell_compare_key(const dv_cell *a, const dv_cell *b);

/* Which of its values two readings of a cell do not share, of those that both know; NULL: none. Static lifetime. */
const char *dv_cell_difference(const dv_cell *a, const dv_cell *b, size_t n_classes);

/* Mean over the classes from `first` on that have a value; NaN where none has. */
double dv_mean_iou(const double *iou, size_t first, size_t n_classes);

/* Sorts bins; false where one is there twice. */
bool dv_bins_sort(int32_t *bins, size_t n);

#endif
