/* The figures of an analysis: which there are, and what stands in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/analysis_plots.h"
#include "denseval/plot.h"
#include "unit/core/scratch.h"

static bool has_gnuplot;

static int begin(void **state) {
    char text[200];
    has_gnuplot = dv_plot_usable(text, sizeof text);
    return scratch_open(state);
}

/* Bins 0, 15, 30 of one run, with provenance in all but the last. */
static void add_run(dv_cells *cells, const char *encoder, uint64_t memory, bool per_image, const int32_t *reference,
                    size_t n_reference) {
    for (int32_t bin = 0; bin <= 30; bin += 15) {
        dv_cell *cell;
        assert_int_equal(dv_cells_add(cells, &cell), DV_OK);
        cell->encoder = strdup(encoder);
        cell->memory = memory;
        cell->per_image = per_image;
        cell->difficulty = strdup("");
        cell->reference_bins = malloc(n_reference * sizeof *reference);
        memcpy(cell->reference_bins, reference, n_reference * sizeof *reference);
        cell->n_reference_bins = n_reference;
        cell->bin = bin;
        cell->miou = 0.9 - 0.02 * bin;
        cell->miou_objects = cell->iou[0] = cell->iou[1] = cell->miou;
        if (bin == 30) continue;
        cell->provenance.bins = malloc(n_reference * sizeof *reference);
        memcpy(cell->provenance.bins, reference, n_reference * sizeof *reference);
        cell->provenance.n_bins = n_reference;
        cell->provenance.from = calloc(n_reference, sizeof(uint64_t));
        cell->provenance.from[0] = 3;
        cell->provenance.n_unfilled = 1;
    }
}

static void draw(dv_cells *cells, const char *folder) {
    const dv_analysis_options options = {.threshold = 0.1};
    dv_analysis analysis;
    if (dv_analysis_compute(cells, &options, &analysis) != DV_OK) fail_msg("%s", dv_last_error());
    assert_int_equal(mkdir(scratch(folder), 0700), 0);
    if (dv_plot_analysis(&analysis, NULL, true, scratch(folder)) != DV_OK) fail_msg("%s", dv_last_error());
    dv_analysis_clear(&analysis);
    dv_cells_clear(cells);
}

/* Is there such a figure, both as SVG and as PNG? */
static void expect_figure(const char *path) {
    char name[300];
    snprintf(name, sizeof name, "%s.svg", path);
    if (!scratch_exists(name)) fail_msg("%s is not there", name);
    snprintf(name, sizeof name, "%s.png", path);
    if (!scratch_exists(name)) fail_msg("%s is not there", name);
}

/* How often a text stands in a file. */
static size_t count_text(const char *path, const char *text) {
    static char content[1 << 20];
    FILE *file = fopen(scratch(path), "rb");
    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    size_t n = 0;
    for (const char *at = content; (at = strstr(at, text)); at++) n++;
    return n;
}

static void a_grid_has_a_figure_of_each_kind(void **state) {
    (void)state;
    if (!has_gnuplot) skip();
    dv_cells cells = {.n_classes = 2};
    for (uint64_t memory = 320000; memory <= 640000; memory += 320000) {
        add_run(&cells, "a/b", memory, false, (const int32_t[]){0}, 1);
        add_run(&cells, "a/b", memory, false, (const int32_t[]){0, 30}, 2);
        add_run(&cells, "a_b", memory, false, (const int32_t[]){0}, 1); /* in a path they look the same */
    }
    draw(&cells, "grid");
    const char *const figures[] = {"absolute_320k",
                                   "absolute_640k",
                                   "normalised_320k",
                                   "normalised_640k",
                                   "difficulty",
                                   "memory",
                                   "classes_1_a_b",
                                   "classes_2_a_b",
                                   "class_differences_1_a_b",
                                   "class_differences_2_a_b",
                                   "provenance_1_a_b_320k_0",
                                   "provenance_2_a_b_320k_0",
                                   "provenance_1_a_b_640k_0",
                                   "provenance_2_a_b_640k_0",
                                   "provenance_1_a_b_320k_0_30",
                                   "provenance_1_a_b_640k_0_30"};
    char path[300];
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        snprintf(path, sizeof path, "grid/%s", figures[i]);
        expect_figure(path);
    }
    assert_int_equal(scratch_count("grid"), 2 * sizeof figures / sizeof *figures);
    assert_int_equal(count_text("grid/absolute_320k.svg", "<text>bank: 0, 30</text>"), 1);
    assert_int_equal(count_text("grid/normalised_320k.svg", "<text>bank: 0, 30</text>"), 0);
    assert_int_equal(count_text("grid/normalised_320k.svg", "<text>breaking point (validation steps)</text>"), 1);
    assert_int_equal(count_text("grid/normalised_320k.svg", "<text>95 % interval</text>"), 0);
    assert_int_equal(
        count_text("grid/provenance_1_a_b_320k_0_30.svg", "<text>Neighbours: a/b, memory 320k, bank: 0, 30</text>"),
        1); /* wider than its map of two columns */
    assert_int_equal(count_text("grid/provenance_1_a_b_320k_0.svg", "<text>0.75</text>"),
                     2); /* 3 of 4, bins 0 and 15 */
}

static void what_is_not_known_is_left_out(void **state) {
    (void)state;
    if (!has_gnuplot) skip();
    dv_cells cells = {.n_classes = 2};
    add_run(&cells, "..", 0, false, (const int32_t[]){0, 30}, 2);
    for (size_t i = 0; i < cells.n; i++) cells.cells[i].provenance.n_bins = 0;
    draw(&cells, "little");
    expect_figure("little/absolute");
    assert_int_equal(scratch_count("little"), 2);
}

static void memory_of_each_image_is_named_so(void **state) {
    (void)state;
    if (!has_gnuplot) skip();
    dv_cells cells = {.n_classes = 2};
    add_run(&cells, "a", 20, true, (const int32_t[]){0}, 1);
    add_run(&cells, "a", 100, true, (const int32_t[]){0}, 1);
    draw(&cells, "images");
    expect_figure("images/absolute_20_an_image");
    expect_figure("images/normalised_100_an_image");
    assert_int_equal(count_text("images/memory.svg", "<text>20 an image</text>"), 1);
}

/* One class of 0.001 at the reference bin and 0.054 behind it: its curve leaves the figure, and the others can be read.
 */
static void a_class_of_many_times_its_score_is_cut_off(void **state) {
    (void)state;
    if (!has_gnuplot) skip();
    dv_cells cells = {.n_classes = 2};
    add_run(&cells, "a", 0, false, (const int32_t[]){0}, 1);
    cells.cells[0].iou[1] = 0.001;
    cells.cells[1].iou[1] = 0.054;
    draw(&cells, "cut");
    assert_int_equal(count_text("cut/classes_1_a.svg", "<text>Classes: a (larger values are cut off)</text>"), 1);
    assert_int_equal(count_text("cut/classes_1_a.svg", "<text>2</text>"), 1);
    assert_int_equal(count_text("cut/classes_1_a.svg", "<text>50</text>"), 0);
    assert_int_equal(count_text("cut/absolute.svg", "cut off"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_a_figure_of_each_kind),
        cmocka_unit_test(what_is_not_known_is_left_out),
        cmocka_unit_test(memory_of_each_image_is_named_so),
        cmocka_unit_test(a_class_of_many_times_its_score_is_cut_off),
    };
    const int n_failed = cmocka_run_group_tests(tests, begin, scratch_close);
    return n_failed ? n_failed : has_gnuplot ? 0 : 77;
}
