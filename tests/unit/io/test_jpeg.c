#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/jpeg.h"
#include "io/jpeg_exif.h"
#include "unit/io/test_image_make.h"

enum { WIDTH = 40, HEIGHT = 24 };

/* Gray steps of 8x8 blocks: quality 100 keeps a block of one value exactly. */
static void fill_blocks(uint8_t *pixels, size_t n_components) {
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            for (size_t c = 0; c < n_components; c++)
                pixels[(y * WIDTH + x) * n_components + c] = (uint8_t)(x / 8 * 40 + y / 8 * 20);
}

static made_file make_blocks(jpeg_kind kind) {
    uint8_t pixels[WIDTH * HEIGHT * 4];
    fill_blocks(pixels, (size_t)kind.n_components);
    return make_jpeg(&kind, WIDTH, HEIGHT, pixels);
}

static void assert_blocks(made_file jpeg) {
    dv_picture picture;
    const dv_status status = dv_jpeg_read_picture(jpeg.data, jpeg.size, &picture);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    uint8_t expected[WIDTH * HEIGHT * 3];
    fill_blocks(expected, 3);
    assert_memory_equal(picture.rgb, expected, sizeof expected);
    dv_picture_clear(&picture);
    free(jpeg.data);
}

static void assert_refused(made_file jpeg, const char *message) {
    dv_picture picture = {.height = 3};
    assert_int_equal(dv_jpeg_read_picture(jpeg.data, jpeg.size, &picture), DV_E_DATA);
    assert_string_equal(dv_last_error(), message);
    assert_null(picture.rgb);
    assert_int_equal(picture.height, 0);
    free(jpeg.data);
}

static void colour_and_gray_are_read_exactly(void **state) {
    (void)state;
    assert_blocks(make_blocks((jpeg_kind){.n_components = 3}));
    assert_blocks(make_blocks((jpeg_kind){.n_components = 1})); /* IMG-05: replicated */
    assert_blocks(make_blocks((jpeg_kind){.n_components = 3, .progressive = 1}));
}

/* IMG-05 */
static void cmyk_and_ycck_are_refused_by_name(void **state) {
    (void)state;
    assert_refused(make_blocks((jpeg_kind){.n_components = 4}),
                   "JPEG with CMYK colours of 4 components: must be gray, YCbCr or RGB");
    assert_refused(make_blocks((jpeg_kind){.n_components = 4, .ycck = 1}),
                   "JPEG with YCCK colours of 4 components: must be gray, YCbCr or RGB");
}

static void arithmetic_coding_is_refused_by_name(void **state) {
    (void)state;
    assert_refused(make_blocks((jpeg_kind){.n_components = 3, .arithmetic = 1}),
                   "JPEG with arithmetic coding: must be Huffman coded");
}

/* IMG-05 */
static void a_file_cut_at_60_percent_is_refused(void **state) {
    (void)state;
    made_file jpeg = make_blocks((jpeg_kind){.n_components = 3});
    jpeg.size = jpeg.size * 6 / 10;
    assert_refused(jpeg, "damaged or truncated JPEG: Premature end of JPEG file");
}

/* The decoder makes up what is missing, down to the end marker; none of it passes. */
static void every_shorter_file_is_refused(void **state) {
    (void)state;
    for (int progressive = 0; progressive <= 1; progressive++) {
        made_file jpeg = make_blocks((jpeg_kind){.n_components = 3, .progressive = progressive, .orientation = 6});
        for (size_t size = 0; size < jpeg.size; size++) {
            uint8_t *copy = malloc(size ? size : 1); /* so that a sanitizer sees a byte read too far */
            memcpy(copy, jpeg.data, size);
            dv_picture picture;
            assert_int_equal(dv_jpeg_read_picture(copy, size, &picture), DV_E_DATA);
            assert_null(picture.rgb);
            free(copy);
        }
        free(jpeg.data);
    }
}

