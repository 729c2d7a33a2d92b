#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/check.h"
#include "denseval/log.h"
#include "pipeline/mask_pass.h"
#include "unit/io/test_image_make.h"

/* ---- a device that only counts pixels of ids 1 and 2 ------------------------------------------------------------- */

static size_t n_counters, most_counters;  /* open */
static dv_status count_failure;           /* what counting a frame with id 77 in the truth fails with */
static atomic_size_t n_counted, furthest; /* frames counted so far; most of them ahead of a frame that is taken */
static bool interrupts;                   /* counting asks the process to stop */

static dv_status open_counter(dv_device *device, const dv_mask_rules *rules, void **counter) {
    (void)device, (void)rules;
    *counter = calloc(1, 1);
    n_counters++;
    if (n_counters > most_counters) most_counters = n_counters;
    return DV_OK;
}

static void close_counter(dv_device *device, void *counter) {
    (void)device;
    n_counters -= counter != NULL;
    free(counter);
}

static dv_status count_masks(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                             size_t height, size_t width, dv_mask_counts *counts) {
    (void)device, (void)counter;
    if (truth[0] == 77 && count_failure != DV_OK) return dv_fail(count_failure, "the counter gave up");
    if (interrupts) dv_interrupt();
    if (truth[0] == 78) usleep(20000); /* the others go on meanwhile */
    n_counted++;
    DV_TRY(dv_mask_counts_reserve(counts, 2, 2, 2));
    counts->height = height;
    counts->width = width;
    counts->n_truth = counts->n_pred = counts->n_pairs = 2;
    for (uint16_t id = 1; id <= 2; id++) {
        dv_mask_size t = {.id = id}, p = {.id = id};
        dv_mask_pair both = {.truth_id = id, .pred_id = id};
        for (size_t i = 0; i < height * width; i++) {
            t.pixels += truth[i] == id;
            p.pixels += pred[i] == id;
            both.intersection += truth[i] == id && pred[i] == id;
        }
        counts->truth[id - 1] = t;
        counts->pred[id - 1] = p;
        counts->pairs[id - 1] = both;
    }
    return DV_OK;
}

static const dv_device_ops fake_ops = {
    .name = "fake", .counter_open = open_counter, .counter_close = close_counter, .count_masks = count_masks};
static dv_device fake = {.ops = &fake_ops};

/* ---- a scratch folder with truth/ and pred/ ---------------------------------------------------------------------- */

enum { MOST = 64, MOST_LINES = 40 };
static char *root;
static char path[512], message[2048];
static char lines[MOST_LINES][512];
static size_t n_lines;

static void keep_line(void *user, dv_log_level level, const char *line) {
    (void)user;
    if (n_lines < MOST_LINES) snprintf(lines[n_lines++], sizeof lines[0], "%d %s", (int)level, line);
}

static int set_up(void **state) {
    (void)state;
    root = make_scratch_folder();
    n_lines = 0;
    most_counters = 0;
    count_failure = DV_OK;
    interrupts = false;
    dv_log_set(keep_line, NULL, DV_LOG_WARNING);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    remove_scratch_folder(root);
    dv_interrupt_clear();
    return n_counters == 0 ? 0 : -1;
}

static const char *at(const char *name) {
    return scratch_path(root, name, path, sizeof path);
}

static void put(const char *name, size_t height, size_t width, const uint8_t *ids) {
    made_file file = make_plain_png(SPNG_COLOR_TYPE_GRAYSCALE, 8, width, height, ids, height * width);
    write_file(at(name), file.data, file.size);
    free(file.data);
}

/* The same mask of 4 x 4 for frames 0..n-1 of a sequence "s" of a side. */
static void put_frames(const char *side, size_t n, const uint8_t *ids) {
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/s/%05zu.png", side, i);
        put(name, 4, 4, ids);
    }
}

/* ---- a pass over all frames of the truth ------------------------------------------------------------------------- */

