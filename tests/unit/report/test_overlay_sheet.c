#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/overlay_sheet.h"
#include "unit/io/test_image_make.h"

static void assert_layout(size_t n, size_t item_height, size_t item_width, size_t wanted_columns, size_t columns,
                          size_t rows, size_t cell_height, size_t cell_width) {
    dv_sheet_item *items = calloc(n, sizeof *items);
    for (size_t i = 0; i < n; i++) items[i] = (dv_sheet_item){.height = item_height, .width = item_width};
    dv_sheet_layout layout;
    assert_int_equal(dv_sheet_plan(items, n, wanted_columns, &layout), DV_OK);
    assert_int_equal(layout.columns, columns);
    assert_int_equal(layout.rows, rows);
    assert_int_equal(layout.cell_height, cell_height);
    assert_int_equal(layout.cell_width, cell_width);
    assert_int_equal(layout.height, 12 + rows * (cell_height + 12));
    assert_int_equal(layout.width, 12 + columns * (cell_width + 12));
    free(items);
}

/* 9 squares are 3 x 3; 56 strips of 680 x 224 are 4 x 14: 2780 x 3316, halved because that is above 2400. */
static void sheets_are_as_square_as_can_be_and_scaled_by_whole_factors(void **state) {
    (void)state;
    assert_layout(1, 10, 20, 0, 1, 1, 10, 20);
    assert_layout(9, 100, 100, 0, 3, 3, 100, 100);
    assert_layout(56, 224, 680, 0, 4, 14, 112, 340);
    assert_layout(9, 100, 100, 5, 5, 2, 100, 100);
    assert_layout(3, 100, 100, 8, 3, 1, 100, 100);
    assert_layout(1, 3000, 2401, 0, 1, 1, 1500, 1201); /* the last box is half a one */
}

static void cells_do_not_become_too_small_to_see(void **state) {
    (void)state;
    assert_layout(10000, 224, 224, 0, 100, 100, 112, 112); /* a third would be 75 pixels */
}

static void a_sheet_larger_than_a_png_is_refused(void **state) {
    (void)state;
    enum { N = 700 };
    dv_sheet_item *items = calloc(N, sizeof *items);
    for (size_t i = 0; i < N; i++) items[i] = (dv_sheet_item){.height = 100, .width = 100};
    dv_sheet_layout layout;
    assert_int_equal(dv_sheet_plan(items, N, 1, &layout), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "a contact sheet of 700 pictures would have 124x78412 pixels: at most 65535 a "
                                         "side, so choose fewer pictures or other columns");
    free(items);
}

/* A wide and a small picture in cells of 2x4 after halving: boxes are means with halves rounded up, the small one fits
 * as it is and stands in the middle. */
static void pictures_are_scaled_by_box_means_and_centred(void **state) {
    (void)state;
    char *folder = make_scratch_folder();
    char paths[2][512];
    uint8_t wide[2 * 4 * 3], small[3] = {9, 8, 7};
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) wide[i * 3 + c] = (uint8_t)(i * 10 + c);
    dv_picture picture = {.height = 2, .width = 4, .rgb = wide, .orientation = 1};
    assert_int_equal(dv_picture_write(scratch_path(folder, "wide.png", paths[0], sizeof paths[0]), &picture), DV_OK);
    picture = (dv_picture){.height = 1, .width = 1, .rgb = small, .orientation = 1};
    assert_int_equal(dv_picture_write(scratch_path(folder, "small.png", paths[1], sizeof paths[1]), &picture), DV_OK);
    const dv_sheet_item items[] = {{.path = paths[0], .height = 2, .width = 4},
                                   {.path = paths[1], .height = 1, .width = 1}};
    const dv_sheet_layout layout = {
        .columns = 2, .rows = 1, .cell_height = 1, .cell_width = 3, .height = 25, .width = 42};
    dv_picture sheet;
    assert_int_equal(dv_sheet_draw(items, 2, &layout, &sheet), DV_OK);
    assert_int_equal(sheet.height, 25);
    assert_int_equal(sheet.width, 42);
    for (size_t y = 0; y < 25; y++)
        for (size_t x = 0; x < 42; x++) {
            int expected = 255, step = 0;
            if (y == 12 && x == 12) expected = 25, step = 1; /* of 0, 10, 40, 50 */
            if (y == 12 && x == 13) expected = 45, step = 1; /* of 20, 30, 60, 70 */
            if (y == 12 && x == 28) expected = 9, step = -1;
            for (int c = 0; c < 3; c++) assert_int_equal(sheet.rgb[(y * 42 + x) * 3 + (size_t)c], expected + c * step);
        }
    dv_picture_clear(&sheet);
    remove_scratch_folder(folder);
}

static void a_picture_that_cannot_be_read_leaves_no_sheet(void **state) {
    (void)state;
    char path[] = "/nonexistent/picture.png";
    const dv_sheet_item item = {.path = path, .height = 2, .width = 2};
    dv_sheet_layout layout;
    assert_int_equal(dv_sheet_plan(&item, 1, 0, &layout), DV_OK);
    dv_picture sheet;
    assert_int_equal(dv_sheet_draw(&item, 1, &layout, &sheet), DV_E_MISSING);
    assert_null(sheet.rgb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_are_as_square_as_can_be_and_scaled_by_whole_factors),
        cmocka_unit_test(cells_do_not_become_too_small_to_see),
        cmocka_unit_test(a_sheet_larger_than_a_png_is_refused),
        cmocka_unit_test(pictures_are_scaled_by_box_means_and_centred),
        cmocka_unit_test(a_picture_that_cannot_be_read_leaves_no_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