/* JPEG has no checksums, so a flip may pass; it must leave a whole picture or a plain refusal. */
static void a_flipped_bit_does_no_harm(void **state) {
    (void)state;
    made_file jpeg = make_blocks((jpeg_kind){.n_components = 3, .orientation = 3});
    for (size_t bit = 0; bit < jpeg.size * 8; bit++) {
        jpeg.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
        dv_picture picture;
        const dv_status status = dv_jpeg_read_picture(jpeg.data, jpeg.size, &picture);
        assert_true(status == DV_OK || status == DV_E_DATA);
        assert_int_equal(picture.rgb != NULL, status == DV_OK);
        dv_picture_clear(&picture);
        jpeg.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    free(jpeg.data);
}

/* IMG-07, for JPEG: the frame header is where the size stands. */
static void a_header_that_claims_too_much_is_refused(void **state) {
    (void)state;
    made_file jpeg = make_blocks((jpeg_kind){.n_components = 3});
    size_t frame = 0;
    while (jpeg.data[frame] != 0xff || jpeg.data[frame + 1] != 0xc0) frame++;
    memcpy(jpeg.data + frame + 5, "\xea\x60\xea\x60", 4); /* 60000x60000 */
    char message[128];
    snprintf(message, sizeof message, "JPEG of 60000x60000 pixels in %zu bytes: they cannot hold that many", jpeg.size);
    assert_refused(jpeg, message);
}

static void bytes_behind_the_end_are_passed_over(void **state) {
    (void)state;
    made_file jpeg = make_blocks((jpeg_kind){.n_components = 3});
    made_file longer = {.data = malloc(jpeg.size + 5), .size = jpeg.size + 5};
    memcpy(longer.data, jpeg.data, jpeg.size);
    memcpy(longer.data + jpeg.size, "MPF..", 5);
    free(jpeg.data);
    assert_blocks(longer);
}

/* IMG-01: noted, the pixels stay as stored. */
static void the_orientation_is_noted_and_not_applied(void **state) {
    (void)state;
    for (int orientation = 1; orientation <= 8; orientation++) {
        made_file jpeg = make_blocks((jpeg_kind){.n_components = 3, .orientation = orientation});
        dv_picture picture;
        assert_int_equal(dv_jpeg_read_picture(jpeg.data, jpeg.size, &picture), DV_OK);
        assert_int_equal(picture.orientation, orientation);
        assert_int_equal(picture.width, WIDTH);
        dv_picture_clear(&picture);
        assert_blocks(jpeg);
    }
}

static void exif_of_either_byte_order_is_read(void **state) {
    (void)state;
    uint8_t exif[32];
    for (int big_endian = 0; big_endian <= 1; big_endian++)
        for (int orientation = 1; orientation <= 8; orientation++) {
            const size_t n = make_exif(exif, big_endian, orientation);
            assert_int_equal(dv_exif_orientation(exif, n), orientation);
        }
}

static void odd_exif_is_no_orientation(void **state) {
    (void)state;
    uint8_t exif[32];
    for (int big_endian = 0; big_endian <= 1; big_endian++) {
        const size_t n = make_exif(exif, big_endian, 6);
        for (size_t cut = 0; cut < 28; cut++) { /* the entry ends at byte 28 */
            uint8_t *copy = malloc(cut ? cut : 1);
            memcpy(copy, exif, cut);
            assert_int_equal(dv_exif_orientation(copy, cut), 1);
            free(copy);
        }
        for (size_t bit = 0; bit < n * 8; bit++) { /* offsets and counts that lead outside among them */
            exif[bit / 8] ^= (uint8_t)(1U << bit % 8);
            const int orientation = dv_exif_orientation(exif, n);
            assert_true(orientation >= 1 && orientation <= 8);
            exif[bit / 8] ^= (uint8_t)(1U << bit % 8);
        }
    }
    assert_int_equal(dv_exif_orientation(exif, make_exif(exif, 0, 9)), 1);
    assert_int_equal(dv_exif_orientation(exif, make_exif(exif, 1, 0)), 1);
    memset(exif + 10, 0xff, 4); /* the directory 4 GiB away */
    assert_int_equal(dv_exif_orientation(exif, 32), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_and_gray_are_read_exactly),
        cmocka_unit_test(cmyk_and_ycck_are_refused_by_name),
        cmocka_unit_test(arithmetic_coding_is_refused_by_name),
        cmocka_unit_test(a_file_cut_at_60_percent_is_refused),
        cmocka_unit_test(every_shorter_file_is_refused),
        cmocka_unit_test(a_flipped_bit_does_no_harm),
        cmocka_unit_test(a_header_that_claims_too_much_is_refused),
        cmocka_unit_test(bytes_behind_the_end_are_passed_over),
        cmocka_unit_test(the_orientation_is_noted_and_not_applied),
        cmocka_unit_test(exif_of_either_byte_order_is_read),
        cmocka_unit_test(odd_exif_is_no_orientation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
