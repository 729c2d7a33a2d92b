#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "denseval/jf_worst.h"

/* Sequence 0: object 0 in the frames 1, 2, 3, object 1 in 2 and 3. Sequence 1: an object in frame 0, one without any.
 */
static size_t frames_a[] = {1, 2, 3}, frames_b[] = {2, 3}, frames_c[] = {0};
static double j_a[] = {0.5, 0.25, 1.0}, f_a[] = {0.5, 0.25, 1.0}, j_b[] = {0.0, 0.75}, f_b[] = {0.5, 0.25},
              j_c[] = {0.125}, f_c[] = {0.25};
static dv_jf_object first[] = {{.id = 1, .n_frames = 3, .frames = frames_a, .j = j_a, .f = f_a},
                               {.id = 7, .n_frames = 2, .frames = frames_b, .j = j_b, .f = f_b}},
                    second[] = {{.id = 2, .n_frames = 1, .frames = frames_c, .j = j_c, .f = f_c}, {.id = 3}};
static dv_jf_sequence sequences[] = {{.n_frames = 5, .n_objects = 2, .objects = first},
                                     {.n_frames = 1, .n_objects = 2, .objects = second}};
static const dv_jf_result result = {.n_radii = 1, .n_sequences = 2, .sequences = sequences};

/* Of least J + F first: 0.375, 0.5 twice in frame 2, then 1 in frame 1 and in frame 3, then 2. */
static const struct {
    size_t sequence, frame, object;
} order[] = {{1, 0, 0}, {0, 2, 0}, {0, 2, 1}, {0, 1, 0}, {0, 3, 1}, {0, 3, 0}};
enum { N_ALL = sizeof order / sizeof *order };

static void the_worst_come_first_and_ties_by_sequence_frame_and_object(void **state) {
    (void)state;
    for (size_t most = 0; most <= N_ALL + 2; most++) {
        dv_jf_worst *worst;
        size_t n;
        assert_int_equal(dv_jf_worst_find(&result, most, &worst, &n), DV_OK);
        assert_int_equal(n, most < N_ALL ? most : N_ALL);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(worst[i].sequence, order[i].sequence);
            assert_int_equal(worst[i].frame, order[i].frame);
            assert_int_equal(worst[i].object, order[i].object);
        }
        if (n > 2) assert_true(worst[2].j == 0.0 && worst[2].f == 0.5);
        free(worst);
    }
}

static void nothing_scored_has_no_worst(void **state) {
    (void)state;
    const dv_jf_result none = {.n_radii = 1};
    dv_jf_worst *worst;
    size_t n = 9;
    assert_int_equal(dv_jf_worst_find(&none, 5, &worst, &n), DV_OK);
    assert_int_equal(n, 0);
    free(worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_come_first_and_ties_by_sequence_frame_and_object),
        cmocka_unit_test(nothing_scored_has_no_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
