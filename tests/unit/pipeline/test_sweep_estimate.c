#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "denseval/sweep_estimate.h"

/* The demo: two encoders of 56 images, 8 in each of seven bins; three memories and four difficulties. */
static void read_demo(dv_sweep_config *config) {
    assert_int_equal(dv_sweep_config_read(CONFIGS "demo.yaml", config), DV_OK);
}

static void check_rates(const dv_sweep_rates *rates) {
    assert_string_equal(rates->backend, "cpu");
    assert_true(rates->row_pair_s > 0);
    assert_true(rates->visit_s >= 0);
    assert_true(rates->bank_image_s > 0);
    assert_true(rates->score_image_s > 0);
    assert_true(rates->read_bytes_s > 0);
}

static void check_times(const dv_sweep_estimate *part) {
    const double terms[] = {part->start_s, part->read_s, part->bank_s, part->pairs_s, part->visits_s, part->score_s};
    double sum_s = 0;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        assert_true(terms[i] >= 0 && terms[i] < 1e6); /* no NaN either */
        sum_s += terms[i];
    }
    assert_true(fabs(part->wall_s - sum_s) < 1e-9 * sum_s);
}

/* Patches an image of memory 700: 21 of easy (32 images), 29 of medium (24), 43 of hard (16), 87 of extreme (8). Union:
 * 8 images of each bin, by the most that a difficulty with the bin takes: 87 (0) + 43 (90) + 2 x 21 (30, 60) + 29 (45).
 * Segments: of each set of configurations as many as they take different numbers of rows: 10 (0), 8 (90), 3 (45),
 * 3 (30, 60). */
static void parts_are_what_the_files_and_the_grid_say(void **state) {
    (void)state;
    dv_sweep_config config;
    dv_sweep_forecast forecast;
    const dv_sweep_options options = {.backend = "cpu", .n_threads = 1};
    read_demo(&config);
    assert_int_equal(dv_sweep_forecast_make(&config, &options, 2, &forecast), DV_OK);
    assert_int_equal(forecast.n_parts, 2);
    for (size_t i = 0; i < 2; i++) {
        const dv_sweep_estimate *const part = &forecast.parts[i];
        check_rates(&forecast.rates[i]);
        assert_int_equal(part->n_images, 56);
        assert_int_equal(part->n_configs, 12);
        assert_int_equal(part->n_bank_rows, 8 * (87 + 43 + 2 * 21 + 29));
        assert_int_equal(part->n_segments, 10 + 8 + 3 + 3);
        check_times(part);
        assert_true(part->memory_bytes > part->n_bank_rows * forecast.dim * 2);
    }
    dv_sweep_forecast_clear(&forecast);
    dv_sweep_config_clear(&config);
}

/* 168 cells in 24 parts: a configuration each. */
static void part_of_one_configuration_has_its_bank_alone(void **state) {
    (void)state;
    static const size_t rows_of_first[] = {32 * 7, 24 * 10, 16 * 15, 8 * 30}; /* memory 240 */
    dv_sweep_config config;
    dv_sweep_forecast forecast;
    const dv_sweep_options options = {.backend = "cpu", .n_threads = 1};
    read_demo(&config);
    assert_int_equal(dv_sweep_forecast_make(&config, &options, 24, &forecast), DV_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(forecast.parts[i].n_configs, 1);
        assert_int_equal(forecast.parts[i].n_segments, 1);
        assert_int_equal(forecast.parts[i].n_bank_rows, rows_of_first[i]);
    }
    dv_sweep_forecast_clear(&forecast);
    assert_int_equal(dv_sweep_forecast_make(&config, &options, 169, &forecast), DV_E_USAGE);
    assert_null(forecast.parts);
    dv_sweep_config_clear(&config);
}

/* A merge of the demo took 93 MB with 20 000 resamples, 234 MB with 60 000. */
static void merge_has_room_for_its_resamples(void **state) {
    (void)state;
    dv_sweep_config config;
    size_t bytes[2];
    read_demo(&config);
    for (size_t i = 0; i < 2; i++) {
        const dv_sweep_options options = {.backend = "cpu", .n_threads = 1, .n_resamples = i ? 60000 : 20000};
        dv_sweep_forecast forecast;
        assert_int_equal(dv_sweep_forecast_make(&config, &options, 1, &forecast), DV_OK);
        bytes[i] = forecast.merge_bytes;
        dv_sweep_forecast_clear(&forecast);
    }
    assert_in_range(bytes[0], 93000000, 2 * 93000000);
    assert_in_range(bytes[1], 234000000, 2 * 234000000UL);
    dv_sweep_config_clear(&config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_what_the_files_and_the_grid_say),
        cmocka_unit_test(part_of_one_configuration_has_its_bank_alone),
        cmocka_unit_test(merge_has_room_for_its_resamples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
