#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "denseval/bootstrap.h"
#include "denseval/random.h"
#include "denseval/run.h"
#include "property/metrics_seed.h"

enum { IMAGES = 9, CLASSES = 4, RESAMPLES = 333 };

typedef struct images {
    uint64_t both[IMAGES * CLASSES], either[IMAGES * CLASSES], truth[IMAGES * CLASSES];
} images;

/* Class 3 is in two images only, so that some resamples have none of it; image 4 is empty. */
static images some_images(uint64_t *random) {
    images made = {0};
    for (size_t i = 0; i < IMAGES; i++)
        for (size_t c = 0; c < CLASSES; c++) {
            if (i == 4 || (c == 3 && i > 1)) continue;
            const size_t cell = i * CLASSES + c;
            made.both[cell] = test_below(random, 100);
            made.truth[cell] = made.both[cell] + test_below(random, 50);
            made.either[cell] = made.truth[cell] + 1 + test_below(random, 50);
        }
    return made;
}

static dv_interval interval_of(const images *of, size_t n_images, dv_absent absent, const bool *excluded,
                               size_t n_resamples, uint64_t seed, size_t n_threads) {
    dv_interval interval;
    assert_int_equal(dv_bootstrap_miou(of->both, of->either, of->truth, n_images, CLASSES, absent, excluded,
                                       n_resamples, seed, n_threads, &interval),
                     DV_OK);
    return interval;
}

/* One resample under skip, drawn as the header says; NaN where no class counts. */
static double naive_miou(const images *of, size_t n_images, uint64_t seed, uint64_t resample) {
    double sum = 0.0, n = 0.0;
    for (size_t c = 0; c < CLASSES; c++) {
        uint64_t both = 0, either = 0;
        for (size_t i = 0; i < n_images; i++) {
            const size_t image = (size_t)dv_random_below(seed, resample, i, n_images);
            both += of->both[image * CLASSES + c];
            either += of->either[image * CLASSES + c];
        }
        if (either == 0) continue;
        sum += (double)both / (double)either;
        n += 1.0;
    }
    return n > 0.0 ? sum / n : (double)NAN;
}

/* The value at rank `at` of n values, found by counting instead of sorting. */
static double order_statistic(const double *values, size_t n, size_t at) {
    for (size_t i = 0; i < n; i++) {
        size_t below = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            below += values[j] < values[i];
            equal += values[j] == values[i];
        }
        if (below <= at && at < below + equal) return values[i];
    }
    return NAN;
}

static double naive_percentile(const double *values, size_t n, double p) {
    const double at = p * (double)(n - 1), floor_at = floor(at);
    const double low = order_statistic(values, n, (size_t)floor_at);
    const double high = order_statistic(values, n, (size_t)ceil(at));
    return low + (at - floor_at) * (high - low);
}

static void interval_is_that_of_the_written_draws(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const images of = some_images(&random);
    double values[RESAMPLES];
    for (size_t b = 0; b < RESAMPLES; b++) values[b] = naive_miou(&of, IMAGES, 42, b);
    const dv_interval interval = interval_of(&of, IMAGES, DV_ABSENT_SKIP, NULL, RESAMPLES, 42, 1);
    assert_int_equal(interval.n_resamples, RESAMPLES);
    assert_true(interval.low == naive_percentile(values, RESAMPLES, 0.025));
    assert_true(interval.high == naive_percentile(values, RESAMPLES, 0.975));
    assert_true(interval.low < interval.high);
}

/* WISH-27: same bytes whatever the threads. */
static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const images of = some_images(&random);
    const dv_interval expected = interval_of(&of, IMAGES, DV_ABSENT_ZERO, NULL, RESAMPLES, 7, 1);
    for (size_t n_threads = 0; n_threads <= 8; n_threads++) {
        const dv_interval got = interval_of(&of, IMAGES, DV_ABSENT_ZERO, NULL, RESAMPLES, 7, n_threads);
        assert_memory_equal(&got, &expected, sizeof got);
    }
    const dv_interval other_seed = interval_of(&of, IMAGES, DV_ABSENT_ZERO, NULL, RESAMPLES, 8, 1);
    assert_true(other_seed.low != expected.low || other_seed.high != expected.high);
}

