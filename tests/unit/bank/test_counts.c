/* Pixel counts of patches under every policy for ignored and invalid labels; all values by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bank/counts.h"

static dv_class_map map;

static void fill_map(size_t n_classes, const char *ignored, dv_invalid_labels invalid,
                     dv_memory_ignored memory_ignored) {
    static dv_label_set set;
    set = (dv_label_set){{0}};
    assert_int_equal(dv_label_set_parse(ignored, &set), DV_OK);
    dv_class_map_fill(&map, n_classes, &set, invalid, memory_ignored);
}

/* Two patches of 2x2 beside each other: [255 255; 3 3] and [255 255; 255 255] (SEG-14). */
static const dv_patch_grid pair = {.grid_h = 1, .grid_w = 2, .patch_size = 2};
static const uint16_t half_void[] = {255, 255, 255, 255, 3, 3, 255, 255};

static void excluded_pixels_are_no_class(void **state) {
    (void)state;
    uint16_t counts[8], expected[8] = {0, 0, 0, 2, 0, 0, 0, 0};
    fill_map(4, "255", DV_INVALID_ERROR, DV_MEMORY_EXCLUDE);
    assert_int_equal(dv_patch_counts(&map, &pair, half_void, counts), DV_OK);
    assert_memory_equal(counts, expected, sizeof counts);
}

static void background_takes_the_ignored_pixels(void **state) {
    (void)state;
    uint16_t counts[8], expected[8] = {2, 0, 0, 2, 4, 0, 0, 0};
    fill_map(4, "255", DV_INVALID_ERROR, DV_MEMORY_BACKGROUND);
    assert_int_equal(dv_patch_counts(&map, &pair, half_void, counts), DV_OK);
    assert_memory_equal(counts, expected, sizeof counts);
}

/* The published memory sends 255 to class 0 even where nothing is ignored when scoring. */
static void background_takes_255_though_it_is_not_ignored(void **state) {
    (void)state;
    uint16_t counts[8], expected[8] = {2, 0, 0, 2, 4, 0, 0, 0};
    fill_map(4, "none", DV_INVALID_ERROR, DV_MEMORY_BACKGROUND);
    assert_int_equal(dv_patch_counts(&map, &pair, half_void, counts), DV_OK);
    assert_memory_equal(counts, expected, sizeof counts);
}

static void a_class_can_be_ignored(void **state) {
    (void)state;
    const uint16_t labels[] = {0, 1, 2, 2};
    const dv_patch_grid one = {1, 1, 2};
    uint16_t counts[3];
    fill_map(3, "0,1", DV_INVALID_ERROR, DV_MEMORY_EXCLUDE);
    assert_int_equal(dv_patch_counts(&map, &one, labels, counts), DV_OK);
    assert_memory_equal(counts, ((uint16_t[]){0, 0, 2}), sizeof counts);
    fill_map(3, "2", DV_INVALID_ERROR, DV_MEMORY_BACKGROUND);
    assert_int_equal(dv_patch_counts(&map, &one, labels, counts), DV_OK);
    assert_memory_equal(counts, ((uint16_t[]){3, 1, 0}), sizeof counts);
}

/* SEG-06: five classes, a label 7. */
static void an_invalid_label_is_refused_by_name_and_place(void **state) {
    (void)state;
    uint16_t labels[16] = {0}, counts[4 * 5];
    labels[2 * 4 + 3] = 7;
    labels[3 * 4 + 0] = 9;
    const dv_patch_grid grid = {2, 2, 2};
    fill_map(5, "255", DV_INVALID_ERROR, DV_MEMORY_EXCLUDE);
    assert_int_equal(dv_patch_counts(&map, &grid, labels, counts), DV_E_DATA);
    assert_string_equal(dv_last_error(), "pixel row 2, column 3, label 7: must be below 5 classes or ignored");
}

static void an_invalid_label_is_no_class_where_it_is_let_through(void **state) {
    (void)state;
    const uint16_t labels[] = {0, 7, 1, 65535};
    const dv_patch_grid one = {1, 1, 2};
    const dv_invalid_labels lenient[] = {DV_INVALID_DROP, DV_INVALID_FALSE_POSITIVE};
    for (size_t i = 0; i < 2; i++)
        for (int memory = DV_MEMORY_EXCLUDE; memory <= DV_MEMORY_BACKGROUND; memory++) {
            uint16_t counts[5];
            fill_map(5, "255", lenient[i], (dv_memory_ignored)memory);
            assert_int_equal(dv_patch_counts(&map, &one, labels, counts), DV_OK);
            assert_memory_equal(counts, ((uint16_t[]){1, 1, 0, 0, 0}), sizeof counts);
        }
}

static void patches_are_row_major_and_nothing_is_written_behind_them(void **state) {
    (void)state;
    /* 2 x 3 patches of one pixel, labels 0..5, then of 6 classes each its own */
    const uint16_t labels[] = {0, 1, 2, 3, 4, 5};
    const dv_patch_grid grid = {2, 3, 1};
    uint16_t counts[37];
    memset(counts, 0xab, sizeof counts);
    fill_map(6, "none", DV_INVALID_ERROR, DV_MEMORY_EXCLUDE);
    assert_int_equal(dv_patch_counts(&map, &grid, labels, counts), DV_OK);
    for (size_t patch = 0; patch < 6; patch++)
        for (size_t c = 0; c < 6; c++) assert_int_equal(counts[patch * 6 + c], patch == c);
    assert_int_equal(counts[36], 0xabab);
}

static void the_largest_patch_fits_its_count(void **state) {
    (void)state;
    static uint16_t labels[255 * 255];
    const dv_patch_grid one = {1, 1, DV_MAX_PATCH_SIZE};
    uint16_t counts[1];
    fill_map(1, "none", DV_INVALID_ERROR, DV_MEMORY_EXCLUDE);
    assert_int_equal(dv_patch_counts(&map, &one, labels, counts), DV_OK);
    assert_int_equal(counts[0], 65025);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excluded_pixels_are_no_class),
        cmocka_unit_test(background_takes_the_ignored_pixels),
        cmocka_unit_test(background_takes_255_though_it_is_not_ignored),
        cmocka_unit_test(a_class_can_be_ignored),
        cmocka_unit_test(an_invalid_label_is_refused_by_name_and_place),
        cmocka_unit_test(an_invalid_label_is_no_class_where_it_is_let_through),
        cmocka_unit_test(patches_are_row_major_and_nothing_is_written_behind_them),
        cmocka_unit_test(the_largest_patch_fits_its_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
