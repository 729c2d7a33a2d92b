#include "report/text_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "report/csv_write.h"
#include "report/html_text.h"

void dv_text_table_clear(dv_text_table *table) {
    for (size_t i = 0; i < table->n_fields; i++) free(table->fields[i]);
    free(table->fields);
    *table = (dv_text_table){0};
}

/* Takes over a field; NULL: making it failed. */
static void append(dv_text_table *table, char *field) {
    const size_t n = table->n_fields;
    if (field && (n & (n - 1)) == 0) { /* room for as many again whenever n is a power of two, or 0 */
        char **const grown = reallocarray(table->fields, n ? n : 1, 2 * sizeof *grown);
        if (grown) table->fields = grown;
        if (!grown) {
            free(field);
            field = NULL;
        }
    }
    if (field)
        table->fields[table->n_fields++] = field;
    else if (table->status == DV_OK)
        table->status = DV_E_NOMEM;
}

void dv_text_table_add(dv_text_table *table, const char *format, ...) {
    char *field = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&field, format, arguments) < 0) field = NULL;
    va_end(arguments);
    append(table, field);
}

void dv_text_table_add_real(dv_text_table *table, double value, int decimals) {
    char number[DV_NUMBER_SIZE];
    if (isnan(value))
        dv_text_table_add(table, "%s", "");
    else if (decimals < 0)
        dv_text_table_add(table, "%s", dv_format_double(value, number));
    else
        dv_text_table_add(table, "%.*f", decimals, value);
}

void dv_text_table_add_count(dv_text_table *table, uint64_t value) {
    if (value)
        dv_text_table_add(table, "%llu", (unsigned long long)value);
    else
        dv_text_table_add(table, "%s", "");
}

void dv_text_table_end_names(dv_text_table *table) {
    table->n_columns = table->n_fields;
}

static void put_markdown(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '\n' || *text == '\r') {
            fputc(' ', stream);
            continue;
        }
        if (strchr("|\\`*_<>[]", *text)) fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void put_latex(FILE *stream, const char *text) {
    static const struct {
        char character;
        const char *command;
    } commands[] = {{'\\', "\\textbackslash{}"},
                    {'~', "\\textasciitilde{}"},
                    {'^', "\\textasciicircum{}"},
                    {'<', "\\textless{}"},
                    {'>', "\\textgreater{}"},
                    {'|', "\\textbar{}"},
                    {'\n', " "},
                    {'\r', " "}};
    for (; *text; text++) {
        size_t i = 0;
        while (i < sizeof commands / sizeof *commands && commands[i].character != *text) i++;
        if (i < sizeof commands / sizeof *commands) {
            fputs(commands[i].command, stream);
            continue;
        }
        if (strchr("&%$#_{}", *text)) fputc('\\', stream);
        fputc(*text, stream);
    }
}

static const char *shown(const dv_text_table *table, size_t row, size_t column) {
    const char *const text = table->fields[row * table->n_columns + column];
    return *text ? text : "-";
}

static void print_csv(const dv_text_table *table, FILE *stream) {
    for (size_t i = 0; i < table->n_fields; i++) {
        dv_csv_put_text(stream, table->fields[i]);
        fputc((i + 1) % table->n_columns ? ',' : '\n', stream);
    }
}

/* Text to the left, as the first column is; numbers to the right. */
static void print_markdown(const dv_text_table *table, const char *title, FILE *stream) {
    const size_t n_rows = table->n_fields / table->n_columns;
    if (title) {
        fputs("### ", stream);
        put_markdown(stream, title);
        fputs("\n\n", stream);
    }
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t column = 0; column < table->n_columns; column++) {
            fputs("| ", stream);
            put_markdown(stream, shown(table, row, column));
            fputc(' ', stream);
        }
        fputs("|\n", stream);
        for (size_t column = 0; row == 0 && column < table->n_columns; column++)
            fputs(column ? "|---:" : "|---", stream);
        if (row == 0) fputs("|\n", stream);
    }
    fputc('\n', stream);
}

static void print_latex(const dv_text_table *table, const char *title, FILE *stream) {
    const size_t n_rows = table->n_fields / table->n_columns;
    fputs("\\begin{table}\n\\centering\n", stream);
    if (title) {
        fputs("\\caption{", stream);
        put_latex(stream, title);
        fputs("}\n", stream);
    }
    fputs("\\begin{tabular}{", stream);
    for (size_t column = 0; column < table->n_columns; column++) fputc(column ? 'r' : 'l', stream);
    fputs("}\n\\hline\n", stream);
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t column = 0; column < table->n_columns; column++) {
            if (column) fputs(" & ", stream);
            put_latex(stream, shown(table, row, column));
        }
        fputs(row == 0 || row + 1 == n_rows ? " \\\\\n\\hline\n" : " \\\\\n", stream);
    }
    fputs("\\end{tabular}\n\\end{table}\n\n", stream);
}

