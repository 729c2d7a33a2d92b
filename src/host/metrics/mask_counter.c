/* mask_counter.c: the pass over a frame, then its pairs of objects. */
#include "metrics/mask_counter.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "metrics/contour_disk.h"
#include "metrics/contour_partners.h"
#include "metrics/contour_rows.h"
#include "metrics/contour_side.h"
#include "metrics/mask_count_joint.h"
#include "metrics/mask_count_rules.h"

enum { WORD_BITS = 64, N_ROW_WORDS = 65536 / WORD_BITS };

/* Of one map: where its rows change to the right, of a row and of the one before it, and between the two. */
typedef struct row_bits {
    uint64_t right[2][N_ROW_WORDS], down[N_ROW_WORDS];
} row_bits;

struct dv_mask_counter {
    dv_mask_rules rules;
    const dv_contour_kernel *kernel;
    dv_contour_side truth, pred;
    dv_joint joint;
    dv_contour_disk disk;
    row_bits truth_bits, pred_bits;
    uint16_t columns[N_ROW_WORDS * WORD_BITS + DV_CONTOUR_SPARE]; /* of the contours of a row */
};

dv_status dv_mask_counter_create(const dv_mask_rules *rules, dv_mask_counter **out) {
    *out = NULL;
    DV_TRY(dv_mask_rules_check(rules));
    dv_mask_counter *made;
    DV_TRY(dv_alloc(1, sizeof *made, "counter of masks", &made));
    made->rules = *rules;
    made->kernel = dv_contour_kernel_best();
    dv_status status = dv_contour_side_init(&made->truth);
    if (status == DV_OK) status = dv_contour_side_init(&made->pred);
    if (status == DV_OK)
        *out = made;
    else
        dv_mask_counter_free(made);
    return status;
}

void dv_mask_counter_free(dv_mask_counter *counter) {
    if (!counter) return;
    dv_contour_side_free(&counter->truth);
    dv_contour_side_free(&counter->pred);
    dv_joint_free(&counter->joint);
    dv_contour_disk_free(&counter->disk);
    free(counter);
}

/* Adds a row to the pairs of labels run by run: a run ends where either map changes and at the end of the row. */
static dv_status add_runs(dv_joint *joint, const uint16_t *truth, const uint16_t *pred, size_t width,
                          const uint64_t *truth_right, const uint64_t *pred_right) {
    size_t begin = 0;
    for (size_t from = 0; from < width; from += WORD_BITS) {
        uint64_t ends = truth_right[from / WORD_BITS] | pred_right[from / WORD_BITS];
        if (width - from <= WORD_BITS) ends |= UINT64_C(1) << (width - 1) % WORD_BITS;
        for (; ends; ends &= ends - 1) {
            const size_t x = from + (size_t)__builtin_ctzll(ends);
            DV_TRY(dv_joint_add(joint, truth[x], pred[x], x + 1 - begin));
            begin = x + 1;
        }
    }
    return DV_OK;
}

/* Compares row y of a map, of which y = height is none, with the row before it and adds the contours of that one. */
static dv_status scan_row(dv_mask_counter *counter, const uint16_t *map, size_t height, size_t width, size_t y,
                          row_bits *bits, dv_contour_side *side) {
    const size_t n_words = (width + WORD_BITS - 1) / WORD_BITS;
    const uint16_t *before = map + (y ? y - 1 : 0) * width, *row = y < height ? map + y * width : before;
    const bool contours = !counter->rules.areas_only;
    uint64_t *right = bits->right[y % 2];
    if (y < height) {
        counter->kernel->row(row, contours ? before : row, width, right, bits->down);
    } else {
        memset(right, 0, n_words * sizeof *right);
        memset(bits->down, 0, n_words * sizeof *bits->down);
    }
    if (y == 0 || !contours) return DV_OK;
    /* A pixel differs from the one across where it differs from the one below, or else where that one does. */
    const size_t n = counter->kernel->columns(bits->right[(y - 1) % 2], bits->down, right, n_words, counter->columns);
    return dv_contour_side_add(side, before, row, width, y - 1, counter->columns, n);
}

static dv_status scan(dv_mask_counter *counter, const uint16_t *truth, const uint16_t *pred, size_t height,
                      size_t width) {
    row_bits *of_truth = &counter->truth_bits, *of_pred = &counter->pred_bits;
    for (size_t y = 0; y <= height; y++) {
        DV_TRY(scan_row(counter, truth, height, width, y, of_truth, &counter->truth));
        DV_TRY(scan_row(counter, pred, height, width, y, of_pred, &counter->pred));
        if (y < height)
            DV_TRY(add_runs(&counter->joint, truth + y * width, pred + y * width, width, of_truth->right[y % 2],
                            of_pred->right[y % 2]));
    }
    return DV_OK;
}

/* Pixels of each object, from those of the pairs of labels. */
static dv_status add_pixels(dv_mask_counter *counter) {
    for (size_t i = 0; i < counter->joint.n; i++) {
        const dv_joint_cell *cell = &counter->joint.cells[i];
        dv_contour_object *object;
        if (cell->truth) {
            DV_TRY(dv_contour_side_object(&counter->truth, cell->truth, &object));
            object->pixels += cell->n;
        }
        if (cell->pred) {
            DV_TRY(dv_contour_side_object(&counter->pred, cell->pred, &object));
            object->pixels += cell->n;
        }
    }
    return DV_OK;
}

