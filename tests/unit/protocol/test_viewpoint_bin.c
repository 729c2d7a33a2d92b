#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "denseval/image.h"
#include "denseval/viewpoint_bin.h"
#include "support/colmap_bytes.h"
#include "unit/core/scratch.h"

enum { N_BINS = 7, NONE = -1 };
static const int32_t bins[N_BINS] = {0, 15, 30, 45, 60, 75, 90};
static const double orbit[N_BINS] = {0, 14, 31, 44, 62, 75, 89};
static const double ORIGIN[3] = {0, 0, 0};

static const char *folders[2];

static dv_view_options options_for(const char *folder, dv_view_layout layout) {
    folders[0] = folder;
    return (dv_view_options){.folders = folders,
                             .n_folders = 1,
                             .layout = layout,
                             .mask_threshold = -1,
                             .bins = bins,
                             .n_bins = N_BINS,
                             .tolerance_deg = 7.5,
                             .max_missing = 0.9};
}

static void make_folder(const char *path) {
    char each[256];
    snprintf(each, sizeof each, "%s", path);
    for (char *slash = each; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(scratch(each), 0777);
    }
    mkdir(scratch(each), 0777);
}

/* FOLDER/images.bin: cameras turned about y by these angles, called 1.jpg, 2.jpg, ... */
static void make_model(const char *folder, const double *angles_deg, size_t n) {
    colmap_bytes file = {0};
    char name[300];
    colmap_put_u64(&file, n);
    for (size_t i = n; i-- > 0;) { /* not in the order of names */
        const double half = angles_deg[i] * 3.14159265358979323846 / 360, q[4] = {cos(half), 0, sin(half), 0};
        snprintf(name, sizeof name, "%zu.jpg", i + 1);
        colmap_put_image(&file, name, q, ORIGIN, 0);
    }
    make_folder(folder);
    snprintf(name, sizeof name, "%s/images.bin", folder);
    assert_int_equal(scratch_write(name, file.bytes, file.n), 0);
}

static void make_pictures(const char *folder, size_t n, const char *suffix) {
    char name[300];
    make_folder(folder);
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s/%zu.jpg%s", folder, i + 1, suffix);
        assert_int_equal(scratch_write_text(name, ""), 0);
    }
}

/* in/CLASS/INSTANCE with pictures, a model and masks for the orbit. */
static void make_capture(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "in/%s/sparse/0", name);
    make_model(path, orbit, N_BINS);
    snprintf(path, sizeof path, "in/%s/images", name);
    make_pictures(path, N_BINS, "");
    snprintf(path, sizeof path, "masks/%s", name);
    make_pictures(path, N_BINS, ".png");
}

static dv_view_options mvimgnet(void) {
    static char masks[SCRATCH_PATH], in[SCRATCH_PATH];
    snprintf(masks, sizeof masks, "%s", scratch("masks"));
    snprintf(in, sizeof in, "%s", scratch("in"));
    dv_view_options options = options_for(in, DV_VIEW_MVIMGNET);
    options.masks = masks;
    return options;
}

static void remove_file(const char *name) {
    assert_int_equal(unlink(scratch(name)), 0);
}

static void assert_frames(const dv_view_object *object, const int *frames) {
    for (size_t bin = 0; bin < N_BINS; bin++)
        assert_int_equal(object->choices[bin].frame, frames[bin] == NONE ? SIZE_MAX : (size_t)frames[bin]);
}

/* GEO-09 */
static void a_model_fills_the_bins_that_it_reaches(void **state) {
    (void)state;
    const double angles[] = {0, 14, 29, 95}, errors[] = {0, -1, -1, NAN, NAN, NAN, 5};
    dv_view_result result;
    make_model("m", angles, 4);
    char folder[SCRATCH_PATH];
    snprintf(folder, sizeof folder, "%s", scratch("m"));
    dv_view_options options = options_for(folder, DV_VIEW_MODELS);
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.n_objects, 1);
    assert_int_equal(result.n_classes, 0);
    const dv_view_object *const object = &result.objects[0];
    assert_string_equal(object->name, folder);
    assert_false(object->accepted);
    assert_frames(object, (const int[]){0, 1, 2, NONE, NONE, NONE, 3});
    for (size_t bin = 0; bin < N_BINS; bin++)
        assert_true(isnan(errors[bin]) ? isnan(object->choices[bin].error_deg)
                                       : fabs(object->choices[bin].error_deg - errors[bin]) < 1e-12);
    assert_true(fabs(result.total.mean_error_deg - 0.75) < 1e-12);
    assert_true(fabs(result.total.std_error_deg - sqrt(24.75 / 3)) < 1e-12);
    assert_true(result.total.images_per_bin == 4.0 / 7);
    dv_view_result_clear(&result);
    options.tolerance_deg = INFINITY;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_frames(&result.objects[0], (const int[]){0, 1, 2, 2, 2, 3, 3});
    assert_true(result.objects[0].accepted);
    dv_view_result_clear(&result);
}

