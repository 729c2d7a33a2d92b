#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "io/png.h"
#include "unit/io/test_image_make.h"

enum { GRAY = SPNG_COLOR_TYPE_GRAYSCALE, RGB = SPNG_COLOR_TYPE_TRUECOLOR, INDEXED = SPNG_COLOR_TYPE_INDEXED };
enum { GRAY_ALPHA = SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, RGBA = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA };

static void assert_labels(made_file png, size_t width, size_t height, const uint16_t *expected) {
    dv_label_map map;
    const dv_status status = dv_png_read_labels(png.data, png.size, &map);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
    assert_int_equal(map.width, width);
    assert_int_equal(map.height, height);
    assert_memory_equal(map.labels, expected, width * height * sizeof *expected);
    dv_label_map_clear(&map);
    free(png.data);
}

static void assert_refused_labels(made_file png, const char *message) {
    dv_label_map map = {.height = 7};
    assert_int_equal(dv_png_read_labels(png.data, png.size, &map), DV_E_DATA);
    assert_string_equal(dv_last_error(), message);
    assert_null(map.labels);
    assert_int_equal(map.height, 0);
    free(png.data);
}

/* IMG-02 */
static void indexed_4_bit_gives_the_indices_and_not_the_colours(void **state) {
    (void)state;
    const uint8_t packed[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    const uint16_t expected[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    assert_labels(make_plain_png(INDEXED, 4, 4, 4, packed, sizeof packed), 4, 4, expected);
}

/* IMG-02: 0, 1, 2, 3 and not 0, 85, 170, 255. */
static void gray_2_bit_is_not_scaled(void **state) {
    (void)state;
    const uint8_t packed[] = {0x1b};
    const uint16_t expected[] = {0, 1, 2, 3};
    assert_labels(make_plain_png(GRAY, 2, 4, 1, packed, sizeof packed), 4, 1, expected);
}

static void rows_of_small_depths_end_at_whole_bytes(void **state) {
    (void)state;
    const uint8_t two_bit[] = {0xe4, 0x40, 0x1b, 0x80}; /* 3 2 1 0 1, then 0 1 2 3 2; the last six bits are padding */
    const uint16_t expected_two[] = {3, 2, 1, 0, 1, 0, 1, 2, 3, 2};
    assert_labels(make_plain_png(INDEXED, 2, 5, 2, two_bit, sizeof two_bit), 5, 2, expected_two);
    const uint8_t one_bit[] = {0xa5, 0x80, 0x5a, 0x00};
    const uint16_t expected_one[] = {1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0};
    assert_labels(make_plain_png(GRAY, 1, 9, 2, one_bit, sizeof one_bit), 9, 2, expected_one);
}

/* IMG-03 */
static void gray_16_bit_keeps_every_id(void **state) {
    (void)state;
    const uint16_t ids[] = {1, 256, 300, 65535};
    assert_labels(make_plain_png(GRAY, 16, 2, 2, ids, sizeof ids), 2, 2, ids);
}

/* Every depth and both orders of the rows hold the same ids. */
static void interlaced_files_give_the_same_labels(void **state) {
    (void)state;
    enum { SIDE = 11 };
    const struct {
        int colour_type, depth;
    } kinds[] = {{GRAY, 1}, {GRAY, 2}, {GRAY, 4}, {GRAY, 8}, {GRAY, 16}, {INDEXED, 1}, {INDEXED, 4}, {INDEXED, 8}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const int depth = kinds[k].depth;
        uint16_t expected[SIDE * SIDE];
        uint8_t pixels[SIDE * SIDE * 2] = {0};
        const size_t n_row_bytes = ((size_t)SIDE * (size_t)depth + 7) / 8;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            const size_t y = i / SIDE, x = i % SIDE;
            expected[i] = (uint16_t)((y * 31 + x * 7 + x * y) & ((1U << depth) - 1));
            uint8_t *row = pixels + y * n_row_bytes;
            if (depth == 16)
                memcpy(row + x * 2, &expected[i], 2);
            else
                row[x * (size_t)depth / 8] |= (uint8_t)(expected[i] << (8 - depth - (int)(x * (size_t)depth % 8)));
        }
        struct spng_ihdr header = {.width = SIDE, .height = SIDE, .bit_depth = (uint8_t)depth};
        header.color_type = (uint8_t)kinds[k].colour_type;
        assert_labels(make_png(&header, pixels, SIDE * n_row_bytes), SIDE, SIDE, expected);
        header.interlace_method = SPNG_INTERLACE_ADAM7;
        assert_labels(make_png(&header, pixels, SIDE * n_row_bytes), SIDE, SIDE, expected);
    }
}

/* IMG-04 */
static void equal_channels_are_gray(void **state) {
    (void)state;
    const uint8_t rgb[] = {0, 0, 0, 255, 255, 255, 7, 7, 7};
    const uint16_t expected[] = {0, 255, 7};
    assert_labels(make_plain_png(RGB, 8, 3, 1, rgb, sizeof rgb), 3, 1, expected);
    const uint16_t wide[] = {300, 300, 300, 65535, 65535, 65535};
    const uint16_t expected_wide[] = {300, 65535};
    assert_labels(make_plain_png(RGB, 16, 1, 2, wide, sizeof wide), 1, 2, expected_wide);
}

/* IMG-04 */
static void colours_are_refused_with_their_first_pixel(void **state) {
    (void)state;
    const uint8_t rgb[] = {0, 0, 0, 255, 255, 255, 9, 9, 9, 0, 255, 0, 1, 2, 3, 0, 0, 0};
    assert_refused_labels(make_plain_png(RGB, 8, 3, 2, rgb, sizeof rgb),
                          "pixel (0, 1), colour (0, 255, 0): a label map must be indexed or gray, colours are no "
                          "labels");
}

static void opaque_alpha_changes_nothing_and_other_alpha_is_refused(void **state) {
    (void)state;
    const uint8_t opaque[] = {3, 255, 250, 255};
    const uint16_t expected[] = {3, 250};
    assert_labels(make_plain_png(GRAY_ALPHA, 8, 2, 1, opaque, sizeof opaque), 2, 1, expected);
    const uint8_t clear[] = {3, 3, 3, 255, 4, 4, 4, 0};
    assert_refused_labels(make_plain_png(RGBA, 8, 2, 1, clear, sizeof clear),
                          "pixel (1, 0), alpha 0: a label map must not be transparent, expected 255");
}

/* Sizes: the same, the same number of pixels turned, the first again; then a file that is cut. */
static void a_map_is_read_into_again(void **state) {
    (void)state;
    const uint8_t first[] = {1, 2, 3, 4, 5, 6}, second[] = {9, 8, 7, 6, 5, 4};
    const uint16_t expected_first[] = {1, 2, 3, 4, 5, 6}, expected_second[] = {9, 8, 7, 6, 5, 4};
    dv_label_map map = {0};
    const uint16_t *memory = NULL;
    for (int turn = 0; turn < 4; turn++) {
        const size_t width = turn == 2 ? 2 : 3;
        made_file png = make_plain_png(INDEXED, 8, width, 6 / width, turn % 2 ? second : first, 6);
        assert_int_equal(dv_png_read_coloured(png.data, png.size, NULL, &map), DV_OK);
        if (turn == 1) assert_ptr_equal(map.labels, memory);
        memory = map.labels;
        assert_int_equal(map.width, width);
        assert_int_equal(map.height, 6 / width);
        assert_memory_equal(map.labels, turn % 2 ? expected_second : expected_first, sizeof expected_first);
        if (turn == 3) {
            assert_int_equal(dv_png_read_coloured(png.data, png.size - 1, NULL, &map), DV_E_DATA);
            assert_null(map.labels);
            assert_int_equal(map.width, 0);
        }
        free(png.data);
    }
}

static long peak_kilobytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* IMG-07: 3.6 billion pixels claimed by about 100 bytes. */
static void a_header_that_claims_too_much_is_refused_without_memory(void **state) {
    (void)state;
    uint8_t pixels[100] = {0};
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(i * 37);
    made_file png = make_plain_png(GRAY, 8, 10, 10, pixels, sizeof pixels);
    patch_png_size(&png, 60000, 60000);
    const long before = peak_kilobytes();
    dv_label_map map;
    assert_int_equal(dv_png_read_labels(png.data, png.size, &map), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "IHDR: 60000x60000 pixels, "));
    assert_non_null(strstr(dv_last_error(), " bytes of image data: they cannot hold that many"));
    assert_true(peak_kilobytes() - before < 16 * 1024);
    free(png.data);
}

