/* Cells of a sweep: written and read back as JSON and CSV, files joined, and every refusal with its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/cells.h"
#include "denseval/report.h"
#include "unit/core/scratch.h"

#define HEAD "model,train_bins,val_bin,jac_mean,jac0,jac1,jac2,memory\n"

static dv_status read_file(const char *name, dv_cells *cells) {
    const char *const path = scratch(name);
    return dv_cells_read(&path, 1, cells);
}

static dv_status read_text(const char *name, const char *text, dv_cells *cells) {
    assert_int_equal(scratch_write_text(name, text), 0);
    return read_file(name, cells);
}

static void *copy_of(const void *bytes, size_t n) {
    void *copy = malloc(n);
    assert_non_null(copy);
    return memcpy(copy, bytes, n);
}

/* Two cells of two classes: one with all that a cell may hold, one with little. */
static void make_cells(dv_cells *cells) {
    *cells = (dv_cells){.n_classes = 2};
    cells->class_names = malloc(2 * sizeof *cells->class_names);
    assert_non_null(cells->class_names);
    cells->class_names[0] = strdup("background");
    cells->class_names[1] = strdup("a \"mug\", large");
    dv_cell *cell;
    assert_int_equal(dv_cells_add(cells, &cell), DV_OK);
    cell->encoder = strdup("deep, wide");
    cell->memory = 320000;
    cell->difficulty = strdup("hard");
    cell->reference_bins = copy_of((int32_t[]){0, 90}, 8);
    cell->n_reference_bins = 2;
    cell->bin = 90;
    cell->reference = true;
    cell->n_images = 7;
    cell->n_bank_rows = 319999;
    cell->miou = 2.0 / 3;
    cell->miou_objects = 1.0 / 3;
    cell->iou[0] = 1;
    cell->iou[1] = 1.0 / 3;
    cell->confusion = copy_of((uint64_t[]){1, 2, UINT64_C(5000000000), 4}, 32);
    cell->relabel = copy_of((int32_t[]){1, 0}, 8);
    cell->provenance = (dv_provenance){2, copy_of((int32_t[]){0, 90}, 8), copy_of((uint64_t[]){5, 6}, 16), 7, 8, 9};
    assert_int_equal(dv_cells_add(cells, &cell), DV_OK);
    assert_true(isnan(cell->miou) && isnan(cell->miou_objects) && isnan(cell->iou[0]) && isnan(cell->iou[1]));
    cell->encoder = strdup("deep, wide");
    cell->memory = 20;
    cell->per_image = true;
    cell->difficulty = strdup("");
    cell->reference_bins = copy_of((int32_t[]){0}, 4);
    cell->n_reference_bins = 1;
    cell->bin = 15;
}

static void assert_same_cells(const dv_cells *a, const dv_cells *b) {
    assert_int_equal(a->n_classes, b->n_classes);
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const dv_cell *const x = &a->cells[i], *const y = &b->cells[i];
        assert_string_equal(x->encoder, y->encoder);
        assert_int_equal(x->memory, y->memory);
        assert_int_equal(x->per_image, y->per_image);
        assert_string_equal(x->difficulty, y->difficulty);
        assert_int_equal(x->n_reference_bins, y->n_reference_bins);
        assert_memory_equal(x->reference_bins, y->reference_bins, 4 * x->n_reference_bins);
        assert_int_equal(x->bin, y->bin);
        assert_int_equal(x->reference, y->reference);
        assert_int_equal(x->n_images, y->n_images);
        assert_int_equal(x->n_bank_rows, y->n_bank_rows);
        assert_true(x->miou == y->miou || (isnan(x->miou) && isnan(y->miou)));
        assert_true(x->miou_objects == y->miou_objects || (isnan(x->miou_objects) && isnan(y->miou_objects)));
        for (size_t c = 0; c < a->n_classes; c++)
            assert_true(x->iou[c] == y->iou[c] || (isnan(x->iou[c]) && isnan(y->iou[c])));
    }
}

