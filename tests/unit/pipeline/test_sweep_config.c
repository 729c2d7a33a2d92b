#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "denseval/sweep_config.h"
#include "unit/core/scratch.h"

#define GRID                                                                                                           \
    "memory: {sizes: [320k, 640000]}\n"                                                                                \
    "difficulties: [{name: easy, bins: [90, 0]}, {name: extreme, bins: [0]}]\n"                                        \
    "validation_bins: [0, 45, 15]\n"
#define ENCODERS "encoders: [{name: a, features: \"a.h5,b.h5\", uniform: u.h5}, {name: 7b, features: /c.h5}]\n"
#define HEAD "schema: denseval sweep v1\n"

static dv_sweep_config config;

static dv_status parse(const char *text) {
    return dv_sweep_config_parse(text, strlen(text), "", &config);
}

static int clear(void **state) {
    (void)state;
    dv_sweep_config_clear(&config);
    return 0;
}

static void refuse(const char *text, const char *message) {
    assert_int_equal(parse(text), DV_E_DATA);
    assert_string_equal(dv_last_error(), message);
    assert_null(config.encoders);
    assert_int_equal(config.n_encoders, 0);
}

static void grid_and_defaults_are_read(void **state) {
    (void)state;
    assert_int_equal(parse(HEAD ENCODERS GRID), DV_OK);
    assert_int_equal(config.n_encoders, 2);
    assert_string_equal(config.encoders[0].name, "a");
    assert_int_equal(config.encoders[0].features.n, 2);
    assert_string_equal(config.encoders[0].features.paths[1], "b.h5");
    assert_string_equal(config.encoders[0].uniform.paths[0], "u.h5");
    assert_string_equal(config.encoders[1].name, "7b");
    assert_int_equal(config.encoders[1].uniform.n, 0);
    assert_null(config.encoders[1].uniform_text);
    assert_false(config.per_image);
    assert_int_equal(config.n_memory, 2);
    assert_int_equal(config.memory[0], 320000);
    assert_int_equal(config.memory[1], 640000);
    assert_string_equal(config.difficulties[0].name, "easy");
    assert_int_equal(config.difficulties[0].n_bins, 2);
    assert_int_equal(config.difficulties[0].bins[0], 0);
    assert_int_equal(config.difficulties[0].bins[1], 90);
    assert_int_equal(config.n_validation_bins, 3);
    assert_int_equal(config.validation_bins[1], 15);
    assert_int_equal(dv_sweep_config_cells(&config), 2 * 2 * 2 * 3);
    assert_int_equal(config.k, 30);
    assert_true(config.beta == 0.02);
    assert_int_equal(config.seed, 42);
    assert_int_equal(config.absent, DV_ABSENT_SKIP);
    assert_int_equal(config.invalid, DV_INVALID_ERROR);
    assert_int_equal(config.zero_rows, DV_ZERO_ERROR);
    assert_true(dv_label_set_has(&config.ignored, 255));
    assert_false(dv_label_set_has(&config.ignored, 0));
}

static void every_setting_is_read(void **state) {
    (void)state;
    assert_int_equal(parse(HEAD "encoders: [{name: a, features: a.h5}]\n"
                                "memory: {per_image: [20, 60]}\n"
                                "difficulties: [{name: hard, bins: [0]}]\n"
                                "validation_bins: [0]\n"
                                "k: 5\nbeta: 0.5\nseed: 18446744073709551615\nabsent: truth-only\n"
                                "ignore_pixels: [0, 65535]\nexclude: object\ninvalid_labels: drop\nrelabel: both\n"
                                "last_batch: drop\nzero_rows: skip\nmemory_ignored: background\n"),
                     DV_OK);
    assert_true(config.per_image);
    assert_int_equal(config.memory[1], 60);
    assert_int_equal(config.k, 5);
    assert_true(config.beta == 0.5);
    assert_true(config.seed == UINT64_MAX);
    assert_int_equal(config.absent, DV_ABSENT_TRUTH_ONLY);
    assert_true(dv_label_set_has(&config.ignored, 0) && dv_label_set_has(&config.ignored, 65535));
    assert_false(dv_label_set_has(&config.ignored, 255));
    assert_int_equal(config.exclude, DV_EXCLUDE_OBJECT);
    assert_int_equal(config.invalid, DV_INVALID_DROP);
    assert_int_equal(config.relabel, DV_RELABEL_BOTH);
    assert_int_equal(config.last_batch, DV_LAST_BATCH_DROP);
    assert_int_equal(config.zero_rows, DV_ZERO_SKIP);
    assert_int_equal(config.memory_ignored, DV_MEMORY_BACKGROUND);
    assert_int_equal(config.compat, DV_COMPAT_NONE);
}