typedef struct tester {
    dv_mask_pass pass;
    dv_mask_set *truth, *pred;
    dv_mask_job jobs[MOST];
    dv_mask_pass_result result;
    size_t n_taken, taken[MOST];
    dv_mask_size truth1[MOST], pred1[MOST]; /* object 1 */
    uint64_t intersection1[MOST];
    size_t fails_at; /* take fails at this job; SIZE_MAX: never */
    size_t done, total, n_progress;
} tester;

static dv_status take(void *user, size_t job, const dv_mask_counts *counts) {
    tester *t = user;
    if (n_counted - job > furthest) furthest = n_counted - job;
    if (job == t->fails_at) return dv_fail(DV_E_DATA, "job %zu is not wanted", job);
    t->taken[t->n_taken++] = job;
    t->truth1[job] = counts->truth[0];
    t->pred1[job] = counts->pred[0];
    t->intersection1[job] = counts->pairs[0].intersection;
    return DV_OK;
}

static void progress(void *user, const char *stage, size_t done, size_t total) {
    tester *t = user;
    assert_string_equal(stage, "frames");
    assert_true(done >= t->done);
    t->done = done;
    t->total = total;
    t->n_progress++;
}

/* A frame of the truth without one of its name in the prediction is no job. */
static void prepare(tester *t, size_t n_threads) {
    memset(t, 0, sizeof *t);
    t->fails_at = SIZE_MAX;
    char name[600];
    snprintf(name, sizeof name, "%s/truth", root);
    assert_int_equal(dv_mask_set_open(name, 1, DV_PALETTE_NONE, &t->truth), DV_OK);
    snprintf(name, sizeof name, "%s/pred", root);
    assert_int_equal(dv_mask_set_open(name, 1, DV_PALETTE_NONE, &t->pred), DV_OK);
    size_t n = 0;
    for (size_t i = 0; i < dv_mask_set_n_frames(t->truth, 0) && n < MOST; i++) {
        const size_t found = dv_mask_set_find_frame(t->pred, 0, dv_mask_set_frame(t->truth, 0, i));
        if (found != SIZE_MAX) t->jobs[n++] = (dv_mask_job){.truth_frame = i, .pred_frame = found};
    }
    t->pass = (dv_mask_pass){.truth = t->truth,
                             .pred = t->pred,
                             .jobs = t->jobs,
                             .n_jobs = n,
                             .rules = {.bound = 0.008},
                             .device = &fake,
                             .n_threads = n_threads,
                             .progress = progress,
                             .progress_user = t,
                             .take = take,
                             .user = t};
}

static void finish(tester *t) {
    dv_mask_pass_result_clear(&t->result);
    dv_mask_set_close(t->truth);
    dv_mask_set_close(t->pred);
}

static dv_status run(tester *t) {
    t->n_taken = t->done = 0;
    return dv_mask_pass_run(&t->pass, &t->result);
}

static void assert_runs(tester *t) {
    const dv_status status = run(t);
    if (status != DV_OK) print_error("%s\n", dv_last_error());
    assert_int_equal(status, DV_OK);
}

static void assert_fails(tester *t, dv_status expected) {
    const dv_status status = run(t);
    if (status != expected) print_error("%s: %s\n", dv_status_name(status), dv_last_error());
    assert_int_equal(status, expected);
    const dv_mask_pass_result zero = {0};
    assert_memory_equal(&t->result, &zero, sizeof zero);
}

/* "ROOT" and then what. */
static const char *in_root(const char *what) {
    snprintf(message, sizeof message, "%s%s", root, what);
    return message;
}

