#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/jf.h"
#include "protocol/jf_frames.h"
#include "protocol/jf_objects.h"
#include "protocol/jf_sequence.h"

/* ---- Frames by hand ------------------------------------------------------------------------------------------------
 */

enum { MOST = 8 };

/* Pixels of the ids 0 to 7 on both sides, and of their intersections. Contours have as many pixels as objects, and
 * those that match are those that intersect: F is then 2 J / (1 + J), or 0. */
typedef struct table {
    uint64_t truth[MOST], pred[MOST], both[MOST][MOST];
} table;

static void put_counts(const table *t, size_t height, dv_mask_counts *counts) {
    assert_int_equal(dv_mask_counts_reserve(counts, MOST, MOST, (size_t)MOST * MOST), DV_OK);
    counts->height = height;
    counts->width = 20;
    counts->n_radii = 1;
    counts->radii_px[0] = 3;
    counts->n_truth = counts->n_pred = counts->n_pairs = 0;
    for (size_t i = 1; i < MOST; i++) {
        const uint16_t id = (uint16_t)i;
        if (t->truth[id]) counts->truth[counts->n_truth++] = (dv_mask_size){id, t->truth[id], t->truth[id]};
        if (t->pred[id]) counts->pred[counts->n_pred++] = (dv_mask_size){id, t->pred[id], t->pred[id]};
        for (size_t o = 1; o < MOST; o++)
            if (t->truth[i] && t->pred[o])
                counts->pairs[counts->n_pairs++] = (dv_mask_pair){.truth_id = id,
                                                                  .pred_id = (uint16_t)o,
                                                                  .intersection = t->both[i][o],
                                                                  .truth_matched = {t->both[i][o]},
                                                                  .pred_matched = {t->both[i][o]}};
    }
}

static void add(dv_jf_frames *frames, size_t frame, const table *t) {
    dv_mask_counts counts = {0};
    put_counts(t, 10, &counts);
    assert_int_equal(dv_jf_frames_add(frames, frame, &counts), DV_OK);
    dv_mask_counts_clear(&counts);
}

/* Object 1 in all 6 frames, 2 in the frames 3 to 5, 4 in frame 0 alone; the prediction has 1 as it is, and a pixel of 2
 * in frame 1. */
static void begin_late(dv_jf_frames *frames) {
    assert_int_equal(dv_jf_frames_begin(frames, 6), DV_OK);
    for (size_t frame = 0; frame < 6; frame++) {
        table t = {.truth = {[1] = 10}, .pred = {[1] = 10}, .both = {[1] = {[1] = 10}}};
        if (frame == 0) t.truth[4] = 2;
        if (frame == 1) t.pred[2] = 1;
        if (frame >= 3) t.truth[2] = t.pred[2] = t.both[2][2] = 4;
        add(frames, frame, &t);
    }
}

static dv_jf_options options_of(dv_jf_protocol protocol, dv_jf_objects objects) {
    dv_jf_options options = {.protocol = protocol, .objects = objects};
    dv_jf_options_resolve(&options);
    return options;
}

static void score(const dv_jf_options *options, const dv_jf_frames *frames, dv_jf_sequence *sequence) {
    uint16_t *ids;
    size_t n_ids, n_extra;
    dv_jf_extra_id *extra;
    *sequence = (dv_jf_sequence){.n_frames = frames->n_frames};
    assert_int_equal(dv_jf_objects_list(options, frames, &ids, &n_ids), DV_OK);
    assert_int_equal(dv_jf_extra_list(options, frames, ids, n_ids, &extra, &n_extra), DV_OK);
    assert_int_equal(dv_jf_sequence_score(options, frames, ids, n_ids, extra, n_extra, sequence), DV_OK);
    free(extra);
    free(ids);
}

static void assert_object(const dv_jf_object *object, uint16_t id, uint16_t matched_id, size_t n_frames, double j) {
    assert_int_equal(object->id, id);
    assert_int_equal(object->matched_id, matched_id);
    assert_int_equal(object->n_frames, n_frames);
    assert_true(n_frames ? object->j_statistics.mean == j : isnan(object->j_statistics.mean));
}

