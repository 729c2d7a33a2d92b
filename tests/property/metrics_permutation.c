/* What must not change a count or an IoU: the order of pixels, how maps are cut in parts, how predicted classes are
 * numbered when they are relabelled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "denseval/iou.h"
#include "property/metrics_seed.h"

enum { CLASSES = 9, PIXELS = 6000, REPEATS = 40 };

typedef struct maps {
    uint16_t truth[PIXELS], pred[PIXELS];
} maps;

static void swap(uint16_t *labels, size_t a, size_t b) {
    const uint16_t kept = labels[a];
    labels[a] = labels[b];
    labels[b] = kept;
}

/* Mostly right predictions with ignored (255) and invalid (200) truth between them, in runs of random length. */
static void fill(uint64_t *random, maps *m) {
    uint16_t truth = 0, pred = 0;
    const size_t flat = 1 + test_below(random, 20);
    for (size_t i = 0; i < PIXELS; i++) {
        if (test_below(random, flat) == 0) {
            truth = (uint16_t)test_below(random, CLASSES + 2);
            pred = truth < CLASSES && test_below(random, 3) ? truth : (uint16_t)test_below(random, CLASSES);
            if (truth == CLASSES) truth = 255;
            if (truth == CLASSES + 1) truth = 200;
        }
        m->truth[i] = truth;
        m->pred[i] = pred;
    }
}

static void count(const uint16_t *truth, const uint16_t *pred, size_t n_pixels, dv_confusion *confusion) {
    dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    dv_label_set_add(&policy.ignored, 255);
    assert_int_equal(dv_confusion_add(confusion, &policy, truth, pred, 1, n_pixels), DV_OK);
}

static dv_confusion *empty(void) {
    dv_confusion *made;
    assert_int_equal(dv_confusion_create(CLASSES, &made), DV_OK);
    return made;
}

static void assert_same(const dv_confusion *a, const dv_confusion *b) {
    assert_memory_equal(dv_confusion_counts(a), dv_confusion_counts(b), CLASSES * CLASSES * sizeof(uint64_t));
    assert_memory_equal(dv_confusion_false_positives(a), dv_confusion_false_positives(b), CLASSES * sizeof(uint64_t));
    assert_int_equal(dv_confusion_ignored(a), dv_confusion_ignored(b));
}

static void permuting_pixels_leaves_the_counts(void **state) {
    (void)state;
    uint64_t random = test_seed();
    static maps m;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        dv_confusion *before = empty(), *after = empty();
        fill(&random, &m);
        count(m.truth, m.pred, PIXELS, before);
        for (size_t i = PIXELS - 1; i > 0; i--) {
            const size_t j = test_below(&random, i + 1);
            swap(m.truth, i, j);
            swap(m.pred, i, j);
        }
        count(m.truth, m.pred, PIXELS, after);
        assert_same(before, after);
        dv_confusion_free(before);
        dv_confusion_free(after);
    }
}

static void merged_parts_are_the_whole(void **state) {
    (void)state;
    uint64_t random = test_seed();
    static maps m;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        dv_confusion *whole = empty(), *merged = empty();
        fill(&random, &m);
        count(m.truth, m.pred, PIXELS, whole);
        size_t length;
        for (size_t begin = 0; begin < PIXELS; begin += length) {
            length = 1 + test_below(&random, 500);
            if (length > PIXELS - begin) length = PIXELS - begin;
            dv_confusion *part = empty();
            count(m.truth + begin, m.pred + begin, length, part);
            assert_int_equal(dv_confusion_merge(merged, part), DV_OK);
            dv_confusion_free(part);
        }
        assert_same(whole, merged);
        dv_confusion_free(whole);
        dv_confusion_free(merged);
    }
}

static void relabelling_undoes_any_numbering_of_the_predictions(void **state) {
    (void)state;
    uint64_t random = test_seed();
    const dv_iou_policy policy = {.hungarian = true};
    static maps m;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        dv_confusion *before = empty(), *after = empty();
        dv_iou a, b;
        uint16_t number[CLASSES];
        fill(&random, &m);
        count(m.truth, m.pred, PIXELS, before);
        for (size_t c = 0; c < CLASSES; c++) number[c] = (uint16_t)c;
        for (size_t c = CLASSES - 1; c > 0; c--) swap(number, c, test_below(&random, c + 1));
        for (size_t i = 0; i < PIXELS; i++) m.pred[i] = number[m.pred[i]];
        count(m.truth, m.pred, PIXELS, after);
        assert_int_equal(dv_iou_compute(before, &policy, &a), DV_OK);
        assert_int_equal(dv_iou_compute(after, &policy, &b), DV_OK);
        assert_true(fabs(a.miou - b.miou) < 1e-15);
        /* Two thirds of the runs are right, so the best pairing is far from a tie and thus unique. */
        for (size_t c = 0; c < CLASSES; c++)
            if (a.iou[a.relabel[c]] > 0.1) {
                assert_int_equal(a.relabel[c], b.relabel[number[c]]);
                assert_true(a.iou[a.relabel[c]] == b.iou[a.relabel[c]]);
                assert_int_equal(a.predicted_pixels[a.relabel[c]], b.predicted_pixels[a.relabel[c]]);
            }
        dv_iou_clear(&a);
        dv_iou_clear(&b);
        dv_confusion_free(before);
        dv_confusion_free(after);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuting_pixels_leaves_the_counts),
        cmocka_unit_test(merged_parts_are_the_whole),
        cmocka_unit_test(relabelling_undoes_any_numbering_of_the_predictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
