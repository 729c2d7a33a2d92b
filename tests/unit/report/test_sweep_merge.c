#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/sweep_merge.h"
#include "unit/core/scratch.h"

enum { N_CELLS = 10, N_CLASSES = 2, N_OBJECTS = 3 };

/* What is other in one part. */
typedef struct twist {
    const char *settings_hash, *inputs_hash;
    double miou;           /* added to that of its first cell */
    uint64_t k;            /* the setting */
    const char *object_id; /* of the last object */
    uint64_t count;        /* added to the first union */
} twist;

static const twist plain = {"xxh3-128:aa", "xxh3-128:bb", 0, 30, "o2", 0};

static void fill_cells(const dv_sweep_part *part, const twist *how, dv_cells *cells) {
    static const int32_t reference[] = {0, 90};
    *cells = (dv_cells){.n_classes = N_CLASSES};
    for (size_t i = part->first; i < part->first + part->n; i++) {
        dv_cell *cell;
        assert_int_equal(dv_cells_add(cells, &cell), DV_OK);
        cell->encoder = strdup(i < 5 ? "first" : "sec\xc3\xb6nd");
        cell->memory = 320000;
        cell->difficulty = strdup("hard");
        cell->reference_bins = malloc(sizeof reference);
        memcpy(cell->reference_bins, reference, sizeof reference);
        cell->n_reference_bins = 2;
        cell->bin = (int32_t)(i % 5) * 15;
        cell->reference = cell->bin == 0;
        cell->n_images = 30;
        cell->n_bank_rows = 319999;
        cell->miou = 1.0 / (double)(i + 3) + (i == part->first ? how->miou : 0);
        cell->miou_objects = i == 7 ? NAN : 1; /* a real number that is whole, and none at all */
        cell->iou[0] = 0.1;
    }
}

static void write_results(const char *folder, const dv_sweep_part *part, const twist *how) {
    char path[256], *text;
    dv_report *report;
    dv_cells cells;
    fill_cells(part, how, &cells);
    assert_int_equal(dv_report_create("denseval sweep result v1", "sweep", &report), DV_OK);
    dv_report_setting_count(report, "k", how->k);
    dv_report_setting_real(report, "beta", 0.02);
    dv_report_setting_text(report, "absent", "zero");
    dv_report_setting_count(report, "seed", UINT64_MAX); /* a text: JSON numbers end before it */
    dv_report_setting_count(report, "bootstrap", 7);
    dv_report_sweep_part(report, part, how->settings_hash, how->inputs_hash);
    dv_report_cells(report, &cells);
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    snprintf(path, sizeof path, "%s/results.json", folder);
    assert_int_equal(scratch_write_text(path, text), 0);
    free(text);
    dv_report_free(report);
    dv_cells_clear(&cells);
}

static void write_counts(const char *folder, const dv_sweep_part *part, const twist *how) {
    char path[256];
    dv_object_counts counts;
    const char *const ids[N_OBJECTS] = {"o0", "o1", how->object_id};
    assert_int_equal(dv_object_counts_create(part->n, N_OBJECTS, N_CLASSES, &counts), DV_OK);
    for (size_t i = 0; i < N_OBJECTS; i++) counts.object_ids[i] = strdup(ids[i]);
    for (size_t i = 0; i < part->n * N_OBJECTS * N_CLASSES; i++) {
        const size_t cell = part->first + i / (N_OBJECTS * N_CLASSES);
        counts.intersections[i] = 1 + i % (N_OBJECTS * N_CLASSES); /* each class has the mIoU of fill_cells */
        counts.unions[i] = counts.intersections[i] * (cell + 3) + (i == 0 ? how->count : 0);
        counts.truths[i] = counts.intersections[i] * 2;
    }
    snprintf(path, sizeof path, "%s/%s", folder, DV_SWEEP_COUNTS);
    assert_int_equal(dv_object_counts_write(scratch(path), &counts), DV_OK);
    dv_object_counts_clear(&counts);
}