/* ---- Objects and frames --------------------------------------------------------------------------------------------
 */

static void protocols_resolve_to_their_policies(void **state) {
    (void)state;
    const dv_jf_options semi = options_of(DV_JF_DAVIS2017_SEMI, DV_JF_FIRST_FRAME);
    assert_int_equal(semi.ends, DV_JF_ENDS_BOTH);
    assert_int_equal(semi.voids, DV_JF_VOID_BACKGROUND);
    assert_int_equal(semi.assign, DV_JF_ASSIGN_IDENTITY);
    assert_int_equal(semi.extra_ids, DV_JF_EXTRA_ERROR);
    assert_false(semi.single_object);
    const dv_jf_options unsup = options_of(DV_JF_DAVIS2017_UNSUP, DV_JF_FIRST_FRAME);
    assert_int_equal(unsup.ends, DV_JF_ENDS_NONE);
    assert_int_equal(unsup.voids, DV_JF_VOID_IGNORE);
    assert_int_equal(unsup.assign, DV_JF_ASSIGN_JF);
    assert_int_equal(unsup.extra_ids, DV_JF_EXTRA_IGNORE);
    const dv_jf_options single = options_of(DV_JF_DAVIS2016, DV_JF_FIRST_FRAME);
    assert_int_equal(single.ends, DV_JF_ENDS_BOTH);
    assert_true(single.single_object);
}

static void what_is_given_beats_the_protocol(void **state) {
    (void)state;
    dv_jf_options options = {.protocol = DV_JF_DAVIS2017_UNSUP,
                             .ends = DV_JF_ENDS_BOTH,
                             .voids = DV_JF_VOID_BACKGROUND,
                             .assign = DV_JF_ASSIGN_J};
    dv_jf_options_resolve(&options);
    assert_int_equal(options.ends, DV_JF_ENDS_BOTH);
    assert_int_equal(options.voids, DV_JF_VOID_BACKGROUND);
    assert_int_equal(options.assign, DV_JF_ASSIGN_J);
}

static void objects_of_each_rule(void **state) {
    (void)state;
    static const struct {
        dv_jf_objects rule;
        size_t n;
        struct {
            uint16_t id;
            size_t n_frames;
            double j;
        } objects[4];
    } cases[] = {
        {DV_JF_FIRST_FRAME, 2, {{1, 4, 1}, {4, 4, 1}}}, /* 4 is scored where it is gone on both sides */
        {DV_JF_APPEARANCE, 3, {{1, 4, 1}, {2, 2, 1}, {4, 4, 1}}},
        {DV_JF_SEEN, 2, {{1, 4, 1}, {2, 4, 0.75}}}, /* no scored frame shows 4 */
        {DV_JF_ALL, 3, {{1, 4, 1}, {2, 4, 0.75}, {4, 4, 1}}},
        {DV_JF_FIRST_FRAME_MAX, 4, {{1, 4, 1}, {2, 4, 0.75}, {3, 4, 1}, {4, 4, 1}}},
    };
    dv_jf_frames frames = {0};
    begin_late(&frames);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const dv_jf_options options = options_of(DV_JF_DAVIS2017_SEMI, cases[c].rule);
        dv_jf_sequence sequence;
        score(&options, &frames, &sequence);
        assert_int_equal(sequence.n_objects, cases[c].n);
        for (size_t i = 0; i < cases[c].n; i++)
            assert_object(&sequence.objects[i], cases[c].objects[i].id, cases[c].objects[i].id,
                          cases[c].objects[i].n_frames, cases[c].objects[i].j);
        dv_jf_sequence_clear(&sequence);
    }
    dv_jf_frames_clear(&frames);
}