static void json_reads_back_as_it_was(void **state) {
    (void)state;
    dv_cells cells, again;
    dv_report *report;
    char *text;
    make_cells(&cells);
    assert_int_equal(dv_report_create("denseval sweep v1", "sweep", &report), DV_OK);
    dv_report_cells(report, &cells);
    assert_int_equal(dv_report_json(report, &text), DV_OK);
    assert_int_equal(read_text("results.json", text, &again), DV_OK);
    assert_same_cells(&cells, &again);
    assert_string_equal(again.class_names[1], "a \"mug\", large");
    const dv_cell *const full = &again.cells[0], *const bare = &again.cells[1];
    assert_memory_equal(full->confusion, cells.cells[0].confusion, 32);
    assert_memory_equal(full->relabel, cells.cells[0].relabel, 8);
    assert_int_equal(full->provenance.n_bins, 2);
    assert_int_equal(full->provenance.bins[1], 90);
    assert_int_equal(full->provenance.from[1], 6);
    assert_int_equal(full->provenance.n_class, 7);
    assert_int_equal(full->provenance.n_object, 8);
    assert_int_equal(full->provenance.n_unfilled, 9);
    assert_null(bare->confusion);
    assert_null(bare->relabel);
    assert_int_equal(bare->provenance.n_bins, 0);
    free(text);
    dv_report_free(report);
    dv_cells_clear(&cells);
    dv_cells_clear(&again);
}

static void csv_reads_back_as_it_was(void **state) {
    (void)state;
    dv_cells cells, again;
    char *text;
    make_cells(&cells);
    assert_int_equal(dv_cells_csv(&cells, false, &text), DV_OK);
    assert_string_equal(text,
                        "model,train_bins,val_bin,jac_mean,jac_std,jac0,jac1,memory,memory_kind,difficulty,images,"
                        "bank_rows\n"
                        "\"deep, wide\",0_90,90,0.6666666666666666,0.33333333333333337,1,0.3333333333333333,320000,"
                        "rows,hard,7,319999\n"
                        "\"deep, wide\",0,15,,,,,20,per_image,,,\n");
    assert_int_equal(read_text("results.csv", text, &again), DV_OK);
    assert_same_cells(&cells, &again);
    free(text);
    assert_int_equal(dv_cells_csv(&cells, true, &text), DV_OK);
    assert_non_null(strstr(text, ",0_90,90,0.667,0.333,1.000,0.333,320000,"));
    free(text);
    dv_cells_clear(&cells);
    dv_cells_clear(&again);
}

static void a_published_table_is_read(void **state) {
    (void)state;
    dv_cells cells;
    assert_int_equal(read_text("exp_a_memory320k_x.csv",
                               "\xef\xbb\xbfjob_id,model,train_bins,val_bin,jac_mean,jac_std,jac0,jac1,jac2,d_model\r\n"
                               "1,clip,0_30_60_90,15,0.5,0.1,0.9,0.25,0.75,768\r\n\r\n"
                               "1,clip,0_15,0,0.5,0.1,0.9,,0.75,768",
                               &cells),
                     DV_OK);
    assert_int_equal(cells.n, 2);
    assert_int_equal(cells.n_classes, 3);
    assert_null(cells.class_names);
    const dv_cell *const first = &cells.cells[0], *const second = &cells.cells[1];
    assert_int_equal(first->memory, 320000);
    assert_string_equal(first->difficulty, "easy");
    assert_int_equal(first->n_reference_bins, 4);
    assert_int_equal(first->reference_bins[1], 30);
    assert_false(first->reference);
    assert_true(first->miou == 0.5 && first->miou_objects == 0.5 && first->iou[2] == 0.75);
    assert_string_equal(second->difficulty, "");
    assert_true(second->reference);
    assert_true(isnan(second->iou[1]) && second->miou_objects == 0.75); /* absent: in no mean */
    dv_cells_clear(&cells);
}

