#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/folder.h"
#include "unit/io/test_image_make.h"

static char *root;
static char path[512], message[1024];

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

static void touch(const char *name) {
    write_file(scratch_path(root, name, path, sizeof path), "", 0);
}

static void assert_sign(const char *a, const char *b, int sign) {
    const int forward = dv_natural_compare(a, b), backward = dv_natural_compare(b, a);
    if ((forward > 0) - (forward < 0) != sign || (backward > 0) - (backward < 0) != -sign)
        print_error("%s %s: %d, %d\n", a, b, forward, backward);
    assert_int_equal((forward > 0) - (forward < 0), sign);
    assert_int_equal((backward > 0) - (backward < 0), -sign);
}

/* R4 */
static void runs_of_digits_compare_as_numbers(void **state) {
    (void)state;
    assert_sign("frame2", "frame10", -1);
    assert_sign("2/10.png", "10/2.png", -1);
    assert_sign("a9b", "a10a", -1);
    assert_sign("a", "a1", -1);
    assert_sign("a1", "a1b", -1);
    assert_sign("a1", "b0", -1);
    assert_sign("x99999999999999999999998", "x99999999999999999999999", -1); /* past 64 bits */
    assert_sign("x007", "x7", -1);                                           /* as numbers equal: by bytes */
    assert_sign("x007a", "x7b", -1);
    assert_sign("x0", "x00", -1);
    assert_sign("same1", "same1", 0);
    assert_sign("a/z", "a-b/c", -1);  /* a folder's files stay together */
    assert_sign("z", "\xc3\xa9", -1); /* bytes, whatever the locale */
}

static void a_stem_lacks_the_last_extension_alone(void **state) {
    (void)state;
    assert_int_equal(dv_stem_length("a/x.jpg.png"), strlen("a/x.jpg"));
    assert_int_equal(dv_stem_length("a.b/x"), strlen("a.b/x"));
    assert_int_equal(dv_stem_length("a/.hidden"), strlen("a/.hidden"));
    assert_int_equal(dv_stem_length(".png"), strlen(".png"));
    assert_int_equal(dv_stem_length("x."), strlen("x"));
    assert_int_equal(dv_stem_length(""), 0);
}

static void layout_components_are_no_part_of_a_name(void **state) {
    (void)state;
    const char *const cases[][2] = {{"1/0/img/x.jpg", "1/0/x.jpg"}, {"img/images/mask/masks/x.png", "x.png"},
                                    {"imgs/x.png", "imgs/x.png"},   {"a/img", "a/img"},
                                    {"Mask/x.png", "Mask/x.png"},   {"x.png", "x.png"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *name;
        assert_int_equal(dv_folder_name(cases[i][0], &name), DV_OK);
        assert_string_equal(name, cases[i][1]);
        free(name);
    }
}

static void assert_listed(dv_folder_role role, const char *const (*expected)[3], size_t n, size_t n_passed_over) {
    dv_folder folder;
    assert_int_equal(dv_folder_list(root, role, &folder), DV_OK);
    assert_int_equal(folder.n_files, n);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(folder.files[i].path, expected[i][0]);
        assert_string_equal(folder.files[i].name, expected[i][1]);
        assert_string_equal(folder.files[i].key, expected[i][2]);
    }
    assert_int_equal(folder.n_passed_over, n_passed_over);
    dv_folder_clear(&folder);
}

