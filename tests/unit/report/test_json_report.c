/* The JSON object: keys in front, 17 digits, null for what has no value, one failure kept. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/report.h"
#include "report/json_report.h"

static void the_common_keys_come_first(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("denseval eval v1", "eval", &report), DV_OK);
    dv_report_count(report, "images", 3);
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    const char *last = text;
    static const char *const keys[] = {"\"schema\": \"denseval eval v1\"",
                                       "\"command\": \"eval\"",
                                       "\"version\": \"",
                                       "\"settings\": {}",
                                       "\"inputs\": []",
                                       "\"images\": 3"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *found = strstr(last, keys[i]);
        assert_non_null(found);
        last = found;
    }
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    dv_report_free(report);
}

static void a_double_reads_back_as_itself(void **state) {
    (void)state;
    const double values[] = {2.0 / 3, 0.1, 1e-300, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        dv_report *report;
        char *text;
        assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
        dv_report_setting_real(report, "value", values[i]);
        assert_int_equal(dv_report_json(report, &text), DV_OK);
        assert_true(strtod(strstr(text, "\"value\": ") + 9, NULL) == values[i]);
        free(text);
        dv_report_free(report);
    }
}

static void what_has_no_value_is_null(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    dv_report_setting_real(report, "nan", NAN);
    dv_report_setting_real(report, "infinite", INFINITY);
    dv_report_setting_null(report, "nothing");
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    assert_non_null(strstr(text, "\"nan\": null"));
    assert_non_null(strstr(text, "\"infinite\": null"));
    assert_non_null(strstr(text, "\"nothing\": null"));
    free(text);
    dv_report_free(report);
}

static void rows_grow_one_by_one_in_their_own_list(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    dv_report_row(report, "rows");
    dv_report_row_text(report, "rows", "kind", "real");
    dv_report_row(report, "rows");
    dv_report_row_count(report, "rows", "wrong", 0);
    dv_report_row_real(report, "rows", "peak", NAN);
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    assert_non_null(strstr(text, "\"rows\": [\n  {\n   \"kind\": \"real\"\n  },\n  {\n   \"wrong\": 0,\n"
                                 "   \"peak\": null\n  }\n ]"));
    free(text);
    dv_report_free(report);
}

static void a_value_without_a_row_begins_one(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    dv_report_row_count(report, "rows", "wrong", 0);
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    assert_non_null(strstr(text, "\"rows\": [\n  {\n   \"wrong\": 0\n  }\n ]"));
    free(text);
    dv_report_free(report);
}

static void the_first_failure_is_kept_to_the_end(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    assert_int_equal(dv_report_failure(report), DV_OK);
    dv_report_input(report, "first/missing.h5");
    dv_report_input(report, "second/missing.h5");
    dv_report_count(report, "fine", 1);
    assert_int_equal(dv_report_failure(report), DV_E_MISSING);
    assert_int_equal(dv_report_json(report, &text), DV_E_MISSING);
    assert_non_null(strstr(dv_last_error(), "first/missing.h5"));
    assert_null(text);
    dv_report_free(report);
}

static void a_missing_input_is_named(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    dv_report_input(report, "no/such/file.h5");
    assert_int_equal(dv_report_json(report, &text), DV_E_MISSING);
    assert_non_null(strstr(dv_last_error(), "no/such/file.h5"));
    dv_report_free(report);
}

/* R4: names are bytes. Latin-1 on its own, cut short before ASCII, at the end, and what is valid beside it. */
static void bytes_that_are_no_utf8_are_replaced(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    dv_report_setting_text(report, "latin1", "caf\xe9.h5");
    dv_report_text(report, "cut", "\xe2\x82/\xc3\xa9\xf0");
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    assert_non_null(strstr(text, "\"latin1\": \"caf\xef\xbf\xbd.h5\""));
    assert_non_null(strstr(text, "\"cut\": \"\xef\xbf\xbd\xef\xbf\xbd/\xc3\xa9\xef\xbf\xbd\""));
    free(text);
    dv_report_free(report);
}