static void one_image_has_an_interval_of_no_width(void **state) {
    (void)state;
    const images of = {.both = {1, 1, 0, 0}, .either = {2, 4, 0, 8}, .truth = {2, 1, 0, 0}};
    const bool excluded[CLASSES] = {true, false, false, false};
    const struct {
        dv_absent absent;
        const bool *excluded;
        double miou;
    } cases[] = {{DV_ABSENT_SKIP, NULL, 0.25},      {DV_ABSENT_ZERO, NULL, 0.1875},
                 {DV_ABSENT_ONE, NULL, 0.4375},     {DV_ABSENT_TRUTH_ONLY, NULL, 0.375},
                 {DV_ABSENT_SKIP, excluded, 0.125}, {DV_ABSENT_TRUTH_ONLY, excluded, 0.25}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dv_interval interval = interval_of(&of, 1, cases[i].absent, cases[i].excluded, 50, 42, 2);
        assert_true(interval.low == cases[i].miou && interval.high == cases[i].miou);
        assert_int_equal(interval.n_resamples, 50);
    }
}

/* One image all right, one all wrong: a resample gives 0, 0.5 or 1, and each of the ends in a quarter of them. */
static void ends_are_reached(void **state) {
    (void)state;
    const images of = {.both = {10, 0, 0, 0}, .either = {10, 0, 0, 0, 10}, .truth = {10, 0, 0, 0, 10}};
    const dv_interval interval = interval_of(&of, 2, DV_ABSENT_SKIP, NULL, 2000, 42, 2);
    assert_true(interval.low == 0.0 && interval.high == 1.0);
}

static void resamples_without_a_value_are_left_out(void **state) {
    (void)state;
    const images of = {.both = {5, 0, 0, 0}, .either = {10, 0, 0, 0}, .truth = {10, 0, 0, 0}}; /* image 1 is empty */
    size_t n_valued = 0;
    for (uint64_t b = 0; b < 100; b++) n_valued += !isnan(naive_miou(&of, 2, 3, b));
    assert_true(n_valued > 0 && n_valued < 100);
    const dv_interval interval = interval_of(&of, 2, DV_ABSENT_SKIP, NULL, 100, 3, 1);
    assert_int_equal(interval.n_resamples, n_valued);
    assert_true(interval.low == 0.5 && interval.high == 0.5);
}

/* R7: nothing scored has no value, and is no error here. */
static void nothing_to_count_has_no_interval(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const images of = some_images(&random);
    const bool all[CLASSES] = {true, true, true, true};
    const dv_interval intervals[3] = {interval_of(&of, IMAGES, DV_ABSENT_ZERO, all, 20, 1, 1),
                                      interval_of(&of, 0, DV_ABSENT_ZERO, NULL, 20, 1, 1),
                                      interval_of(&of, IMAGES, DV_ABSENT_ZERO, NULL, 0, 1, 1)};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(intervals[i].low) && isnan(intervals[i].high));
        assert_int_equal(intervals[i].n_resamples, 0);
    }
}

static void unknown_policy_is_refused(void **state) {
    (void)state;
    const images of = {.both = {1}, .either = {1}, .truth = {1}};
    dv_interval interval = {1, 1, 1};
    assert_int_equal(
        dv_bootstrap_miou(of.both, of.either, of.truth, 1, CLASSES, (dv_absent)9, NULL, 10, 1, 1, &interval), DV_E_ARG);
    assert_string_equal(dv_last_error(), "absent-classes policy 9: there is no such policy");
    assert_true(isnan(interval.low) && isnan(interval.high));
    assert_int_equal(interval.n_resamples, 0);
}

static void an_interruption_ends_the_resampling(void **state) {
    (void)state;
    const images of = {.both = {1}, .either = {1}, .truth = {1}};
    dv_interval interval = {1, 1, 1};
    dv_interrupt();
    const dv_status status =
        dv_bootstrap_miou(of.both, of.either, of.truth, 1, CLASSES, DV_ABSENT_SKIP, NULL, 10, 1, 1, &interval);
    dv_interrupt_clear();
    assert_int_equal(status, DV_E_INTERRUPTED);
    assert_true(isnan(interval.low) && isnan(interval.high));
    assert_int_equal(interval.n_resamples, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_is_that_of_the_written_draws),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(one_image_has_an_interval_of_no_width),
        cmocka_unit_test(ends_are_reached),
        cmocka_unit_test(resamples_without_a_value_are_left_out),
        cmocka_unit_test(nothing_to_count_has_no_interval),
        cmocka_unit_test(unknown_policy_is_refused),
        cmocka_unit_test(an_interruption_ends_the_resampling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
