/* Shortest augmenting paths. Potentials u of rows and v of columns keep every reduced cost
 *     cost[row][column] - u[row] - v[column] >= 0,   with equality for each assigned pair,
 * so the assigned pairs are a solution of least cost for the rows that were inserted so far. A row is inserted thus:
 *   1. Dijkstra over reduced costs from the new row: `length[column]` is the shortest way to a column so far, over rows
 *      that give up their column for another; `from[column]` is the row it is reached from. Of the columns that are not
 *      final the nearest becomes final, the lowest on ties; if it is assigned, the search goes on from its row.
 *   2. The first final column that is free ends it, at distance d. The potentials of final rows and columns are
 *      moved by d - length, which keeps the condition and makes the reduced costs along the path 0.
 *   3. Along the path back to the new row each row takes the column it reached.
 * Each insertion looks at n_columns columns from at most n_rows rows. */
#include "denseval/assignment.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

static const size_t NONE = SIZE_MAX;

typedef struct solver {
    const double *cost; /* [n_rows, n_columns] */
    size_t n_rows, n_columns;
    double *u, *v;  /* [n_rows], [n_columns] */
    double *length; /* [n_columns] */
    size_t *from;   /* [n_columns] */
    bool *final;    /* [n_columns] */
    size_t *row_of; /* [n_columns], NONE where free */
} solver;

static dv_status check_costs(const double *cost, size_t n_rows, size_t n_columns) {
    if (n_rows > n_columns)
        return dv_fail(DV_E_ARG, "assigning %zu rows to %zu columns: there must be as many columns", n_rows, n_columns);
    for (size_t row = 0; row < n_rows; row++)
        for (size_t column = 0; column < n_columns; column++)
            if (!isfinite(cost[row * n_columns + column]))
                return dv_fail(DV_E_ARG, "cost of row %zu and column %zu, value %g: costs must be finite", row, column,
                               cost[row * n_columns + column]);
    return DV_OK;
}

static dv_status solver_init(solver *s, const double *cost, size_t n_rows, size_t n_columns) {
    *s = (solver){.cost = cost, .n_rows = n_rows, .n_columns = n_columns};
    DV_TRY(dv_alloc(n_rows, sizeof *s->u, "assignment", &s->u));
    DV_TRY(dv_alloc(n_columns, sizeof *s->v, "assignment", &s->v));
    DV_TRY(dv_alloc(n_columns, sizeof *s->length, "assignment", &s->length));
    DV_TRY(dv_alloc(n_columns, sizeof *s->from, "assignment", &s->from));
    DV_TRY(dv_alloc(n_columns, sizeof *s->final, "assignment", &s->final));
    DV_TRY(dv_alloc(n_columns, sizeof *s->row_of, "assignment", &s->row_of));
    for (size_t column = 0; column < n_columns; column++) s->row_of[column] = NONE;
    return DV_OK;
}

static void solver_clear(solver *s) {
    free(s->u);
    free(s->v);
    free(s->length);
    free(s->from);
    free(s->final);
    free(s->row_of);
}

/* Lets the ways that end in `row`, `distance` long, go on to every column; returns the nearest that is not final. */
static size_t relax(solver *s, size_t row, double distance) {
    const double *cost = s->cost + row * s->n_columns;
    size_t nearest = NONE;
    for (size_t column = 0; column < s->n_columns; column++) {
        if (s->final[column]) continue;
        const double length = distance + (cost[column] - s->u[row] - s->v[column]);
        if (length < s->length[column]) {
            s->length[column] = length;
            s->from[column] = row;
        }
        if (nearest == NONE || s->length[column] < s->length[nearest]) nearest = column;
    }
    return nearest;
}

/* Steps 1 and 2; returns the free column at the end of the path. There is one, as rows are at most as many as columns.
 */
static size_t find_path(solver *s, size_t new_row) {
    for (size_t column = 0; column < s->n_columns; column++) {
        s->length[column] = INFINITY;
        s->final[column] = false;
    }
    size_t row = new_row, end;
    double distance = 0.0;
    for (;;) {
        end = relax(s, row, distance);
        distance = s->length[end];
        if (s->row_of[end] == NONE) break;
        s->final[end] = true;
        row = s->row_of[end];
    }
    s->u[new_row] += distance;
    for (size_t column = 0; column < s->n_columns; column++) {
        if (!s->final[column]) continue;
        s->u[s->row_of[column]] += distance - s->length[column];
        s->v[column] -= distance - s->length[column];
    }
    return end;
}

dv_status dv_assignment_solve(const double *cost, size_t n_rows, size_t n_columns, size_t *column_of) {
    DV_TRY(check_costs(cost, n_rows, n_columns));
    solver s;
    const dv_status status = solver_init(&s, cost, n_rows, n_columns);
    if (status == DV_OK) {
        for (size_t row = 0; row < n_rows; row++) column_of[row] = NONE;
        for (size_t new_row = 0; new_row < n_rows; new_row++) {
            size_t column = find_path(&s, new_row);
            while (column != NONE) { /* the new row had no column to give up: the path ends there */
                const size_t row = s.from[column], given_up = column_of[row];
                s.row_of[column] = row;
                column_of[row] = column;
                column = given_up;
            }
        }
    }
    solver_clear(&s);
    return status;
}
