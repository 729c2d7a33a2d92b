#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "denseval/features.h"
#include "denseval/image.h"
#include "denseval/log.h"
#include "denseval/overlay.h"
#include "unit/io/test_image_make.h"

enum { WIDTH = 4, HEIGHT = 2, MAX_LINES = 64 };

/* A run in a scratch folder with the sub-folders images, truth, pred, and what was logged in it. */
static char *root;
static char images[512], truth[512], pred[512], out[512], path[1024], message[2048];
static dv_overlay_options options;
static dv_overlay_result result;
static char *lines[MAX_LINES];
static dv_log_level levels[MAX_LINES];
static size_t n_lines;

static void keep_line(void *user, dv_log_level level, const char *line) {
    (void)user;
    assert_true(n_lines < MAX_LINES);
    levels[n_lines] = level;
    lines[n_lines++] = strdup(line);
}

static int set_up(void **state) {
    (void)state;
    root = make_scratch_folder();
    snprintf(images, sizeof images, "%s/images", root);
    snprintf(truth, sizeof truth, "%s/truth", root);
    snprintf(pred, sizeof pred, "%s/pred", root);
    snprintf(out, sizeof out, "%s/out", root);
    options = (dv_overlay_options){.images = images, .pred = pred, .out = out, .mode = DV_OVERLAY_BLEND};
    n_lines = 0;
    dv_log_set(keep_line, NULL, DV_LOG_WARNING);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    dv_log_set(NULL, NULL, DV_LOG_ERROR);
    for (size_t i = 0; i < n_lines; i++) free(lines[i]);
    dv_overlay_result_clear(&result);
    remove_scratch_folder(root);
    return 0;
}

static void add_picture(const char *name, size_t width, size_t height, int orientation) {
    uint8_t *gray = malloc(width * height);
    memset(gray, 100, width * height);
    made_file jpeg = make_jpeg(&(jpeg_kind){.n_components = 1, .orientation = orientation}, width, height, gray);
    write_file(scratch_path(root, name, path, sizeof path), jpeg.data, jpeg.size);
    free(jpeg.data);
    free(gray);
}

static void add_map(const char *name, size_t width, size_t height, uint16_t label) {
    uint16_t *labels = malloc(width * height * sizeof *labels);
    for (size_t i = 0; i < width * height; i++) labels[i] = label;
    assert_int_equal(dv_label_map_write(scratch_path(root, name, path, sizeof path), labels, height, width), DV_OK);
    free(labels);
}

static void assert_colour(const char *name, int red, int green, int blue) {
    snprintf(path, sizeof path, "%s/%s", out, name);
    dv_picture picture;
    const dv_status status = dv_picture_read(path, &picture);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
    assert_int_equal(picture.rgb[0], red);
    assert_int_equal(picture.rgb[1], green);
    assert_int_equal(picture.rgb[2], blue);
    dv_picture_clear(&picture);
}

static void assert_absent(const char *name) {
    snprintf(path, sizeof path, "%s/%s", out, name);
    assert_int_equal(access(path, F_OK), -1);
}

static void assert_run(void) {
    const dv_status status = dv_overlay_run(&options, &result);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
}

/* Nothing is written, not even under a temporary name, and the result is zeroed. */
static void assert_refused(dv_status expected, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const dv_status status = dv_overlay_run(&options, &result);
    assert_string_equal(status == DV_OK ? "" : dv_last_error(), message);
    assert_int_equal(status, expected);
    assert_int_equal(result.n_written, 0);
    assert_null(result.sheet_path);
    assert_int_equal(access(out, F_OK), -1);
}

/* R4: keys of the CLASS/BIN/{img,mask} layout, x.jpg.png beside x.png, leftovers on both sides. */
static void pictures_and_maps_are_joined_by_key(void **state) {
    (void)state;
    add_picture("images/1/0/img/a.jpg", WIDTH, HEIGHT, 0);
    add_picture("images/1/0/img/b.jpg", WIDTH, HEIGHT, 0);
    add_picture("images/2/0/img/a.jpg", WIDTH, HEIGHT, 0);
    add_picture("images/2/0/img/alone.jpg", WIDTH, HEIGHT, 0);
    add_map("images/1/0/mask/a.jpg.png", WIDTH, HEIGHT, 1);
    add_map("pred/1/0/a.jpg.png", WIDTH, HEIGHT, 0);
    add_map("pred/1/0/mask/b.png", WIDTH, HEIGHT, 1);
    add_map("pred/2/0/a.png", WIDTH, HEIGHT, 2);
    add_map("pred/3/0/a.png", WIDTH, HEIGHT, 2);
    add_map("pred/3/0/c.png", WIDTH, HEIGHT, 2);
    assert_run();
    assert_int_equal(result.n_written, 3);
    assert_int_equal(result.n_pictures_without_prediction, 1);
    assert_int_equal(result.n_predictions_without_picture, 2);
    assert_int_equal(result.n_skipped, 0);
    assert_colour("1/0/a.png", 100, 100, 100);
    assert_colour("1/0/b.png", 140, 56, 56); /* as in test_overlay_draw.c */
    assert_colour("2/0/a.png", 56, 140, 56);
    assert_absent("2/0/alone.png");
    assert_absent("sheet.png");
    assert_int_equal(n_lines, 2);
    snprintf(message, sizeof message, "%s: 1 pictures without a prediction: 2/0/img/alone.jpg", images);
    assert_string_equal(lines[0], message);
    snprintf(message, sizeof message, "%s: 2 predictions without a picture: %s/3/0/a.png, %s/3/0/c.png", pred, pred,
             pred);
    assert_string_equal(lines[1], message);
}