static size_t width_of(const dv_text_table *table, size_t column) {
    size_t width = 0;
    for (size_t row = 0; row < table->n_fields / table->n_columns; row++) {
        const size_t length = strlen(shown(table, row, column));
        if (length > width) width = length;
    }
    return width;
}

static void print_plain(const dv_text_table *table, const char *title, FILE *stream) {
    if (title) fprintf(stream, "%s\n", title);
    for (size_t row = 0; row < table->n_fields / table->n_columns; row++) {
        for (size_t column = 0; column < table->n_columns; column++) {
            const int width = (int)width_of(table, column);
            fprintf(stream, column ? "  %*s" : "%-*s", width, shown(table, row, column));
        }
        fputc('\n', stream);
    }
    fputc('\n', stream);
}

/* ---- HTML ---------------------------------------------------------------------------------------------------------
 */

enum { MOST_CHARACTERS = 500 }; /* of a field that are shown */

/* Numbers, with signs, units, deviations and intervals. */
static bool is_number(const char *text) {
    const char *const first = text + (*text == '-' || *text == '+' || *text == '[');
    return *first >= '0' && *first <= '9' &&
           text[strspn(text, "0123456789.eE+- %[](),\n\xc2\xb0\xb1kKMGTPiBbyts")] == '\0';
}

/* Columns of nothing but numbers stand to the right. Of the columns that hold "-" alone none does. */
static bool is_number_column(const dv_text_table *table, size_t column) {
    bool any = false;
    for (size_t row = 1; row < table->n_fields / table->n_columns; row++) {
        const char *const text = shown(table, row, column);
        if (strcmp(text, "-") == 0) continue;
        if (!is_number(text)) return false;
        any = true;
    }
    return any;
}

/* The first column names the lines. right: [n_columns] */
static void put_html_row(const dv_text_table *table, size_t row, const bool *right, FILE *stream) {
    fputs("<tr>", stream);
    for (size_t column = 0; column < table->n_columns; column++) {
        const char *const names = row == 0 ? " scope=\"col\"" : column == 0 ? " scope=\"row\"" : NULL;
        fprintf(stream, "<%s%s%s>", names ? "th" : "td", names ? names : "", right[column] ? " class=\"n\"" : "");
        dv_html_put_start(stream, shown(table, row, column), MOST_CHARACTERS);
        fputs(names ? "</th>" : "</td>", stream);
    }
    fputs("</tr>\n", stream);
}

static dv_status print_html(const dv_text_table *table, bool pairs, const char *title, FILE *stream) {
    bool *right;
    DV_TRY(dv_alloc(table->n_columns, sizeof *right, "columns of a table", &right));
    for (size_t column = 0; column < table->n_columns; column++)
        right[column] = !pairs && is_number_column(table, column);
    fputs("<div class=\"wide\"><table>\n", stream);
    if (title && *title) {
        fputs("<caption>", stream);
        dv_html_put_text(stream, title);
        fputs("</caption>\n", stream);
    }
    if (!pairs) {
        fputs("<thead>", stream);
        put_html_row(table, 0, right, stream);
        fputs("</thead>\n", stream);
    }
    fputs("<tbody>\n", stream);
    for (size_t row = 1; row < table->n_fields / table->n_columns; row++) put_html_row(table, row, right, stream);
    fputs("</tbody></table></div>\n", stream);
    free(right);
    return DV_OK;
}

dv_status dv_text_table_print(const dv_text_table *table, dv_table_form form, const char *title, FILE *stream) {
    if (table->status != DV_OK) return dv_fail(table->status, "no memory for a table");
    if (table->n_columns == 0 || table->n_fields % table->n_columns)
        return dv_fail(DV_E_INTERNAL, "a table of %zu columns has %zu fields", table->n_columns, table->n_fields);
    switch (form) {
    case DV_TABLE_CSV:
        print_csv(table, stream);
        break;
    case DV_TABLE_MARKDOWN:
        print_markdown(table, title, stream);
        break;
    case DV_TABLE_LATEX:
        print_latex(table, title, stream);
        break;
    case DV_TABLE_PLAIN:
        print_plain(table, title, stream);
        break;
    case DV_TABLE_HTML:
    case DV_TABLE_HTML_PAIRS:
        return print_html(table, form == DV_TABLE_HTML_PAIRS, title, stream);
    }
    return DV_OK;
}