static void equal_cells_of_several_files_count_once(void **state) {
    (void)state;
    static const char *const names[] = {"a.csv", "b.csv"};
    const char *paths[2];
    dv_cells cells;
    assert_int_equal(scratch_write_text("a.csv", HEAD "m,0,0,0.5,0.9,0.2,0.4,100\nm,0,15,0.4,0.8,0.1,0.3,100\n"), 0);
    assert_int_equal(scratch_write_text("b.csv", HEAD "m,0,15,0.40,0.8,0.1,0.3,100\nm,0,30,0.3,0.7,0.1,0.1,100\n"), 0);
    for (size_t i = 0; i < 2; i++) paths[i] = scratch(names[i]);
    assert_int_equal(dv_cells_read(paths, 2, &cells), DV_OK);
    assert_int_equal(cells.n, 3);
    for (size_t i = 0; i < 3; i++) assert_int_equal(cells.cells[i].bin, 15 * (int)i);
    dv_cells_clear(&cells);
}

static void a_cell_with_another_value_names_both_places(void **state) {
    (void)state;
    dv_cells cells = {.n = 9};
    assert_int_equal(read_text("a.csv", HEAD "m,0,0,0.5,0.9,0.2,0.4,100\n\nm,0,0,0.25,0.9,0.2,0.4,100\n", &cells),
                     DV_E_DATA);
    char expected[2 * SCRATCH_PATH];
    snprintf(
        expected, sizeof expected,
        "%s: line 4: the same cell as %s, line 2 (encoder m, memory 100, bin 0), with another value of miou: 0.5 and "
        "0.25",
        scratch("a.csv"), scratch("a.csv"));
    assert_string_equal(dv_last_error(), expected);
    assert_int_equal(cells.n, 0);
    assert_null(cells.cells);
}

/* The message of reading `text` as the file `name`, without its path. */
static const char *refusal(const char *name, const char *text) {
    dv_cells cells;
    assert_int_equal(read_text(name, text, &cells), DV_E_DATA);
    assert_null(cells.cells);
    const char *const path = scratch(name), *const message = dv_last_error();
    assert_memory_equal(message, path, strlen(path));
    return message + strlen(path) + 2;
}

static void a_bad_table_names_line_and_column(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "the file is empty"},
        {HEAD, "has no rows below its first line"},
        {"model,val_bin,jac0\n", "line 1: missing columns: train_bins jac_mean"},
        {"model,train_bins,val_bin,jac_mean\n", "line 1: missing columns: jac0"},
        {"model,train_bins,val_bin,jac_mean,jac0\n",
         "line 1: neither a column memory, nor memoryN in the name of the file"},
        {"model,train_bins,val_bin,jac_mean,jac0,jac2,memory\n",
         "line 1, column jac1: missing, though there are 2 columns of classes"},
        {"a picture\n", "neither a result CSV (no column model in its first line) nor a results.json"},
        {HEAD "m,0,0,high,0.9,0.2,0.4,100\n", "line 2, column jac_mean, value \"high\": must be a number 0..1"},
        {HEAD "m,0,0,0.5,nan,0.2,0.4,100\n", "line 2, column jac0, value \"nan\": must be a number 0..1"},
        {HEAD "m,0,0,0.5,0.9,20,0.4,100\n", "line 2, column jac1, value \"20\": must be a number 0..1"},
        {HEAD "m,0,0,,0.9,0.2,0.4,100\n",
         "line 2, column jac_mean: \"\": must be there where a class has a value, and only there"},
        {HEAD ",0,0,0.5,0.9,0.2,0.4,100\n", "line 2, column model: \"\": must name the encoder"},
        {HEAD "m,0_0,0,0.5,0.9,0.2,0.4,100\n", "line 2, column train_bins: \"0_0\": a bin is there twice"},
        {HEAD "m,0,0,0.5,0.9,0.2,0.4,0\n", "line 2, column memory: 0: must be above 0"},
        {HEAD "m,0,0,0.5,0.9,0.2\n", "line 2, 6 fields: the first line has 8 columns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(refusal("bad.csv", cases[i].text), cases[i].message);
    assert_non_null(
        strstr(refusal("bad.csv", HEAD "m,0,x,0.5,0.9,0.2,0.4,100\n"), "line 2, column val_bin: \"x\": must"));
    assert_non_null(
        strstr(refusal("bad.csv", HEAD "m,,0,0.5,0.9,0.2,0.4,100\n"), "line 2, column train_bins: \"\": must"));
}

