#include "io/csv.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

/* What a field ended with. */
typedef enum ending { END_FIELD, END_ROW, END_TEXT } ending;

typedef struct parser {
    char *at, *end;
    size_t line, column; /* of the field that is read, both from 1 */
    size_t capacity;     /* of the fields of the table */
    size_t n_fields;     /* read so far, those of the first line not counted */
} parser;

static dv_status fail_at(const parser *p, const char *what) {
    return dv_fail(DV_E_DATA, "line %zu, column %zu: %s", p->line, p->column, what);
}

/* Steps over what ends a field, which `at` points to. */
static dv_status end_field(parser *p, ending *ended) {
    if (p->at == p->end) {
        *ended = END_TEXT;
        return DV_OK;
    }
    if (*p->at == '\r') {
        if (p->at + 1 < p->end && p->at[1] != '\n') return fail_at(p, "a carriage return within a line");
        *p->at++ = '\0';
        if (p->at == p->end) {
            *ended = END_TEXT;
            return DV_OK;
        }
    }
    *ended = *p->at == ',' ? END_FIELD : END_ROW;
    *p->at++ = '\0';
    return DV_OK;
}

/* Unquoting makes a text shorter, so it is done in place. */
static dv_status read_quoted(parser *p, char **field, ending *ended) {
    const size_t first_line = p->line;
    size_t n_lines = 0;
    char *to = ++p->at;
    *field = to;
    for (;; p->at++) {
        if (p->at == p->end) return fail_at(p, "a quote that is never closed");
        if (*p->at == '\0') return fail_at(p, "a NUL byte");
        if (*p->at == '"') {
            if (p->at + 1 == p->end || p->at[1] != '"') break;
            p->at++;
        }
        n_lines += *p->at == '\n';
        *to++ = *p->at;
    }
    p->at++;
    if (p->at < p->end && *p->at != ',' && *p->at != '\n' && *p->at != '\r')
        return fail_at(p, "text behind the closing quote");
    DV_TRY(end_field(p, ended));
    *to = '\0';
    p->line = first_line + n_lines;
    return DV_OK;
}

static dv_status read_field(parser *p, char **field, ending *ended) {
    if (p->at < p->end && *p->at == '"') return read_quoted(p, field, ended);
    *field = p->at;
    while (p->at < p->end && *p->at != ',' && *p->at != '\n' && *p->at != '\r') {
        if (*p->at == '"') return fail_at(p, "a quote within a field that has none around it");
        if (*p->at == '\0') return fail_at(p, "a NUL byte");
        p->at++;
    }
    return end_field(p, ended);
}

static void skip_blank_lines(parser *p) {
    for (;;) {
        char *at = p->at;
        while (at < p->end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
        if (at < p->end && *at != '\n') return;
        p->at = at < p->end ? at + 1 : at;
        p->line++;
        if (at == p->end) return;
    }
}

/* Room for one more row. */
static dv_status reserve(parser *p, dv_csv *csv) {
    if (p->n_fields + csv->n_columns <= p->capacity) return DV_OK;
    size_t n_rows, n_fields, bytes;
    DV_TRY(dv_mul_size(csv->n_rows + 8, 2, "rows of a table", &n_rows));
    DV_TRY(dv_mul_size(n_rows, csv->n_columns, "fields of a table", &n_fields));
    DV_TRY(dv_mul_size(n_fields, sizeof *csv->fields, "fields of a table", &bytes));
    char **const fields = realloc(csv->fields, bytes);
    if (fields) csv->fields = fields;
    size_t *const lines = fields ? realloc(csv->lines, n_rows * sizeof *lines) : NULL;
    if (!lines) return dv_fail(DV_E_NOMEM, "no memory for %zu rows of a table", n_rows);
    csv->lines = lines;
    p->capacity = n_fields;
    return DV_OK;
}

static dv_status read_row(parser *p, dv_csv *csv) {
    const size_t line = p->line;
    ending ended = END_FIELD;
    size_t n = 0;
    DV_TRY(reserve(p, csv));
    while (ended == END_FIELD) {
        char *field;
        p->column = ++n;
        DV_TRY(read_field(p, &field, &ended));
        if (n <= csv->n_columns) csv->fields[p->n_fields + n - 1] = field;
    }
    p->line++;
    if (n != csv->n_columns)
        return dv_fail(DV_E_DATA, "line %zu, %zu fields: the first line has %zu columns", line, n, csv->n_columns);
    csv->lines[csv->n_rows++] = line;
    p->n_fields += n;
    return DV_OK;
}

static dv_status check_name(const parser *p, const dv_csv *csv, size_t column) {
    if (csv->names[column][0] == '\0') return fail_at(p, "a column without a name");
    for (size_t other = 0; other < column; other++)
        if (strcmp(csv->names[other], csv->names[column]) == 0)
            return dv_fail(DV_E_DATA, "line %zu, column %s: is there twice", p->line, csv->names[column]);
    return DV_OK;
}

static dv_status read_names(parser *p, dv_csv *csv) {
    enum { MAX_COLUMNS = 65536 }; /* so that looking for equal names stays quick */
    size_t capacity = 1;
    for (const char *at = p->at; at < p->end && *at != '\n'; at++) capacity += *at == ',';
    if (p->at == p->end) return dv_fail(DV_E_DATA, "the file is empty");
    if (capacity > MAX_COLUMNS)
        return dv_fail(DV_E_DATA, "line %zu, %zu columns: at most %d can be read", p->line, capacity, MAX_COLUMNS);
    DV_TRY(dv_alloc(capacity, sizeof *csv->names, "names of columns", &csv->names));
    for (ending ended = END_FIELD; ended == END_FIELD;) {
        const size_t line = p->line;
        char *name;
        p->column = csv->n_columns + 1;
        DV_TRY(read_field(p, &name, &ended));
        if (p->line != line) return fail_at(p, "a line end in the name of a column");
        csv->names[csv->n_columns++] = name;
        DV_TRY(check_name(p, csv, csv->n_columns - 1));
    }
    p->line++;
    return DV_OK;
}

static dv_status parse(parser *p, dv_csv *csv) {
    skip_blank_lines(p);
    DV_TRY(read_names(p, csv));
    for (skip_blank_lines(p); p->at < p->end; skip_blank_lines(p)) DV_TRY(read_row(p, csv));
    return DV_OK;
}

dv_status dv_csv_parse(char *text, size_t length, dv_csv *out) {
    *out = (dv_csv){.text = text};
    parser p = {.at = text, .end = text + length, .line = 1};
    const dv_status status = parse(&p, out);
    if (status != DV_OK) dv_csv_clear(out);
    return status;
}

void dv_csv_clear(dv_csv *csv) {
    free(csv->names);
    free(csv->fields);
    free(csv->lines);
    free(csv->text);
    *csv = (dv_csv){0};
}

size_t dv_csv_column(const dv_csv *csv, const char *name) {
    for (size_t column = 0; column < csv->n_columns; column++)
        if (strcmp(csv->names[column], name) == 0) return column;
    return SIZE_MAX;
}