static void two_maps_or_pictures_of_one_key_are_refused(void **state) {
    (void)state;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 0);
    add_map("pred/a.png", WIDTH, HEIGHT, 1);
    add_map("pred/a.jpg.png", WIDTH, HEIGHT, 1);
    assert_refused(DV_E_DATA, "%s/a.jpg.png and %s/a.png: two label maps for one picture, a.jpg", pred, pred);
    unlink(path);
    add_map("pred/mask/a.png", WIDTH, HEIGHT, 1);
    assert_refused(DV_E_DATA, "%s/a.png and %s/mask/a.png: two label maps for one picture, \"a\"", pred, pred);
    unlink(path);
    add_picture("images/img/a.jpeg", WIDTH, HEIGHT, 0);
    assert_refused(DV_E_DATA, "%s/a.jpg and %s/img/a.jpeg: two pictures of one key, \"a\"", images, images);
}

static void nothing_to_draw_is_refused(void **state) {
    (void)state;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 0);
    add_map("pred/b.png", WIDTH, HEIGHT, 1);
    assert_refused(DV_E_DATA, "%s: none of 1 pictures has a prediction among the 1 of %s", images, pred);
    options.pred = "/nonexistent/pred";
    assert_refused(DV_E_MISSING, "/nonexistent/pred: No such file or directory");
}

/* IMG-01: as stored there is a warning and a picture; turned, its sizes no longer fit. */
static void the_orientation_is_warned_of_or_applied(void **state) {
    (void)state;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 6);
    add_map("pred/a.png", WIDTH, HEIGHT, 1);
    assert_run();
    assert_int_equal(n_lines, 1);
    assert_int_equal(levels[0], DV_LOG_WARNING);
    snprintf(message, sizeof message, "%s/a.jpg: EXIF orientation 6: drawn as stored, not turned", images);
    assert_string_equal(lines[0], message);
    options.apply_exif = true;
    snprintf(out, sizeof out, "%s/turned", root);
    assert_refused(DV_E_DATA,
                   "%s/a.png: 4x2 pixels, its picture %s/a.jpg has 2x4: they must be equal (1 of 1 pictures cannot be "
                   "drawn, nothing was written)",
                   pred, images);
    add_map("pred/a.png", HEIGHT, WIDTH, 1);
    assert_run();
    assert_int_equal(result.n_written, 1);
}

/* R12: all bad items are found before the run fails, the first 20 in full. */
static void bad_items_are_all_listed_and_stop_the_run(void **state) {
    (void)state;
    for (int i = 0; i < 24; i++) {
        char name[64];
        snprintf(name, sizeof name, "images/%d.jpg", i);
        add_picture(name, WIDTH, HEIGHT, 0);
        snprintf(name, sizeof name, "pred/%d.png", i);
        add_map(name, WIDTH, i < 22 ? HEIGHT + 1 : HEIGHT, 1);
    }
    assert_refused(DV_E_DATA,
                   "%s/0.png: 4x3 pixels, its picture %s/0.jpg has 4x2: they must be equal (22 of 24 pictures cannot "
                   "be drawn, nothing was written)",
                   pred, images);
    assert_int_equal(n_lines, 21);
    snprintf(message, sizeof message, "%s/19.png: 4x3 pixels, its picture %s/19.jpg has 4x2: they must be equal", pred,
             images);
    assert_string_equal(lines[19], message);
    assert_string_equal(lines[20], "and 2 more like these");
    options.skip_bad = true;
    assert_run();
    assert_int_equal(result.n_written, 2);
    assert_int_equal(result.n_skipped, 22);
    assert_colour("22.png", 140, 56, 56);
    assert_absent("0.png");
}

