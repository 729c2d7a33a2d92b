#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "denseval/image.h"
#include "io/image_orient.h"
#include "io/image_put.h"
#include "unit/io/test_image_make.h"

static char *folder;
static char path[512], message[1024];

static int set_up(void **state) {
    (void)state;
    folder = make_scratch_folder();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    remove_scratch_folder(folder);
    return 0;
}

static const char *in_folder(const char *name) {
    return scratch_path(folder, name, path, sizeof path);
}

static const char *about(const char *file, const char *what) {
    snprintf(message, sizeof message, "%s: %s", file, what);
    return message;
}

static void labels_come_back_as_written(void **state) {
    (void)state;
    const uint16_t narrow[] = {0, 1, 2, 255, 254, 128}, wide[] = {0, 1, 2, 256, 65535, 128};
    const uint16_t *maps[] = {narrow, wide};
    const uint8_t colour_types[] = {SPNG_COLOR_TYPE_INDEXED, SPNG_COLOR_TYPE_GRAYSCALE}, depths[] = {8, 16};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dv_label_map_write(in_folder("map.png"), maps[i], 2, 3), DV_OK); /* the second replaces */
        made_file png = read_whole_file(path);
        assert_int_equal(png.data[24], depths[i]);
        assert_int_equal(png.data[25], colour_types[i]);
        free(png.data);
        dv_label_map map;
        assert_int_equal(dv_label_map_read(path, &map), DV_OK);
        assert_int_equal(map.height, 2);
        assert_int_equal(map.width, 3);
        assert_memory_equal(map.labels, maps[i], sizeof narrow);
        dv_label_map_clear(&map);
    }
}

