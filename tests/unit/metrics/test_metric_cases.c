/* Confusion matrices on which relabelling and absent classes matter, with values from numpy and scipy
 * (multiview/metric_cases.json of the shared data). Skipped where the data are not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "denseval/iou.h"

enum { SKIPPED = 77, MAX_CLASSES = 16 };
static json_t *cases;

/* Adds each cell as one row of pixels. */
static dv_confusion *matrix_of(const json_t *rows) {
    const size_t n = json_array_size(rows);
    const dv_pixel_policy policy = {0};
    dv_confusion *made;
    assert_int_equal(dv_confusion_create(n, &made), DV_OK);
    for (size_t t = 0; t < n; t++)
        for (size_t p = 0; p < n; p++) {
            const size_t count = (size_t)json_integer_value(json_array_get(json_array_get(rows, t), p));
            uint16_t *maps = malloc((2 * count + 1) * sizeof *maps);
            assert_non_null(maps);
            for (size_t i = 0; i < count; i++) {
                maps[i] = (uint16_t)t;
                maps[count + i] = (uint16_t)p;
            }
            assert_int_equal(dv_confusion_add(made, &policy, maps, maps + count, 1, count), DV_OK);
            free(maps);
        }
    return made;
}

static void check(const dv_confusion *confusion, dv_iou_policy policy, const json_t *expected) {
    const json_t *values = json_object_get(expected, "iou"), *relabel = json_object_get(expected, "relabel");
    bool background[MAX_CLASSES] = {true};
    dv_iou iou, objects;
    assert_int_equal(dv_iou_compute(confusion, &policy, &iou), DV_OK);
    assert_int_equal(json_array_size(values), iou.n_classes);
    for (size_t c = 0; c < iou.n_classes; c++) {
        const json_t *value = json_array_get(values, c);
        assert_true(json_is_null(value) ? isnan(iou.iou[c]) : iou.iou[c] == json_number_value(value));
        const size_t to = (size_t)json_integer_value(json_array_get(relabel, c));
        if (iou.iou[to] > 0.0) assert_int_equal(iou.relabel[c], to); /* unique only there */
    }
    policy.excluded = background;
    assert_int_equal(dv_iou_compute(confusion, &policy, &objects), DV_OK);
    /* numpy may sum in another order: some roundings of numbers below 1 */
    assert_true(fabs(iou.miou - json_number_value(json_object_get(expected, "miou"))) < 1e-15);
    assert_true(fabs(objects.miou - json_number_value(json_object_get(expected, "miou_objects"))) < 1e-15);
    dv_iou_clear(&iou);
    dv_iou_clear(&objects);
}

static void every_case_has_the_values_of_numpy_and_scipy(void **state) {
    (void)state;
    size_t n_relabelled = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        dv_confusion *confusion = matrix_of(json_object_get(one, "confusion"));
        assert_true(dv_confusion_classes(confusion) <= MAX_CLASSES);
        check(confusion, (dv_iou_policy){.absent = DV_ABSENT_SKIP}, json_object_get(one, "plain"));
        check(confusion, (dv_iou_policy){.absent = DV_ABSENT_ZERO, .hungarian = true},
              json_object_get(one, "hummingbird"));
        n_relabelled += !json_equal(json_object_get(json_object_get(one, "plain"), "relabel"),
                                    json_object_get(json_object_get(one, "hummingbird"), "relabel"));
        dv_confusion_free(confusion);
    }
    assert_true(n_relabelled > 0);
}

int main(void) {
    const char *shared = getenv("DENSEVAL_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/data/multiview/metric_cases.json", shared ? shared : TEST_SHARED_DEFAULT);
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("skipped: %s is not there\n", path);
        return SKIPPED;
    }
    json_t *root = json_loadf(file, 0, NULL);
    fclose(file);
    cases = json_object_get(root, "cases");
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case_has_the_values_of_numpy_and_scipy)};
    const int n_failed = json_array_size(cases) > 0 ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    json_decref(root);
    return n_failed;
}