static void skipping_everything_is_refused(void **state) {
    (void)state;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 0);
    write_file(scratch_path(root, "pred/a.png", path, sizeof path), "hello", 5);
    options.skip_bad = true;
    assert_refused(DV_E_DATA,
                   "%s: content unknown: label maps must be PNG (1 of 1 pictures cannot be drawn, nothing was written)",
                   path);
}

static void a_jpeg_as_prediction_is_refused_by_name(void **state) {
    (void)state;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 0);
    add_picture("pred/a.png", WIDTH, HEIGHT, 0);
    assert_refused(
        DV_E_DATA,
        "%s: a JPEG: label maps must be PNG, since JPEG does not keep labels exactly (1 of 1 pictures cannot "
        "be drawn, nothing was written)",
        path);
}

static void a_picture_without_truth_is_missing_it(void **state) {
    (void)state;
    options.truth = truth;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 0);
    add_picture("images/b.jpg", WIDTH, HEIGHT, 0);
    add_map("pred/a.png", WIDTH, HEIGHT, 1);
    add_map("pred/b.png", WIDTH, HEIGHT, 1);
    add_map("truth/b.png", WIDTH, HEIGHT, 1);
    assert_refused(DV_E_MISSING,
                   "%s: no truth for picture a.jpg (1 of 2 pictures cannot be drawn, nothing was written)", truth);
    add_map("truth/b.png", HEIGHT, HEIGHT, 1);
    assert_int_equal(dv_overlay_run(&options, &result), DV_E_DATA); /* damage weighs more than absence */
}

static void a_difference_needs_the_truth(void **state) {
    (void)state;
    options.mode = DV_OVERLAY_DIFFERENCE;
    assert_refused(DV_E_USAGE, "a difference needs the truth");
}

static void an_existing_folder_is_kept_unless_forced(void **state) {
    (void)state;
    add_picture("images/a.jpg", WIDTH, HEIGHT, 0);
    add_map("pred/a.png", WIDTH, HEIGHT, 1);
    write_file(scratch_path(root, "out/old.png", path, sizeof path), "old", 3);
    assert_int_equal(dv_overlay_run(&options, &result), DV_E_USAGE);
    options.force = true; /* a folder that is no result of ours stays, whatever is asked */
    assert_int_equal(dv_overlay_run(&options, &result), DV_E_USAGE);
    assert_non_null(strstr(dv_last_error(), "old.png is in it, so it is no result that could be replaced"));
    options.force = false;
    write_file(scratch_path(root, "out/.denseval-result", path, sizeof path), "", 0);
    assert_int_equal(dv_overlay_run(&options, &result), DV_E_USAGE);
    assert_non_null(strstr(dv_last_error(), out));
    assert_absent("a.png");
    assert_int_equal(access(path, F_OK), -1);
    scratch_path(root, "out/old.png", path, sizeof path);
    assert_int_equal(access(path, F_OK), 0);
    options.force = true;
    assert_run();
    assert_colour("a.png", 140, 56, 56);
    assert_absent("old.png");
}

static void the_limit_takes_the_first_pictures_in_natural_order(void **state) {
    (void)state;
    const char *const names[] = {"images/10.jpg", "images/9.jpg", "images/2.jpg"};
    const char *const maps[] = {"pred/10.png", "pred/9.png", "pred/2.png"};
    for (int i = 0; i < 3; i++) {
        add_picture(names[i], WIDTH, HEIGHT, 0);
        add_map(maps[i], WIDTH, HEIGHT, 1);
    }
    options.limit = 2;
    assert_run();
    assert_int_equal(result.n_written, 2);
    assert_colour("2.png", 140, 56, 56);
    assert_colour("9.png", 140, 56, 56);
    assert_absent("10.png");
}

/* Two cells of 20x2 (8 + 4 + 8 wide) over each other are nearer to a square than beside each other. */
static void the_sheet_lies_beside_the_overlays_and_its_bytes_repeat(void **state) {
    (void)state;
    options.mode = DV_OVERLAY_SIDE_BY_SIDE;
    options.sheet = true;
    options.force = true;
    add_picture("images/a.jpg", 8, HEIGHT, 0);
    add_picture("images/b.jpg", 8, HEIGHT, 0);
    add_map("pred/a.png", 8, HEIGHT, 1);
    add_map("pred/b.png", 8, HEIGHT, 2);
    assert_run();
    snprintf(message, sizeof message, "%s/sheet.png", out);
    assert_string_equal(result.sheet_path, message);
    assert_int_equal(result.n_written, 2);
    dv_picture sheet;
    assert_int_equal(dv_picture_read(message, &sheet), DV_OK);
    assert_int_equal(sheet.width, 12 + 20 + 12);
    assert_int_equal(sheet.height, 12 + 2 + 12 + 2 + 12);
    assert_int_equal(sheet.rgb[(12 * sheet.width + 12 + 12) * 3], 140);
    assert_int_equal(sheet.rgb[(26 * sheet.width + 12 + 12) * 3], 56);
    dv_picture_clear(&sheet);
    made_file first = read_whole_file(message);
    dv_overlay_result_clear(&result);
    assert_run();
    made_file second = read_whole_file(message);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    free(first.data);
    free(second.data);
}