static void sides_above_65535_are_refused(void **state) {
    (void)state;
    const uint8_t pixel = 1;
    made_file png = make_plain_png(GRAY, 8, 1, 1, &pixel, 1);
    patch_png_size(&png, 65536, 1);
    assert_refused_labels(png, "IHDR: 65536x1 pixels: sides must be 1..65535");
    png = make_plain_png(GRAY, 8, 1, 1, &pixel, 1);
    patch_png_size(&png, 1, 0);
    assert_refused_labels(png, "IHDR: 1x0 pixels: sides must be 1..65535");
}

static made_file make_noise_png(int colour_type, size_t width, size_t height) {
    uint8_t pixels[100 * 100];
    assert_true(width * height <= sizeof pixels);
    uint32_t random = 1;
    for (size_t i = 0; i < width * height; i++) {
        random = random * 1664525U + 1013904223U;
        pixels[i] = (uint8_t)(random >> 24);
    }
    return make_plain_png(colour_type, 8, width, height, pixels, width * height);
}

/* IMG-07: the chunk structure is whole, but the pixels stop early: what is missing is not filled up. */
static void a_mask_cut_in_its_data_is_refused(void **state) {
    (void)state;
    made_file png = make_noise_png(GRAY, 100, 100);
    png.size /= 2;
    dv_label_map map;
    assert_int_equal(dv_png_read_labels(png.data, png.size, &map), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "truncated PNG"));
    assert_null(map.labels);
    free(png.data);
    png = make_noise_png(GRAY, 100, 50);
    patch_png_size(&png, 100, 100);
    assert_int_equal(dv_png_read_labels(png.data, png.size, &map), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "damaged or truncated PNG: "));
    assert_null(map.labels);
    free(png.data);
}

