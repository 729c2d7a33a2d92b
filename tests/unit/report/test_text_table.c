/* Tables of texts in their forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/text_table.h"

/* Prints a table with one row that needs every kind of care. */
static char *print(dv_table_form form, const char *title) {
    char *text;
    size_t size;
    dv_text_table table = {0};
    dv_text_table_add(&table, "name");
    dv_text_table_add(&table, "a|b");
    dv_text_table_add(&table, "none");
    dv_text_table_end_names(&table);
    dv_text_table_add(&table, "%s", "x_1, \"50 %\"");
    dv_text_table_add_real(&table, 0.12349, 3);
    dv_text_table_add_real(&table, NAN, 3);
    FILE *const stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(dv_text_table_print(&table, form, title, stream), DV_OK);
    assert_int_equal(fclose(stream), 0);
    dv_text_table_clear(&table);
    return text;
}

static void each_form_protects_its_own_characters(void **state) {
    (void)state;
    static const struct {
        dv_table_form form;
        const char *expected;
    } cases[] = {
        {DV_TABLE_CSV, "name,a|b,none\n\"x_1, \"\"50 %\"\"\",0.123,\n"},
        {DV_TABLE_MARKDOWN,
         "### A \\* B\n\n| name | a\\|b | none |\n|---|---:|---:|\n| x\\_1, \"50 %\" | 0.123 | - |\n\n"},
        {DV_TABLE_LATEX, "\\begin{table}\n\\centering\n\\caption{A * B}\n\\begin{tabular}{lrr}\n\\hline\n"
                         "name & a\\textbar{}b & none \\\\\n\\hline\nx\\_1, \"50 \\%\" & 0.123 & - \\\\\n\\hline\n"
                         "\\end{tabular}\n\\end{table}\n\n"},
        {DV_TABLE_PLAIN, "A * B\nname           a|b  none\nx_1, \"50 %\"  0.123     -\n\n"},
        {DV_TABLE_HTML,
         "<div class=\"wide\"><table>\n<caption>A * B</caption>\n<thead><tr><th scope=\"col\">name</th>"
         "<th scope=\"col\" class=\"n\">a|b</th><th scope=\"col\">none</th></tr>\n</thead>\n<tbody>\n<tr>"
         "<th scope=\"row\">x_1, &quot;50 %&quot;</th><td class=\"n\">0.123</td><td>-</td></tr>\n"
         "</tbody></table></div>\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const text = print(cases[i].form, "A * B");
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

static void reals_read_back_where_no_decimals_are_asked_for(void **state) {
    (void)state;
    dv_text_table table = {0};
    dv_text_table_add_real(&table, 0.1, -1);
    dv_text_table_add_count(&table, 7);
    dv_text_table_add_count(&table, 0);
    assert_string_equal(table.fields[0], "0.1");
    assert_string_equal(table.fields[1], "7");
    assert_string_equal(table.fields[2], "");
    dv_text_table_clear(&table);
}

static void a_row_that_is_not_full_is_a_fault_of_ours(void **state) {
    (void)state;
    dv_text_table table = {0};
    dv_text_table_add(&table, "a");
    dv_text_table_add(&table, "b");
    dv_text_table_end_names(&table);
    dv_text_table_add(&table, "1");
    assert_int_equal(dv_text_table_print(&table, DV_TABLE_CSV, NULL, stderr), DV_E_INTERNAL);
    assert_string_equal(dv_last_error(), "a table of 2 columns has 3 fields");
    dv_text_table_clear(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_protects_its_own_characters),
        cmocka_unit_test(reals_read_back_where_no_decimals_are_asked_for),
        cmocka_unit_test(a_row_that_is_not_full_is_a_fault_of_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
