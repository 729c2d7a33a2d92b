#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/mask_set.h"
#include "io/mask_set_private.h"
#include "unit/io/test_image_make.h"

static char *root;
static char path[512], message[1024], hash[DV_HASH_TEXT_SIZE];

static int set_up(void **state) {
    (void)state;
    root = make_scratch_folder();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    remove_scratch_folder(root);
    return 0;
}

static const char *at(const char *name) {
    return scratch_path(root, name, path, sizeof path);
}

static void put(const char *name, made_file file) {
    write_file(at(name), file.data, file.size);
    free(file.data);
}

static void touch(const char *name) {
    write_file(at(name), "", 0);
}

/* A gray mask of one row. */
static void put_row(const char *name, size_t width, const uint8_t *ids) {
    put(name, make_plain_png(SPNG_COLOR_TYPE_GRAYSCALE, 8, width, 1, ids, width));
}

static dv_mask_set *open_set(size_t depth, dv_mask_palette palette) {
    dv_mask_set *set;
    const dv_status status = dv_mask_set_open(root, depth, palette, &set);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
    return set;
}

/* The message is "ROOT" and then `what`. */
static void assert_refused(size_t depth, dv_status expected, const char *what) {
    dv_mask_set *set = (dv_mask_set *)root;
    assert_int_equal(dv_mask_set_open(root, depth, DV_PALETTE_NONE, &set), expected);
    assert_null(set);
    snprintf(message, sizeof message, "%s%s", root, what);
    assert_string_equal(dv_last_error(), message);
}

/* Reads frame 0 of sequence 0 and expects these ids. */
static void assert_labels(dv_mask_palette palette, size_t height, size_t width, const uint16_t *ids) {
    dv_mask_set *set = open_set(1, palette);
    dv_label_map map = {0};
    const dv_status status = dv_mask_set_read(set, 0, 0, &map, hash);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
    assert_int_equal(map.height, height);
    assert_int_equal(map.width, width);
    assert_memory_equal(map.labels, ids, height * width * sizeof *ids);
    dv_label_map_clear(&map);
    dv_mask_set_close(set);
}

/* Reading frame 0 of sequence 0 fails; the message is "ROOT" and then `what`. */
static void assert_unreadable(dv_mask_palette palette, dv_status expected, const char *what) {
    dv_mask_set *set = open_set(1, palette);
    dv_label_map map = {.height = 7};
    assert_int_equal(dv_mask_set_read(set, 0, 0, &map, hash), expected);
    assert_null(map.labels);
    assert_int_equal(map.height, 0);
    snprintf(message, sizeof message, "%s%s", root, what);
    assert_string_equal(dv_last_error(), message);
    dv_mask_set_close(set);
}

