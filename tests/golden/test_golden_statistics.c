/* Statistics of real curves by the evaluation of DAVIS 2017 (vos), boxes by numpy (objects3d), J and F of counted masks
 * (muvod). Sets that are not beside the checkout are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/box.h"
#include "denseval/jf_statistics.h"

enum { SKIPPED = 77, MAX_TARGETS = 64, N_MEASURES = 4, LINE_SIZE = 1024 };

/* numpy sums in another order than ours: some roundings of numbers up to 1. */
static const double TOLERANCE = 1e-14;

/* A file of a data set, or NULL with a line that says so. */
static FILE *open_shared(const char *name) {
    const char *shared = getenv("DENSEVAL_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/data/%s", shared ? shared : "../shared", name);
    FILE *file = fopen(path, "rb");
    if (!file) printf("skipped: %s is not there\n", path);
    return file;
}

static json_t *load(const char *name) {
    FILE *file = open_shared(name);
    if (!file) return NULL;
    json_t *root = json_loadf(file, 0, NULL);
    fclose(file);
    assert_non_null(root);
    return root;
}

static double *numbers_of(const json_t *list, size_t *n) {
    *n = json_array_size(list);
    double *values = calloc(*n + 1, sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < *n; i++) values[i] = json_number_value(json_array_get(list, i));
    return values;
}

static void expect_close(double found, const json_t *expected) {
    if (json_is_null(expected)) {
        assert_true(isnan(found));
        return;
    }
    assert_true(json_is_number(expected));
    if (!(fabs(found - json_number_value(expected)) <= TOLERANCE))
        fail_msg("found %.17g, expected %.17g", found, json_number_value(expected));
}

static void check_curve(const json_t *curve, const json_t *expected) {
    size_t n;
    double *values = numbers_of(curve, &n);
    const dv_curve_statistics found = dv_curve_summary(values, n);
    assert_int_equal(json_array_size(expected), 3);
    expect_close(found.mean, json_array_get(expected, 0));
    expect_close(found.recall, json_array_get(expected, 1));
    expect_close(found.decay, json_array_get(expected, 2));
    free(values);
}

static void curves_have_the_statistics_of_the_toolkit(void **state) {
    (void)state;
    json_t *root = load("vos/golden.json"), *sequence, *object;
    const char *name, *id, *modes[] = {"semi", "unsup"};
    size_t n_curves = 0;
    if (!root) skip();
    json_object_foreach(root, name, sequence) for (size_t mode = 0; mode < 2; mode++)
        json_object_foreach(json_object_get(sequence, modes[mode]), id, object) {
        if (strcmp(id, "assignment") == 0) continue;
        check_curve(json_object_get(object, "J"), json_object_get(object, "J_MRD"));
        check_curve(json_object_get(object, "F"), json_object_get(object, "F_MRD"));
        n_curves += 2;
    }
    assert_int_equal(n_curves, 60);
    json_decref(root);
}

static void check_box(const double *values, size_t n, const json_t *expected) {
    double *sorted = calloc(n + 1, sizeof *sorted);
    dv_box box;
    assert_non_null(sorted);
    assert_int_equal(dv_box_compute(values, n, sorted, &box), DV_OK);
    assert_int_equal(box.n, json_integer_value(json_object_get(expected, "n")));
    const struct {
        const char *key;
        double found;
    } all[] = {{"mean", box.mean},
               {"sd", box.sd},
               {"min", box.min},
               {"q1", box.q1},
               {"median", box.median},
               {"q3", box.q3},
               {"max", box.max},
               {"whisker_low", box.whisker_low},
               {"whisker_high", box.whisker_high}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        expect_close(all[i].found, json_object_get(expected, all[i].key));
    const json_t *outliers = json_object_get(expected, "outliers");
    assert_int_equal(json_array_size(outliers), box.n_low + box.n_high);
    for (size_t i = 0; i < box.n_low + box.n_high; i++)
        assert_true(sorted[i < box.n_low ? i : n - box.n_high + i - box.n_low] ==
                    json_number_value(json_array_get(outliers, i)));
    free(sorted);
}

static void small_lists_have_the_boxes_of_numpy(void **state) {
    (void)state;
    json_t *root = load("objects3d/golden.json");
    if (!root) skip();
    const json_t *cases = json_object_get(root, "box_cases");
    assert_int_equal(json_array_size(cases), 4);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        size_t n;
        double *values = numbers_of(json_object_get(one, "values"), &n);
        check_box(values, n, one);
        free(values);
    }
    json_decref(root);
}