static const char *write_part(const char *folder, const char *text, const twist *how) {
    dv_sweep_part part;
    assert_int_equal(dv_sweep_split(text, N_CELLS, &part), DV_OK);
    mkdir(scratch(folder), 0777);
    write_results(folder, &part, how);
    write_counts(folder, &part, how);
    return scratch(folder);
}

static int make_parts(void **state) {
    (void)state;
    write_part("whole", NULL, &plain);
    write_part("p1", "1/4", &plain);
    write_part("p2", "2/4", &plain);
    write_part("p3", "3/4", &plain);
    write_part("p4", "4/4", &plain);
    return 0;
}

static int open_scratch(void **state) {
    return scratch_open(state) != 0 || make_parts(state) != 0;
}

static dv_status merge(const char *a, const char *b, const char *c, const char *d, const char *e,
                       dv_sweep_merged *merged) {
    const char *const names[] = {a, b, c, d, e};
    const char *folders[5];
    size_t n = 0;
    for (size_t i = 0; i < 5; i++)
        if (names[i]) folders[n++] = scratch(names[i]);
    return dv_sweep_merge(folders, n, merged);
}

static void refuse(const char *other, dv_status status, const char *message) {
    dv_sweep_merged merged;
    assert_int_equal(merge("p1", other, "p3", "p4", NULL, &merged), status);
    if (!strstr(dv_last_error(), message)) assert_string_equal(dv_last_error(), message);
    assert_null(merged.json);
    assert_int_equal(merged.cells.n, 0);
}

static void cells_are_split_contiguously_remainder_first(void **state) {
    (void)state;
    static const size_t wanted[] = {3, 3, 2, 2};
    size_t first = 0;
    for (size_t i = 0; i < 4; i++) {
        char text[8];
        dv_sweep_part part;
        snprintf(text, sizeof text, "%zu/4", i + 1);
        assert_int_equal(dv_sweep_split(text, 10, &part), DV_OK);
        assert_int_equal(part.first, first);
        assert_int_equal(part.n, wanted[i]);
        assert_int_equal(part.part, i + 1);
        assert_int_equal(part.n_parts, 4);
        assert_int_equal(part.n_cells, 10);
        first += part.n;
    }
    dv_sweep_part whole;
    assert_int_equal(dv_sweep_split(NULL, 10, &whole), DV_OK);
    assert_int_equal(whole.n, 10);
    assert_int_equal(whole.n_parts, 0);
    assert_int_equal(dv_sweep_split("1/1", 10, &whole), DV_OK);
    assert_int_equal(whole.n, 10);
    assert_int_equal(whole.n_parts, 1);
}

static void every_split_covers_all_cells_once(void **state) {
    (void)state;
    for (size_t n_cells = 1; n_cells <= 30; n_cells++)
        for (size_t n_parts = 1; n_parts <= n_cells; n_parts++) {
            size_t next = 0;
            for (size_t i = 1; i <= n_parts; i++) {
                char text[16];
                dv_sweep_part part;
                snprintf(text, sizeof text, "%zu/%zu", i, n_parts);
                assert_int_equal(dv_sweep_split(text, n_cells, &part), DV_OK);
                assert_int_equal(part.first, next);
                assert_in_range(part.n, n_cells / n_parts, (n_cells + n_parts - 1) / n_parts);
                next += part.n;
            }
            assert_int_equal(next, n_cells);
        }
}

static void splits_that_are_none_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",    "1",    "1/",   "/2",   "0/2",  "3/2",
                                      "1/0", "-1/2", "1/-2", "1/2x", " 1/2", "1/99999999999999999999"};
    dv_sweep_part part;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(dv_sweep_split(bad[i], 10, &part), DV_E_USAGE);
        assert_non_null(strstr(dv_last_error(), "must be A/B, the A-th of B parts"));
    }
    assert_int_equal(dv_sweep_split("1/11", 10, &part), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "\"1/11\": there are 10 cells, so at most 10 parts");
}