/* R4: natural order; hidden and foreign files are passed over and counted. */
static void files_are_listed_in_natural_order(void **state) {
    (void)state;
    const char *const names[] = {"b10.png",   "b9.PNG",      "b9.jpeg",    "sub/2.jpg", "sub/deep/1.png",
                                 "Thumbs.db", ".hidden.png", ".git/x.png", "notes.txt", "png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) touch(names[i]);
    const char *const labels[][3] = {
        {"b9.PNG", "b9.PNG", "b9"}, {"b10.png", "b10.png", "b10"}, {"sub/deep/1.png", "sub/deep/1.png", "sub/deep/1"}};
    assert_listed(DV_FOLDER_LABELS, labels, 3, 7);
    const char *const pictures[][3] = {{"b9.PNG", "b9.PNG", "b9"},
                                       {"b9.jpeg", "b9.jpeg", "b9"},
                                       {"b10.png", "b10.png", "b10"},
                                       {"sub/2.jpg", "sub/2.jpg", "sub/2"},
                                       {"sub/deep/1.png", "sub/deep/1.png", "sub/deep/1"}};
    assert_listed(DV_FOLDER_PICTURES, pictures, 5, 5);
}

static void each_role_enters_its_own_folder_of_the_layout(void **state) {
    (void)state;
    touch("1/0/img/x.jpg");
    touch("1/0/mask/x.jpg.png");
    touch("mask/alone.png"); /* no img beside it: just a name */
    const char *const pictures[][3] = {{"1/0/img/x.jpg", "1/0/x.jpg", "1/0/x"},
                                       {"mask/alone.png", "alone.png", "alone"}};
    assert_listed(DV_FOLDER_PICTURES, pictures, 2, 1);
    const char *const labels[][3] = {{"1/0/mask/x.jpg.png", "1/0/x.jpg.png", "1/0/x.jpg"},
                                     {"mask/alone.png", "alone.png", "alone"}};
    assert_listed(DV_FOLDER_LABELS, labels, 2, 1);
}

static void links_are_followed_but_not_in_a_ring(void **state) {
    (void)state;
    touch("real/1.png");
    assert_int_equal(symlink("real", scratch_path(root, "linked", path, sizeof path)), 0);
    const char *const labels[][3] = {{"linked/1.png", "linked/1.png", "linked/1"},
                                     {"real/1.png", "real/1.png", "real/1"}};
    assert_listed(DV_FOLDER_LABELS, labels, 2, 0);
    assert_int_equal(symlink("..", scratch_path(root, "real/up", path, sizeof path)), 0);
    dv_folder folder;
    assert_int_equal(dv_folder_list(root, DV_FOLDER_LABELS, &folder), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "/up: a link back to a folder above it"));
    assert_int_equal(folder.n_files, 0);
    assert_null(folder.files);
}

static void a_broken_link_is_missing_where_it_would_be_wanted(void **state) {
    (void)state;
    touch("1.png");
    assert_int_equal(symlink("nowhere", scratch_path(root, "notes.txt", path, sizeof path)), 0);
    const char *const labels[][3] = {{"1.png", "1.png", "1"}};
    assert_listed(DV_FOLDER_LABELS, labels, 1, 1);
    assert_int_equal(symlink("nowhere", scratch_path(root, "2.png", path, sizeof path)), 0);
    dv_folder folder;
    assert_int_equal(dv_folder_list(root, DV_FOLDER_LABELS, &folder), DV_E_MISSING);
    snprintf(message, sizeof message, "%s: a link to a file that is not there", path);
    assert_string_equal(dv_last_error(), message);
}

static void what_is_no_folder_is_refused(void **state) {
    (void)state;
    touch("file");
    dv_folder folder;
    assert_int_equal(dv_folder_list(path, DV_FOLDER_LABELS, &folder), DV_E_DATA);
    snprintf(message, sizeof message, "%s: not a folder", path);
    assert_string_equal(dv_last_error(), message);
    scratch_path(root, "none", path, sizeof path);
    assert_int_equal(dv_folder_list(path, DV_FOLDER_LABELS, &folder), DV_E_MISSING);
    snprintf(message, sizeof message, "%s: no such folder", path);
    assert_string_equal(dv_last_error(), message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_digits_compare_as_numbers),
        cmocka_unit_test(a_stem_lacks_the_last_extension_alone),
        cmocka_unit_test(layout_components_are_no_part_of_a_name),
        cmocka_unit_test_setup_teardown(files_are_listed_in_natural_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_role_enters_its_own_folder_of_the_layout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_are_followed_but_not_in_a_ring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_broken_link_is_missing_where_it_would_be_wanted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_folder_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