static void a_count_keeps_all_its_digits(void **state) {
    (void)state;
    dv_report *report;
    char *text;
    assert_int_equal(dv_report_create("s", "c", &report), DV_OK);
    dv_report_setting_count(report, "integer", INT64_MAX);
    dv_report_setting_count(report, "seed", UINT64_MAX);
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    assert_non_null(strstr(text, "\"integer\": 9223372036854775807"));
    assert_non_null(strstr(text, "\"seed\": \"18446744073709551615\""));
    free(text);
    dv_report_free(report);
}

/* Two ranks on one node, one on another. */
static void a_job_of_ranks_is_what_all_nodes_were_given(void **state) {
    (void)state;
    static const dv_rank_spent spent[] = {{.host = "n1",
                                           .wall_s = 8,
                                           .cpu_s = 4,
                                           .max_rss_bytes = 100,
                                           .job_cpus = 2,
                                           .job_memory_bytes = 400,
                                           .job_gpus = 4},
                                          {.host = "n1",
                                           .wall_s = 8,
                                           .cpu_s = 8,
                                           .max_rss_bytes = 60,
                                           .gpu = {.n_gpus = 2, .gpu_s = 1.5, .memory_bytes = 1000},
                                           .job_cpus = 2,
                                           .job_memory_bytes = 400,
                                           .job_gpus = 4},
                                          {.host = "n2",
                                           .wall_s = 7,
                                           .cpu_s = 12,
                                           .max_rss_bytes = 40,
                                           .gpu = {.n_gpus = 1, .gpu_s = 2, .memory_bytes = 24},
                                           .job_cpus = 6,
                                           .job_memory_bytes = 400,
                                           .job_gpus = 1}};
    const dv_job job = {.id = "7", .node = "n1", .n_cpus = 2, .memory_bytes = 400, .n_gpus = 4};
    dv_report *report;
    const dv_resources resources = {.n_threads = 1};
    assert_int_equal(dv_report_create("denseval resources v1", "sweep", &report), DV_OK);
    dv_report_resources(report, &resources, NULL, NULL, 0);
    dv_report_ranks(report, spent, 3);
    dv_report_job_ranks(report, &job, spent, 3);
    const json_t *const found = dv_report_find(report, "job");
    assert_string_equal(json_string_value(json_object_get(found, "node")), "n1");
    assert_int_equal(json_integer_value(json_object_get(found, "cpus")), 8);
    assert_int_equal(json_integer_value(json_object_get(found, "memory_bytes")), 800);
    assert_int_equal(json_integer_value(json_object_get(found, "gpus")), 5);
    assert_true(json_number_value(json_object_get(found, "allocated_cpu_s")) == 64); /* 8 s of 8 CPUs */
    assert_true(json_number_value(json_object_get(found, "cpu_efficiency")) == 24.0 / 64);
    assert_true(json_number_value(json_object_get(found, "memory_efficiency")) == 0.25);
    assert_true(json_number_value(json_object_get(found, "gpu_s")) == 3.5);
    assert_int_equal(json_integer_value(json_object_get(found, "gpu_memory_bytes")), 1024);
    const json_t *const costs = dv_report_find(report, "resources"), *const ranks = json_object_get(costs, "ranks");
    assert_null(json_object_get(costs, "gpu_s"));
    for (size_t i = 0; i < 3; i++) { /* what used no GPU tells of none */
        const json_t *const rank = json_array_get(ranks, i);
        assert_int_equal(json_object_get(rank, "gpu_s") != NULL, spent[i].gpu.n_gpus > 0);
        assert_int_equal(json_object_get(rank, "gpu_memory_bytes") != NULL, spent[i].gpu.n_gpus > 0);
        assert_int_equal(json_integer_value(json_object_get(rank, "gpus")), spent[i].gpu.n_gpus);
    }
    dv_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_keys_come_first),
        cmocka_unit_test(a_double_reads_back_as_itself),
        cmocka_unit_test(what_has_no_value_is_null),
        cmocka_unit_test(the_first_failure_is_kept_to_the_end),
        cmocka_unit_test(a_missing_input_is_named),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(a_count_keeps_all_its_digits),
        cmocka_unit_test(rows_grow_one_by_one_in_their_own_list),
        cmocka_unit_test(a_value_without_a_row_begins_one),
        cmocka_unit_test(a_job_of_ranks_is_what_all_nodes_were_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