/* Column order of per_target.csv. */
static const char *const measures[N_MEASURES] = {"iou", "iou_hidden_scored", "iou_pooled", "iou_first_view"};

typedef struct target {
    char category[32];
    double values[N_MEASURES];
} target;

/* Returns how many there are. */
static size_t read_targets(FILE *file, target *targets) {
    char line[LINE_SIZE];
    size_t n = 0;
    assert_non_null(fgets(line, sizeof line, file)); /* names of the columns */
    while (fgets(line, sizeof line, file)) {
        target *t = &targets[n++];
        assert_true(n <= MAX_TARGETS);
        assert_int_equal(sscanf(line, "%*[^,],%31[^,],%*d,%*d,%lf,%lf,%lf,%lf", t->category, &t->values[0],
                                &t->values[1], &t->values[2], &t->values[3]),
                         5);
    }
    return n;
}

static void every_box_of_the_targets_is_that_of_numpy(void **state) {
    (void)state;
    json_t *root = load("objects3d/golden.json"), *expected;
    FILE *file = open_shared("objects3d/per_target.csv");
    target targets[MAX_TARGETS];
    const char *category;
    size_t n_boxes = 0;
    if (!root || !file) skip();
    const size_t n_targets = read_targets(file, targets);
    for (size_t m = 0; m < N_MEASURES; m++)
        json_object_foreach(json_object_get(root, measures[m]), category, expected) {
            double values[MAX_TARGETS];
            size_t n = 0;
            for (size_t t = 0; t < n_targets; t++)
                if (strcmp(category, "all") == 0 || strcmp(category, targets[t].category) == 0)
                    values[n++] = targets[t].values[m];
            check_box(values, n, expected);
            n_boxes++;
        }
    assert_int_equal(n_boxes, 20); /* four categories and all, of each measure */
    fclose(file);
    json_decref(root);
}

/* By equality: every operation is rounded as there. */
static void counts_of_masks_have_the_j_and_f_of_the_oracle(void **state) {
    (void)state;
    FILE *file = open_shared("muvod/per_frame.csv");
    char line[LINE_SIZE];
    size_t n_rows = 0;
    if (!file) skip();
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        uint64_t truth, pred, both, n_truth, n_pred, pred_matched, truth_matched, k;
        double j, f, f_bipartite;
        assert_int_equal(sscanf(line,
                                "%*[^,],%*[^,],%*[^,],%*d,%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64
                                ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%lf,%lf,%lf",
                                &truth, &pred, &both, &n_truth, &n_pred, &pred_matched, &truth_matched, &k, &j, &f,
                                &f_bipartite),
                         11);
        assert_true(dv_jaccard(both, truth, pred) == j);
        assert_true(dv_contour_f(n_truth, n_pred, truth_matched, pred_matched) == f);
        assert_true(dv_contour_f(n_truth, n_pred, k, k) == f_bipartite);
        n_rows++;
    }
    assert_int_equal(n_rows, 300);
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_have_the_statistics_of_the_toolkit),
        cmocka_unit_test(small_lists_have_the_boxes_of_numpy),
        cmocka_unit_test(every_box_of_the_targets_is_that_of_numpy),
        cmocka_unit_test(counts_of_masks_have_the_j_and_f_of_the_oracle),
    };
    FILE *present = open_shared("vos/golden.json"); /* the sets come together */
    if (!present) return SKIPPED;
    fclose(present);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
