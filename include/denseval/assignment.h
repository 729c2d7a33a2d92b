/* assignment.h: the assignment of least total cost (the Hungarian problem). */
#ifndef DENSEVAL_ASSIGNMENT_H
#define DENSEVAL_ASSIGNMENT_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* One column for every row, no column twice, with the least sum of costs, in O(n_rows^2 n_columns) by shortest
 * augmenting paths over dual potentials. Among equal sums the outcome is fixed: rows are inserted in order and the
 * lowest column wins each tie.
 * cost       f64 [n_rows, n_columns], finite, n_rows <= n_columns; host memory, borrowed for the call
 * column_of  [n_rows], written in full
 * Source: Kuhn 1955; in the form of Jonker and Volgenant, Computing 38, 1987. Fails with DV_E_ARG, DV_E_NOMEM. */
DV_MUST_USE dv_status dv_assignment_solve(const double *cost, size_t n_rows, size_t n_columns, size_t *column_of);

DV_C_END
#endif
