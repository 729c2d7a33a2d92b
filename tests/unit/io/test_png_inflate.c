#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/png.h"
#include "unit/io/test_image_make.h"

enum { GRAY = SPNG_COLOR_TYPE_GRAYSCALE, RGB = SPNG_COLOR_TYPE_TRUECOLOR };

static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static void add_chunk(made_file *png, const char *type, const uint8_t *data, size_t n) {
    png->data = realloc(png->data, png->size + 12 + n);
    assert_non_null(png->data);
    uint8_t *chunk = png->data + png->size;
    put_be32(chunk, (uint32_t)n);
    memcpy(chunk + 4, type, 4);
    if (n) memcpy(chunk + 8, data, n);
    put_be32(chunk + 8 + n, crc32_of(chunk + 4, 4 + n));
    png->size += 12 + n;
}

/* RFC 1950 and 1951: a zlib stream of one stored block. stream u8 [n + 11] */
static void store(const uint8_t *data, size_t n, uint8_t *stream) {
    const uint8_t head[] = {0x78, 0x01, 0x01, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)~n, (uint8_t)(~n >> 8)};
    memcpy(stream, head, sizeof head);
    memcpy(stream + sizeof head, data, n);
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_be32(stream + sizeof head + n, b << 16 | a);
}

static made_file begin(int colour_type, size_t width, size_t height) {
    uint8_t header[13] = {[8] = 8, [9] = (uint8_t)colour_type};
    put_be32(header, (uint32_t)width);
    put_be32(header + 4, (uint32_t)height);
    made_file png = {.data = malloc(sizeof signature), .size = sizeof signature};
    assert_non_null(png.data);
    memcpy(png.data, signature, sizeof signature);
    add_chunk(&png, "IHDR", header, sizeof header);
    return png;
}

/* A PNG of 8 bits whose stream is cut in chunks of n_chunk bytes. */
static made_file make_stream_png(int colour_type, size_t width, size_t height, const uint8_t *stream, size_t n_stream,
                                 size_t n_chunk) {
    made_file png = begin(colour_type, width, height);
    for (size_t at = 0; at < n_stream; at += n_chunk)
        add_chunk(&png, "IDAT", stream + at, n_stream - at < n_chunk ? n_stream - at : n_chunk);
    add_chunk(&png, "IEND", NULL, 0);
    return png;
}

static void assert_labels(made_file png, size_t n, const uint16_t *expected) {
    dv_label_map map;
    const dv_status status = dv_png_read_labels(png.data, png.size, &map);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
    assert_int_equal(map.width * map.height, n);
    assert_memory_equal(map.labels, expected, n * sizeof *expected);
    dv_label_map_clear(&map);
    free(png.data);
}

static void assert_refused(made_file png) {
    dv_label_map map;
    assert_int_equal(dv_png_read_labels(png.data, png.size, &map), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "damaged or truncated PNG: "));
    assert_null(map.labels);
    free(png.data);
}

/* Six rows of three gray pixels: sub, up, average, Paeth (choosing above), Paeth (above, corner, left), none. */
static const uint8_t gray_rows[] = {1, 10, 5, 250, 2, 1,   2, 3, 3, 4, 5, 6, //
                                    4, 1,  2, 3,   4, 250, 1, 2, 0, 7, 8, 9};
static const uint16_t gray_labels[] = {10, 15, 9, 11, 17, 12, 9, 18, 21, 10, 20, 24, 4, 11, 13, 7, 8, 9};

/* Worked out by hand after the PNG specification, section 9. */
static void every_filter_of_a_gray_file_is_undone(void **state) {
    (void)state;
    uint8_t stream[sizeof gray_rows + 11];
    store(gray_rows, sizeof gray_rows, stream);
    assert_labels(make_stream_png(GRAY, 3, 6, stream, sizeof stream, sizeof stream), 18, gray_labels);
}

/* "Left" is the same channel of the pixel before. */
static void filters_of_colours_step_over_whole_pixels(void **state) {
    (void)state;
    const uint8_t rows[] = {1, 5, 5, 5, 2, 2, 2, 3, 1, 1, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1};
    const uint16_t expected[] = {5, 7, 3, 6, 4, 7};
    uint8_t stream[sizeof rows + 11];
    store(rows, sizeof rows, stream);
    assert_labels(make_stream_png(RGB, 2, 3, stream, sizeof stream, sizeof stream), 6, expected);
}

static void the_stream_may_be_cut_anywhere(void **state) {
    (void)state;
    uint8_t stream[sizeof gray_rows + 11];
    store(gray_rows, sizeof gray_rows, stream);
    for (size_t n_chunk = 1; n_chunk < sizeof stream; n_chunk++)
        assert_labels(make_stream_png(GRAY, 3, 6, stream, sizeof stream, n_chunk), 18, gray_labels);
}

static void chunks_behind_the_image_data_are_passed_over(void **state) {
    (void)state;
    uint8_t stream[sizeof gray_rows + 11];
    store(gray_rows, sizeof gray_rows, stream);
    made_file png = begin(GRAY, 3, 6);
    add_chunk(&png, "IDAT", stream, sizeof stream);
    add_chunk(&png, "tEXt", (const uint8_t *)"Title\0mask", 10);
    add_chunk(&png, "IEND", NULL, 0);
    assert_labels(png, 18, gray_labels);
}

static void a_filter_that_does_not_exist_is_refused(void **state) {
    (void)state;
    const uint8_t rows[] = {0, 1, 2, 5, 1, 2};
    uint8_t stream[sizeof rows + 11];
    store(rows, sizeof rows, stream);
    assert_refused(make_stream_png(GRAY, 2, 2, stream, sizeof stream, sizeof stream));
}

/* The checksum of the chunk is right in all of these. */
static void a_stream_that_is_wrong_in_itself_is_refused(void **state) {
    (void)state;
    const uint8_t rows[] = {0, 1, 2, 0, 3, 4};
    uint8_t stream[sizeof rows + 11];
    store(rows, sizeof rows, stream);
    stream[sizeof stream - 1] ^= 1; /* the sum of the data */
    assert_refused(make_stream_png(GRAY, 2, 2, stream, sizeof stream, sizeof stream));
    store(rows, sizeof rows, stream); /* a row less than the header says */
    assert_refused(make_stream_png(GRAY, 2, 3, stream, sizeof stream, sizeof stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_filter_of_a_gray_file_is_undone),
        cmocka_unit_test(filters_of_colours_step_over_whole_pixels),
        cmocka_unit_test(the_stream_may_be_cut_anywhere),
        cmocka_unit_test(chunks_behind_the_image_data_are_passed_over),
        cmocka_unit_test(a_filter_that_does_not_exist_is_refused),
        cmocka_unit_test(a_stream_that_is_wrong_in_itself_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
