/* Counts of masks on every device are those of the reference, number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "differential/mask_maps.h"

enum { N_THREADS = 4, N_FRAMES = 12 };

static uint64_t seed;

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

static void assert_same(const dv_mask_counts *a, const dv_mask_counts *b, const char *what) {
    bool same = a->height == b->height && a->width == b->width && a->n_radii == b->n_radii &&
                a->n_truth == b->n_truth && a->n_pred == b->n_pred && a->n_pairs == b->n_pairs;
    for (size_t i = 0; same && i < a->n_radii; i++) same = a->radii_px[i] == b->radii_px[i];
    for (size_t i = 0; same && i < a->n_truth; i++)
        same = a->truth[i].id == b->truth[i].id && a->truth[i].pixels == b->truth[i].pixels &&
               a->truth[i].contour == b->truth[i].contour;
    for (size_t i = 0; same && i < a->n_pred; i++)
        same = a->pred[i].id == b->pred[i].id && a->pred[i].pixels == b->pred[i].pixels &&
               a->pred[i].contour == b->pred[i].contour;
    if (!same) fail_msg("%s: objects differ", what);
    for (size_t i = 0; i < a->n_pairs; i++) {
        const dv_mask_pair *p = &a->pairs[i], *q = &b->pairs[i];
        if (p->truth_id != q->truth_id || p->pred_id != q->pred_id || p->intersection != q->intersection)
            fail_msg("%s: pair %zu differs", what, i);
        for (size_t r = 0; r < DV_MAX_RADII; r++)
            if (p->truth_matched[r] != q->truth_matched[r] || p->pred_matched[r] != q->pred_matched[r])
                fail_msg("%s: pair %zu (%d, %d), radius %d: matched %d and %d, reference %d and %d", what, i,
                         p->truth_id, p->pred_id, (int)a->radii_px[r], (int)q->truth_matched[r],
                         (int)q->pred_matched[r], (int)p->truth_matched[r], (int)p->pred_matched[r]);
    }
}

/* Both maps of each case stand at the end of their memory, where the address sanitizer watches. */
typedef struct case_maps {
    uint16_t *truth, *pred;
    size_t height, width;
} case_maps;

static case_maps make_maps(corpus_random *random, size_t height, size_t width) {
    case_maps m = {malloc(height * width * sizeof *m.truth), malloc(height * width * sizeof *m.pred), height, width};
    assert_true(m.truth && m.pred);
    const size_t n_ids = corpus_below(random, 4) ? 1 + corpus_below(random, 5) : 1 + corpus_below(random, 70);
    mask_map_fill(random, (mask_kind)corpus_below(random, MASKS_N_KINDS), n_ids, height, width, m.truth);
    if (corpus_below(random, 2))
        mask_map_disturb(random, m.truth, height, width, m.pred);
    else
        mask_map_fill(random, (mask_kind)corpus_below(random, MASKS_N_KINDS), n_ids, height, width, m.pred);
    return m;
}

static void free_maps(case_maps *m) {
    free(m->truth);
    free(m->pred);
}

/* One frame on every device, with counters that have seen other frames. */
static void compare(const dv_mask_rules *rules, const case_maps *maps, size_t n_maps) {
    dv_device *reference;
    const char *name;
    void *expecting;
    assert_ok(dv_device_open("reference", NULL, &reference));
    assert_ok(reference->ops->counter_open(reference, rules, &expecting));
    dv_mask_counts expected = {0}, found = {0};
    for (size_t i = 0; (name = corpus_device(i)); i++) {
        dv_device *device;
        void *counter;
        assert_ok(dv_device_open(name, NULL, &device));
        assert_ok(device->ops->counter_open(device, rules, &counter));
        for (size_t m = 0; m < n_maps; m++) {
            const case_maps *c = &maps[m];
            assert_ok(
                reference->ops->count_masks(reference, expecting, c->truth, c->pred, c->height, c->width, &expected));
            assert_ok(device->ops->count_masks(device, counter, c->truth, c->pred, c->height, c->width, &found));
            assert_same(&expected, &found, name);
        }
        device->ops->counter_close(device, counter);
        device->ops->counter_close(device, NULL);
        device->ops->close(device);
    }
    reference->ops->counter_close(reference, expecting);
    reference->ops->close(reference);
    dv_mask_counts_clear(&expected);
    dv_mask_counts_clear(&found);
}

static dv_mask_rules random_rules(corpus_random *random) {
    dv_mask_rules rules = {.bound = 0.008, .all_pairs = corpus_below(random, 3) == 0};
    const size_t kind = corpus_below(random, 8);
    if (kind == 0) rules.areas_only = true;
    if (kind == 1) return rules;
    rules.n_radii = kind < 5 ? 1 : 1 + corpus_below(random, 5);
    for (size_t i = 0; i < rules.n_radii; i++)
        rules.radii_px[i] = (uint32_t)(corpus_below(random, 8) ? corpus_below(random, 41) : 100);
    return rules;
}

static void devices_count_frames_of_any_size_alike(void **state) {
    (void)state;
    static const size_t widths[] = {63, 64, 65, 127, 128, 129, 191, 192, 193};
    corpus_random random = {seed};
    for (size_t round = 0; round < corpus_rounds(250); round++) {
        const dv_mask_rules rules = random_rules(&random);
        const size_t width =
            corpus_below(&random, 2) ? 1 + corpus_below(&random, 200) : widths[corpus_below(&random, 9)];
        const size_t height = corpus_below(&random, 6) ? 1 + corpus_below(&random, 50) : 1;
        case_maps maps[2] = {make_maps(&random, height, width),
                             make_maps(&random, 1 + corpus_below(&random, 30), width)};
        compare(&rules, maps, 2);
        for (size_t i = 0; i < 2; i++) free_maps(&maps[i]);
    }
}

