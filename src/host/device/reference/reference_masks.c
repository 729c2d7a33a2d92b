/* reference_masks.c: mask by mask, contour image by contour image; for each contour pixel its whole disk is looked at.
 */
#include "device/reference/reference_masks.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/mask_count_rules.h"

enum { N_IDS = 65536, NOBODY = -1 };

typedef struct frame {
    const uint16_t *truth, *pred;
    int64_t height, width;
    bool *truth_contour, *pred_contour; /* [height, width], of one object each */
    int64_t *partner;                   /* [height, width], of a pixel of the predicted contour: its true one */
    bool *visited;                      /* [height, width] */
    bool *present;                      /* [65536], by id */
} frame;

dv_status dv_reference_counter_open(dv_device *device, const dv_mask_rules *rules, void **counter) {
    (void)device;
    *counter = NULL;
    DV_TRY(dv_mask_rules_check(rules));
    dv_mask_rules *made;
    DV_TRY(dv_alloc(1, sizeof *made, "counter of masks", &made));
    *made = *rules;
    *counter = made;
    return DV_OK;
}

void dv_reference_counter_close(dv_device *device, void *counter) {
    (void)device;
    free(counter);
}

static bool is_contour(const frame *f, const uint16_t *map, uint16_t id, int64_t y, int64_t x) {
    const bool last_row = y == f->height - 1, last_column = x == f->width - 1;
    const uint16_t *at = map + y * f->width + x;
    const bool inside = *at == id;
    const bool right = !last_column && (at[1] == id) != inside;
    const bool lower = !last_row && (at[f->width] == id) != inside;
    const bool across = !last_column && !last_row && (at[f->width + 1] == id) != inside;
    if (last_row) return right;
    if (last_column) return lower;
    return right || lower || across;
}

/* Returns how many contour pixels there are. */
static uint64_t draw_contour(const frame *f, const uint16_t *map, uint16_t id, bool *contour) {
    uint64_t n = 0;
    for (int64_t y = 0; y < f->height; y++)
        for (int64_t x = 0; x < f->width; x++) {
            contour[y * f->width + x] = is_contour(f, map, id, y, x);
            n += contour[y * f->width + x];
        }
    return n;
}

static bool is_in_disk(const frame *f, int64_t centre, int64_t pixel, int64_t radius) {
    const int64_t dy = centre / f->width - pixel / f->width, dx = centre % f->width - pixel % f->width;
    return dy * dy + dx * dx <= radius * radius;
}

/* The square about a disk, cut at the frame. */
typedef struct square {
    int64_t top, bottom, left, right;
} square;

static square square_about(const frame *f, int64_t centre, int64_t radius) {
    const int64_t y = centre / f->width, x = centre % f->width;
    return (square){.top = y - radius < 0 ? 0 : y - radius,
                    .bottom = y + radius >= f->height ? f->height - 1 : y + radius,
                    .left = x - radius < 0 ? 0 : x - radius,
                    .right = x + radius >= f->width ? f->width - 1 : x + radius};
}

static bool is_matched(const frame *f, int64_t centre, const bool *other, int64_t radius) {
    const square s = square_about(f, centre, radius);
    for (int64_t y = s.top; y <= s.bottom; y++)
        for (int64_t x = s.left; x <= s.right; x++)
            if (other[y * f->width + x] && is_in_disk(f, centre, y * f->width + x, radius)) return true;
    return false;
}

static uint64_t count_matched(const frame *f, const bool *contour, const bool *other, int64_t radius) {
    uint64_t n = 0;
    for (int64_t i = 0; i < f->height * f->width; i++) n += contour[i] && is_matched(f, i, other, radius);
    return n;
}

/* Finds a true pixel a partner; those that are in the way look for others. Source: Kuhn's algorithm. */
static bool find_partner(const frame *f, int64_t pixel, int64_t radius) {
    const square s = square_about(f, pixel, radius);
    for (int64_t y = s.top; y <= s.bottom; y++)
        for (int64_t x = s.left; x <= s.right; x++) {
            const int64_t other = y * f->width + x;
            if (!f->pred_contour[other] || f->visited[other] || !is_in_disk(f, pixel, other, radius)) continue;
            f->visited[other] = true;
            if (f->partner[other] != NOBODY && !find_partner(f, f->partner[other], radius)) continue;
            f->partner[other] = pixel;
            return true;
        }
    return false;
}

static uint64_t count_partners(const frame *f, int64_t radius) {
    const int64_t n_pixels = f->height * f->width;
    uint64_t n = 0;
    for (int64_t i = 0; i < n_pixels; i++) f->partner[i] = NOBODY;
    for (int64_t i = 0; i < n_pixels; i++) {
        if (!f->truth_contour[i]) continue;
        for (int64_t j = 0; j < n_pixels; j++) f->visited[j] = false;
        n += find_partner(f, i, radius);
    }
    return n;
}