/* Parts in any order give the text of the run that was not split; one given twice changes nothing. */
static void merged_parts_are_the_whole_run(void **state) {
    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        dv_sweep_merged merged;
        dv_cells whole;
        char *csv, *whole_csv;
        const char *const path = scratch("whole/results.json");
        assert_int_equal(merge("p3", "p1", "p4", "p2", twice ? "p3" : NULL, &merged), DV_OK);
        assert_int_equal(merged.n_parts, 4);
        FILE *const file = fopen(path, "rb");
        assert_non_null(file);
        char *const text = calloc(1, 1 << 20);
        assert_in_range(fread(text, 1, 1 << 20, file), 1, (1 << 20) - 1);
        fclose(file);
        assert_string_equal(merged.json, text);
        free(text);
        assert_int_equal(dv_cells_read(&path, 1, &whole), DV_OK);
        assert_int_equal(dv_cells_csv(&whole, false, &whole_csv), DV_OK);
        assert_int_equal(dv_cells_csv(&merged.cells, false, &csv), DV_OK);
        assert_string_equal(csv, whole_csv);
        free(csv);
        free(whole_csv);
        dv_cells_clear(&whole);
        dv_object_counts counts;
        assert_int_equal(dv_object_counts_read(scratch("whole/" DV_SWEEP_COUNTS), &counts), DV_OK);
        const size_t n_bytes = N_CELLS * N_OBJECTS * N_CLASSES * sizeof(uint64_t);
        assert_int_equal(merged.counts.n_cells, N_CELLS);
        assert_memory_equal(merged.counts.intersections, counts.intersections, n_bytes);
        assert_memory_equal(merged.counts.unions, counts.unions, n_bytes);
        assert_memory_equal(merged.counts.truths, counts.truths, n_bytes);
        assert_string_equal(merged.counts.object_ids[2], "o2");
        dv_object_counts_clear(&counts);
        dv_sweep_merged_clear(&merged);
    }
}

static void missing_parts_are_named(void **state) {
    (void)state;
    dv_sweep_merged merged;
    assert_int_equal(merge("p1", "p3", "p4", NULL, NULL, &merged), DV_E_MISSING);
    assert_string_equal(dv_last_error(), "part 2 of 4 is missing");
    assert_int_equal(merge("p3", NULL, NULL, NULL, NULL, &merged), DV_E_MISSING);
    assert_string_equal(dv_last_error(), "parts 1, 2, 4 of 4 are missing");
    refuse("absent", DV_E_MISSING, "/absent/results.json: cannot open: No such file or directory");
}

static void unfinished_part_is_missing(void **state) {
    (void)state;
    write_part("running", "2/4", &plain);
    assert_int_equal(scratch_write_text("running/run.journal", ""), 0);
    refuse("running", DV_E_MISSING, "/running: the run is not finished");
}

static void parts_of_other_sweeps_are_refused(void **state) {
    (void)state;
    twist how = plain;
    how.settings_hash = "xxh3-128:ac";
    write_part("q", "2/4", &how);
    refuse("q", DV_E_DATA, "/q/results.json: configuration: is \"xxh3-128:ac\", \"xxh3-128:aa\" in ");
    how = plain;
    how.inputs_hash = "xxh3-128:ab";
    write_part("q", "2/4", &how);
    refuse("q", DV_E_DATA, "/q/results.json: inputs: is \"xxh3-128:ab\", \"xxh3-128:bb\" in ");
    how = plain;
    how.k = 20;
    write_part("q", "2/4", &how);
    refuse("q", DV_E_DATA, "/q/results.json: settings: k: is 20, 30 in ");
    write_part("q", "2/5", &plain);
    refuse("q", DV_E_DATA, "/q/results.json: count: is 5, 4 in ");
    refuse("whole", DV_E_DATA, "/whole/results.json: part: is missing: this is no result of a part");
}

static void part_twice_with_other_values_is_refused(void **state) {
    (void)state;
    dv_sweep_merged merged;
    twist how = plain;
    how.miou = 1e-16;
    write_part("q", "2/4", &how);
    assert_int_equal(merge("p1", "p2", "p3", "p4", "q", &merged), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "/q/results.json: part 2 has other values than in "));
    how = plain;
    how.count = 1;
    write_part("q", "2/4", &how);
    assert_int_equal(merge("p1", "p2", "p3", "p4", "q", &merged), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "/q/results.json: part 2 has other values than in "));
}

