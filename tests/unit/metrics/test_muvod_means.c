#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "metrics/muvod_means.h"

/* Two cameras, two objects, two frames. Object 1 is never seen by the second camera. */
static const double right[] = {1, 1}, half[] = {0.5, 0.5}, falling[] = {1, 0};
static const bool always[] = {true, true}, never[] = {false, false}, first[] = {true, false};
static const bool both[] = {true, true}, second_alone[] = {false, true};

static const dv_muvod_curve curves[] = {
    {2, right, half, always},   /* camera 0, object 0: J 1, F 0.5 */
    {2, falling, right, first}, /* camera 0, object 1: J 0.5, F 1; seen in the first frame alone */
    {2, half, half, always},    /* camera 1, object 0: J 0.5, F 0.5 */
    {2, right, right, never},   /* camera 1, object 1: both empty */
};

static dv_muvod_score score_of(const dv_muvod_policy *policy, const bool *counts, dv_muvod_score *cameras) {
    const dv_muvod_view view = {2, 2, curves, counts};
    dv_muvod_score score;
    dv_muvod_scene_score(policy, &view, &score, cameras);
    return score;
}

static void scenes_are_means_of_cameras(void **state) {
    (void)state;
    const dv_muvod_policy policy = {0};
    dv_muvod_score cameras[2];
    const dv_muvod_score score = score_of(&policy, both, cameras);
    assert_int_equal(cameras[0].n, 2);
    assert_true(cameras[0].j == 0.75 && cameras[0].f == 0.75 && cameras[0].jf == 0.75);
    assert_int_equal(cameras[1].n, 1); /* the object that it never sees does not count */
    assert_true(cameras[1].j == 0.5 && cameras[1].jf == 0.5);
    assert_int_equal(score.n, 2);
    assert_true(score.j == 0.625 && score.f == 0.625 && score.jf == 0.625);
}

static void visible_frames_leave_out_where_the_truth_is_empty(void **state) {
    (void)state;
    const dv_muvod_policy policy = {.visible_frames = true};
    dv_muvod_score cameras[2];
    score_of(&policy, both, cameras);
    assert_true(cameras[0].j == 1.0); /* of object 1 the first frame alone */
}

static void unseen_objects_count_where_they_are_asked_for(void **state) {
    (void)state;
    const dv_muvod_policy scored = {.unseen_scored = true}, visible = {.unseen_scored = true, .visible_frames = true};
    dv_muvod_score cameras[2];
    score_of(&scored, both, cameras);
    assert_int_equal(cameras[1].n, 2);
    assert_true(cameras[1].j == 0.75);
    score_of(&visible, both, cameras);
    assert_int_equal(cameras[1].n, 1); /* no frame is left to count */
}

static void pooling_by_object_weighs_pairs_alike(void **state) {
    (void)state;
    const dv_muvod_policy policy = {.pooled_by_object = true};
    const dv_muvod_score score = score_of(&policy, both, NULL);
    assert_true(score.j == (1.0 + 0.5 + 0.5) / 3 && score.f == (0.5 + 1.0 + 0.5) / 3);
    assert_true(score.jf == (score.j + score.f) / 2);
}

static void a_camera_without_objects_is_no_camera(void **state) {
    (void)state;
    const dv_muvod_policy policy = {0};
    const bool none[] = {false, false};
    dv_muvod_score cameras[2];
    const dv_muvod_score score = score_of(&policy, second_alone, cameras);
    assert_int_equal(cameras[1].n, 0);
    assert_true(isnan(cameras[1].jf));
    assert_int_equal(score.n, 1);
    assert_true(score.j == 0.5);
    assert_int_equal(score_of(&policy, none, NULL).n, 0);
    assert_true(isnan(score_of(&policy, none, NULL).jf));
}

static void unknown_values_are_no_part_of_a_mean(void **state) {
    (void)state;
    const double values[] = {0.25, NAN, 0.75};
    size_t n;
    assert_true(dv_mean_of_known(values, 3, &n) == 0.5);
    assert_int_equal(n, 2);
    assert_true(isnan(dv_mean_of_known(values + 1, 1, &n)));
    assert_int_equal(n, 0);
}

/* The initial camera and every fourth on both sides; rigs of the golden set. */
static void a_quarter_of_the_rig_steps_from_the_initial_camera(void **state) {
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < 30; i++) n += dv_muvod_in_quarter(i, 29);
    assert_int_equal(n, 8); /* 1, 5, ..., 29 */
    assert_true(dv_muvod_in_quarter(1, 29));
    assert_false(dv_muvod_in_quarter(0, 29));
    assert_true(dv_muvod_in_quarter(9, 5) && dv_muvod_in_quarter(1, 5) && dv_muvod_in_quarter(5, 5));
    assert_false(dv_muvod_in_quarter(6, 5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_means_of_cameras),
        cmocka_unit_test(visible_frames_leave_out_where_the_truth_is_empty),
        cmocka_unit_test(unseen_objects_count_where_they_are_asked_for),
        cmocka_unit_test(pooling_by_object_weighs_pairs_alike),
        cmocka_unit_test(a_camera_without_objects_is_no_camera),
        cmocka_unit_test(unknown_values_are_no_part_of_a_mean),
        cmocka_unit_test(a_quarter_of_the_rig_steps_from_the_initial_camera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