static void pictures_come_back_as_written(void **state) {
    (void)state;
    uint8_t rgb[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    const dv_picture written = {.height = 3, .width = 2, .rgb = rgb, .orientation = 1};
    assert_int_equal(dv_picture_write(in_folder("picture.png"), &written), DV_OK);
    dv_picture read;
    assert_int_equal(dv_picture_read(path, &read), DV_OK);
    assert_int_equal(read.height, 3);
    assert_int_equal(read.width, 2);
    assert_int_equal(read.orientation, 1);
    assert_memory_equal(read.rgb, rgb, sizeof rgb);
    dv_picture_clear(&read);
}

static void a_picture_is_known_by_its_content(void **state) {
    (void)state;
    const uint8_t gray[64] = {0};
    made_file jpeg = make_jpeg(&(jpeg_kind){.n_components = 1, .orientation = 6}, 8, 8, gray);
    write_file(in_folder("named.png"), jpeg.data, jpeg.size);
    dv_picture picture;
    assert_int_equal(dv_picture_read(path, &picture), DV_OK);
    assert_int_equal(picture.orientation, 6);
    dv_picture_clear(&picture);
    dv_label_map map;
    assert_int_equal(dv_label_map_read(path, &map), DV_E_DATA);
    assert_string_equal(dv_last_error(),
                        about(path, "a JPEG: label maps must be PNG, since JPEG does not keep labels exactly"));
    assert_null(map.labels);
    free(jpeg.data);
}

static void other_contents_are_refused_by_name(void **state) {
    (void)state;
    const struct {
        const char *bytes;
        size_t size;
        const char *what;
    } cases[] = {{"GIF89a..", 8, "content GIF: label maps must be PNG"},
                 {"RIFF....WEBPVP8 ", 16, "content WebP: label maps must be PNG"},
                 {"hello", 5, "content unknown: label maps must be PNG"},
                 {"\x89PNG\n\x1a\n", 7, "a damaged PNG: its signature is wrong or cut"},
                 {"", 0, "0 bytes: an image file was expected"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(in_folder("odd.png"), cases[i].bytes, cases[i].size);
        dv_label_map map;
        assert_int_equal(dv_label_map_read(path, &map), DV_E_DATA);
        assert_string_equal(dv_last_error(), about(path, cases[i].what));
    }
    write_file(in_folder("odd.jpg"), "BM......", 8);
    dv_picture picture;
    assert_int_equal(dv_picture_read(path, &picture), DV_E_DATA);
    assert_string_equal(dv_last_error(), about(path, "content BMP: pictures must be JPEG or PNG"));
}

static void damage_is_reported_with_the_path(void **state) {
    (void)state;
    const uint8_t pixels[64 * 64] = {1, 2, 3};
    made_file png = make_plain_png(SPNG_COLOR_TYPE_GRAYSCALE, 8, 64, 64, pixels, sizeof pixels);
    write_file(in_folder("cut.png"), png.data, png.size - 12);
    char what[128];
    snprintf(what, sizeof what, "byte %zu: truncated PNG: 0 bytes left of a file of %zu, IEND is missing",
             png.size - 12, png.size - 12);
    dv_label_map map;
    assert_int_equal(dv_label_map_read(path, &map), DV_E_DATA);
    assert_string_equal(dv_last_error(), about(path, what));
    free(png.data);
}

static void a_missing_file_and_a_folder_are_told_apart(void **state) {
    (void)state;
    dv_label_map map;
    assert_int_equal(dv_label_map_read(in_folder("none.png"), &map), DV_E_MISSING);
    assert_string_equal(dv_last_error(), about(path, "cannot open: No such file or directory"));
    dv_picture picture;
    assert_int_equal(dv_picture_read(folder, &picture), DV_E_DATA);
    assert_string_equal(dv_last_error(), about(folder, "a folder: an image file was expected"));
    assert_int_equal(mkfifo(in_folder("pipe.png"), 0600), 0);
    assert_int_equal(dv_label_map_read(path, &map), DV_E_DATA); /* and does not wait for a writer */
    assert_string_equal(dv_last_error(), about(path, "no regular file: an image file was expected"));
}

static void a_failed_write_leaves_what_was_there(void **state) {
    (void)state;
    const uint16_t labels[] = {1};
    assert_int_equal(dv_label_map_write(in_folder("kept.png"), labels, 1, 1), DV_OK);
    made_file before = read_whole_file(path);
    assert_int_equal(dv_label_map_write(path, labels, 0, 1), DV_E_ARG);
    assert_string_equal(dv_last_error(), about(path, "1x0 pixels: sides must be 1..65535"));
    made_file after = read_whole_file(path);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
    free(before.data);
    free(after.data);
    snprintf(path, sizeof path, "%s/none/map.png", folder);
    assert_int_equal(dv_label_map_write(path, labels, 1, 1), DV_E_IO);
    assert_int_equal(access(path, F_OK), -1);
}

static void images_of_a_folder_are_the_same_bytes(void **state) {
    (void)state;
    const uint16_t labels[] = {0, 7, 255, 3};
    uint8_t rgb[] = {1, 2, 3, 4, 5, 6};
    const dv_picture picture = {.height = 1, .width = 2, .rgb = rgb, .orientation = 1};
    assert_int_equal(dv_label_map_put(in_folder("put.png"), labels, 2, 2), DV_OK);
    dv_label_map map;
    assert_int_equal(dv_label_map_read(path, &map), DV_OK);
    assert_memory_equal(map.labels, labels, sizeof labels);
    dv_label_map_clear(&map);
    assert_int_equal(dv_picture_put(in_folder("put.png"), &picture), DV_OK); /* replaces */
    dv_picture read;
    assert_int_equal(dv_picture_read(path, &read), DV_OK);
    assert_memory_equal(read.rgb, rgb, sizeof rgb);
    dv_picture_clear(&read);
    snprintf(path, sizeof path, "%s/none/put.png", folder);
    assert_int_equal(dv_label_map_put(path, labels, 2, 2), DV_E_IO);
    assert_string_equal(dv_last_error(), about(path, "cannot be made: No such file or directory"));
    assert_int_equal(dv_label_map_put("/dev/full", labels, 2, 2), DV_E_IO);
    assert_string_equal(dv_last_error(), "/dev/full: cannot write: No space left on device");
}

/* The colours that the VOC development kit prints for its map. */
static void class_colours_are_those_of_voc(void **state) {
    (void)state;
    const struct {
        uint16_t label;
        uint8_t rgb[3];
    } cases[] = {{0, {0, 0, 0}},     {1, {128, 0, 0}},       {2, {0, 128, 0}},
                 {3, {128, 128, 0}}, {4, {0, 0, 128}},       {15, {192, 128, 128}},
                 {20, {0, 64, 128}}, {255, {224, 224, 192}}, {32768, {4, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t rgb[3];
        dv_class_colour(cases[i].label, rgb);
        assert_memory_equal(rgb, cases[i].rgb, 3);
    }
}

/* IMG-01: what each tag makes of the stored picture  0 1 2 / 3 4 5. */
static void pictures_are_turned_as_their_tag_says(void **state) {
    (void)state;
    const struct {
        size_t width, height;
        uint8_t shown[6];
    } cases[] = {{3, 2, {0, 1, 2, 3, 4, 5}}, {3, 2, {2, 1, 0, 5, 4, 3}}, {3, 2, {5, 4, 3, 2, 1, 0}},
                 {3, 2, {3, 4, 5, 0, 1, 2}}, {2, 3, {0, 3, 1, 4, 2, 5}}, {2, 3, {3, 0, 4, 1, 5, 2}},
                 {2, 3, {5, 2, 4, 1, 3, 0}}, {2, 3, {2, 5, 1, 4, 0, 3}}};
    for (int orientation = 1; orientation <= 8; orientation++) {
        dv_picture picture = {.height = 2, .width = 3, .rgb = malloc(18), .orientation = orientation};
        for (int i = 0; i < 18; i++) picture.rgb[i] = (uint8_t)(i / 3 * 10 + i % 3);
        assert_int_equal(dv_picture_orient(&picture), DV_OK);
        assert_int_equal(picture.orientation, 1);
        assert_int_equal(picture.width, cases[orientation - 1].width);
        assert_int_equal(picture.height, cases[orientation - 1].height);
        for (int i = 0; i < 18; i++) assert_int_equal(picture.rgb[i], cases[orientation - 1].shown[i / 3] * 10 + i % 3);
        dv_picture_clear(&picture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_come_back_as_written),
        cmocka_unit_test(pictures_come_back_as_written),
        cmocka_unit_test(a_picture_is_known_by_its_content),
        cmocka_unit_test(other_contents_are_refused_by_name),
        cmocka_unit_test(damage_is_reported_with_the_path),
        cmocka_unit_test(a_missing_file_and_a_folder_are_told_apart),
        cmocka_unit_test(a_failed_write_leaves_what_was_there),
        cmocka_unit_test(images_of_a_folder_are_the_same_bytes),
        cmocka_unit_test(class_colours_are_those_of_voc),
        cmocka_unit_test(pictures_are_turned_as_their_tag_says),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