/* GEO-01 */
static void the_model_asked_for_is_used(void **state) {
    (void)state;
    dv_view_result result;
    char folder[SCRATCH_PATH];
    make_model("m/sparse/0", orbit, 3);
    make_model("m/sparse/1", orbit, N_BINS);
    snprintf(folder, sizeof folder, "%s", scratch("m"));
    dv_view_options options = options_for(folder, DV_VIEW_MODELS);
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.objects[0].n_frames, 3);
    assert_int_equal(result.objects[0].n_models, 2);
    assert_int_equal(result.objects[0].models[1].n_images, N_BINS);
    dv_view_result_clear(&result);
    options.sparse_model = DV_SPARSE_LARGEST;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.objects[0].n_frames, N_BINS);
    assert_int_equal(result.objects[0].model, 1);
    dv_view_result_clear(&result);
    assert_int_equal(scratch_write_text("m/sparse/1/images.bin", "x"),
                     0); /* matters only where it may be the largest */
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_DATA);
    options.sparse_model = DV_SPARSE_ZERO;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_false(result.objects[0].models[1].read);
    dv_view_result_clear(&result);
}

static void the_reference_may_be_named(void **state) {
    (void)state;
    dv_view_result result;
    char folder[SCRATCH_PATH];
    make_model("m", orbit, N_BINS);
    snprintf(folder, sizeof folder, "%s", scratch("m"));
    dv_view_options options = options_for(folder, DV_VIEW_MODELS);
    options.reference = "3.jpg";
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.objects[0].reference, 2);
    assert_frames(&result.objects[0],
                  (const int[]){2, 1, 0, 5, 6, NONE, NONE}); /* 3: 13 off; 17 and 31 on the other side */
    dv_view_result_clear(&result);
    options.reference = "8.jpg";
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "no image is called 8.jpg"));
    assert_int_equal(result.n_objects, 0);
}

/* GEO-02 */
static void empty_captures_are_skipped_up_to_a_share(void **state) {
    (void)state;
    dv_view_result result;
    make_capture("1/fine");
    make_folder("in/1/no_sparse/images");
    make_pictures("in/1/no_sparse/images", 2, "");
    make_model("in/1/no_images/sparse/0", orbit, N_BINS);
    make_folder("in/notes/of/somebody"); /* no class */
    dv_view_options options = mvimgnet();
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.n_objects, 1);
    assert_string_equal(result.objects[0].name, "1/fine");
    assert_int_equal(result.n_skipped, 2);
    assert_string_equal(result.skipped[0].name, "1/no_images");
    assert_string_equal(result.skipped[0].reason, "no folder images");
    assert_string_equal(result.skipped[1].reason, "no sparse model (images.bin, images.txt)");
    assert_false(result.skipped[0].bad || result.partial);
    assert_int_equal(result.n_classes, 1);
    assert_int_equal(result.classes[0].n_captures, 3);
    assert_int_equal(result.classes[0].n_missing, 2);
    dv_view_result_clear(&result);
    options.max_missing = 0.5;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_DATA);
    assert_string_equal(dv_last_error(),
                        "class 1: 2 of 3 captures are missing, a share of 0.667: --max-missing allows 0.5");
}

/* GEO-14 */
static void one_bad_capture_stops_the_run_or_is_left_out(void **state) {
    (void)state;
    dv_view_result result;
    char message[SCRATCH_PATH * 3];
    const char *const names[] = {"1/a", "1/b", "1/c", "1/d", "2/e"};
    for (int i = 0; i < 5; i++) make_capture(names[i]);
    remove_file("in/1/c/images/4.jpg");
    dv_view_options options = mvimgnet();
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_DATA);
    snprintf(message, sizeof message, "%s: 1 of the 7 images of %s have no picture here, the first: 4.jpg",
             scratch("in/1/c/images"), scratch("in/1/c/sparse/0/images.bin"));
    assert_string_equal(dv_last_error(), message);
    assert_int_equal(result.n_objects, 0);
    assert_null(result.objects);
    options.skip_bad = true;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.n_objects, 4);
    assert_int_equal(result.n_skipped, 1);
    assert_string_equal(result.skipped[0].name, "1/c");
    assert_true(result.skipped[0].bad && result.partial);
    assert_int_equal(result.n_classes, 2);
    assert_int_equal(result.classes[0].statistics.n_objects, 3);
    assert_int_equal(result.objects[3].class_id, 1);
    dv_view_result_clear(&result);
}

