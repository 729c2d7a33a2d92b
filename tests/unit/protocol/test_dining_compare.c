/* test_dining_compare.c: McNemar's test by hand, and differences that are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "denseval/dining_compare.h"

enum { N = 4 };

static void exact_p_is_that_of_the_binomial_test(void **state) {
    (void)state;
    dv_mcnemar test = {.first_only = 4, .second_only = 1};
    dv_mcnemar_test(&test);
    assert_true(test.p == 2 * (1 + 5) / 32.0);
    assert_true(test.statistic == 0.8); /* (3 - 1)^2 / 5 */
}

/* Expected: 2 * Fraction(sum(comb(1100, k) for k in range(501)), 2**1100) in Python; here each of 500 sums is rounded.
 */
static void many_differences_leave_the_range_of_doubles_in_between(void **state) {
    (void)state;
    dv_mcnemar near = {.first_only = 600, .second_only = 500}, far = {.second_only = 3000};
    dv_mcnemar_test(&near);
    dv_mcnemar_test(&far);
    assert_true(fabs(near.p / 0.0028195449914364275 - 1) < 1e-13);
    assert_true(far.p == 0); /* 2^-2999 */
}

static void p_is_at_most_one_and_one_without_differences(void **state) {
    (void)state;
    dv_mcnemar even = {.first_only = 3, .second_only = 3}, none = {.both = 7};
    dv_mcnemar_test(&even);
    dv_mcnemar_test(&none);
    assert_true(even.p == 1 && even.statistic == 0);
    assert_true(none.p == 1 && isnan(none.statistic));
}

/* Two results of N questions: the first right in all, the second in none; of the last there is no key. */
static void make(dv_dining_result *result, dv_dining_question *questions, dv_dining_answer *answers, bool right) {
    *result = (dv_dining_result){.n = N, .questions = questions, .answers = answers};
    for (size_t q = 0; q < N; q++) {
        questions[q] = (dv_dining_question){.no_key = q == N - 1};
        answers[q] = (dv_dining_answer){.state = q == N - 1 ? DV_DINING_NO_KEY
                                                 : right    ? DV_DINING_CORRECT
                                                            : DV_DINING_WRONG};
    }
    result->summary = (dv_dining_summary){.n = N, .accuracy = right};
    result->summary.states[DV_DINING_NO_KEY] = 1;
}

static void questions_without_a_key_count_for_nothing(void **state) {
    (void)state;
    dv_dining_question questions[2][N];
    dv_dining_answer answers[2][N];
    dv_dining_result first, second;
    dv_dining_comparison made;
    make(&first, questions[0], answers[0], true);
    make(&second, questions[1], answers[1], false);
    assert_int_equal(dv_dining_compare(DV_DINING_VQA, &first, &second, 100, 42, 2, &made), DV_OK);
    assert_int_equal(made.n_differences, 1);
    assert_int_equal(made.differences[0].n, N - 1);
    assert_true(made.differences[0].difference == 1);
    assert_true(made.differences[0].interval.low == 1 && made.differences[0].interval.high == 1);
    assert_int_equal(made.mcnemar.first_only, N - 1);
    assert_int_equal(made.mcnemar.neither, 0);
}

static void other_questions_are_refused(void **state) {
    (void)state;
    dv_dining_result first = {.n = 1}, second = {.n = 2};
    dv_dining_comparison made;
    assert_int_equal(dv_dining_compare(DV_DINING_CLASSIFICATION, &first, &second, 0, 42, 1, &made), DV_E_ARG);
    assert_string_equal(dv_last_error(), "1 and 2 questions: must be of the same truth");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_p_is_that_of_the_binomial_test),
        cmocka_unit_test(many_differences_leave_the_range_of_doubles_in_between),
        cmocka_unit_test(p_is_at_most_one_and_one_without_differences),
        cmocka_unit_test(questions_without_a_key_count_for_nothing),
        cmocka_unit_test(other_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
