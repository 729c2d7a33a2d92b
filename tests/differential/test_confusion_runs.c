/* Each routine that finds runs of equal pairs, and the counts that are made of them, against one pixel after the other:
 * any density of borders, width, alignment and label, u8 and u16, matrices and sparse ones. DV_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/confusion_parts.h"
#include "property/metrics_seed.h"

enum { MOST_PIXELS = 3 * DV_PAIR_RUNS_MOST, MOST_SHIFT = 64, MAPS = 250, MOST_TEST_CLASSES = 300 };

/* Label maps that end where their memory does, so that a routine that reads on is caught. */
typedef struct label_maps {
    uint8_t *memory[4];
    uint16_t *truth, *pred; /* [n] */
    uint8_t *truth8, *pred8;
    size_t n;
    bool narrow; /* all labels fit in 8 bits */
} label_maps;

static void *ending_map(label_maps *m, size_t which, size_t shift, size_t n_bytes) {
    assert_non_null(m->memory[which] = malloc(shift + n_bytes + !n_bytes));
    return m->memory[which] + shift;
}

static label_maps make_maps(uint64_t *random, size_t n, size_t n_labels, size_t flat) {
    label_maps m = {.n = n, .narrow = n_labels <= 256};
    const size_t shift = test_below(random, MOST_SHIFT);
    m.truth = ending_map(&m, 0, 2 * shift, n * sizeof *m.truth);
    m.pred = ending_map(&m, 1, 2 * test_below(random, MOST_SHIFT), n * sizeof *m.pred);
    m.truth8 = ending_map(&m, 2, shift, n);
    m.pred8 = ending_map(&m, 3, test_below(random, MOST_SHIFT), n);
    uint16_t t = 0, p = 0;
    for (size_t i = 0; i < n; i++) {
        if (test_below(random, flat) == 0) t = (uint16_t)test_below(random, n_labels);
        if (test_below(random, flat) == 0) p = (uint16_t)test_below(random, n_labels);
        m.truth[i] = t;
        m.pred[i] = p;
        m.truth8[i] = (uint8_t)t;
        m.pred8[i] = (uint8_t)p;
    }
    return m;
}

static void clear_maps(label_maps *m) {
    for (size_t i = 0; i < 4; i++) free(m->memory[i]);
}

/* Every border from "each pixel" to "hardly any". */
static size_t some_flatness(uint64_t *random) {
    return (size_t)1 << test_below(random, 12);
}

static size_t plain_ends(const label_maps *m, uint16_t *ends) {
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        if (i + 1 == m->n || m->truth[i] != m->truth[i + 1] || m->pred[i] != m->pred[i + 1])
            ends[n++] = (uint16_t)(i + 1);
    return n;
}

static void every_routine_finds_the_same_runs(void **state) {
    (void)state;
    static uint16_t right[DV_PAIR_RUNS_MOST], ends[DV_PAIR_RUNS_MOST + DV_PAIR_RUNS_SPARE];
    uint64_t random = test_seed();
    for (size_t repeat = 0; repeat < 1000; repeat++) {
        const size_t n = 1 + (repeat < 300 ? repeat : test_below(&random, DV_PAIR_RUNS_MOST));
        label_maps m = make_maps(&random, n, repeat % 2 ? 3 : 65536, some_flatness(&random));
        const size_t n_runs = plain_ends(&m, right);
        for (size_t i = 0; dv_pair_runs_at(i); i++) {
            const dv_pair_runs *const runs = dv_pair_runs_at(i);
            if (!runs->usable()) continue;
            assert_int_equal(runs->find_u16(m.truth, m.pred, n, ends), n_runs);
            assert_memory_equal(ends, right, n_runs * sizeof *ends);
            if (!m.narrow) continue;
            assert_int_equal(runs->find_u8(m.truth8, m.pred8, n, ends), n_runs);
            assert_memory_equal(ends, right, n_runs * sizeof *ends);
        }
        clear_maps(&m);
    }
}

/* What counting one pixel after the other gives. */
typedef struct plain {
    uint64_t counts[MOST_TEST_CLASSES * MOST_TEST_CLASSES], false_positives[MOST_TEST_CLASSES], ignored, dropped;
    char fault[256]; /* "": none, and then the counts hold */
    dv_status status;
} plain;

static void count_plainly(const label_maps *m, const dv_pixel_policy *policy, size_t n_classes, size_t width,
                          plain *out) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < m->n && !*out->fault; i++) {
        const size_t t = m->truth[i], p = m->pred[i];
        if (dv_label_set_has(&policy->ignored, m->truth[i])) {
            out->ignored++;
        } else if (t >= n_classes && policy->invalid == DV_INVALID_DROP) {
            out->dropped++;
        } else if (t >= n_classes && policy->invalid == DV_INVALID_ERROR) {
            out->status = DV_E_DATA;
            snprintf(out->fault, sizeof out->fault, "row %zu column %zu, label %zu: labels must be below %zu",
                     i / width, i % width, t, n_classes);
        } else if (p >= n_classes) {
            out->status = DV_E_ARG;
            snprintf(out->fault, sizeof out->fault, "row %zu column %zu, prediction %zu: predictions must be below %zu",
                     i / width, i % width, p, n_classes);
        } else if (t >= n_classes) {
            out->false_positives[p]++;
        } else {
            out->counts[t * n_classes + p]++;
        }
    }
    if (*out->fault) memset(out, 0, offsetof(plain, fault));
}