static void devices_take_every_radius_alike(void **state) {
    (void)state;
    corpus_random random = {seed + 1};
    for (uint32_t radius = 0; radius <= 40; radius++) {
        const dv_mask_rules rules = {.n_radii = 1, .radii_px = {radius}};
        case_maps maps[2] = {make_maps(&random, 97, 131), make_maps(&random, 120, 67)};
        mask_map_fill(&random, MASKS_BLOBS, 2, 97, 131, maps[0].truth);
        mask_map_fill(&random, MASKS_BLOBS, 2, 97, 131, maps[0].pred);
        mask_map_fill(&random, MASKS_SPARSE, 1, 120, 67, maps[1].truth);
        mask_map_fill(&random, MASKS_BLOBS, 3, 120, 67, maps[1].pred);
        compare(&rules, maps, 2);
        for (size_t i = 0; i < 2; i++) free_maps(&maps[i]);
    }
}

/* Rows and columns up to the last number that fits. */
static void devices_take_the_longest_sides_alike(void **state) {
    (void)state;
    static const size_t sizes[][2] = {{1, 65535}, {2, 65535}, {65535, 1}, {65535, 2}};
    corpus_random random = {seed + 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const dv_mask_rules rules[] = {{.bound = 0.008}, {.n_radii = 2, .radii_px = {3, 40}, .all_pairs = true}};
        case_maps maps = make_maps(&random, sizes[i][0], sizes[i][1]);
        mask_map_fill(&random, MASKS_SPARSE, 2, maps.height, maps.width, maps.truth);
        mask_map_fill(&random, MASKS_SPARSE, 2, maps.height, maps.width, maps.pred);
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) compare(&rules[r], &maps, 1);
        free_maps(&maps);
    }
}

static void devices_find_as_many_partners(void **state) {
    (void)state;
    corpus_random random = {seed + 2};
    for (size_t round = 0; round < corpus_rounds(60); round++) {
        dv_mask_rules rules = {.n_radii = 2, .radii_px = {1, (uint32_t)corpus_below(&random, 8)}, .bipartite = true};
        rules.all_pairs = round % 3 == 0;
        case_maps maps = make_maps(&random, 1 + corpus_below(&random, 20), 1 + corpus_below(&random, 40));
        compare(&rules, &maps, 1);
        free_maps(&maps);
    }
}

typedef struct worker {
    dv_device *device;
    const case_maps *maps;
    dv_mask_counts counts[N_FRAMES];
    dv_status status;
} worker;

static void *run_worker(void *context) {
    worker *w = context;
    const dv_mask_rules rules = {.bound = 0.02, .all_pairs = true};
    void *counter;
    w->status = w->device->ops->counter_open(w->device, &rules, &counter);
    for (size_t i = 0; i < N_FRAMES && w->status == DV_OK; i++)
        w->status = w->device->ops->count_masks(w->device, counter, w->maps[i].truth, w->maps[i].pred,
                                                w->maps[i].height, w->maps[i].width, &w->counts[i]);
    w->device->ops->counter_close(w->device, counter);
    return NULL;
}

static void counters_of_one_device_work_side_by_side(void **state) {
    (void)state;
    corpus_random random = {seed + 3};
    case_maps maps[N_FRAMES];
    const char *name;
    for (size_t i = 0; i < N_FRAMES; i++)
        maps[i] = make_maps(&random, 1 + corpus_below(&random, 90), 1 + corpus_below(&random, 200));
    for (size_t i = 0; (name = corpus_device(i)); i++) {
        worker *workers = calloc(N_THREADS, sizeof *workers);
        pthread_t threads[N_THREADS];
        dv_device *device;
        assert_non_null(workers);
        assert_ok(dv_device_open(name, NULL, &device));
        for (size_t t = 0; t < N_THREADS; t++) {
            workers[t].device = device;
            workers[t].maps = maps;
            assert_int_equal(pthread_create(&threads[t], NULL, run_worker, &workers[t]), 0);
        }
        for (size_t t = 0; t < N_THREADS; t++) pthread_join(threads[t], NULL);
        for (size_t t = 0; t < N_THREADS; t++) {
            assert_int_equal(workers[t].status, DV_OK);
            for (size_t f = 0; f < N_FRAMES; f++) {
                assert_same(&workers[0].counts[f], &workers[t].counts[f], name);
                if (t) dv_mask_counts_clear(&workers[t].counts[f]);
            }
        }
        for (size_t f = 0; f < N_FRAMES; f++) dv_mask_counts_clear(&workers[0].counts[f]);
        device->ops->close(device);
        free(workers);
    }
    for (size_t i = 0; i < N_FRAMES; i++) free_maps(&maps[i]);
}

int main(void) {
    seed = corpus_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_count_frames_of_any_size_alike),   cmocka_unit_test(devices_take_every_radius_alike),
        cmocka_unit_test(devices_take_the_longest_sides_alike),     cmocka_unit_test(devices_find_as_many_partners),
        cmocka_unit_test(counters_of_one_device_work_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