static void compat_sets_what_the_file_does_not_say(void **state) {
    (void)state;
    assert_int_equal(parse(HEAD ENCODERS GRID "absent: one\ncompat: hummingbird\n"), DV_OK);
    assert_int_equal(config.compat, DV_COMPAT_HUMMINGBIRD);
    assert_int_equal(config.absent, DV_ABSENT_ONE);
    assert_int_equal(config.invalid, DV_INVALID_FALSE_POSITIVE);
    assert_int_equal(config.last_batch, DV_LAST_BATCH_DROP);
    assert_int_equal(config.memory_ignored, DV_MEMORY_BACKGROUND);
    assert_int_equal(config.relabel, DV_RELABEL_HUNGARIAN);
    assert_int_equal(config.zero_rows, DV_ZERO_KEEP);
    assert_true(dv_label_set_has(&config.ignored, 255));
}

static void ignored_pixels_are_taken_as_the_option_takes_them(void **state) {
    (void)state;
    assert_int_equal(parse(HEAD ENCODERS GRID "ignore_pixels: none\n"), DV_OK);
    assert_false(dv_label_set_has(&config.ignored, 255));
    dv_sweep_config_clear(&config);
    assert_int_equal(parse(HEAD ENCODERS GRID "ignore_pixels: 0,3\n"), DV_OK);
    assert_true(dv_label_set_has(&config.ignored, 3));
    dv_sweep_config_clear(&config);
    refuse(HEAD ENCODERS GRID "ignore_pixels: [70000]\n",
           "line 6: ignore_pixels: 70000: must be a whole number, 0..65535");
    assert_int_equal(parse(HEAD ENCODERS GRID "ignore_pixels: many\n"), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "line 6: ignore_pixels: "));
}

static void unknown_keys_name_the_nearest_one(void **state) {
    (void)state;
    refuse(HEAD ENCODERS GRID "bta: 1\n", "line 6: bta: unknown key; beta?");
    refuse(HEAD "encoders: [{name: a, feature: a.h5}]\n" GRID, "line 2: feature: unknown key; features?");
    refuse(HEAD ENCODERS "memory: {zzzzzzzzzz: [1]}\n", "line 3: zzzzzzzzzz: unknown key; known are sizes, per_image");
    refuse(HEAD ENCODERS GRID "<<: {k: 3}\n", "line 6: <<: unknown key; k?");
}

static void wrong_types_are_named(void **state) {
    (void)state;
    refuse(HEAD ENCODERS GRID "k: \"30\"\n", "line 6: k: \"30\": must be a whole number, 1..1048576");
    refuse(HEAD ENCODERS GRID "k: [30]\n", "line 6: k: a list: must be a whole number, 1..1048576");
    refuse(HEAD ENCODERS GRID "k: 0\n", "line 6: k: 0: must be a whole number, 1..1048576");
    refuse(HEAD ENCODERS GRID "k: 3.5\n", "line 6: k: 3.5: must be a whole number, 1..1048576");
    refuse(HEAD ENCODERS GRID "k:\n", "line 6: k: nothing: must be a whole number, 1..1048576");
    refuse(HEAD ENCODERS GRID "beta: 0\n", "line 6: beta: 0: must be a decimal number above 0");
    refuse(HEAD ENCODERS GRID "beta: -1\n", "line 6: beta: -1: must be a decimal number above 0");
    refuse(HEAD ENCODERS GRID "beta: .nan\n", "line 6: beta: .nan: must be a decimal number above 0");
    refuse(HEAD ENCODERS GRID "seed: -1\n", "line 6: seed: -1: must be a whole number, 0..18446744073709551615");
    refuse(HEAD ENCODERS GRID "compat: humming\n", "line 6: compat: humming: must be one of none, hummingbird");
    refuse(HEAD ENCODERS GRID "exclude: {}\n", "line 6: exclude: a map: must be one of none, image, object");
    refuse(HEAD "encoders: a\n" GRID, "line 2: encoders: a: must be a list in brackets");
    refuse(HEAD "encoders: [a]\n" GRID, "line 2: encoders: a: must be a map of keys and values");
    refuse(HEAD "encoders: [{name: ~, features: f}]\n" GRID, "line 2: name: ~: must be a text");
    refuse(HEAD "encoders: [{name: \"a\\n\", features: f}]\n" GRID,
           "line 2: name: \"a \": must be a text of one line without control characters");
    refuse(HEAD ENCODERS "memory: 320k\n", "line 3: memory: 320k: must be a map of keys and values");
    refuse(HEAD ENCODERS "memory: {sizes: [0]}\n",
           "line 3: sizes: 0: must be a whole number from 1, alone or with k (thousands) or m (millions)");
    refuse("- a\n", "line 1: the file: a list: must be a map of keys and values");
}

