/* Comma-separated text: what a field is, and which line and column a refusal names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/csv.h"

/* Parses a copy of a text of `length` bytes. */
static dv_status parse_bytes(const char *text, size_t length, dv_csv *csv) {
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return dv_csv_parse(copy, length, csv);
}

static dv_status parse(const char *text, dv_csv *csv) {
    return parse_bytes(text, strlen(text), csv);
}

static void assert_fields(const dv_csv *csv, size_t row, const char *const *expected) {
    for (size_t column = 0; column < csv->n_columns; column++)
        assert_string_equal(csv->fields[row * csv->n_columns + column], expected[column]);
}

static void rows_and_names_are_found_in_order(void **state) {
    (void)state;
    dv_csv csv;
    assert_int_equal(parse("a,b\n1,2\n3,\n", &csv), DV_OK);
    assert_int_equal(csv.n_columns, 2);
    assert_int_equal(csv.n_rows, 2);
    assert_string_equal(csv.names[1], "b");
    assert_fields(&csv, 0, (const char *[]){"1", "2"});
    assert_fields(&csv, 1, (const char *[]){"3", ""});
    assert_int_equal(csv.lines[1], 3);
    assert_int_equal(dv_csv_column(&csv, "b"), 1);
    assert_true(dv_csv_column(&csv, "c") == SIZE_MAX);
    dv_csv_clear(&csv);
}

static void crlf_blank_lines_and_a_missing_last_newline_change_nothing(void **state) {
    (void)state;
    dv_csv csv;
    assert_int_equal(parse("\r\na,b\r\n\r\n1,2\r\n \t\n3,4", &csv), DV_OK);
    assert_int_equal(csv.n_rows, 2);
    assert_string_equal(csv.names[1], "b");
    assert_fields(&csv, 0, (const char *[]){"1", "2"});
    assert_fields(&csv, 1, (const char *[]){"3", "4"});
    assert_int_equal(csv.lines[0], 4);
    assert_int_equal(csv.lines[1], 6);
    dv_csv_clear(&csv);
}

static void quotes_hold_commas_quotes_and_line_ends(void **state) {
    (void)state;
    dv_csv csv;
    assert_int_equal(parse("\"a,b\",c\n\"say \"\"no\"\"\",\"1\n2\"\n\"\",x\n", &csv), DV_OK);
    assert_string_equal(csv.names[0], "a,b");
    assert_fields(&csv, 0, (const char *[]){"say \"no\"", "1\n2"});
    assert_fields(&csv, 1, (const char *[]){"", "x"});
    assert_int_equal(csv.lines[1], 4); /* the row before has two lines */
    dv_csv_clear(&csv);
}

static void many_rows_are_kept(void **state) {
    (void)state;
    enum { N = 5000 };
    char *text = malloc(16 * N), *at = text;
    assert_non_null(text);
    at += snprintf(at, 16, "n,m\n");
    for (int i = 0; i < N; i++) at += snprintf(at, 16, "%d,x\n", i);
    dv_csv csv;
    assert_int_equal(dv_csv_parse(text, (size_t)(at - text), &csv), DV_OK);
    assert_int_equal(csv.n_rows, N);
    for (int i = 0; i < N; i++) assert_int_equal(strtol(csv.fields[2 * i], NULL, 10), i);
    dv_csv_clear(&csv);
}

static void refusals_name_line_and_column(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "the file is empty"},
        {"\n \r\n", "the file is empty"},
        {"a,,b\n", "line 1, column 2: a column without a name"},
        {"a,b,a\n", "line 1, column a: is there twice"},
        {"a,b\n1,2\n3\n", "line 3, 1 fields: the first line has 2 columns"},
        {"a,b\n1,2,3\n", "line 2, 3 fields: the first line has 2 columns"},
        {"a,b\n1,\"2\n3\n", "line 2, column 2: a quote that is never closed"},
        {"a,b\n1,\"2\"3\n", "line 2, column 2: text behind the closing quote"},
        {"a,b\n1,2\"3\n", "line 2, column 2: a quote within a field that has none around it"},
        {"a,b\n1\r,2\n", "line 2, column 1: a carriage return within a line"},
        {"\"a\nb\",c\n", "line 2, column 1: a line end in the name of a column"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dv_csv csv;
        assert_int_equal(parse(cases[i].text, &csv), DV_E_DATA);
        assert_string_equal(dv_last_error(), cases[i].message);
        assert_null(csv.text);
        assert_int_equal(csv.n_rows, 0);
    }
    dv_csv csv;
    assert_int_equal(parse_bytes("a,b\n1,\0\n", 8, &csv), DV_E_DATA);
    assert_string_equal(dv_last_error(), "line 2, column 2: a NUL byte");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_names_are_found_in_order),
        cmocka_unit_test(crlf_blank_lines_and_a_missing_last_newline_change_nothing),
        cmocka_unit_test(quotes_hold_commas_quotes_and_line_ends),
        cmocka_unit_test(many_rows_are_kept),
        cmocka_unit_test(refusals_name_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