static const uint8_t columns12[16] = {1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2};

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* R5: frame i has i pixels of object 1 in the prediction, 16 in the truth. */
static void results_depend_on_no_thread_count(void **state) {
    (void)state;
    const uint8_t ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    put_frames("truth", 17, ones);
    for (size_t i = 0; i < 17; i++) {
        uint8_t ids[16] = {0};
        memset(ids, 1, i);
        char name[64];
        snprintf(name, sizeof name, "pred/s/%05zu.png", i);
        put(name, 4, 4, ids);
    }
    const size_t threads[] = {1, 2, 5, 40};
    char truth_hash[DV_HASH_TEXT_SIZE] = "", pred_hash[DV_HASH_TEXT_SIZE] = "";
    for (size_t k = 0; k < 4; k++) {
        tester t;
        prepare(&t, threads[k]);
        most_counters = 0;
        assert_runs(&t);
        assert_int_equal(most_counters, threads[k] < 17 ? threads[k] : 17);
        assert_int_equal(t.n_taken, 17);
        for (size_t i = 0; i < 17; i++) {
            assert_int_equal(t.taken[i], i);
            assert_int_equal(t.truth1[i].pixels, 16);
            assert_int_equal(t.pred1[i].pixels, i);
            assert_int_equal(t.intersection1[i], i);
            assert_false(t.result.skipped[i]);
        }
        assert_int_equal(t.result.n_scored, 17);
        assert_int_equal(t.result.n_skipped, 0);
        assert_int_equal(t.result.ignored_pixels, 0);
        assert_false(t.result.identical);
        assert_true(t.result.read_s > 0 && t.result.count_s > 0);
        if (k == 0) {
            strcpy(truth_hash, t.result.truth_hash);
            strcpy(pred_hash, t.result.pred_hash);
            assert_string_not_equal(truth_hash, pred_hash);
        }
        assert_string_equal(t.result.truth_hash, truth_hash);
        assert_string_equal(t.result.pred_hash, pred_hash);
        assert_int_equal(t.done, 17);
        assert_int_equal(t.total, 17);
        finish(&t);
    }
}

static void hashes_tell_contents_names_and_order(void **state) {
    (void)state;
    put_frames("truth", 3, columns12);
    put_frames("pred", 3, columns12);
    tester t;
    prepare(&t, 2);
    assert_runs(&t);
    assert_true(t.result.identical);
    assert_string_equal(t.result.truth_hash, t.result.pred_hash);
    char before[DV_HASH_TEXT_SIZE];
    strcpy(before, t.result.truth_hash);
    dv_mask_pass_result_clear(&t.result);
    const dv_mask_job first = t.jobs[0];
    t.jobs[0] = t.jobs[1];
    t.jobs[1] = first;
    assert_runs(&t);
    assert_string_not_equal(t.result.truth_hash, before);
    finish(&t);
    uint8_t other[16];
    memcpy(other, columns12, sizeof other);
    other[15] = 1;
    put("pred/s/00002.png", 4, 4, other); /* VOS-16 */
    prepare(&t, 2);
    assert_runs(&t);
    assert_false(t.result.identical);
    assert_string_equal(t.result.truth_hash, before);
    assert_string_not_equal(t.result.pred_hash, before);
    finish(&t);
}

/* VOS-10: truth 1 in columns 0-1, void in column 2; prediction 1 in columns 0-2. */
static void void_is_what_the_policy_says(void **state) {
    (void)state;
    put_frames("truth", 2, (const uint8_t[]){1, 1, 255, 0, 1, 1, 255, 0, 1, 1, 255, 0, 1, 1, 255, 0});
    put_frames("pred", 2, (const uint8_t[]){1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0});
    const struct {
        dv_mask_policy policy;
        size_t truth1, pred1, n_ignored;
    } cases[] = {
        {{.truth_void = DV_VOID_BACKGROUND}, 8, 12, 4}, /* J = 8 / 12 */
        {{.truth_void = DV_VOID_IGNORE}, 8, 8, 4},      /* J = 1 */
        {{.truth_void = DV_VOID_NONE}, 8, 12, 0},
        {{.truth_void = DV_VOID_IGNORE, .single_object = true}, 12, 12, 0}, /* davis2016: non-zero is object 1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tester t;
        prepare(&t, 2);
        t.pass.policy = cases[i].policy;
        assert_runs(&t);
        for (size_t job = 0; job < 2; job++) {
            assert_int_equal(t.truth1[job].pixels, cases[i].truth1);
            assert_int_equal(t.pred1[job].pixels, cases[i].pred1);
        }
        assert_int_equal(t.result.ignored_pixels, 2 * cases[i].n_ignored);
        finish(&t);
    }
}

static void proposals_above_the_most_are_left_out(void **state) {
    (void)state;
    put_frames("truth", 1, (const uint8_t[]){1, 1, 1, 1, 255, 255, 2, 2, 9, 9, 9, 9, 0, 0, 0, 0});
    put_frames("pred", 1, (const uint8_t[]){1, 1, 2, 2, 3, 1, 255, 3, 1, 1, 1, 1, 0, 0, 0, 3});
    const struct {
        dv_mask_void truth_void;
        size_t pred1, n_ignored;
    } cases[] = {{DV_VOID_BACKGROUND, 7, 6}, {DV_VOID_IGNORE, 6, 5}, {DV_VOID_NONE, 7, 4}};
    for (size_t i = 0; i < 3; i++) { /* above 2 are 3, 255, 3 and 3, the first under void */
        tester t;
        prepare(&t, 1);
        t.pass.policy = (dv_mask_policy){.truth_void = cases[i].truth_void, .most_pred = 2};
        assert_runs(&t);
        assert_int_equal(t.pred1[0].pixels, cases[i].pred1);
        assert_int_equal(t.result.ignored_pixels, cases[i].n_ignored);
        finish(&t);
    }
}

