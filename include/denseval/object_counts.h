/* object_counts.h: class counts of each object instance in each cell of a sweep: what resampling of objects needs. */
#ifndef DENSEVAL_OBJECT_COUNTS_H
#define DENSEVAL_OBJECT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Cells in the order of the result file they stand beside; counts are those before relabelling. */
typedef struct dv_object_counts {
    size_t n_cells, n_objects, n_classes;
    char **object_ids;       /* [n_objects] */
    uint64_t *intersections; /* u64 [n_cells, n_objects, n_classes]: true positives */
    uint64_t *unions;        /* likewise: TP + FP + FN */
    uint64_t *truths;        /* likewise: truth pixels */
} dv_object_counts;

/* Zeroed counts; object_ids all NULL, to be filled. Fails with DV_E_NOMEM; *out: release with dv_object_counts_clear.
 */
DV_MUST_USE dv_status dv_object_counts_create(size_t n_cells, size_t n_objects, size_t n_classes,
                                              dv_object_counts *out);
void dv_object_counts_clear(dv_object_counts *counts); /* also on a zeroed struct */

/* "denseval counts v1" (HDF5, compressed, without time stamps: the same counts are the same bytes). Written beside its
 * name and renamed. */
DV_MUST_USE dv_status dv_object_counts_write(const char *path, const dv_object_counts *counts);
DV_MUST_USE dv_status dv_object_counts_read(const char *path, dv_object_counts *out);

DV_C_END
#endif