/* R4: natural order; hidden and foreign files and folders are passed over and counted. */
static void sequences_and_frames_come_in_natural_order(void **state) {
    (void)state;
    const char *const names[] = {"b10/00000.png", "b9/f10.png",   "b9/f9.PNG",      "b9/f9.0.png",  ".git/x.png",
                                 "top.png",       "b9/notes.txt", "b9/.hidden.png", "b9/deep/1.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) touch(names[i]);
    touch(".denseval-result"); /* our own mark is no foreign file */
    dv_mask_set *set = open_set(1, DV_PALETTE_NONE);
    assert_string_equal(dv_mask_set_path(set), root);
    assert_int_equal(dv_mask_set_n_sequences(set), 2);
    assert_string_equal(dv_mask_set_sequence(set, 0), "b9");
    assert_string_equal(dv_mask_set_sequence(set, 1), "b10");
    assert_int_equal(dv_mask_set_n_frames(set, 0), 3);
    assert_string_equal(dv_mask_set_frame(set, 0, 0), "f9");
    assert_string_equal(dv_mask_set_frame(set, 0, 1), "f9.0");
    assert_string_equal(dv_mask_set_frame(set, 0, 2), "f10");
    assert_int_equal(dv_mask_set_n_frames(set, 1), 1);
    assert_int_equal(dv_mask_set_n_passed_over(set), 5); /* .git, top.png, notes.txt, .hidden.png, deep */
    assert_int_equal(dv_mask_set_find_sequence(set, "b10"), 1);
    assert_true(dv_mask_set_find_sequence(set, "b1") == SIZE_MAX);
    assert_int_equal(dv_mask_set_find_frame(set, 0, "f9.0"), 1);
    assert_true(dv_mask_set_find_frame(set, 0, "f09") == SIZE_MAX); /* joined by bytes */
    char name[600];
    dv_mask_set_name_frame(set, 0, 0, name, sizeof name);
    snprintf(message, sizeof message, "%s/b9/f9.PNG", root);
    assert_string_equal(name, message);
    dv_mask_set_close(set);
}

static void cameras_lie_one_folder_deeper(void **state) {
    (void)state;
    const char *const names[] = {"s2/c10/1.png", "s2/c9/1.png", "s10/c1/1.png", "s2/1.png", "1.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) touch(names[i]);
    dv_mask_set *set = open_set(2, DV_PALETTE_NONE);
    assert_int_equal(dv_mask_set_n_sequences(set), 3);
    assert_string_equal(dv_mask_set_sequence(set, 0), "s2/c9");
    assert_string_equal(dv_mask_set_sequence(set, 1), "s2/c10");
    assert_string_equal(dv_mask_set_sequence(set, 2), "s10/c1");
    assert_int_equal(dv_mask_set_find_sequence(set, "s2/c10"), 1);
    assert_int_equal(dv_mask_set_n_passed_over(set), 2);
    dv_mask_set_close(set);
    dv_mask_set *none;
    assert_int_equal(dv_mask_set_open(root, 3, DV_PALETTE_NONE, &none), DV_E_ARG);
}

/* Sequences may be called like the folders that other layouts leave out. */
static void names_of_other_layouts_are_nothing_special(void **state) {
    (void)state;
    touch("img/1.png");
    touch("mask/1.png");
    dv_mask_set *set = open_set(1, DV_PALETTE_NONE);
    assert_int_equal(dv_mask_set_n_sequences(set), 2);
    assert_string_equal(dv_mask_set_sequence(set, 0), "img");
    dv_mask_set_close(set);
}

static void what_holds_no_masks_is_refused(void **state) {
    (void)state;
    assert_refused(1, DV_E_DATA, ": no sequence, expected folders SEQUENCE with FRAME.png");
    assert_refused(2, DV_E_DATA, ": no sequence, expected folders SCENE/CAMERA with FRAME.png");
    touch("bear/notes.txt");
    assert_refused(1, DV_E_DATA, "/bear: a sequence without frames");
    assert_refused(2, DV_E_DATA, "/bear: a scene without cameras");
    dv_mask_set *set;
    assert_int_equal(dv_mask_set_open(at("none"), 1, DV_PALETTE_NONE, &set), DV_E_MISSING);
    snprintf(message, sizeof message, "%s/none: no such folder or HDF5 file of masks", root);
    assert_string_equal(dv_last_error(), message);
}

static void jpeg_frames_are_refused_by_name(void **state) {
    (void)state;
    touch("bear/00000.png");
    touch("bear/00001.JPG");
    assert_refused(1, DV_E_DATA, "/bear/00001.JPG: masks must be PNG; JPEG changes labels");
    assert_int_equal(unlink(at("bear/00001.JPG")), 0);
    touch("preview.jpg"); /* no frame */
    dv_mask_set_close(open_set(1, DV_PALETTE_NONE));
    const uint8_t pixels[] = {1, 2};
    const jpeg_kind gray = {.n_components = 1};
    put("bear/00000.png", make_jpeg(&gray, 2, 1, pixels)); /* the name does not help */
    assert_unreadable(DV_PALETTE_NONE, DV_E_DATA,
                      "/bear/00000.png: a JPEG: label maps must be PNG, since JPEG does not keep labels exactly");
}

static void two_frames_of_one_stem_are_refused(void **state) {
    (void)state;
    touch("bear/00000.png");
    touch("bear/00000.PNG");
    assert_int_equal(dv_mask_set_open(root, 1, DV_PALETTE_NONE, &(dv_mask_set *){NULL}), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "/bear: 00000."));
    assert_non_null(strstr(dv_last_error(), " are two frames of one name"));
    assert_int_equal(unlink(at("bear/00000.PNG")), 0);
    touch("bear/0000.png"); /* another name, though the same number */
    dv_mask_set_close(open_set(1, DV_PALETTE_NONE));
}

static void links_are_followed_and_broken_ones_are_missing(void **state) {
    (void)state;
    touch("real/1.png");
    assert_int_equal(symlink("real", at("linked")), 0);
    assert_int_equal(symlink("nowhere", at("gone")), 0);
    dv_mask_set *set = open_set(1, DV_PALETTE_NONE);
    assert_int_equal(dv_mask_set_n_sequences(set), 2);
    assert_int_equal(dv_mask_set_n_passed_over(set), 1);
    dv_mask_set_close(set);
    assert_int_equal(symlink("nowhere", at("real/2.png")), 0);
    dv_mask_set *none;
    assert_int_equal(dv_mask_set_open(root, 1, DV_PALETTE_NONE, &none), DV_E_MISSING);
    assert_non_null(strstr(dv_last_error(), "/2.png: a link to a file that is not there"));
}

/* R10, VOS-13, IMG-02, IMG-03 */
static void every_storage_form_gives_the_ids(void **state) {
    (void)state;
    const uint16_t ids[] = {0, 1, 3, 2, 1, 0, 0, 3}, bits[] = {0, 1, 1, 0, 1, 0, 0, 1};
    const uint8_t ids8[] = {0, 1, 3, 2, 1, 0, 0, 3}, ids4[] = {0x01, 0x32, 0x10, 0x03}, ids2[] = {0x1e, 0x43},
                  ids1[] = {0x60, 0x90};
    const int forms[] = {SPNG_COLOR_TYPE_INDEXED, SPNG_COLOR_TYPE_GRAYSCALE};
    for (size_t i = 0; i < 2; i++) {
        put("s/1.png", make_plain_png(forms[i], 8, 4, 2, ids8, 8));
        assert_labels(DV_PALETTE_NONE, 2, 4, ids);
        assert_labels(DV_PALETTE_VOC, 2, 4, ids);
        put("s/1.png", make_plain_png(forms[i], 4, 4, 2, ids4, 4));
        assert_labels(DV_PALETTE_NONE, 2, 4, ids);
        put("s/1.png", make_plain_png(forms[i], 2, 4, 2, ids2, 2));
        assert_labels(DV_PALETTE_NONE, 2, 4, ids);
        put("s/1.png", make_plain_png(forms[i], 1, 4, 2, ids1, 2));
        assert_labels(DV_PALETTE_NONE, 2, 4, bits);
    }
    const uint16_t wide[] = {1, 256, 300, 65535};
    put("s/1.png", make_plain_png(SPNG_COLOR_TYPE_GRAYSCALE, 16, 2, 2, wide, sizeof wide));
    assert_labels(DV_PALETTE_NONE, 2, 2, wide);
}

static void colours_of_voc_become_labels_on_request(void **state) {
    (void)state;
    uint8_t rgb[256 * 3], rgba[256 * 4];
    uint16_t ids[256];
    for (uint16_t i = 0; i < 256; i++) {
        ids[i] = i;
        dv_class_colour(i, rgb + 3 * i);
        memcpy(rgba + 4 * i, rgb + 3 * i, 3);
        rgba[4 * i + 3] = 255;
    }
    put("s/1.png", make_plain_png(SPNG_COLOR_TYPE_TRUECOLOR, 8, 16, 16, rgb, sizeof rgb));
    assert_labels(DV_PALETTE_VOC, 16, 16, ids);
    assert_unreadable(DV_PALETTE_NONE, DV_E_DATA,
                      "/s/1.png: pixel (1, 0), colour (128, 0, 0): a mask must be indexed or gray, colours are no "
                      "labels; jf --palette voc reads those of PASCAL VOC");
    put("s/1.png", make_plain_png(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, 16, 16, rgba, sizeof rgba));
    assert_labels(DV_PALETTE_VOC, 16, 16, ids);
    rgba[4 * 17 + 3] = 254;
    put("s/1.png", make_plain_png(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, 16, 16, rgba, sizeof rgba));
    assert_unreadable(DV_PALETTE_VOC, DV_E_DATA,
                      "/s/1.png: pixel (1, 1), alpha 254: a label map must not be transparent, expected 255");
    rgb[3 * 18 + 1] ^= 1;
    put("s/1.png", make_plain_png(SPNG_COLOR_TYPE_TRUECOLOR, 8, 16, 16, rgb, sizeof rgb));
    assert_unreadable(DV_PALETTE_VOC, DV_E_DATA,
                      "/s/1.png: pixel (2, 1), colour (0, 193, 0): no colour of the PASCAL VOC palette");
    const uint8_t gray[] = {5, 5, 5};
    put("s/1.png", make_plain_png(SPNG_COLOR_TYPE_TRUECOLOR, 8, 1, 1, gray, sizeof gray));
    assert_labels(DV_PALETTE_NONE, 1, 1, (const uint16_t[]){5}); /* IMG-04 */
    assert_unreadable(DV_PALETTE_VOC, DV_E_DATA,
                      "/s/1.png: pixel (0, 0), colour (5, 5, 5): no colour of the PASCAL VOC palette");
}

/* Of all 2^24 colours the 256 of the palette have a label, and only at 8 bits a channel. */
static void exactly_the_colours_of_the_palette_have_labels(void **state) {
    (void)state;
    const dv_png_colours *voc = dv_mask_colours(DV_PALETTE_VOC);
    size_t n_known = 0;
    for (uint32_t c = 0; c < 1U << 24; c++)
        n_known += voc->label_of((const uint16_t[]){(uint16_t)(c >> 16), c >> 8 & 255, c & 255}, 8) >= 0;
    assert_int_equal(n_known, 256);
    for (uint16_t i = 0; i < 256; i++) {
        uint8_t rgb[3];
        dv_class_colour(i, rgb);
        const uint16_t wide[] = {rgb[0], rgb[1], rgb[2]};
        assert_int_equal(voc->label_of(wide, 8), i);
        assert_int_equal(voc->label_of(wide, 16), -1);
    }
}

/* VOS-03 (c) and the kinds beside it */
static void damaged_masks_are_named(void **state) {
    (void)state;
    uint8_t ids[40 * 40];
    for (size_t i = 0; i < sizeof ids; i++) ids[i] = (uint8_t)(i * 7 % 5);
    made_file good = make_plain_png(SPNG_COLOR_TYPE_INDEXED, 8, 40, 40, ids, sizeof ids);
    write_file(at("s/1.png"), good.data, 20);
    dv_mask_set *set = open_set(1, DV_PALETTE_NONE);
    dv_label_map map = {0};
    assert_int_equal(dv_mask_set_read(set, 0, 0, &map, hash), DV_E_DATA);
    snprintf(message, sizeof message, "%s/s/1.png: ", root);
    assert_memory_equal(dv_last_error(), message, strlen(message));
    for (size_t i = 8; i < good.size; i++) { /* no byte can change without notice: every chunk has a checksum */
        made_file bad = {.data = malloc(good.size), .size = good.size};
        memcpy(bad.data, good.data, good.size);
        bad.data[i] ^= 0x10;
        put("s/1.png", bad);
        assert_int_equal(dv_mask_set_read(set, 0, 0, &map, hash), DV_E_DATA);
        assert_memory_equal(dv_last_error(), message, strlen(message));
    }
    touch("s/1.png");
    assert_int_equal(dv_mask_set_read(set, 0, 0, &map, hash), DV_E_DATA);
    assert_int_equal(unlink(at("s/1.png")), 0);
    assert_int_equal(dv_mask_set_read(set, 0, 0, &map, hash), DV_E_MISSING);
    assert_memory_equal(dv_last_error(), message, strlen(message));
    dv_mask_set_close(set);
    free(good.data);
}

static void the_hash_is_that_of_the_file(void **state) {
    (void)state;
    put_row("s/1.png", 3, (const uint8_t[]){1, 2, 3});
    dv_mask_set *set = open_set(1, DV_PALETTE_NONE);
    dv_label_map map = {0};
    assert_int_equal(dv_mask_set_read(set, 0, 0, &map, hash), DV_OK);
    char expected[DV_HASH_TEXT_SIZE];
    assert_int_equal(dv_hash_file(at("s/1.png"), expected, NULL), DV_OK);
    assert_string_equal(hash, expected);
    dv_label_map_clear(&map);
    dv_mask_set_close(set);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(sequences_and_frames_come_in_natural_order),
        IN_FOLDER(cameras_lie_one_folder_deeper),
        IN_FOLDER(names_of_other_layouts_are_nothing_special),
        IN_FOLDER(what_holds_no_masks_is_refused),
        IN_FOLDER(jpeg_frames_are_refused_by_name),
        IN_FOLDER(two_frames_of_one_stem_are_refused),
        IN_FOLDER(links_are_followed_and_broken_ones_are_missing),
        IN_FOLDER(every_storage_form_gives_the_ids),
        IN_FOLDER(colours_of_voc_become_labels_on_request),
        cmocka_unit_test(exactly_the_colours_of_the_palette_have_labels),
        IN_FOLDER(damaged_masks_are_named),
        IN_FOLDER(the_hash_is_that_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