static void one_object_of_several_values_is_counted(void **state) {
    (void)state;
    put_frames("truth", 3, (const uint8_t[]){255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    put_frames("pred", 3, (const uint8_t[]){1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    put("truth/s/00001.png", 4, 4, (const uint8_t[]){254, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    put("pred/s/00002.png", 4, 4, (const uint8_t[]){1, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3});
    put("truth/s/00002.png", 4, 4, (const uint8_t[16]){0});
    tester t;
    prepare(&t, 3);
    t.pass.policy.single_object = true;
    assert_runs(&t);
    assert_int_equal(t.result.n_mixed, 2); /* a truth with 254 and 255, a prediction with 1, 2 and 3 */
    assert_int_equal(t.intersection1[1], 4);
    assert_int_equal(t.pred1[2].pixels, 5);
    t.pass.policy.single_object = false;
    dv_mask_pass_result_clear(&t.result);
    assert_runs(&t);
    assert_int_equal(t.result.n_mixed, 0);
    finish(&t);
}

/* VOS-14 */
static void sizes_must_agree_or_be_resized_on_request(void **state) {
    (void)state;
    put_frames("truth", 3, columns12);
    put_frames("pred", 3, columns12);
    put("pred/s/00001.png", 2, 3, (const uint8_t[]){1, 1, 2, 2, 1, 1}); /* row 0: 1 1 2, row 1: 2 1 1 */
    tester t;
    prepare(&t, 2);
    assert_fails(&t, DV_E_DATA);
    assert_string_equal(dv_last_error(), in_root("/pred/s/00001.png: 2x3, truth 4x4 (height x width)"));
    assert_int_equal(n_lines, 0);
    t.pass.policy.resize = true;
    assert_runs(&t);
    /* Columns floor((2 i + 1) 3 / 8): 0 1 1 2; rows floor((2 i + 1) 2 / 8): 0 0 1 1. Twice 1 1 1 2, twice 2 1 1 1. */
    assert_int_equal(t.pred1[1].pixels, 12);
    assert_int_equal(t.intersection1[1], 6);
    assert_false(t.result.identical);
    finish(&t);
}

static void spoil(const char *name, size_t n_bytes) {
    made_file file = read_whole_file(at(name));
    write_file(path, file.data, n_bytes);
    free(file.data);
}

/* R12, VOS-03: all bad frames, in order of jobs, the first 20 in full. */
static void bad_frames_are_listed_in_order(void **state) {
    (void)state;
    put_frames("truth", 40, columns12);
    put_frames("pred", 40, columns12);
    for (size_t i = 0; i < 24; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/s/%05zu.png", i % 2 ? "truth" : "pred", i + 8);
        spoil(name, 20);
    }
    const size_t threads[] = {1, 2, 5};
    for (size_t k = 0; k < 3; k++) {
        tester t;
        prepare(&t, threads[k]);
        n_lines = 0;
        assert_fails(&t, DV_E_DATA);
        assert_memory_equal(dv_last_error(), "24 of 40 frames are bad, the first: ", 36);
        assert_non_null(strstr(dv_last_error(), "/pred/s/00008.png: "));
        assert_int_equal(n_lines, 21);
        for (size_t i = 0; i < 20; i++) {
            char part[64];
            snprintf(part, sizeof part, "/%s/s/%05zu.png: ", i % 2 ? "truth" : "pred", i + 8);
            assert_non_null(strstr(lines[i], part));
        }
        assert_non_null(strstr(lines[20], "and 4 more like these"));
        assert_int_equal(t.n_taken, 8); /* those before the first bad one: the result will not be used */
        finish(&t);
    }
}

static void both_files_of_a_frame_are_named(void **state) {
    (void)state;
    put_frames("truth", 2, columns12);
    put_frames("pred", 2, columns12);
    spoil("truth/s/00001.png", 20);
    spoil("pred/s/00001.png", 30);
    tester t;
    prepare(&t, 2);
    assert_fails(&t, DV_E_DATA);
    assert_memory_equal(dv_last_error(), "1 of 2 frames are bad", 21);
    assert_int_equal(n_lines, 2);
    assert_non_null(strstr(lines[0], "/truth/s/00001.png: "));
    assert_non_null(strstr(lines[1], "/pred/s/00001.png: "));
    finish(&t);
}

static void missing_files_alone_are_missing(void **state) {
    (void)state;
    put_frames("truth", 4, columns12);
    put_frames("pred", 4, columns12);
    tester t;
    prepare(&t, 2);
    assert_int_equal(unlink(at("pred/s/00001.png")), 0);
    assert_int_equal(unlink(at("truth/s/00002.png")), 0);
    assert_fails(&t, DV_E_MISSING);
    assert_int_equal(n_lines, 2);
    spoil("pred/s/00003.png", 25);
    assert_fails(&t, DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "3 of 4 frames are bad, the first: "));
    finish(&t);
}

static void skip_bad_leaves_them_out(void **state) {
    (void)state;
    put_frames("truth", 5, columns12);
    put_frames("pred", 5, columns12);
    put("pred/s/00003.png", 1, 1, (const uint8_t[]){1});
    made_file file = read_whole_file(at("pred/s/00001.png"));
    file.data[file.size - 1] ^= 1; /* the checksum of the last chunk */
    write_file(path, file.data, file.size);
    free(file.data);
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        tester t;
        prepare(&t, n_threads);
        t.pass.skip_bad = true;
        n_lines = 0;
        assert_runs(&t);
        assert_int_equal(t.result.n_scored, 3);
        assert_int_equal(t.result.n_skipped, 2);
        for (size_t i = 0; i < 5; i++) assert_int_equal(t.result.skipped[i], i == 1 || i == 3);
        assert_int_equal(t.n_taken, 3);
        const size_t expected[] = {0, 2, 4};
        assert_memory_equal(t.taken, expected, sizeof expected);
        assert_int_equal(n_lines, 2);
        assert_non_null(strstr(lines[0], "left out: "));
        assert_non_null(strstr(lines[0], "/pred/s/00001.png: "));
        assert_non_null(strstr(lines[1], "/pred/s/00003.png: 1x1, truth 4x4"));
        finish(&t);
    }
}

static void a_failing_counter_or_taker_ends_the_pass(void **state) {
    (void)state;
    put_frames("truth", 30, columns12);
    put_frames("pred", 30, columns12);
    tester t;
    for (size_t turn = 0; turn < 50; turn++) { /* several, for what hangs on the order of threads */
        prepare(&t, 1 + turn % 5);
        t.fails_at = 7;
        assert_fails(&t, DV_E_DATA);
        assert_string_equal(dv_last_error(), "job 7 is not wanted");
        assert_int_equal(t.n_taken, 7);
        finish(&t);
    }
    uint8_t ids[16] = {77};
    put("truth/s/00011.png", 4, 4, ids);
    count_failure = DV_E_BACKEND;
    for (size_t n_threads = 1; n_threads <= 5; n_threads++) {
        prepare(&t, n_threads);
        assert_fails(&t, DV_E_BACKEND);
        assert_string_equal(dv_last_error(), "the counter gave up");
        assert_true(t.n_taken <= 11);
        finish(&t);
    }
    const dv_device_ops bare_ops = {.name = "bare"};
    dv_device bare = {.ops = &bare_ops};
    prepare(&t, 1);
    t.pass.device = &bare;
    assert_fails(&t, DV_E_BACKEND);
    assert_string_equal(dv_last_error(), "device bare: cannot count masks");
    finish(&t);
}

static void an_interrupt_ends_it_soon(void **state) {
    (void)state;
    put_frames("truth", 40, columns12);
    put_frames("pred", 40, columns12);
    interrupts = true; /* while the first frame is counted */
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        tester t;
        prepare(&t, n_threads);
        assert_fails(&t, DV_E_INTERRUPTED);
        assert_true(t.n_taken <= 2 * n_threads);
        dv_interrupt_clear();
        finish(&t);
    }
}

/* VOS-10 by the devices themselves: J = 8 / 12 with void as background, 1 with void ignored. */
static void devices_count_what_was_prepared(void **state) {
    (void)state;
    put_frames("truth", 9, (const uint8_t[]){1, 1, 255, 0, 1, 1, 255, 0, 1, 1, 255, 0, 1, 1, 255, 0});
    put_frames("pred", 9, (const uint8_t[]){1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0});
    const char *const names[] = {"reference", "cpu"};
    for (size_t i = 0; i < 4; i++) {
        dv_device *device;
        const dv_device_options options = {.n_threads = 1};
        assert_int_equal(dv_device_open(names[i / 2], &options, &device), DV_OK);
        tester t;
        prepare(&t, 3);
        t.pass.device = device;
        t.pass.policy.truth_void = i % 2 ? DV_VOID_IGNORE : DV_VOID_BACKGROUND;
        assert_runs(&t);
        assert_int_equal(t.result.n_scored, 9);
        for (size_t job = 0; job < 9; job++) {
            assert_int_equal(t.truth1[job].pixels, 8);
            assert_int_equal(t.pred1[job].pixels, i % 2 ? 8 : 12);
            assert_int_equal(t.intersection1[job], 8);
        }
        finish(&t);
        device->ops->close(device);
    }
}

/* VOS-21: what waits for a slow frame is bounded by the threads, however many frames there are. */
static void a_slow_frame_is_not_left_far_behind(void **state) {
    (void)state;
    put_frames("truth", 60, columns12);
    put_frames("pred", 60, columns12);
    put("truth/s/00000.png", 4, 4, (const uint8_t[16]){78});
    for (size_t n_threads = 1; n_threads <= 4; n_threads++) {
        tester t;
        prepare(&t, n_threads);
        n_counted = furthest = 0;
        assert_runs(&t);
        assert_int_equal(t.n_taken, 60);
        assert_true(furthest <= 4 * n_threads);
        finish(&t);
    }
}

static void no_jobs_give_an_empty_result(void **state) {
    (void)state;
    put_frames("truth", 1, columns12);
    put_frames("pred", 1, columns12);
    tester t;
    prepare(&t, 3);
    t.pass.n_jobs = 0;
    assert_runs(&t);
    assert_int_equal(t.result.n_scored, 0);
    assert_false(t.result.identical);
    finish(&t);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(results_depend_on_no_thread_count),
        IN_FOLDER(hashes_tell_contents_names_and_order),
        IN_FOLDER(void_is_what_the_policy_says),
        IN_FOLDER(proposals_above_the_most_are_left_out),
        IN_FOLDER(one_object_of_several_values_is_counted),
        IN_FOLDER(sizes_must_agree_or_be_resized_on_request),
        IN_FOLDER(bad_frames_are_listed_in_order),
        IN_FOLDER(both_files_of_a_frame_are_named),
        IN_FOLDER(missing_files_alone_are_missing),
        IN_FOLDER(skip_bad_leaves_them_out),
        IN_FOLDER(a_failing_counter_or_taker_ends_the_pass),
        IN_FOLDER(an_interrupt_ends_it_soon),
        IN_FOLDER(devices_count_what_was_prepared),
        IN_FOLDER(a_slow_frame_is_not_left_far_behind),
        IN_FOLDER(no_jobs_give_an_empty_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