static void every_shorter_file_is_refused(void **state) {
    (void)state;
    made_file png = make_noise_png(INDEXED, 9, 7);
    for (size_t size = 0; size < png.size; size++) {
        uint8_t *copy = malloc(size ? size : 1); /* so that a sanitizer sees a byte read too far */
        memcpy(copy, png.data, size);
        dv_label_map map;
        dv_picture picture;
        assert_int_equal(dv_png_read_labels(copy, size, &map), DV_E_DATA);
        assert_int_equal(dv_png_read_picture(copy, size, &picture), DV_E_DATA);
        assert_null(map.labels);
        assert_null(picture.rgb);
        free(copy);
    }
    free(png.data);
}

/* A checksum of 32 bits finds every single flip; what it does not cover is structure, which does not fit then. */
static void every_flipped_bit_is_noticed(void **state) {
    (void)state;
    const uint8_t pixels[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 200, 255};
    made_file png = make_plain_png(GRAY, 8, 4, 3, pixels, sizeof pixels);
    for (size_t bit = 0; bit < png.size * 8; bit++) {
        png.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
        dv_label_map map;
        const dv_status status = dv_png_read_labels(png.data, png.size, &map);
        if (status != DV_E_DATA) print_error("byte %zu bit %zu: %s\n", bit / 8, bit % 8, dv_status_name(status));
        assert_int_equal(status, DV_E_DATA);
        png.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    free(png.data);
}

static void bytes_behind_the_end_are_refused(void **state) {
    (void)state;
    const uint8_t pixel = 1;
    made_file png = make_plain_png(GRAY, 8, 1, 1, &pixel, 1);
    made_file longer = {.data = malloc(png.size + 3), .size = png.size + 3};
    memcpy(longer.data, png.data, png.size);
    memset(longer.data + png.size, 0, 3);
    char message[128];
    snprintf(message, sizeof message, "byte %zu: 3 bytes follow the end of the PNG: there must be none", png.size);
    free(png.data);
    assert_refused_labels(longer, message);
}

static void assert_picture(made_file png, size_t width, size_t height, const uint8_t *rgb) {
    dv_picture picture;
    assert_int_equal(dv_png_read_picture(png.data, png.size, &picture), DV_OK);
    assert_int_equal(picture.width, width);
    assert_int_equal(picture.height, height);
    assert_int_equal(picture.orientation, 1);
    assert_memory_equal(picture.rgb, rgb, width * height * 3);
    dv_picture_clear(&picture);
    free(png.data);
}

static void pictures_of_every_kind_become_rgb(void **state) {
    (void)state;
    const uint8_t gray[] = {5, 250}, gray_rgb[] = {5, 5, 5, 250, 250, 250};
    assert_picture(make_plain_png(GRAY, 8, 2, 1, gray, 2), 2, 1, gray_rgb);
    const uint8_t rgba[] = {1, 2, 3, 0, 4, 5, 6, 255}, rgb[] = {1, 2, 3, 4, 5, 6};
    assert_picture(make_plain_png(RGBA, 8, 1, 2, rgba, 8), 1, 2, rgb);
    const uint8_t indices[] = {0, 1}, palette_rgb[] = {9, 80, 200, 82, 231, 229}; /* of make_png */
    assert_picture(make_plain_png(INDEXED, 8, 2, 1, indices, 2), 2, 1, palette_rgb);
}

static void a_16_bit_picture_is_refused(void **state) {
    (void)state;
    const uint16_t rgb[] = {1, 2, 3};
    made_file png = make_plain_png(RGB, 16, 1, 1, rgb, sizeof rgb);
    dv_picture picture;
    assert_int_equal(dv_png_read_picture(png.data, png.size, &picture), DV_E_DATA);
    assert_string_equal(dv_last_error(), "IHDR: 16 bits a channel: a picture must have 8 or fewer");
    assert_null(picture.rgb);
    free(png.data);
}

static void encoding_reads_back_and_its_bytes_repeat(void **state) {
    (void)state;
    const uint8_t indices[] = {0, 1, 255, 128, 20, 0};
    const uint16_t wide[] = {0, 1, 255, 256, 300, 65535};
    const uint16_t expected[] = {0, 1, 255, 128, 20, 0};
    const uint8_t rgb[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255, 0, 255};
    const void *pixels[] = {indices, wide, rgb};
    for (int format = DV_PNG_INDEXED8; format <= DV_PNG_RGB8; format++) {
        made_file first, second;
        assert_int_equal(dv_png_encode((dv_png_format)format, pixels[format], 2, 3, &first.data, &first.size), DV_OK);
        assert_int_equal(dv_png_encode((dv_png_format)format, pixels[format], 2, 3, &second.data, &second.size), DV_OK);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        free(second.data);
        if (format == DV_PNG_RGB8)
            assert_picture(first, 3, 2, rgb);
        else
            assert_labels(first, 3, 2, format == DV_PNG_GRAY16 ? wide : expected);
    }
}

static void sizes_that_no_png_has_are_refused(void **state) {
    (void)state;
    made_file png = {.data = (uint8_t *)1, .size = 1};
    assert_int_equal(dv_png_encode(DV_PNG_RGB8, "", 0, 3, &png.data, &png.size), DV_E_ARG);
    assert_string_equal(dv_last_error(), "3x0 pixels: sides must be 1..65535");
    assert_null(png.data);
    assert_int_equal(dv_png_encode(DV_PNG_RGB8, "", 1, 65536, &png.data, &png.size), DV_E_ARG);
}

/* The palette of a written map is the PASCAL VOC one: an indexed map looked at as a picture shows its colours. */
static void indexed_files_carry_the_voc_palette(void **state) {
    (void)state;
    const uint8_t indices[] = {0, 1, 2, 3, 7, 8, 20, 255};
    const uint8_t colours[] = {0,   0,   0,   128, 0, 0, 0, 128, 0,   128, 128, 0,
                               128, 128, 128, 64,  0, 0, 0, 64,  128, 224, 224, 192};
    made_file png;
    assert_int_equal(dv_png_encode(DV_PNG_INDEXED8, indices, 1, 8, &png.data, &png.size), DV_OK);
    assert_picture(png, 8, 1, colours);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexed_4_bit_gives_the_indices_and_not_the_colours),
        cmocka_unit_test(gray_2_bit_is_not_scaled),
        cmocka_unit_test(rows_of_small_depths_end_at_whole_bytes),
        cmocka_unit_test(gray_16_bit_keeps_every_id),
        cmocka_unit_test(interlaced_files_give_the_same_labels),
        cmocka_unit_test(equal_channels_are_gray),
        cmocka_unit_test(colours_are_refused_with_their_first_pixel),
        cmocka_unit_test(opaque_alpha_changes_nothing_and_other_alpha_is_refused),
        cmocka_unit_test(a_map_is_read_into_again),
        cmocka_unit_test(a_header_that_claims_too_much_is_refused_without_memory),
        cmocka_unit_test(sides_above_65535_are_refused),
        cmocka_unit_test(a_mask_cut_in_its_data_is_refused),
        cmocka_unit_test(every_shorter_file_is_refused),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(bytes_behind_the_end_are_refused),
        cmocka_unit_test(pictures_of_every_kind_become_rgb),
        cmocka_unit_test(a_16_bit_picture_is_refused),
        cmocka_unit_test(encoding_reads_back_and_its_bytes_repeat),
        cmocka_unit_test(sizes_that_no_png_has_are_refused),
        cmocka_unit_test(indexed_files_carry_the_voc_palette),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
