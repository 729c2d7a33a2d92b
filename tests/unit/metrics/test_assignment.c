#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "denseval/assignment.h"
#include "property/metrics_seed.h"

static double sum_of(const double *cost, size_t n_rows, size_t n_columns, const size_t *column_of) {
    double sum = 0.0;
    for (size_t row = 0; row < n_rows; row++) sum += cost[row * n_columns + column_of[row]];
    return sum;
}

static void assert_no_column_twice(size_t n_rows, size_t n_columns, const size_t *column_of) {
    bool taken[256] = {false};
    for (size_t row = 0; row < n_rows; row++) {
        assert_true(column_of[row] < n_columns && !taken[column_of[row]]);
        taken[column_of[row]] = true;
    }
}

/* The least sum over every way to give the rows from `row` on a free column. */
static double brute_force(const double *cost, size_t n_rows, size_t n_columns, size_t row, unsigned taken) {
    if (row == n_rows) return 0.0;
    double best = INFINITY;
    for (size_t column = 0; column < n_columns; column++)
        if (!(taken >> column & 1))
            best = fmin(best, cost[row * n_columns + column] +
                                  brute_force(cost, n_rows, n_columns, row + 1, taken | 1u << column));
    return best;
}

/* Costs are small whole numbers, so that sums are exact and ties abound, or multiples of 2^-20, so that they are rare.
 */
static void every_size_up_to_7_meets_brute_force(void **state) {
    (void)state;
    uint64_t random = test_seed();
    double cost[49];
    size_t column_of[8];
    for (size_t n_rows = 1; n_rows <= 7; n_rows++)
        for (size_t n_columns = n_rows; n_columns <= 7; n_columns++)
            for (int repeat = 0; repeat < 24; repeat++) {
                const size_t levels = repeat % 3 == 0 ? 3 : repeat % 3 == 1 ? 10 : 1 << 20;
                for (size_t i = 0; i < n_rows * n_columns; i++)
                    cost[i] = ((double)test_below(&random, levels) - (double)(levels / 2)) / 1048576.0;
                column_of[n_rows] = 4242; /* guard */
                assert_int_equal(dv_assignment_solve(cost, n_rows, n_columns, column_of), DV_OK);
                assert_int_equal(column_of[n_rows], 4242);
                assert_no_column_twice(n_rows, n_columns, column_of);
                assert_true(sum_of(cost, n_rows, n_columns, column_of) == brute_force(cost, n_rows, n_columns, 0, 0));
            }
}

/* Bellman and Ford on exchanges of columns: a row may take another row's column, or a free one, which costs the
 * difference. No exchange pays if and only if potentials exist that make all reduced costs non-negative: dual
 * feasibility, hence least cost (linear programming duality). Whole costs, so everything is exact. */
static bool dual_is_feasible(const double *cost, size_t n_rows, size_t n_columns, const size_t *column_of) {
    double potential[256] = {0}; /* of columns */
    for (size_t pass = 0; pass <= n_columns; pass++) {
        bool changed = false;
        for (size_t row = 0; row < n_rows; row++)
            for (size_t column = 0; column < n_columns; column++) {
                const double *costs = cost + row * n_columns;
                const double reached = potential[column_of[row]] + costs[column] - costs[column_of[row]];
                if (reached < potential[column]) {
                    potential[column] = reached;
                    changed = true;
                }
            }
        if (!changed) break;
        if (pass == n_columns) return false;
    }
    bool assigned[256] = {false};
    for (size_t row = 0; row < n_rows; row++) assigned[column_of[row]] = true;
    for (size_t column = 0; column < n_columns; column++) /* a chain of exchanges into a free column must not pay */
        if (!assigned[column] && potential[column] < 0.0) return false;
    return true;
}

static void sixty_by_sixty_has_feasible_duals(void **state) {
    (void)state;
    enum { N = 60, M = 75 };
    uint64_t random = test_seed();
    static double cost[N * M];
    size_t column_of[N];
    for (int repeat = 0; repeat < 12; repeat++) {
        const size_t levels = repeat % 2 ? 7 : 100000, n_columns = repeat < 8 ? N : M;
        for (size_t i = 0; i < N * n_columns; i++) cost[i] = (double)test_below(&random, levels);
        assert_int_equal(dv_assignment_solve(cost, N, n_columns, column_of), DV_OK);
        assert_no_column_twice(N, n_columns, column_of);
        assert_true(dual_is_feasible(cost, N, n_columns, column_of));
        if (levels == 7) continue;           /* ties: the next solution may be as good */
        const size_t swapped = column_of[0]; /* the check itself must fail on what is worse */
        column_of[0] = column_of[1];
        column_of[1] = swapped;
        assert_false(dual_is_feasible(cost, N, n_columns, column_of));
    }
}

/* R11: ties go to the lowest index. */
static void equal_costs_give_the_identity(void **state) {
    (void)state;
    double cost[5 * 8];
    size_t column_of[5];
    for (int i = 0; i < 40; i++) cost[i] = 0.25;
    assert_int_equal(dv_assignment_solve(cost, 5, 8, column_of), DV_OK);
    for (size_t row = 0; row < 5; row++) assert_int_equal(column_of[row], row);
}

static void lowest_free_column_wins_a_tie(void **state) {
    (void)state;
    const double cost[2 * 4] = {3, 1, 1, 1, 3, 1, 1, 1};
    size_t column_of[2];
    assert_int_equal(dv_assignment_solve(cost, 2, 4, column_of), DV_OK);
    assert_int_equal(column_of[0], 1);
    assert_int_equal(column_of[1], 2);
}

static void greedy_choice_is_revised(void **state) {
    (void)state;
    const double cost[9] = {1, 2, 9, 1, 9, 9, 9, 1, 2}; /* rows 0, 1 want column 0; rows 0, 2 column 1 */
    size_t column_of[3];
    assert_int_equal(dv_assignment_solve(cost, 3, 3, column_of), DV_OK);
    const size_t expected[3] = {1, 0, 2}; /* 2 + 1 + 2 */
    assert_memory_equal(column_of, expected, sizeof expected);
}

static void contract_breaches_are_refused(void **state) {
    (void)state;
    double cost[6] = {1, 2, 3, 4, NAN, 6};
    size_t column_of[3] = {7, 7, 7};
    assert_int_equal(dv_assignment_solve(cost, 3, 2, column_of), DV_E_ARG);
    assert_string_equal(dv_last_error(), "assigning 3 rows to 2 columns: there must be as many columns");
    assert_int_equal(dv_assignment_solve(cost, 2, 3, column_of), DV_E_ARG);
    assert_string_equal(dv_last_error(), "cost of row 1 and column 1, value nan: costs must be finite");
    cost[4] = INFINITY;
    assert_int_equal(dv_assignment_solve(cost, 2, 3, column_of), DV_E_ARG);
    for (int i = 0; i < 3; i++) assert_int_equal(column_of[i], 7);
    assert_int_equal(dv_assignment_solve(cost, 0, 3, column_of), DV_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_up_to_7_meets_brute_force),
        cmocka_unit_test(sixty_by_sixty_has_feasible_duals),
        cmocka_unit_test(equal_costs_give_the_identity),
        cmocka_unit_test(lowest_free_column_wins_a_tie),
        cmocka_unit_test(greedy_choice_is_revised),
        cmocka_unit_test(contract_breaches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