static void bad_json_names_cell_and_key(void **state) {
    (void)state;
#define CELL_OF(tail)                                                                                                  \
    "{\"schema\":\"denseval sweep v1\",\"cells\":[{\"encoder\":\"m\",\"memory\":1,\"difficulty\":\"\",\"bin\":0," tail \
    "}]}"
#define SCORES "\"reference\":true,\"miou\":1,\"miou_objects\":null,\"classes\":[{\"id\":0,\"iou\":1}]"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"cells\":[]}", "schema missing: must begin with 'denseval '"},
        {"{\"schema\":\"denseval eval v1\"}", "schema denseval eval v1: has no cells; results.json of sweep has"},
        {"{\"schema\":\"denseval sweep v1\",\"cells\":[1]}", "cell 0, classes: must be a list"},
        {CELL_OF("\"reference\":1,\"classes\":[1]"), "cell 0: reference: must be true or false"},
        {CELL_OF("\"reference\":true,\"miou\":2,\"classes\":[1]"), "cell 0: miou: must be a number 0..1, or null"},
        {CELL_OF(SCORES ",\"confusion\":[[-1]]"), "cell 0: confusion: must hold whole numbers"},
        {CELL_OF(SCORES ",\"memory_kind\":\"all\""), "cell 0: memory_kind: must be rows or per_image"},
        {CELL_OF(SCORES ",\"relabel\":[1]"), "cell 0: relabel: must hold whole numbers"},
        {CELL_OF(SCORES ",\"reference_bins\":[15]"), "cell 0: reference: contradicts reference_bins"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(refusal("bad.json", cases[i].text), cases[i].message);
    assert_non_null(strstr(refusal("bad.json", "{\"schema\":"), "line 1, column "));
    dv_cells cells;
    assert_int_equal(read_text("good.json", CELL_OF(SCORES), &cells), DV_OK); /* so the cases fail by what they name */
    assert_int_equal(cells.cells[0].n_reference_bins, 1);                     /* from the mark alone */
    dv_cells_clear(&cells);
}

static void files_of_other_classes_do_not_join(void **state) {
    (void)state;
    static const char *const names[] = {"a.csv", "b.csv"};
    const char *paths[2];
    dv_cells cells;
    assert_int_equal(scratch_write_text("a.csv", HEAD "m,0,0,0.5,0.9,0.2,0.4,100\n"), 0);
    assert_int_equal(scratch_write_text("b.csv", "model,train_bins,val_bin,jac_mean,jac0,memory\nm,0,0,1,1,100\n"), 0);
    for (size_t i = 0; i < 2; i++) paths[i] = scratch(names[i]);
    assert_int_equal(dv_cells_read(paths, 2, &cells), DV_E_DATA);
    char expected[2 * SCRATCH_PATH];
    snprintf(expected, sizeof expected, "%s: 1 classes: %s has 3", paths[1], paths[0]);
    assert_string_equal(dv_last_error(), expected);
}

static void a_missing_file_and_no_text_are_told_apart(void **state) {
    (void)state;
    dv_cells cells;
    assert_int_equal(read_file("nowhere.csv", &cells), DV_E_MISSING);
    assert_int_equal(scratch_write("x.h5", "\x89HDF\r\n\0\0", 8), 0);
    assert_int_equal(read_file("x.h5", &cells), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "no text, so neither a result CSV nor a results.json"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_reads_back_as_it_was),
        cmocka_unit_test(csv_reads_back_as_it_was),
        cmocka_unit_test(a_published_table_is_read),
        cmocka_unit_test(equal_cells_of_several_files_count_once),
        cmocka_unit_test(a_cell_with_another_value_names_both_places),
        cmocka_unit_test(a_bad_table_names_line_and_column),
        cmocka_unit_test(bad_json_names_cell_and_key),
        cmocka_unit_test(files_of_other_classes_do_not_join),
        cmocka_unit_test(a_missing_file_and_no_text_are_told_apart),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
