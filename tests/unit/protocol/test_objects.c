#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/objects.h"
#include "protocol/objects_scores.h"

/* Pixels of the truth, of the prediction, of both. */
#define VIEW(t, p, both)                                                                                               \
    { .counted = true, .truth_pixels = (t), .pred_pixels = (p), .intersection = (both) }

static void a_target_has_four_iou(void **state) {
    (void)state;
    /* IoU 0.25, hidden and empty on both sides, 0.5, hidden but predicted, left out, 1 */
    dv_object_view views[] = {VIEW(4, 1, 1), VIEW(0, 0, 0),      VIEW(2, 4, 2),
                              VIEW(0, 9, 0), {.counted = false}, VIEW(2, 2, 2)};
    dv_object_score score = {.views = views};
    dv_object_score_fill(&score, 6);
    assert_int_equal(score.n_shown, 3);
    assert_int_equal(score.n_hidden, 2);
    assert_true(score.iou[DV_OBJECT_VIEWS_SHOWN] == 1.75 / 3);
    assert_true(score.iou[DV_OBJECT_VIEWS_ALL] == 2.75 / 5);
    assert_true(score.iou[DV_OBJECT_VIEWS_POOLED] == 5.0 / 10); /* 1 + 2 + 2 over 4 + 4 + 2 */
    assert_true(score.iou[DV_OBJECT_VIEWS_FIRST] == 0.25);
    assert_int_equal(dv_object_views_scored(&score, DV_OBJECT_VIEWS_SHOWN), 3);
    assert_int_equal(dv_object_views_scored(&score, DV_OBJECT_VIEWS_ALL), 5);
    assert_int_equal(dv_object_views_scored(&score, DV_OBJECT_VIEWS_POOLED), 3);
    assert_int_equal(dv_object_views_scored(&score, DV_OBJECT_VIEWS_FIRST), 1);
}

static void a_hidden_view_that_comes_first_is_passed_over(void **state) {
    (void)state;
    dv_object_view views[] = {VIEW(0, 0, 0), VIEW(4, 4, 2), VIEW(1, 1, 1)};
    dv_object_score score = {.views = views};
    dv_object_score_fill(&score, 3);
    assert_true(score.iou[DV_OBJECT_VIEWS_FIRST] == 2.0 / 6);
}

static void a_target_that_is_hidden_everywhere_has_no_iou_but_over_all_views(void **state) {
    (void)state;
    dv_object_view views[] = {VIEW(0, 0, 0), VIEW(0, 3, 0)};
    dv_object_score score = {.views = views};
    dv_object_score_fill(&score, 2);
    assert_true(isnan(score.iou[DV_OBJECT_VIEWS_SHOWN]));
    assert_true(isnan(score.iou[DV_OBJECT_VIEWS_POOLED]));
    assert_true(isnan(score.iou[DV_OBJECT_VIEWS_FIRST]));
    assert_true(score.iou[DV_OBJECT_VIEWS_ALL] == 0.5);
    assert_int_equal(dv_object_views_scored(&score, DV_OBJECT_VIEWS_FIRST), 0);
    dv_object_score_fill(&score, 0);
    assert_true(isnan(score.iou[DV_OBJECT_VIEWS_ALL]));
}

/* Sums of pixels stay whole numbers beyond 2^53. */
static void pooled_pixels_are_counted_in_64_bits(void **state) {
    (void)state;
    dv_object_view views[3];
    for (size_t i = 0; i < 3; i++)
        views[i] = (dv_object_view)VIEW(UINT64_C(1) << 60, UINT64_C(1) << 60, UINT64_C(1) << 60);
    dv_object_score score = {.views = views};
    dv_object_score_fill(&score, 3);
    assert_true(score.iou[DV_OBJECT_VIEWS_POOLED] == 1.0);
}

/* ---- Groups --------------------------------------------------------------------------------------------------------
 */

enum { N = 5 };
static char scene_a[] = "a", scene_b[] = "b";
static dv_object_target targets[N] = {{.scene = scene_a, .category = DV_OBJECT_DOMINANT},
                                      {.scene = scene_b, .category = DV_OBJECT_DOMINANT},
                                      {.scene = scene_a, .category = DV_OBJECT_SMALL},
                                      {.scene = scene_b, .category = DV_OBJECT_SMALL},
                                      {.scene = scene_b, .category = DV_OBJECT_COMPLEX}};

static void free_groups(dv_objects_scores *scores, size_t n_scenes) {
    free(scores->all.values);
    for (int c = 0; c < DV_N_OBJECT_CATEGORIES; c++) free(scores->categories[c].values);
    for (size_t s = 0; s < n_scenes; s++) free(scores->scenes[s].values);
    free(scores->scenes);
}

static void groups_leave_out_targets_without_iou_and_means_are_over_targets(void **state) {
    (void)state;
    const double iou[N] = {0.25, 0.75, 1.0, NAN, NAN};
    dv_object_score score[N] = {0};
    const char *scenes[] = {scene_a, scene_b};
    for (size_t t = 0; t < N; t++) score[t].iou[DV_OBJECT_VIEWS_POOLED] = iou[t];
    const dv_objects_result result = {.n_targets = N, .targets = targets, .n_scenes = 2, .scenes = scenes};
    dv_objects_scores scores = {.targets = score};
    assert_int_equal(dv_objects_scores_group(&result, DV_OBJECT_VIEWS_POOLED, &scores), DV_OK);
    assert_string_equal(scores.all.name, "all");
    assert_int_equal(scores.all.box.n, 3);
    assert_true(scores.all.box.mean == 2.0 / 3);
    assert_int_equal(scores.categories[DV_OBJECT_DOMINANT].box.n, 2);
    assert_true(scores.categories[DV_OBJECT_DOMINANT].box.mean == 0.5);
    assert_int_equal(scores.categories[DV_OBJECT_OCCLUDED].box.n, 0);
    assert_true(scores.categories[DV_OBJECT_SMALL].box.mean == 1.0);
    assert_int_equal(scores.categories[DV_OBJECT_COMPLEX].box.n, 0); /* its one target has no IoU */
    assert_true(isnan(scores.categories[DV_OBJECT_COMPLEX].box.mean));
    assert_true(scores.mean_of_category_means == 0.75); /* of 0.5 and 1: categories without a value are none */
    assert_true(scores.scenes[0].box.mean == 0.625);
    assert_true(scores.scenes[1].box.mean == 0.75);
    assert_string_equal(scores.scenes[1].name, "b");
    free_groups(&scores, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_has_four_iou),
        cmocka_unit_test(a_hidden_view_that_comes_first_is_passed_over),
        cmocka_unit_test(a_target_that_is_hidden_everywhere_has_no_iou_but_over_all_views),
        cmocka_unit_test(pooled_pixels_are_counted_in_64_bits),
        cmocka_unit_test(groups_leave_out_targets_without_iou_and_means_are_over_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
