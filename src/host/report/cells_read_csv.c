/* cells_read_csv.c: cells from a table in the columns of the published result files. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "denseval/number.h"
#include "io/csv.h"
#include "report/cells_read.h"

/* Where the columns stand; SIZE_MAX: not there. */
typedef struct columns {
    size_t model, train_bins, val_bin, jac_mean, memory, memory_kind, difficulty, images, bank_rows;
    size_t *jac; /* [n_classes], owned */
    size_t n_classes;
} columns;

/* What a row is read from. */
typedef struct source {
    dv_csv csv;
    columns at;
    const char *path;
    uint64_t memory; /* that the file name tells; 0: none */
} source;

/* The sets of reference bins that the paper names. */
static const struct {
    const char *bins, *name;
} difficulties[] = {{"0_30_60_90", "easy"}, {"0_45_90", "medium"}, {"0_90", "hard"}, {"0", "extreme"}};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* N of the last "memoryN" of a file name, 320000 or 320k; 0 where there is none. */
static uint64_t memory_of_name(const char *path) {
    const char *const slash = strrchr(path, '/');
    uint64_t memory = 0;
    for (const char *at = slash ? slash + 1 : path; (at = strstr(at, "memory"));) {
        char number[24];
        at += strlen("memory");
        size_t length = strspn(at, "0123456789"), size;
        if (length > 0 && at[length] && strchr("kKmMgG", at[length]) && !isalnum((unsigned char)at[length + 1]))
            length++;
        if (length == 0 || length >= sizeof number) continue;
        memcpy(number, at, length);
        number[length] = '\0';
        if (dv_parse_size(number, &size) == DV_OK) memory = size;
    }
    return memory;
}

/* The number N of a column "jacN"; SIZE_MAX for any other. */
static size_t class_of_column(const char *name) {
    uint64_t number;
    if (strncmp(name, "jac", 3) != 0 || !is_digit(name[3]) || (name[3] == '0' && name[4])) return SIZE_MAX;
    return dv_parse_u64(name + 3, &number) == DV_OK && number < SIZE_MAX ? (size_t)number : SIZE_MAX;
}

static dv_status find_classes(source *s) {
    const dv_csv *const csv = &s->csv;
    size_t n_classes = 0;
    for (size_t i = 0; i < csv->n_columns; i++) n_classes += class_of_column(csv->names[i]) != SIZE_MAX;
    DV_TRY(dv_alloc(n_classes, sizeof *s->at.jac, "columns of classes", &s->at.jac));
    for (size_t c = 0; c < n_classes; c++) s->at.jac[c] = SIZE_MAX;
    for (size_t i = 0; i < csv->n_columns; i++) {
        const size_t c = class_of_column(csv->names[i]);
        if (c < n_classes) s->at.jac[c] = i;
    }
    for (size_t c = 0; c < n_classes; c++)
        if (s->at.jac[c] == SIZE_MAX)
            return dv_fail(DV_E_DATA, "line 1, column jac%zu: missing, though there are %zu columns of classes", c,
                           n_classes);
    s->at.n_classes = n_classes;
    return DV_OK;
}

static dv_status find_columns(source *s) {
    const dv_csv *const csv = &s->csv;
    columns *const at = &s->at;
    const struct {
        const char *name;
        size_t *place;
        bool needed;
    } wanted[] = {{"model", &at->model, true},
                  {"train_bins", &at->train_bins, true},
                  {"val_bin", &at->val_bin, true},
                  {"jac_mean", &at->jac_mean, true},
                  {"memory", &at->memory, false},
                  {"memory_kind", &at->memory_kind, false},
                  {"difficulty", &at->difficulty, false},
                  {"images", &at->images, false},
                  {"bank_rows", &at->bank_rows, false}};
    char missing[128] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        *wanted[i].place = dv_csv_column(csv, wanted[i].name);
        if (wanted[i].needed && *wanted[i].place == SIZE_MAX)
            length += (size_t)snprintf(missing + length, sizeof missing - length, " %s", wanted[i].name);
    }
    if (dv_csv_column(csv, "jac0") == SIZE_MAX) snprintf(missing + length, sizeof missing - length, " jac0");
    if (missing[0]) return dv_fail(DV_E_DATA, "line 1: missing columns:%s", missing);
    if (at->memory == SIZE_MAX && s->memory == 0)
        return dv_fail(DV_E_DATA, "line 1: neither a column memory, nor memoryN in the name of the file");
    return find_classes(s);
}