static void ends_are_the_first_and_the_last_frame(void **state) {
    (void)state;
    dv_jf_frames frames = {0};
    dv_jf_sequence sequence;
    begin_late(&frames);
    dv_jf_options options = options_of(DV_JF_DAVIS2017_SEMI, DV_JF_APPEARANCE);
    score(&options, &frames, &sequence);
    assert_int_equal(sequence.n_scored_frames, 4);
    assert_false(sequence.scored[0] || sequence.scored[5]);
    assert_int_equal(sequence.objects[1].frames[0], 3);
    assert_int_equal(sequence.objects[1].frames[1], 4);
    dv_jf_sequence_clear(&sequence);
    options.ends = DV_JF_ENDS_NONE;
    score(&options, &frames, &sequence);
    assert_int_equal(sequence.n_scored_frames, 6);
    assert_object(&sequence.objects[1], 2, 2, 3, 1);
    assert_object(&sequence.objects[2], 4, 4, 6, 5.0 / 6.0);
    dv_jf_sequence_clear(&sequence);
    dv_jf_frames_clear(&frames);
}

static void two_frames_have_nothing_between_their_ends(void **state) {
    (void)state;
    dv_jf_frames frames = {0};
    dv_jf_sequence sequence;
    const table t = {.truth = {[1] = 10}, .pred = {[1] = 10}, .both = {[1] = {[1] = 10}}};
    const dv_jf_options options = options_of(DV_JF_DAVIS2017_SEMI, DV_JF_FIRST_FRAME);
    assert_int_equal(dv_jf_frames_begin(&frames, 2), DV_OK);
    add(&frames, 0, &t);
    add(&frames, 1, &t);
    score(&options, &frames, &sequence);
    assert_int_equal(sequence.n_objects, 1);
    assert_object(&sequence.objects[0], 1, 1, 0, 0);
    assert_true(isnan(sequence.j_mean) && isnan(sequence.f_mean[0]));
    dv_jf_sequence_clear(&sequence);
    dv_jf_frames_clear(&frames);
}

static void a_single_object_is_declared(void **state) {
    (void)state;
    dv_jf_frames frames = {0};
    dv_jf_sequence sequence;
    const table wrong = {.pred = {[1] = 3}}, right = {.truth = {[1] = 3}, .pred = {[1] = 3}, .both = {[1] = {[1] = 3}}};
    const dv_jf_options options = options_of(DV_JF_DAVIS2016, DV_JF_FIRST_FRAME);
    assert_int_equal(dv_jf_frames_begin(&frames, 4), DV_OK);
    for (size_t frame = 0; frame < 4; frame++) add(&frames, frame, frame == 2 ? &right : &wrong);
    score(&options, &frames, &sequence); /* the first frame of the truth is empty */
    assert_int_equal(sequence.n_objects, 1);
    assert_object(&sequence.objects[0], 1, 1, 2, 0.5);
    dv_jf_sequence_clear(&sequence);
    dv_jf_frames_clear(&frames);
}

static void frames_left_out_are_not_scored(void **state) {
    (void)state;
    dv_jf_frames frames = {0};
    dv_jf_sequence sequence;
    const dv_jf_options options = options_of(DV_JF_DAVIS2017_SEMI, DV_JF_ALL);
    begin_late(&frames);
    dv_jf_frames_leave_out(&frames, 1);
    score(&options, &frames, &sequence);
    assert_true(sequence.skipped[1]);
    assert_int_equal(sequence.n_scored_frames, 3);
    assert_object(&sequence.objects[1], 2, 2, 3, 1);
    dv_jf_sequence_clear(&sequence);
    dv_jf_frames_clear(&frames);
}

static void another_size_is_refused_and_leaves_no_trace(void **state) {
    (void)state;
    dv_jf_frames frames = {0};
    dv_mask_counts counts = {0};
    const table t = {.truth = {[1] = 3}};
    assert_int_equal(dv_jf_frames_begin(&frames, 2), DV_OK);
    add(&frames, 0, &t);
    put_counts(&t, 12, &counts);
    assert_int_equal(dv_jf_frames_add(&frames, 1, &counts), DV_E_DATA);
    assert_string_equal(dv_last_error(), "12x20, the frames before it 10x20 (height x width)");
    assert_false(frames.frames[1].counted);
    assert_int_equal(frames.n_truth, 1);
    dv_mask_counts_clear(&counts);
    dv_jf_frames_clear(&frames);
}