static void what_is_missing_or_empty_is_named(void **state) {
    (void)state;
    refuse("k: 3\n", "line 1: schema: is missing");
    refuse("# nothing\n", "line 2: the file is empty");
    refuse("schema: denseval sweep v2\n", "line 1: schema: denseval sweep v2: must be denseval sweep v1");
    refuse(HEAD GRID, "line 1: encoders: is missing");
    refuse(HEAD "encoders: []\n" GRID, "line 2: encoders: the list is empty");
    refuse(HEAD "encoders: [{name: a}]\n" GRID, "line 2: features: is missing");
    refuse(HEAD "encoders: [{name: a, features: \"a,\"}]\n" GRID, "line 2: features: 'a,': a file name is empty");
    refuse(HEAD ENCODERS "memory: {}\n", "line 3: memory: sizes or per_image must be given");
    refuse(HEAD ENCODERS "memory: {sizes: []}\n", "line 3: sizes: the list is empty");
    refuse(HEAD ENCODERS "memory: {sizes: [1], per_image: [1]}\n",
           "line 3: per_image: sizes and per_image: only one of them");
    refuse(HEAD ENCODERS "memory: {sizes: [1]}\ndifficulties: [{name: a, bins: []}]\n",
           "line 4: bins: the list is empty");
}

static void doubles_are_refused(void **state) {
    (void)state;
    refuse(HEAD ENCODERS GRID "k: 1\nk: 2\n", "line 7: k: is there twice, first in line 6");
    refuse(HEAD "encoders:\n- {name: a, features: a}\n- {name: a, features: b}\n" GRID,
           "line 4: encoders: the name a is there twice");
    refuse(HEAD ENCODERS "memory: {sizes: [320k, 320000]}\n", "line 3: sizes: 320000 is there twice");
    refuse(HEAD ENCODERS "memory: {sizes: [1]}\ndifficulties: [{name: a, bins: [0]}, {name: a, bins: [1]}]\n",
           "line 4: difficulties: the name a is there twice");
    refuse(HEAD ENCODERS "memory: {sizes: [1]}\ndifficulties: [{name: a, bins: [0, 15,\n 0]}]\n",
           "line 5: bins: bin 0 is there twice");
    refuse(HEAD ENCODERS "memory: {sizes: [1]}\ndifficulties: [{name: a, bins: [-15]}]\n",
           "line 4: bins: -15: must be a whole number, 0..2147483647");
}

static void texts_that_mean_the_same_have_one_canonical_text(void **state) {
    (void)state;
    char *first, *second;
    assert_int_equal(parse(HEAD ENCODERS GRID), DV_OK);
    assert_int_equal(dv_sweep_config_canonical(&config, &first), DV_OK);
    dv_sweep_config_clear(&config);
    assert_int_equal(parse("# other words\nbeta: 2e-2\nseed: 42\nrelabel: 'none'\nvalidation_bins: [15, 0, 45]\n" HEAD
                           "memory:\n  sizes:\n  - 320000\n  - 640k\n"
                           "difficulties: [{bins: [0, 90], name: easy}, {name: extreme, bins: [0]}]\n" ENCODERS),
                     DV_OK);
    assert_int_equal(dv_sweep_config_canonical(&config, &second), DV_OK);
    assert_string_equal(first, second);
    assert_string_equal(first, "absent: skip\n"
                               "beta: 0.02\n"
                               "compat: none\n"
                               "difficulties[0].bins: [0, 90]\n"
                               "difficulties[0].name: easy\n"
                               "difficulties[1].bins: [0]\n"
                               "difficulties[1].name: extreme\n"
                               "encoders[0].features: a.h5,b.h5\n"
                               "encoders[0].name: a\n"
                               "encoders[0].uniform: u.h5\n"
                               "encoders[1].features: /c.h5\n"
                               "encoders[1].name: 7b\n"
                               "encoders[1].uniform: none\n"
                               "exclude: none\n"
                               "ignore_pixels: [255]\n"
                               "invalid_labels: error\n"
                               "k: 30\n"
                               "last_batch: keep\n"
                               "memory.sizes: [320000, 640000]\n"
                               "memory_ignored: exclude\n"
                               "relabel: none\n"
                               "schema: denseval sweep v1\n"
                               "seed: 42\n"
                               "validation_bins: [0, 15, 45]\n"
                               "zero_rows: error\n");
    free(first);
    free(second);
}

