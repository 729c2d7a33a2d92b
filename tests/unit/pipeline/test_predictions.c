/* The prediction folder: names from foreign ids, complete or absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "denseval/image.h"
#include "pipeline/predictions.h"
#include "support/toy.h"

static const uint16_t labels[] = {0, 1, 2, 3};

static void ids_with_folders_are_written_below_the_target(void **state) {
    (void)state;
    char *folder = toy_folder(), *target = toy_path(folder, "out"), *file = toy_path(target, "1/0/x.jpg.png");
    dv_predictions *predictions;
    assert_int_equal(dv_predictions_begin(target, false, &predictions), DV_OK);
    assert_int_equal(dv_predictions_write(predictions, "1/0/x.jpg", labels, 2, 2), DV_OK);
    assert_int_equal(access(target, F_OK), -1); /* not before the commit */
    assert_int_equal(dv_predictions_commit(predictions), DV_OK);
    dv_label_map map;
    assert_int_equal(dv_label_map_read(file, &map), DV_OK);
    assert_memory_equal(map.labels, labels, sizeof labels);
    dv_label_map_clear(&map);
    free(file);
    free(target);
    toy_folder_remove(folder);
}

static void ids_that_would_leave_the_folder_are_refused(void **state) {
    (void)state;
    static const char *const ids[] = {"", "/etc/x", "../x", "a/../../x", "a//b", "a/", ".", "..", "a/."};
    char *folder = toy_folder(), *target = toy_path(folder, "out");
    dv_predictions *predictions;
    assert_int_equal(dv_predictions_begin(target, false, &predictions), DV_OK);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        assert_int_equal(dv_predictions_write(predictions, ids[i], labels, 2, 2), DV_E_DATA);
        assert_non_null(strstr(dv_last_error(), "no name for a prediction file"));
    }
    assert_int_equal(dv_predictions_write(predictions, "..a/.b", labels, 2, 2), DV_OK);
    dv_predictions_abandon(predictions);
    assert_int_equal(access(target, F_OK), -1);
    assert_int_equal(rmdir(folder), 0); /* nothing was left beside it either */
    free(target);
    free(folder);
}

/* As "rm -r" does while predictions are added: the folder stays, for it is not empty when its turn comes. */
static void predictions_that_were_removed_are_missed(void **state) {
    (void)state;
    char *folder = toy_folder(), *target = toy_path(folder, "out"), *first;
    dv_predictions *predictions;
    assert_int_equal(dv_predictions_begin(target, false, &predictions), DV_OK);
    assert_int_equal(dv_predictions_write(predictions, "a", labels, 2, 2), DV_OK);
    first = toy_path(dv_predictions_temporary(predictions), "a.png");
    assert_int_equal(unlink(first), 0);
    assert_int_equal(dv_predictions_write(predictions, "b", labels, 2, 2), DV_OK);
    assert_int_equal(dv_predictions_commit(predictions), DV_E_IO);
    assert_non_null(strstr(dv_last_error(), "1 of 2 predictions were removed"));
    assert_int_equal(rmdir(folder), 0); /* nothing is left */
    free(first);
    free(target);
    free(folder);
}

/* The folder, and what it lies in, are not made again. */
static void predictions_end_where_their_folder_is_gone(void **state) {
    (void)state;
    char *folder = toy_folder(), *target = toy_path(folder, "out");
    dv_predictions *predictions;
    assert_int_equal(dv_predictions_begin(target, false, &predictions), DV_OK);
    assert_int_equal(rmdir(dv_predictions_temporary(predictions)), 0);
    assert_int_equal(dv_predictions_write(predictions, "a/b", labels, 2, 2), DV_E_IO);
    assert_int_equal(dv_predictions_write(predictions, "c", labels, 2, 2), DV_E_IO);
    assert_int_equal(dv_predictions_commit(predictions), DV_E_IO);
    assert_int_equal(rmdir(folder), 0);
    free(target);
    free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_with_folders_are_written_below_the_target),
        cmocka_unit_test(ids_that_would_leave_the_folder_are_refused),
        cmocka_unit_test(predictions_that_were_removed_are_missed),
        cmocka_unit_test(predictions_end_where_their_folder_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