static void counts_must_fit_together(void **state) {
    (void)state;
    twist how = plain;
    how.object_id = "other";
    write_part("q", "2/4", &how);
    refuse("q", DV_E_DATA, "/q/" DV_SWEEP_COUNTS ": has other objects or classes than the first part");
    write_part("q", "2/4", &plain);
    assert_int_equal(unlink(scratch("q/" DV_SWEEP_COUNTS)), 0);
    refuse("q", DV_E_MISSING, "/q/" DV_SWEEP_COUNTS ": is missing, other parts have it");
    how = plain;
    how.count = 1;
    write_part("q", "2/4", &how);
    refuse("q", DV_E_DATA, "/q/" DV_SWEEP_COUNTS ": object counts: encoder \"first\", bin 45, mIoU 0.1");
}

/* Replaces `from` by `to` in the results of a part. */
static void change_results(const char *path, const char *from, const char *to) {
    static char text[1 << 16], changed[1 << 16];
    FILE *const file = fopen(scratch(path), "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *const at = strstr(text, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(scratch_write_text(path, changed), 0);
}

static void refuse_changed(const char *from, const char *to, const char *message) {
    write_part("q", "2/4", &plain);
    change_results("q/results.json", from, to);
    refuse("q", DV_E_DATA, message);
}

/* The analysis of the joined cells is made under the settings of the sweep, and tells its inputs and settings. */
static void analysis_has_the_settings_of_the_sweep(void **state) {
    (void)state;
    dv_sweep_merged merged;
    char *text;
    assert_int_equal(merge("p3", "p1", "p4", "p2", NULL, &merged), DV_OK);
    assert_int_equal(merged.absent, DV_ABSENT_ZERO);
    assert_true(merged.seed == UINT64_MAX);
    assert_int_equal(merged.n_resamples, 7);
    assert_int_equal(dv_report_json(merged.analysis, &text), DV_OK);
    const char *const settings = strstr(merged.json, " \"command\"");
    assert_non_null(settings);
    const size_t n = (size_t)(strstr(merged.json, ",\n \"cells\"") - settings);
    assert_int_equal(strncmp(strstr(text, " \"command\""), settings, n), 0);
    assert_non_null(strstr(text, "\"schema\": \"denseval analysis v1\""));
    free(text);
    dv_sweep_merged_clear(&merged);
}

/* ... where the results tell them. */
static void settings_that_are_none_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"absent\": \"zero\"", "\"absent\": \"none\"", "settings.absent none: no such policy"},
        {"\"bootstrap\": 7", "\"bootstrap\": -7", "settings.bootstrap: must be a whole number"},
        {"\"bootstrap\": 7", "\"bootstrap\": 1000001",
         "/only/results.json: settings.bootstrap: must be at most 1000000"},
        {"\"bootstrap\": 7", "\"bootstrap\": 9223372036854775807", "settings.bootstrap: must be at most 1000000"},
        {"\"bootstrap\": 7", "\"bootstrap\": \"18446744073709551615\"", "settings.bootstrap: must be at most 1000000"},
        {"\"seed\": \"18", "\"seed\": \"x18", "settings.seed: must be a whole number"},
        {"\"seed\": \"18", "\"seed\": \"0018", "settings.seed: must be a whole number"},
    };
    dv_sweep_merged merged;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_part("only", "1/1", &plain);
        change_results("only/results.json", cases[i].from, cases[i].to);
        assert_int_equal(merge("only", NULL, NULL, NULL, NULL, &merged), DV_E_DATA);
        assert_non_null(strstr(dv_last_error(), cases[i].message));
    }
    write_part("only", "1/1", &plain);
    change_results("only/results.json", "\"bootstrap\": 7", "\"other\": 7");
    change_results("only/results.json", "\"absent\": \"zero\"", "\"another\": 7");
    assert_int_equal(merge("only", NULL, NULL, NULL, NULL, &merged), DV_OK);
    assert_int_equal(merged.absent, DV_ABSENT_SKIP);
    assert_int_equal(merged.n_resamples, 0);
    dv_sweep_merged_clear(&merged);
}