static void files_are_looked_for_beside_the_configuration(void **state) {
    (void)state;
    char wanted[SCRATCH_PATH];
    assert_int_equal(scratch_write_text("x1.h5", "one"), 0);
    assert_int_equal(scratch_write_text("x10.h5", "ten"), 0);
    assert_int_equal(scratch_write_text("x2.h5", "two"), 0);
    assert_int_equal(
        scratch_write_text("c.yaml", HEAD "encoders: [{name: a, features: 'x*.h5', uniform: x2.h5}]\n" GRID), 0);
    assert_int_equal(dv_sweep_config_read(scratch("c.yaml"), &config), DV_OK);
    assert_int_equal(config.encoders[0].features.n, 3);
    assert_string_equal(config.encoders[0].features.paths[1], scratch("x2.h5"));
    assert_string_equal(config.encoders[0].features_text, "x*.h5");
    dv_sweep_inputs inputs;
    char *text;
    assert_int_equal(dv_sweep_inputs_read(&config, &inputs), DV_OK);
    assert_int_equal(inputs.n, 3);
    assert_int_equal(inputs.files[2].size_bytes, 3);
    assert_int_equal(dv_sweep_inputs_text(&inputs, &text), DV_OK);
    snprintf(wanted, sizeof wanted, "%s: 3 bytes, %s\n", scratch("x1.h5"), inputs.files[0].hash);
    assert_int_equal(strncmp(text, wanted, strlen(wanted)), 0);
    free(text);
    dv_sweep_inputs_clear(&inputs);
}

static void faults_of_a_file_begin_with_its_name(void **state) {
    (void)state;
    char wanted[SCRATCH_PATH];
    assert_int_equal(dv_sweep_config_read(scratch("absent.yaml"), &config), DV_E_MISSING);
    snprintf(wanted, sizeof wanted, "%s: cannot open: No such file or directory", scratch("absent.yaml"));
    assert_string_equal(dv_last_error(), wanted);
    assert_int_equal(scratch_write_text("d.yaml", HEAD "encoders: [{name: a, features: 'y*.h5'}]\n" GRID), 0);
    assert_int_equal(dv_sweep_config_read(scratch("d.yaml"), &config), DV_E_MISSING);
    snprintf(wanted, sizeof wanted, "%s: line 2: features: %s: no file matches", scratch("d.yaml"), scratch("y*.h5"));
    assert_string_equal(dv_last_error(), wanted);
    assert_int_equal(dv_sweep_config_read(scratch("."), &config), DV_E_DATA);
    snprintf(wanted, sizeof wanted, "%s: a folder: a file was expected", scratch("."));
    assert_string_equal(dv_last_error(), wanted);
}

static void example_is_the_published_grid(void **state) {
    (void)state;
    assert_int_equal(dv_sweep_config_read(CONFIGS "sweep.yaml", &config), DV_OK);
    assert_int_equal(dv_sweep_config_cells(&config), 8 * 3 * 4 * 7);
    assert_int_equal(config.memory[2], 1024000);
    assert_int_equal(config.difficulties[1].bins[1], 45);
    assert_int_equal(config.relabel, DV_RELABEL_HUNGARIAN);
}

static void first_sweep_finds_the_demo_set(void **state) {
    (void)state;
    if (dv_sweep_config_read(CONFIGS "demo.yaml", &config) != DV_OK) fail_msg("%s", dv_last_error());
    assert_int_equal(dv_sweep_config_cells(&config), 2 * 3 * 4 * 7);
    for (size_t i = 0; i < config.n_encoders; i++)
        assert_int_equal(access(config.encoders[i].features.paths[0], R_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(grid_and_defaults_are_read, clear),
        cmocka_unit_test_teardown(every_setting_is_read, clear),
        cmocka_unit_test_teardown(compat_sets_what_the_file_does_not_say, clear),
        cmocka_unit_test_teardown(ignored_pixels_are_taken_as_the_option_takes_them, clear),
        cmocka_unit_test_teardown(unknown_keys_name_the_nearest_one, clear),
        cmocka_unit_test_teardown(wrong_types_are_named, clear),
        cmocka_unit_test_teardown(what_is_missing_or_empty_is_named, clear),
        cmocka_unit_test_teardown(doubles_are_refused, clear),
        cmocka_unit_test_teardown(texts_that_mean_the_same_have_one_canonical_text, clear),
        cmocka_unit_test_teardown(files_are_looked_for_beside_the_configuration, clear),
        cmocka_unit_test_teardown(faults_of_a_file_begin_with_its_name, clear),
        cmocka_unit_test_teardown(example_is_the_published_grid, clear),
        cmocka_unit_test_teardown(first_sweep_finds_the_demo_set, clear),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