static void captures_come_in_natural_order_and_classes_with_them(void **state) {
    (void)state;
    dv_view_result result;
    const char *const names[] = {"100/a", "7/b10", "7/b9"};
    for (int i = 0; i < 3; i++) make_capture(names[i]);
    const dv_view_options options = mvimgnet();
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_string_equal(result.objects[0].name, "7/b9");
    assert_string_equal(result.objects[1].name, "7/b10");
    assert_string_equal(result.objects[2].name, "100/a");
    assert_string_equal(result.classes[1].name, "100");
    for (size_t bin = 0; bin < N_BINS; bin++) assert_int_equal(result.classes[0].statistics.images[bin], 2);
    assert_true(result.classes[0].statistics.images_per_bin == 2);
    dv_view_result_clear(&result);
}

/* GEO-11 */
static void only_frames_with_a_mask_are_chosen_and_leftovers_are_listed(void **state) {
    (void)state;
    dv_view_result result;
    make_capture("1/a");
    remove_file("masks/1/a/3.jpg.png");
    remove_file("masks/1/a/5.jpg.png");
    assert_int_equal(scratch_write_text("masks/1/a/5.png", ""), 0); /* pairs too */
    assert_int_equal(scratch_write_text("masks/1/a/77.jpg.png", ""), 0);
    assert_int_equal(scratch_write_text("in/1/a/images/12.jpg", ""), 0);
    const dv_view_options options = mvimgnet();
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    const dv_view_object *const object = &result.objects[0];
    assert_frames(object, (const int[]){0, 1, NONE, 3, 4, 5, 6});
    assert_false(object->accepted || result.classes[0].accepted);
    assert_int_equal(object->frames_without_mask.n, 1);
    assert_string_equal(object->frames_without_mask.names[0], "3.jpg");
    assert_int_equal(object->masks_without_frame.n, 1);
    assert_string_equal(object->masks_without_frame.names[0], "77.jpg.png");
    assert_int_equal(object->pictures_without_pose.n, 1);
    assert_string_equal(object->pictures_without_pose.names[0], "12.jpg");
    dv_view_result_clear(&result);
}

/* GEO-11: a disk of radius 5 at 255 and a ring to radius 7 at 3. */
static void soft_masks_are_cut_at_the_threshold(void **state) {
    (void)state;
    enum { SIDE = 21, CENTRE = 10 };
    uint16_t labels[SIDE * SIDE], nothing[SIDE * SIDE] = {0};
    char name[64];
    dv_view_result result;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int square = (x - CENTRE) * (x - CENTRE) + (y - CENTRE) * (y - CENTRE);
            labels[y * SIDE + x] = square <= 25 ? 255 : square <= 49 ? 3 : 0;
        }
    make_capture("1/a");
    for (int i = 1; i <= N_BINS; i++) {
        snprintf(name, sizeof name, "masks/1/a/%d.jpg.png", i);
        assert_int_equal(dv_label_map_write(scratch(name), i == 2 ? nothing : labels, SIDE, SIDE), DV_OK);
    }
    dv_view_options options = mvimgnet();
    const int thresholds[] = {127, 0};
    const uint64_t pixels[] = {81, 149};
    for (int i = 0; i < 2; i++) {
        options.mask_threshold = thresholds[i];
        assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
        assert_int_equal(result.objects[0].frames[0].mask_pixels, pixels[i]);
        assert_int_equal(result.objects[0].choices[1].frame, SIZE_MAX); /* a mask without object is none */
        dv_view_result_clear(&result);
    }
    assert_int_equal(scratch_write_text("masks/1/a/4.jpg.png", "no PNG"), 0);
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "masks/1/a/4.jpg.png"));
}

/* 1.jpg, 2.jpg, 10.jpg: as text 10.jpg is the second, and gets the second angle. */
static void the_notebook_pairs_files_as_text_with_angles_by_number(void **state) {
    (void)state;
    const double angles[10] = {0, 15, 91, 91, 91, 91, 91, 91, 91, 30};
    dv_view_result result;
    char folder[SCRATCH_PATH];
    make_model("m", angles, 10);
    snprintf(folder, sizeof folder, "%s", scratch("m"));
    dv_view_options options = options_for(folder, DV_VIEW_MODELS);
    options.notebook = true;
    options.tolerance_deg = INFINITY;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(result.objects[0].choices[1].frame, 9);              /* 10.jpg, of 30 degrees */
    assert_true(fabs(result.objects[0].frames[9].angle_deg - 30) < 1e-6); /* its own angle is listed */
    assert_true(result.objects[0].choices[1].angle_deg == 15);
    assert_true(result.objects[0].accepted);
    dv_view_result_clear(&result);
}