/* ---- Extra ids -----------------------------------------------------------------------------------------------------
 */

/* Truth 1; the prediction has 3 in the frames 1 and 2. */
static void begin_extra(dv_jf_frames *frames) {
    assert_int_equal(dv_jf_frames_begin(frames, 6), DV_OK);
    for (size_t frame = 0; frame < 6; frame++) {
        table t = {.truth = {[1] = 10}, .pred = {[1] = 10}, .both = {[1] = {[1] = 10}}};
        if (frame == 1 || frame == 2) t.pred[3] = 1 + frame;
        add(frames, frame, &t);
    }
}

static void extra_ids_are_counted(void **state) {
    (void)state;
    dv_jf_frames frames = {0};
    dv_jf_extra_id *extra;
    size_t n_extra;
    const uint16_t ids[] = {1};
    begin_extra(&frames);
    dv_jf_options options = options_of(DV_JF_DAVIS2017_SEMI, DV_JF_FIRST_FRAME);
    assert_int_equal(dv_jf_extra_list(&options, &frames, ids, 1, &extra, &n_extra), DV_OK);
    assert_int_equal(n_extra, 1);
    assert_int_equal(extra[0].id, 3);
    assert_int_equal(extra[0].n_frames, 2);
    assert_int_equal(extra[0].pixels, 5);
    free(extra);
    options = options_of(DV_JF_DAVIS2017_UNSUP, DV_JF_FIRST_FRAME); /* proposals */
    assert_int_equal(dv_jf_extra_list(&options, &frames, ids, 1, &extra, &n_extra), DV_OK);
    assert_int_equal(n_extra, 0);
    free(extra);
    dv_jf_frames_clear(&frames);
}

static void a_false_positive_is_scored_where_it_shows(void **state) {
    (void)state;
    static const struct {
        dv_jf_objects rule;
        size_t n_frames;
        double j;
    } cases[] = {{DV_JF_FIRST_FRAME, 2, 0}, {DV_JF_APPEARANCE, 2, 0}, {DV_JF_ALL, 2, 0}, {DV_JF_SEEN, 4, 0.5}};
    dv_jf_frames frames = {0};
    begin_extra(&frames);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dv_jf_sequence sequence;
        dv_jf_options options = options_of(DV_JF_DAVIS2017_SEMI, cases[c].rule);
        options.extra_ids = DV_JF_EXTRA_FALSE_POSITIVE;
        score(&options, &frames, &sequence);
        assert_int_equal(sequence.n_objects, 2);
        assert_true(sequence.objects[1].extra);
        assert_object(&sequence.objects[1], 3, 3, cases[c].n_frames, cases[c].j);
        assert_true(sequence.j_mean == (1 + cases[c].j) / 2);
        dv_jf_sequence_clear(&sequence);
    }
    dv_jf_frames_clear(&frames);
}

/* ---- Assignment ----------------------------------------------------------------------------------------------------
 */

/* One frame, in which objects and proposals have 8 pixels each. */
static void begin_one(dv_jf_frames *frames, size_t n_objects, size_t n_proposals, const uint64_t *both) {
    table t = {.truth = {0}};
    for (size_t i = 0; i < n_objects; i++) t.truth[i + 1] = 8;
    for (size_t i = 0; i < n_proposals; i++) t.pred[i + 1] = 8;
    for (size_t i = 0; i < n_objects * n_proposals; i++) t.both[i / n_proposals + 1][i % n_proposals + 1] = both[i];
    assert_int_equal(dv_jf_frames_begin(frames, 1), DV_OK);
    add(frames, 0, &t);
}

