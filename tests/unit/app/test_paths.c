#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/message.h"
#include "app/paths.h"

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
    assert_string_equal(dv_app_message(), "g*.h5: no file matches");
    dv_path_list_clear(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comma_list_keeps_its_order),
        cmocka_unit_test(a_glob_comes_in_natural_order),
        cmocka_unit_test(a_file_of_that_very_name_is_that_file),
        cmocka_unit_test(a_glob_without_files_is_missing),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