/* "line 3, column jac4": sets the message around the one that stands. */
static dv_status in_field(const source *s, size_t row, size_t column) {
    return dv_context(DV_E_DATA, "line %zu, column %s", s->csv.lines[row], s->csv.names[column]);
}

static char *field(const source *s, size_t row, size_t column) {
    return s->csv.fields[row * s->csv.n_columns + column];
}

/* A score 0..1; nothing: the class is absent. */
static dv_status read_score(const source *s, size_t row, size_t column, double *score) {
    const char *const text = field(s, row, column);
    *score = NAN;
    if (text[0] == '\0') return DV_OK;
    if (dv_parse_double(text, score) == DV_OK && *score >= 0 && *score <= 1) return DV_OK;
    return dv_fail(DV_E_DATA, "line %zu, column %s, value \"%.60s\": must be a number 0..1", s->csv.lines[row],
                   s->csv.names[column], text);
}

static dv_status parse_bin(const char *text, int32_t *bin) {
    int64_t value;
    DV_TRY(dv_parse_i64(text, &value));
    if (value < INT32_MIN || value > INT32_MAX) return dv_fail(DV_E_DATA, "%s: is no angle in degrees", text);
    *bin = (int32_t)value;
    return DV_OK;
}

/* "0_30_60_90" */
static dv_status read_reference_bins(char *text, dv_cell *cell) {
    size_t n = 1;
    for (const char *at = text; *at; at++) n += *at == '_';
    DV_TRY(dv_alloc(n, sizeof *cell->reference_bins, "reference bins", &cell->reference_bins));
    for (char *at = text; at;) {
        char *const next = strchr(at, '_');
        if (next) *next = '\0';
        const dv_status status = parse_bin(at, &cell->reference_bins[cell->n_reference_bins]);
        if (next) *next = '_';
        if (status != DV_OK) return status;
        cell->n_reference_bins++;
        at = next ? next + 1 : NULL;
    }
    if (!dv_bins_sort(cell->reference_bins, n)) return dv_fail(DV_E_DATA, "\"%.60s\": a bin is there twice", text);
    return DV_OK;
}

static dv_status read_memory(const source *s, size_t row, dv_cell *cell) {
    const columns *const at = &s->at;
    cell->memory = s->memory;
    if (at->memory != SIZE_MAX) {
        size_t memory;
        if (dv_parse_size(field(s, row, at->memory), &memory) != DV_OK) return in_field(s, row, at->memory);
        if (memory == 0) {
            (void)dv_fail(DV_E_DATA, "0: must be above 0");
            return in_field(s, row, at->memory);
        }
        cell->memory = memory;
    }
    if (at->memory_kind == SIZE_MAX) return DV_OK;
    const char *const kind = field(s, row, at->memory_kind);
    cell->per_image = strcmp(kind, "per_image") == 0;
    if (cell->per_image || strcmp(kind, "rows") == 0) return DV_OK;
    (void)dv_fail(DV_E_DATA, "\"%.60s\": must be rows or per_image", kind);
    return in_field(s, row, at->memory_kind);
}

static dv_status read_count(const source *s, size_t row, size_t column, uint64_t *count) {
    if (column == SIZE_MAX || field(s, row, column)[0] == '\0') return DV_OK;
    return dv_parse_u64(field(s, row, column), count) == DV_OK ? DV_OK : in_field(s, row, column);
}

/* Names go into tables and messages. */
static dv_status check_name(const source *s, size_t row, size_t column) {
    if (!dv_utf8_has_control(field(s, row, column))) return DV_OK;
    (void)dv_fail(DV_E_DATA, "\"%.60s\": must have no control characters", field(s, row, column));
    return in_field(s, row, column);
}