static void assert_matched(size_t n_objects, size_t n_proposals, const uint64_t *both, const uint16_t *expected) {
    const dv_jf_options options = options_of(DV_JF_DAVIS2017_UNSUP, DV_JF_FIRST_FRAME);
    const uint16_t ids[] = {1, 2, 3};
    uint16_t matched[4] = {99, 99, 99, 99};
    dv_jf_frames frames = {0};
    begin_one(&frames, n_objects, n_proposals, both);
    assert_int_equal(dv_jf_match(&options, &frames, ids, n_objects, matched), DV_OK);
    for (size_t i = 0; i < n_objects; i++) assert_int_equal(matched[i], expected[i]);
    assert_int_equal(matched[n_objects], 99);
    dv_jf_frames_clear(&frames);
}

static void proposals_go_where_they_are_worth_most(void **state) {
    (void)state;
    assert_matched(2, 2, (const uint64_t[]){0, 8, 8, 0}, (const uint16_t[]){2, 1});
    /* Greedy, object 1 would take proposal 1 with 4 of 8; 3 and 7 are worth more together than 4 and 0. */
    assert_matched(2, 2, (const uint64_t[]){4, 3, 7, 0}, (const uint16_t[]){2, 1});
    assert_matched(2, 3, (const uint64_t[]){0, 0, 8, 1, 0, 7}, (const uint16_t[]){3, 1});
}

static void equal_proposals_go_in_order(void **state) {
    (void)state;
    assert_matched(2, 3, (const uint64_t[]){4, 4, 4, 4, 4, 4}, (const uint16_t[]){1, 2});
    assert_matched(1, 3, (const uint64_t[]){0, 0, 0}, (const uint16_t[]){1});
}

static void missing_proposals_are_empty_ones(void **state) {
    (void)state;
    assert_matched(3, 1, (const uint64_t[]){0, 8, 0}, (const uint16_t[]){0, 1, 0});
    assert_matched(2, 0, (const uint64_t[]){0}, (const uint16_t[]){0, 0});
}

/* As in the evaluation of DAVIS 2017, an id below the highest that no frame shows is an empty proposal, and one such is
 * best for an object that is mostly absent. */
static void an_id_that_never_shows_is_an_empty_proposal(void **state) {
    (void)state;
    const dv_jf_options options = options_of(DV_JF_DAVIS2017_UNSUP, DV_JF_FIRST_FRAME);
    const uint16_t ids[] = {1};
    uint16_t matched;
    dv_jf_frames frames = {0};
    const table first = {.truth = {[1] = 8}, .pred = {[2] = 8}, .both = {[1] = {[2] = 8}}}, later = {.pred = {[2] = 8}};
    assert_int_equal(dv_jf_frames_begin(&frames, 3), DV_OK);
    for (size_t frame = 0; frame < 3; frame++) add(&frames, frame, frame ? &later : &first);
    assert_int_equal(dv_jf_match(&options, &frames, ids, 1, &matched), DV_OK);
    assert_int_equal(matched, 0); /* 2/3 against 1/3 */
    dv_jf_frames_clear(&frames);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocols_resolve_to_their_policies),
        cmocka_unit_test(what_is_given_beats_the_protocol),
        cmocka_unit_test(objects_of_each_rule),
        cmocka_unit_test(ends_are_the_first_and_the_last_frame),
        cmocka_unit_test(two_frames_have_nothing_between_their_ends),
        cmocka_unit_test(a_single_object_is_declared),
        cmocka_unit_test(frames_left_out_are_not_scored),
        cmocka_unit_test(another_size_is_refused_and_leaves_no_trace),
        cmocka_unit_test(extra_ids_are_counted),
        cmocka_unit_test(a_false_positive_is_scored_where_it_shows),
        cmocka_unit_test(proposals_go_where_they_are_worth_most),
        cmocka_unit_test(equal_proposals_go_in_order),
        cmocka_unit_test(missing_proposals_are_empty_ones),
        cmocka_unit_test(an_id_that_never_shows_is_an_empty_proposal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