static void no_overlay_may_have_the_name_of_the_sheet(void **state) {
    (void)state;
    options.sheet = true;
    add_picture("images/sheet.jpg", WIDTH, HEIGHT, 0);
    add_map("pred/sheet.png", WIDTH, HEIGHT, 1);
    assert_refused(DV_E_USAGE, "%s/sheet.jpg: its overlay would have the name of the contact sheet", images);
    options.sheet = false;
    assert_run();
}

/* Label maps in a feature file; the ids are names of pictures in the layout. */
static void make_features(const char *const *ids, bool has_labels) {
    const dv_feature_spec spec = {.n_images = 2,
                                  .grid_h = 1,
                                  .grid_w = 2,
                                  .dim = 1,
                                  .dtype = DV_F32,
                                  .preprocessing = {.encoder = "", .patch_size = 2, .input_h = 2, .input_w = 4},
                                  .has_labels = has_labels,
                                  .image_ids = ids};
    const float rows[4] = {1, 1, 1, 1};
    const uint16_t labels[2 * 2 * 4] = {3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
    dv_feature_writer *writer;
    snprintf(truth, sizeof truth, "%s/truth.h5", root);
    assert_int_equal(dv_feature_writer_create(truth, &spec, true, &writer), DV_OK);
    assert_int_equal(dv_feature_writer_append(writer, 2, rows, has_labels ? labels : NULL), DV_OK);
    assert_int_equal(dv_feature_writer_finish(writer), DV_OK);
    dv_feature_writer_free(writer);
}

static void the_truth_may_be_a_feature_file(void **state) {
    (void)state;
    const char *const ids[] = {"1/0/other.jpg", "1/0/a.jpg"};
    make_features(ids, true);
    options.truth = truth;
    options.mode = DV_OVERLAY_DIFFERENCE;
    add_picture("images/1/0/img/a.jpg", WIDTH, HEIGHT, 0);
    add_map("pred/1/0/a.jpg.png", WIDTH, HEIGHT, 1);
    assert_run();
    assert_colour("1/0/a.png", 207, 207, 207); /* right everywhere, faded */
    add_map("pred/1/0/a.jpg.png", WIDTH, HEIGHT, 3);
    options.force = true;
    assert_run();
    assert_colour("1/0/a.png", 128, 128, 0);
}

static void a_feature_file_of_another_size_or_without_labels_is_refused(void **state) {
    (void)state;
    const char *const ids[] = {"b", "a"};
    make_features(ids, true);
    options.truth = truth;
    add_picture("images/a.jpg", WIDTH, HEIGHT + 1, 0);
    add_map("pred/a.png", WIDTH, HEIGHT + 1, 1);
    assert_int_equal(dv_overlay_run(&options, &result), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), truth));
    assert_non_null(strstr(dv_last_error(), ": 4x2 pixels, its picture "));
    assert_non_null(strstr(dv_last_error(), "/a.jpg has 4x3: they must be equal"));
    make_features(ids, false);
    assert_refused(DV_E_DATA, "%s: /labels: missing, label maps are needed", truth);
}

#define OVERLAY_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        OVERLAY_TEST(pictures_and_maps_are_joined_by_key),
        OVERLAY_TEST(two_maps_or_pictures_of_one_key_are_refused),
        OVERLAY_TEST(nothing_to_draw_is_refused),
        OVERLAY_TEST(the_orientation_is_warned_of_or_applied),
        OVERLAY_TEST(bad_items_are_all_listed_and_stop_the_run),
        OVERLAY_TEST(skipping_everything_is_refused),
        OVERLAY_TEST(a_jpeg_as_prediction_is_refused_by_name),
        OVERLAY_TEST(a_picture_without_truth_is_missing_it),
        OVERLAY_TEST(a_difference_needs_the_truth),
        OVERLAY_TEST(an_existing_folder_is_kept_unless_forced),
        OVERLAY_TEST(the_limit_takes_the_first_pictures_in_natural_order),
        OVERLAY_TEST(the_sheet_lies_beside_the_overlays_and_its_bytes_repeat),
        OVERLAY_TEST(no_overlay_may_have_the_name_of_the_sheet),
        OVERLAY_TEST(the_truth_may_be_a_feature_file),
        OVERLAY_TEST(a_feature_file_of_another_size_or_without_labels_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
