#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "denseval/path_list.h"

static const char *const names[] = {"f1.h5", "f2.h5", "f10.h5", "f02.h5", "a,b.h5", "c[1].h5", "c1.h5"};
enum { N_NAMES = sizeof names / sizeof *names };
static char folder[256], home[4096];

static int enter_folder(void **state) {
    (void)state;
    const char *const temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/denseval-paths-XXXXXX", temporary ? temporary : "/tmp");
    if (!getcwd(home, sizeof home) || !mkdtemp(folder) || chdir(folder) != 0) return -1;
    for (size_t i = 0; i < N_NAMES; i++) {
        FILE *const file = fopen(names[i], "w");
        if (!file || fclose(file) != 0) return -1;
    }
    return 0;
}

static int leave_folder(void **state) {
    (void)state;
    for (size_t i = 0; i < N_NAMES; i++) remove(names[i]);
    return chdir(home) != 0 || rmdir(folder) != 0;
}

static void expect(const char *text, size_t n, const char *const *wanted) {
    dv_path_list list = {0};
    assert_int_equal(dv_path_list_add(&list, text), DV_OK);
    assert_int_equal(list.n, n);
    for (size_t i = 0; i < n; i++) assert_string_equal(dv_path_list_items(&list)[i], wanted[i]);
    dv_path_list_clear(&list);
    assert_int_equal(list.n, 0);
}

static void a_comma_list_keeps_its_order(void **state) {
    (void)state;
    expect("z.h5,a.h5", 2, (const char *const[]){"z.h5", "a.h5"});
    expect("f2.h5,f1.h5", 2, (const char *const[]){"f2.h5", "f1.h5"});
}

static void a_glob_comes_in_natural_order(void **state) {
    (void)state;
    expect("f*.h5", 4, (const char *const[]){"f1.h5", "f02.h5", "f2.h5", "f10.h5"});
    expect("z.h5,f[12].h5", 3, (const char *const[]){"z.h5", "f1.h5", "f2.h5"});
}

static void a_file_of_that_very_name_is_that_file(void **state) {
    (void)state;
    expect("a,b.h5", 1, (const char *const[]){"a,b.h5"});
    expect("c[1].h5", 1, (const char *const[]){"c[1].h5"});
}

static void a_glob_without_files_is_missing(void **state) {
    (void)state;
    dv_path_list list = {0};
    assert_int_equal(dv_path_list_add(&list, "f1.h5,g*.h5"), DV_E_MISSING);
    assert_string_equal(dv_last_error(), "g*.h5: no file matches");
    dv_path_list_clear(&list);
}

static void names_in_a_folder_begin_with_it_unless_absolute(void **state) {
    (void)state;
    dv_path_list list = {0};
    assert_int_equal(mkdir("d[x]", 0777), 0);
    assert_int_equal(rename("c1.h5", "d[x]/c1.h5"), 0);
    assert_int_equal(dv_path_list_add_in(&list, "d[x]", "c*.h5,z.h5,/q.h5"), DV_OK);
    assert_int_equal(dv_path_list_add_in(&list, "", "f1.h5"), DV_OK);
    assert_int_equal(list.n, 4);
    assert_string_equal(list.paths[0], "d[x]/c1.h5");
    assert_string_equal(list.paths[1], "d[x]/z.h5");
    assert_string_equal(list.paths[2], "/q.h5");
    assert_string_equal(list.paths[3], "f1.h5");
    assert_int_equal(dv_path_list_add_in(&list, "d[x]", "f*.h5"), DV_E_MISSING);
    assert_string_equal(dv_last_error(), "d[x]/f*.h5: no file matches");
    assert_int_equal(dv_path_list_add_in(&list, "d[x]", "c1.h5,"), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "'c1.h5,': a file name is empty");
    dv_path_list_clear(&list);
    assert_int_equal(rename("d[x]/c1.h5", "c1.h5"), 0);
    assert_int_equal(rmdir("d[x]"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comma_list_keeps_its_order),
        cmocka_unit_test(a_glob_comes_in_natural_order),
        cmocka_unit_test(a_file_of_that_very_name_is_that_file),
        cmocka_unit_test(a_glob_without_files_is_missing),
        cmocka_unit_test(names_in_a_folder_begin_with_it_unless_absolute),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