static void the_notebook_refuses_counts_that_differ_and_counts_accepted_objects(void **state) {
    (void)state;
    const double flat[3] = {0, 15, 30};
    dv_view_result result;
    make_capture("1/a");
    make_model("in/1/a/sparse/0", (const double[]){0, 14, 31, 44, 62, 75, 91}, N_BINS);
    make_model("in/1/b/sparse/0", flat, 3);
    make_pictures("in/1/b/images", 3, "");
    make_pictures("masks/1/b", 3, ".png");
    assert_int_equal(scratch_write_text("in/1/b/images/3_bg_removed.jpg", ""), 0); /* the notebook does not see it */
    dv_view_options options = mvimgnet();
    options.notebook = true;
    options.tolerance_deg = INFINITY;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_true(result.objects[0].accepted);
    assert_false(result.objects[1].accepted);
    assert_int_equal(result.objects[1].choices[6].frame, 2); /* chosen all the same, and not counted */
    assert_int_equal(result.classes[0].statistics.n_objects, 1);
    assert_true(result.classes[0].statistics.images_per_bin == 1);
    dv_view_result_clear(&result);
    assert_int_equal(scratch_write_text("in/1/b/images/4.jpg", ""), 0);
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "4 images but 3 angles"));
}

static void links_lead_to_the_chosen_pictures_and_masks(void **state) {
    (void)state;
    dv_view_result result;
    make_capture("1/a");
    make_capture("2/b");
    remove_file("masks/2/b/3.jpg.png"); /* so no object of class 2 fills every bin */
    const dv_view_options options = mvimgnet();
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    assert_int_equal(dv_viewpoint_link(&options, &result, scratch("out"), false, "{}"), DV_OK);
    char *const picture = realpath(scratch("out/1/15/img/a_2.jpg"), NULL);
    char *const mask = realpath(scratch("out/1/90/mask/a_7.jpg.png"), NULL);
    char *const root = realpath(scratch("."), NULL);
    assert_non_null(picture);
    assert_non_null(mask);
    assert_string_equal(picture + strlen(root), "/in/1/a/images/2.jpg");
    assert_string_equal(mask + strlen(root), "/masks/1/a/7.jpg.png");
    free(picture);
    free(mask);
    free(root);
    assert_string_equal(scratch_text("out/manifest.json"), "{}");
    assert_int_equal(scratch_count("out"), 3); /* 1, the manifest, the mark */
    assert_int_equal(scratch_count("out/1"), N_BINS);
    assert_int_equal(dv_viewpoint_link(&options, &result, scratch("out"), false, "{}"), DV_E_USAGE);
    assert_int_equal(dv_viewpoint_link(&options, &result, scratch("out"), true, "{1}"), DV_OK);
    assert_string_equal(scratch_text("out/manifest.json"), "{1}");
    dv_view_result_clear(&result);
}

static void two_frames_with_one_link_name_leave_no_folder(void **state) {
    (void)state;
    dv_view_result result;
    make_capture("1/a");
    make_capture("1/a_1");
    dv_view_options options = mvimgnet();
    options.masks = NULL;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_OK);
    free(result.objects[0].frames[0].name);
    result.objects[0].frames[0].name = strdup("1_1.jpg"); /* a_1_1.jpg twice */
    assert_int_equal(dv_viewpoint_link(&options, &result, scratch("out"), false, "{}"), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "another frame has the link name a_1_1.jpg too"));
    assert_false(scratch_exists("out"));
    assert_int_equal(scratch_count("."), 2); /* in and masks: nothing is left behind */
    dv_view_result_clear(&result);
}

static void options_that_make_no_sense_are_refused(void **state) {
    (void)state;
    dv_view_result result;
    const int32_t falling[] = {15, 0};
    dv_view_options options = options_for(scratch("nowhere"), DV_VIEW_MODELS);
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_MISSING);
    options.bins = falling;
    options.n_bins = 2;
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_ARG);
    options = options_for(scratch("nowhere"), DV_VIEW_MODELS);
    options.masks = "masks";
    assert_int_equal(dv_viewpoint_bin(&options, &result), DV_E_ARG);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_model_fills_the_bins_that_it_reaches),
        TEST(the_model_asked_for_is_used),
        TEST(the_reference_may_be_named),
        TEST(empty_captures_are_skipped_up_to_a_share),
        TEST(one_bad_capture_stops_the_run_or_is_left_out),
        TEST(captures_come_in_natural_order_and_classes_with_them),
        TEST(only_frames_with_a_mask_are_chosen_and_leftovers_are_listed),
        TEST(soft_masks_are_cut_at_the_threshold),
        TEST(the_notebook_pairs_files_as_text_with_angles_by_number),
        TEST(the_notebook_refuses_counts_that_differ_and_counts_accepted_objects),
        TEST(links_lead_to_the_chosen_pictures_and_masks),
        TEST(two_frames_with_one_link_name_leave_no_folder),
        TEST(options_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