static void list_sizes(const dv_contour_side *side, dv_mask_size *sizes) {
    for (size_t i = 0; i < side->n; i++)
        sizes[i] =
            (dv_mask_size){.id = side->objects[i].id, .pixels = side->objects[i].pixels, .contour = side->objects[i].n};
}

static void list_pair(const dv_mask_counter *counter, uint16_t truth_id, uint16_t pred_id, dv_mask_counts *counts) {
    counts->pairs[counts->n_pairs++] = (dv_mask_pair){
        .truth_id = truth_id, .pred_id = pred_id, .intersection = dv_joint_find(&counter->joint, truth_id, pred_id)};
}

static dv_status list(const dv_mask_counter *counter, dv_mask_counts *counts) {
    const dv_contour_side *truth = &counter->truth, *pred = &counter->pred;
    const bool all = counter->rules.all_pairs;
    size_t n_pairs = all ? truth->n * pred->n : 0; /* below 2^32 */
    for (size_t t = 0; t < truth->n && !all; t++) n_pairs += dv_contour_side_find(pred, truth->objects[t].id) != NULL;
    DV_TRY(dv_mask_counts_reserve(counts, truth->n, pred->n, n_pairs));
    list_sizes(truth, counts->truth);
    list_sizes(pred, counts->pred);
    counts->n_truth = truth->n;
    counts->n_pred = pred->n;
    for (size_t t = 0; t < truth->n; t++) {
        const uint16_t id = truth->objects[t].id;
        for (size_t p = 0; p < pred->n && all; p++) list_pair(counter, id, pred->objects[p].id, counts);
        if (!all && dv_contour_side_find(pred, id)) list_pair(counter, id, id, counts);
    }
    return DV_OK;
}

/* Matched pixels of one side: the contours of the other are drawn one by one, each for all of its pairs. */
static dv_status match_side(dv_mask_counter *counter, bool draw_truth, dv_mask_counts *counts) {
    dv_contour_disk *disk = &counter->disk;
    const bool by_pred = counter->rules.all_pairs && !draw_truth; /* pairs are listed by truth */
    const dv_contour_object *drawn = NULL;
    dv_status status = DV_OK;
    for (size_t k = 0; k < counts->n_pairs && status == DV_OK; k++) {
        const size_t at = by_pred ? k % counts->n_truth * counts->n_pred + k / counts->n_truth : k;
        dv_mask_pair *pair = &counts->pairs[at];
        const dv_contour_object *truth = dv_contour_side_find(&counter->truth, pair->truth_id);
        const dv_contour_object *pred = dv_contour_side_find(&counter->pred, pair->pred_id);
        const dv_contour_object *wanted = draw_truth ? truth : pred, *asked = draw_truth ? pred : truth;
        if (wanted->n == 0 || asked->n == 0) continue;
        if (wanted != drawn) {
            if (drawn) dv_contour_disk_wipe(disk, drawn->contour, drawn->n);
            status = dv_contour_disk_draw(disk, wanted->contour, wanted->n);
            drawn = status == DV_OK ? wanted : NULL;
        }
        if (drawn)
            dv_contour_disk_count(disk, asked->contour, asked->n,
                                  draw_truth ? pair->pred_matched : pair->truth_matched);
    }
    if (drawn) dv_contour_disk_wipe(disk, drawn->contour, drawn->n);
    return status;
}

/* A partner is one on both sides. */
static dv_status match_partners(const dv_mask_counter *counter, dv_mask_counts *counts) {
    for (size_t k = 0; k < counts->n_pairs; k++) {
        dv_mask_pair *pair = &counts->pairs[k];
        const dv_contour_object *truth = dv_contour_side_find(&counter->truth, pair->truth_id);
        const dv_contour_object *pred = dv_contour_side_find(&counter->pred, pair->pred_id);
        DV_TRY(dv_contour_partners(truth, pred, counts->height, counts->width, counts->radii_px, counts->n_radii,
                                   pair->truth_matched));
        memcpy(pair->pred_matched, pair->truth_matched, sizeof pair->pred_matched);
    }
    return DV_OK;
}

dv_status dv_mask_counter_count(dv_mask_counter *counter, const uint16_t *truth, const uint16_t *pred, size_t height,
                                size_t width, dv_mask_counts *counts) {
    DV_TRY(dv_mask_rules_apply(&counter->rules, height, width, counts));
    dv_contour_side_reset(&counter->truth);
    dv_contour_side_reset(&counter->pred);
    dv_joint_reset(&counter->joint);
    DV_TRY(scan(counter, truth, pred, height, width));
    DV_TRY(add_pixels(counter));
    dv_contour_side_sort(&counter->truth);
    dv_contour_side_sort(&counter->pred);
    DV_TRY(list(counter, counts));
    if (counter->rules.areas_only) return DV_OK;
    if (counter->rules.bipartite) return match_partners(counter, counts);
    DV_TRY(dv_contour_disk_set(&counter->disk, height, width, counts->radii_px, counts->n_radii));
    DV_TRY(match_side(counter, true, counts));
    return match_side(counter, false, counts);
}