/* What a part spent is added up, so none of it may be what no run could spend. */
static void costs_that_no_run_has_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *resources, *job, *key; /* key: NULL where all is well */
    } cases[] = {{"\"wall_s\": -1", "", "wall_s"},
                 {"\"wall_s\": 1e308", "", "wall_s"},
                 {"\"wall_s\": \"1\"", "", "wall_s"},
                 {"\"cpu_s\": -0.5", "", "cpu_s"},
                 {"\"gpus\": 1, \"gpu_s\": 1e308", "", "gpu_s"},
                 {"\"gpus\": 4611686018427387904", "", "gpus"},
                 {"\"threads\": 9223372036854775807", "", "threads"},
                 {"\"max_rss_bytes\": -1", "", "max_rss_bytes"},
                 {"\"gpu_memory_bytes\": 9223372036854775807", "", "gpu_memory_bytes"},
                 {"\"ranks\": [{\"cpu_s\": 1}, {\"cpu_s\": -1}]", "", "cpu_s"},
                 {"", "\"cpus\": 9223372036854775807", "cpus"},
                 {"", "\"cpus\": 1, \"cpu_efficiency\": -0.38", "cpu_efficiency"},
                 {"", "\"allocated_cpu_s\": 1e13", "allocated_cpu_s"},
                 {"\"wall_s\": null, \"threads\": 1048576, \"cpu_s\": 0", "\"cpus\": 4", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        write_part("q", "2/4", &plain);
        snprintf(text, sizeof text, "{\"resources\": {%s}, \"job\": {%s}}", cases[i].resources, cases[i].job);
        assert_int_equal(scratch_write_text("q/resources.json", text), 0);
        snprintf(text, sizeof text, "/q/resources.json: %s: is no number that a run could have", cases[i].key);
        if (cases[i].key) {
            refuse("q", DV_E_DATA, text);
            continue;
        }
        dv_sweep_merged merged;
        assert_int_equal(merge("p1", "q", "p3", "p4", NULL, &merged), DV_OK);
        assert_int_equal(merged.times.runs[0].n_threads, 1 << 20);
        assert_int_equal(merged.times.runs[0].n_cpus, 4);
        dv_sweep_merged_clear(&merged);
    }
    assert_int_equal(unlink(scratch("q/resources.json")), 0);
}

static void damaged_parts_are_refused(void **state) {
    (void)state;
    refuse_changed("\"index\": 2", "\"index\": 3", "part: cells 3 to 6 of 10 are not part 3/4");
    refuse_changed("\"index\": 2", "\"index\": -2", "part: index: must be a whole number");
    refuse_changed("\"count\": 4", "\"count\": 99999999999", "part: count: must be below 1048577");
    refuse_changed("\"cells\": [", "\"cells\": [1,", "cells: there are 4, 3 belong to part 2/4");
    refuse_changed("\"cells\": [", "\"cells\": ", "/q/results.json: line ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_split_contiguously_remainder_first),
        cmocka_unit_test(every_split_covers_all_cells_once),
        cmocka_unit_test(splits_that_are_none_are_refused),
        cmocka_unit_test(merged_parts_are_the_whole_run),
        cmocka_unit_test(missing_parts_are_named),
        cmocka_unit_test(unfinished_part_is_missing),
        cmocka_unit_test(parts_of_other_sweeps_are_refused),
        cmocka_unit_test(part_twice_with_other_values_is_refused),
        cmocka_unit_test(counts_must_fit_together),
        cmocka_unit_test(damaged_parts_are_refused),
        cmocka_unit_test(costs_that_no_run_has_are_refused),
        cmocka_unit_test(analysis_has_the_settings_of_the_sweep),
        cmocka_unit_test(settings_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, open_scratch, scratch_close);
}
