/* Counts of the muvod masks, file by file, against those of its oracle: dilated and one to one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "denseval/device.h"
#include "denseval/image.h"

enum { SKIPPED = 77, NAME_SIZE = 64, PATH_SIZE = 4096, LINE_SIZE = 1024 };

static const char *folder(void) {
    static char path[PATH_SIZE];
    const char *shared = getenv("DENSEVAL_SHARED");
    snprintf(path, sizeof path, "%s/data/muvod", shared ? shared : "../shared");
    return path;
}

static FILE *open_rows(void) {
    char path[PATH_SIZE + NAME_SIZE];
    snprintf(path, sizeof path, "%s/per_frame.csv", folder());
    FILE *file = fopen(path, "rb");
    if (!file) printf("skipped: %s is not there\n", path);
    return file;
}

typedef struct row {
    char scene[NAME_SIZE], camera[NAME_SIZE], frame[NAME_SIZE];
    unsigned object;
    uint64_t truth, pred, intersection, truth_contour, pred_contour, pred_matched, truth_matched, partners;
} row;

static bool read_row(FILE *file, row *r) {
    char line[LINE_SIZE];
    if (!fgets(line, sizeof line, file)) return false;
    assert_int_equal(sscanf(line,
                            "%63[^,],%63[^,],%63[^,],%u,%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64
                            ",%" SCNu64 ",%" SCNu64 ",%" SCNu64,
                            r->scene, r->camera, r->frame, &r->object, &r->truth, &r->pred, &r->intersection,
                            &r->truth_contour, &r->pred_contour, &r->pred_matched, &r->truth_matched, &r->partners),
                     12);
    return true;
}

static dv_label_map read_map(const char *side, const row *r) {
    char path[PATH_SIZE + 5 * NAME_SIZE];
    dv_label_map map;
    snprintf(path, sizeof path, "%s/%s/%s/%s/%s.png", folder(), side, r->scene, r->camera, r->frame);
    if (dv_label_map_read(path, &map) != DV_OK) fail_msg("%s", dv_last_error());
    return map;
}

static dv_mask_size size_of(const dv_mask_size *sizes, size_t n, unsigned id) {
    for (size_t i = 0; i < n; i++)
        if (sizes[i].id == id) return sizes[i];
    return (dv_mask_size){0};
}

static dv_mask_pair pair_of(const dv_mask_counts *counts, unsigned id) {
    for (size_t i = 0; i < counts->n_pairs; i++)
        if (counts->pairs[i].truth_id == id && counts->pairs[i].pred_id == id) return counts->pairs[i];
    return (dv_mask_pair){0};
}

static void expect(const row *r, const char *what, uint64_t found, uint64_t expected) {
    if (found != expected)
        fail_msg("%s %s %s, object %u, %s: %" PRIu64 ", expected %" PRIu64, r->scene, r->camera, r->frame, r->object,
                 what, found, expected);
}

static void check_row(const row *r, const dv_mask_counts *counts, bool bipartite) {
    const dv_mask_size truth = size_of(counts->truth, counts->n_truth, r->object);
    const dv_mask_size pred = size_of(counts->pred, counts->n_pred, r->object);
    const dv_mask_pair pair = pair_of(counts, r->object);
    expect(r, "true pixels", truth.pixels, r->truth);
    expect(r, "predicted pixels", pred.pixels, r->pred);
    expect(r, "pixels of both", pair.intersection, r->intersection);
    expect(r, "true contour", truth.contour, r->truth_contour);
    expect(r, "predicted contour", pred.contour, r->pred_contour);
    expect(r, "true pixels matched", pair.truth_matched[0], bipartite ? r->partners : r->truth_matched);
    expect(r, "predicted pixels matched", pair.pred_matched[0], bipartite ? r->partners : r->pred_matched);
}

static void check_rows(const char *name, bool bipartite) {
    FILE *file = open_rows();
    char line[LINE_SIZE];
    dv_device *device;
    void *counter;
    row r;
    size_t n_rows = 0;
    const dv_mask_rules rules = {.bound = 0.008, .bipartite = bipartite};
    dv_mask_counts counts = {0};
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(dv_device_open(name, NULL, &device), DV_OK);
    assert_int_equal(device->ops->counter_open(device, &rules, &counter), DV_OK);
    for (; read_row(file, &r); n_rows++) {
        dv_label_map truth = read_map("gt", &r), pred = read_map("pred", &r);
        assert_true(truth.height == pred.height && truth.width == pred.width);
        assert_int_equal(
            device->ops->count_masks(device, counter, truth.labels, pred.labels, truth.height, truth.width, &counts),
            DV_OK);
        check_row(&r, &counts, bipartite);
        dv_label_map_clear(&truth);
        dv_label_map_clear(&pred);
    }
    assert_int_equal(n_rows, 300);
    dv_mask_counts_clear(&counts);
    device->ops->counter_close(device, counter);
    device->ops->close(device);
    fclose(file);
}

static void cpu_counts_near_pixels_as_the_oracle_does(void **state) {
    (void)state;
    check_rows("cpu", false);
}

static void cpu_counts_partners_as_the_oracle_does(void **state) {
    (void)state;
    check_rows("cpu", true);
}

static void reference_counts_as_the_oracle_does(void **state) {
    (void)state;
    check_rows("reference", false);
    check_rows("reference", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_counts_near_pixels_as_the_oracle_does),
        cmocka_unit_test(cpu_counts_partners_as_the_oracle_does),
        cmocka_unit_test(reference_counts_as_the_oracle_does),
    };
    FILE *present = open_rows();
    if (!present) return SKIPPED;
    fclose(present);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