static dv_status read_names(const source *s, size_t row, dv_cell *cell) {
    const columns *const at = &s->at;
    const char *difficulty = at->difficulty == SIZE_MAX ? "" : field(s, row, at->difficulty);
    for (size_t i = 0; i < sizeof difficulties / sizeof *difficulties && at->difficulty == SIZE_MAX; i++)
        if (strcmp(field(s, row, at->train_bins), difficulties[i].bins) == 0) difficulty = difficulties[i].name;
    if (field(s, row, at->model)[0] == '\0') {
        (void)dv_fail(DV_E_DATA, "\"\": must name the encoder");
        return in_field(s, row, at->model);
    }
    DV_TRY(check_name(s, row, at->model));
    if (at->difficulty != SIZE_MAX) DV_TRY(check_name(s, row, at->difficulty));
    DV_TRY(dv_strdup(field(s, row, at->model), &cell->encoder));
    return dv_strdup(difficulty, &cell->difficulty);
}

static dv_status read_cell(const source *s, size_t row, dv_cell *cell) {
    const columns *const at = &s->at;
    DV_TRY(read_names(s, row, cell));
    dv_status status = read_reference_bins(field(s, row, at->train_bins), cell);
    if (status != DV_OK) return status == DV_E_NOMEM ? status : in_field(s, row, at->train_bins);
    if (parse_bin(field(s, row, at->val_bin), &cell->bin) != DV_OK) return in_field(s, row, at->val_bin);
    for (size_t i = 0; i < cell->n_reference_bins; i++) cell->reference |= cell->reference_bins[i] == cell->bin;
    DV_TRY(read_memory(s, row, cell));
    DV_TRY(read_count(s, row, at->images, &cell->n_images));
    DV_TRY(read_count(s, row, at->bank_rows, &cell->n_bank_rows));
    DV_TRY(read_score(s, row, at->jac_mean, &cell->miou));
    for (size_t c = 0; c < at->n_classes; c++) DV_TRY(read_score(s, row, at->jac[c], &cell->iou[c]));
    cell->miou_objects = dv_mean_iou(cell->iou, 1, at->n_classes);
    if (isnan(cell->miou) == isnan(dv_mean_iou(cell->iou, 0, at->n_classes))) return DV_OK;
    (void)dv_fail(DV_E_DATA, "\"%s\": must be there where a class has a value, and only there",
                  field(s, row, at->jac_mean));
    return in_field(s, row, at->jac_mean);
}

static dv_status read_rows(dv_cells_reader *reader, const source *s, dv_fault_list *faults) {
    for (size_t row = 0; row < s->csv.n_rows; row++) {
        dv_cell *cell;
        DV_TRY(dv_cells_reader_add(reader, false, s->csv.lines[row], &cell));
        const dv_status status = read_cell(s, row, cell);
        if (status == DV_OK) continue;
        dv_cell_clear(&reader->cells.cells[--reader->cells.n]);
        if (status != DV_E_DATA) return status;
        (void)dv_context(status, "%s", s->path);
        dv_fault_list_add(faults, dv_last_error());
    }
    return DV_OK;
}

/* Does the first line name any of the columns? Prose that is no table must not be told that its lines are too long. */
static bool names_columns(char *text) {
    static const char *const names[] = {"model", "train_bins", "val_bin", "jac"};
    char *const line = text + strspn(text, " \t\r\n"), *const end = line + strcspn(line, "\n"), kept = *end;
    bool found = false;
    *end = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) found |= strstr(line, names[i]) != NULL;
    *end = kept;
    return found;
}

dv_status dv_cells_read_csv(dv_cells_reader *reader, const char *path, char *text, size_t length,
                            dv_fault_list *faults) {
    source s = {.path = path, .memory = memory_of_name(path)};
    if (!names_columns(text)) {
        free(text);
        return dv_fail(DV_E_DATA, "neither a result CSV (no column model in its first line) nor a results.json");
    }
    DV_TRY(dv_csv_parse(text, length, &s.csv));
    dv_status status = find_columns(&s);
    if (status == DV_OK) status = dv_cells_reader_classes(reader, path, s.at.n_classes);
    if (status == DV_OK && s.csv.n_rows == 0) status = dv_fail(DV_E_DATA, "has no rows below its first line");
    if (status == DV_OK) status = read_rows(reader, &s, faults);
    free(s.at.jac);
    dv_csv_clear(&s.csv);
    return status;
}