static void expect(const dv_confusion *confusion, size_t n_classes, const plain *right) {
    dv_confusion_cell *cells;
    size_t n_cells, n_right = 0;
    assert_int_equal(dv_confusion_cells(confusion, &cells, &n_cells), DV_OK);
    for (size_t i = 0; i < n_classes * n_classes; i++) n_right += right->counts[i] > 0;
    assert_int_equal(n_cells, n_right);
    for (size_t i = 0; i < n_cells; i++)
        assert_int_equal(cells[i].n_pixels, right->counts[cells[i].truth * n_classes + cells[i].pred]);
    free(cells);
    assert_memory_equal(dv_confusion_false_positives(confusion), right->false_positives, n_classes * sizeof(uint64_t));
    assert_int_equal(dv_confusion_ignored(confusion), right->ignored);
    assert_int_equal(dv_confusion_dropped(confusion), right->dropped);
}

static void add_with(const dv_pair_runs *runs, bool sparse, bool narrow, const label_maps *m,
                     const dv_pixel_policy *policy, size_t n_classes, size_t width, const plain *right) {
    dv_confusion *confusion;
    assert_int_equal(
        sparse ? dv_confusion_create_sparse(n_classes, &confusion) : dv_confusion_create(n_classes, &confusion), DV_OK);
    const size_t height = m->n / width;
    const dv_status status = narrow
                                 ? dv_confusion_add_u8_by(runs, confusion, policy, m->truth8, m->pred8, height, width)
                                 : dv_confusion_add_by(runs, confusion, policy, m->truth, m->pred, height, width);
    assert_int_equal(status, right->status);
    if (status != DV_OK) assert_string_equal(dv_last_error(), right->fault);
    expect(confusion, n_classes, right);
    dv_confusion_free(confusion);
}

static void with_every_routine(const label_maps *m, const dv_pixel_policy *policy, size_t n_classes, size_t width) {
    static plain right;
    count_plainly(m, policy, n_classes, width, &right);
    for (size_t i = 0; dv_pair_runs_at(i); i++) {
        const dv_pair_runs *const runs = dv_pair_runs_at(i);
        for (int how = 0; runs->usable() && how < 4; how++)
            if (how < 2 || m->narrow) add_with(runs, how % 2, how / 2, m, policy, n_classes, width, &right);
    }
}

/* Labels at and above the class count too, in every policy: counted, left out or named alike. */
static void every_routine_gives_the_counts_and_faults_of_single_pixels(void **state) {
    (void)state;
    static const size_t classes[] = {1, 2, 7, 104, 255, 256, MOST_TEST_CLASSES};
    uint64_t random = test_seed();
    for (size_t repeat = 0; repeat < MAPS; repeat++) {
        const size_t n_classes = classes[test_below(&random, sizeof classes / sizeof *classes)];
        const size_t n_labels = n_classes + (test_below(&random, 2) ? 0 : 1 + test_below(&random, 3));
        const size_t width = 1 + test_below(&random, 300), height = test_below(&random, MOST_PIXELS / width);
        label_maps m = make_maps(&random, width * height, n_labels, some_flatness(&random));
        dv_pixel_policy policy = {.invalid = (dv_invalid_labels)test_below(&random, 3)};
        for (size_t i = test_below(&random, 3); i > 0; i--)
            dv_label_set_add(&policy.ignored, (uint16_t)test_below(&random, n_labels + 1));
        for (size_t i = 0; m.n && i < 3; i++) { /* some far beyond the classes, which only an ignored truth may hide */
            const size_t at = test_below(&random, m.n);
            m.truth[at] = m.truth8[at] = 255;
            if (i && test_below(&random, 2)) m.pred[at] = m.pred8[at] = 255;
        }
        if (test_below(&random, 4)) dv_label_set_add(&policy.ignored, 255);
        with_every_routine(&m, &policy, n_classes, width);
        clear_maps(&m);
    }
}

/* A fault in each place of the seam between two calls of a routine takes back what was counted, on both sides. */
static void fault_at_a_seam_leaves_no_trace(void **state) {
    (void)state;
    uint64_t random = 7;
    const dv_pixel_policy policy = {.invalid = DV_INVALID_FALSE_POSITIVE};
    for (size_t at = DV_PAIR_RUNS_MOST - 2; at < DV_PAIR_RUNS_MOST + 2; at++) {
        label_maps m = make_maps(&random, 2 * DV_PAIR_RUNS_MOST, 5, 8);
        m.pred[at] = m.pred8[at] = 200;
        with_every_routine(&m, &policy, 5, 64);
        clear_maps(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_routine_finds_the_same_runs),
        cmocka_unit_test(every_routine_gives_the_counts_and_faults_of_single_pixels),
        cmocka_unit_test(fault_at_a_seam_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