static uint64_t count_pixels(const frame *f, const uint16_t *map, uint16_t id) {
    uint64_t n = 0;
    for (int64_t i = 0; i < f->height * f->width; i++) n += map[i] == id;
    return n;
}

static void count_pair(const frame *f, const dv_mask_rules *rules, const dv_mask_counts *counts, dv_mask_pair *pair) {
    for (int64_t i = 0; i < f->height * f->width; i++)
        pair->intersection += f->truth[i] == pair->truth_id && f->pred[i] == pair->pred_id;
    if (rules->areas_only) return;
    (void)draw_contour(f, f->truth, pair->truth_id, f->truth_contour);
    (void)draw_contour(f, f->pred, pair->pred_id, f->pred_contour);
    const int64_t diagonal = f->height + f->width; /* and more: a longer radius reaches everything too */
    for (size_t r = 0; r < counts->n_radii; r++) {
        const int64_t radius = counts->radii_px[r] < diagonal ? counts->radii_px[r] : diagonal;
        if (rules->bipartite) {
            pair->truth_matched[r] = pair->pred_matched[r] = count_partners(f, radius);
        } else {
            pair->truth_matched[r] = count_matched(f, f->truth_contour, f->pred_contour, radius);
            pair->pred_matched[r] = count_matched(f, f->pred_contour, f->truth_contour, radius);
        }
    }
}

/* The ids of a map, rising, with what is counted of each. Returns how many; sizes NULL: only that. */
static size_t list_objects(const frame *f, const uint16_t *map, bool areas_only, dv_mask_size *sizes) {
    size_t n = 0;
    for (size_t id = 0; id < N_IDS; id++) f->present[id] = false;
    for (int64_t i = 0; i < f->height * f->width; i++) f->present[map[i]] = true;
    for (size_t id = 1; id < N_IDS; id++) {
        if (!f->present[id]) continue;
        if (sizes) {
            const uint64_t pixels = count_pixels(f, map, (uint16_t)id);
            const uint64_t contour = areas_only ? 0 : draw_contour(f, map, (uint16_t)id, f->truth_contour);
            sizes[n] = (dv_mask_size){.id = (uint16_t)id, .pixels = pixels, .contour = contour};
        }
        n++;
    }
    return n;
}

static dv_status count_frame(const frame *f, const dv_mask_rules *rules, dv_mask_counts *counts) {
    const size_t n_truth = list_objects(f, f->truth, true, NULL), n_pred = list_objects(f, f->pred, true, NULL);
    size_t most;
    DV_TRY(dv_mul_size(n_truth, rules->all_pairs ? n_pred : 1, "pairs of objects", &most));
    DV_TRY(dv_mask_counts_reserve(counts, n_truth, n_pred, most));
    counts->n_truth = list_objects(f, f->truth, rules->areas_only, counts->truth);
    counts->n_pred = list_objects(f, f->pred, rules->areas_only, counts->pred);
    for (size_t t = 0; t < n_truth; t++)
        for (size_t p = 0; p < n_pred; p++) {
            const uint16_t truth_id = counts->truth[t].id, pred_id = counts->pred[p].id;
            if (!rules->all_pairs && truth_id != pred_id) continue;
            dv_mask_pair *pair = &counts->pairs[counts->n_pairs++];
            *pair = (dv_mask_pair){.truth_id = truth_id, .pred_id = pred_id};
            count_pair(f, rules, counts, pair);
        }
    return DV_OK;
}

dv_status dv_reference_count_masks(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                                   size_t height, size_t width, dv_mask_counts *counts) {
    (void)device;
    const dv_mask_rules *rules = counter;
    DV_TRY(dv_mask_rules_apply(rules, height, width, counts));
    const size_t n_pixels = height * width;
    frame f = {.truth = truth, .pred = pred, .height = (int64_t)height, .width = (int64_t)width};
    dv_status status = dv_alloc(n_pixels, sizeof *f.truth_contour, "contour", &f.truth_contour);
    if (status == DV_OK) status = dv_alloc(n_pixels, sizeof *f.pred_contour, "contour", &f.pred_contour);
    if (status == DV_OK) status = dv_alloc(n_pixels, sizeof *f.partner, "partners", &f.partner);
    if (status == DV_OK) status = dv_alloc(n_pixels, sizeof *f.visited, "visited pixels", &f.visited);
    if (status == DV_OK) status = dv_alloc(N_IDS, sizeof *f.present, "ids", &f.present);
    if (status == DV_OK) status = count_frame(&f, rules, counts);
    free(f.truth_contour);
    free(f.pred_contour);
    free(f.partner);
    free(f.visited);
    free(f.present);
    return status;
}
