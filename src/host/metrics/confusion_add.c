/* confusion_add.c: label maps are flat in large parts, so each run of equal pairs is one addition. */
#include "core/check.h"
#include "core/memory.h"
#include "metrics/confusion_parts.h"
#include "metrics/pixel_pair.h"

/* Adds n_pixels of one pair of labels that is no cell of a matrix, or goes to a sparse one; false when the pair may not
 * be counted. */
static bool add_pair(dv_confusion *confusion, const dv_pixel_policy *policy, uint16_t truth, uint16_t pred,
                     uint64_t n_pixels) {
    switch (dv_pixel_kind_of(policy, confusion->n_classes, truth, pred)) {
    case DV_PIXEL_IGNORED:
        confusion->ignored += n_pixels;
        return true;
    case DV_PIXEL_DROPPED:
        confusion->dropped += n_pixels;
        return true;
    case DV_PIXEL_FALSE_POSITIVE:
        confusion->false_positives[pred] += n_pixels;
        return true;
    case DV_PIXEL_CELL:
        confusion->out_of_memory |= !dv_pair_table_add(&confusion->pairs, truth, pred, n_pixels);
        return true;
    case DV_PIXEL_REFUSED:
        break;
    }
    return false;
}

/* Two label maps of one width. */
typedef struct label_pairs {
    const void *truth, *pred; /* u8 or u16 */
    bool wide;
} label_pairs;

static inline uint16_t label_at(const void *labels, bool wide, size_t i) {
    return wide ? ((const uint16_t *)labels)[i] : ((const uint8_t *)labels)[i];
}

static label_pairs from(const label_pairs *pairs, size_t begin) {
    const size_t n_bytes = begin * (pairs->wide ? sizeof(uint16_t) : sizeof(uint8_t));
    return (label_pairs){(const char *)pairs->truth + n_bytes, (const char *)pairs->pred + n_bytes, pairs->wide};
}

/* What is the same for all pairs of a map. */
typedef struct adding {
    const dv_pair_runs *runs;
    dv_confusion *confusion;
    const dv_pixel_policy *policy;
    const uint32_t *rows; /* [n_classes + 1]: the first cell of a class in the matrix, NO_CELL: the pairs of this truth
                             are none of the matrix, nor are those of the last, which stands for all that is no class;
                             NULL of a sparse matrix */
} adding;

enum { NO_CELL_BIT = 30 };
static const uint32_t NO_CELL = UINT32_C(1) << NO_CELL_BIT;
_Static_assert(DV_MAX_CLASSES *DV_MAX_CLASSES < 1 << NO_CELL_BIT, "a cell and NO_CELL, even twice, are kept apart");

/* The lower of two numbers, by a move and not by a branch, which nobody could foresee at borders. */
static inline uint32_t lower(uint32_t a, uint32_t b) {
    return __builtin_expect_with_probability(a < b, 1, 0.5) ? a : b;
}

/* Adds the runs that belong to the matrix and lists the others; returns how many they are. No branch depends on the
 * labels: at borders nobody can foresee them.
 * others  u16 [n_runs]: numbers of runs */
static inline size_t add_cells(const adding *a, const void *truth, const void *pred, bool wide, const uint16_t *ends,
                               size_t n_runs, uint64_t times, uint16_t *restrict others) {
    const uint32_t n = (uint32_t)a->confusion->n_classes, none = n * n;
    const uint32_t *const rows = a->rows;
    uint64_t *restrict const counts = a->confusion->counts;
    size_t n_others = 0, begin = 0;
    for (size_t run = 0; run < n_runs; begin = ends[run++]) {
        const uint32_t t = label_at(truth, wide, begin), p = label_at(pred, wide, begin);
        const uint32_t cell = rows[lower(t, n)] + p + ((uint32_t)(p >= n) << NO_CELL_BIT);
        counts[lower(cell, none)] += (ends[run] - begin) * times;
        others[n_others] = (uint16_t)run;
        n_others += cell >= none;
    }
    return n_others;
}

/* Finds the runs and adds those of the matrix; *n_others: of how many, listed in `others`, add_pair must be asked. */
static void add_runs(const adding *a, const label_pairs *pairs, size_t n_pairs, uint64_t times, uint16_t *ends,
                     uint16_t *others, size_t *n_others) {
    const size_t n_runs = pairs->wide ? a->runs->find_u16(pairs->truth, pairs->pred, n_pairs, ends)
                                      : a->runs->find_u8(pairs->truth, pairs->pred, n_pairs, ends);
    if (!a->rows) {
        for (size_t run = 0; run < n_runs; run++) others[run] = (uint16_t)run;
        *n_others = n_runs;
    } else if (pairs->wide) {
        *n_others = add_cells(a, pairs->truth, pairs->pred, true, ends, n_runs, times, others);
    } else {
        *n_others = add_cells(a, pairs->truth, pairs->pred, false, ends, n_runs, times, others);
    }
}

/* Adds pairs, at most DV_PAIR_RUNS_MOST, `times` (modulo 2^64) each; stops before a pair that may not be counted and
 * returns its index, else n_pairs. */
static size_t add_piece(const adding *a, const label_pairs *pairs, size_t n_pairs, uint64_t times) {
    uint16_t ends[DV_PAIR_RUNS_MOST + DV_PAIR_RUNS_SPARE], others[DV_PAIR_RUNS_MOST];
    size_t n_others;
    add_runs(a, pairs, n_pairs, times, ends, others, &n_others);
    for (size_t i = 0; i < n_others; i++) {
        const size_t run = others[i], begin = run ? ends[run - 1] : 0;
        const uint16_t t = label_at(pairs->truth, pairs->wide, begin), p = label_at(pairs->pred, pairs->wide, begin);
        if (add_pair(a->confusion, a->policy, t, p, (ends[run] - begin) * times)) continue;
        const label_pairs behind = from(pairs, begin); /* the matrix has them already */
        if (a->rows) add_runs(a, &behind, n_pairs - begin, 0 - times, ends, others, &n_others);
        return begin;
    }
    return n_pairs;
}

/* The same for any number of pairs. */
static size_t add_all(const adding *a, const label_pairs *pairs, size_t n_pairs, uint64_t times) {
    for (size_t begin = 0; begin < n_pairs; begin += DV_PAIR_RUNS_MOST) {
        const size_t left = n_pairs - begin, n = left < DV_PAIR_RUNS_MOST ? left : DV_PAIR_RUNS_MOST;
        const label_pairs piece = from(pairs, begin);
        const size_t added = add_piece(a, &piece, n, times);
        if (added < n) return begin + added;
    }
    return n_pairs;
}

static dv_status tell_fault(const adding *a, const label_pairs *pairs, size_t fault, size_t width) {
    return dv_pixel_refuse(a->policy, a->confusion->n_classes, label_at(pairs->truth, pairs->wide, fault),
                           label_at(pairs->pred, pairs->wide, fault), fault / width, fault % width);
}

static dv_status add(const dv_pair_runs *runs, dv_confusion *confusion, const dv_pixel_policy *policy,
                     const label_pairs *pairs, size_t height, size_t width) {
    size_t n_pixels;
    DV_TRY(dv_pixel_policy_check(policy));
    DV_TRY(dv_mul_size(height, width, "pixels of a label map", &n_pixels));
    uint32_t rows[DV_MAX_CLASSES + 1];
    const adding a = {runs, confusion, policy, confusion->counts ? rows : NULL};
    const size_t n = confusion->n_classes;
    for (size_t k = 0; a.rows && k < n; k++)
        rows[k] = dv_label_set_has(&policy->ignored, (uint16_t)k) ? NO_CELL : (uint32_t)(k * n);
    if (a.rows) rows[n] = NO_CELL;
    const size_t fault = add_all(&a, pairs, n_pixels, 1);
    if (confusion->out_of_memory) return dv_fail(DV_E_NOMEM, "no memory for the pairs of classes of a label map");
    if (fault == n_pixels) return DV_OK;
    add_all(&a, pairs, fault, UINT64_MAX); /* -1 each: takes back what was added */
    return tell_fault(&a, pairs, fault, width);
}

dv_status dv_confusion_add_by(const dv_pair_runs *runs, dv_confusion *confusion, const dv_pixel_policy *policy,
                              const uint16_t *truth, const uint16_t *pred, size_t height, size_t width) {
    const label_pairs pairs = {truth, pred, true};
    return add(runs, confusion, policy, &pairs, height, width);
}

dv_status dv_confusion_add_u8_by(const dv_pair_runs *runs, dv_confusion *confusion, const dv_pixel_policy *policy,
                                 const uint8_t *truth, const uint8_t *pred, size_t height, size_t width) {
    const label_pairs pairs = {truth, pred, false};
    return add(runs, confusion, policy, &pairs, height, width);
}

dv_status dv_confusion_add(dv_confusion *confusion, const dv_pixel_policy *policy, const uint16_t *truth,
                           const uint16_t *pred, size_t height, size_t width) {
    return dv_confusion_add_by(dv_pair_runs_best(), confusion, policy, truth, pred, height, width);
}

dv_status dv_confusion_add_u8(dv_confusion *confusion, const dv_pixel_policy *policy, const uint8_t *truth,
                              const uint8_t *pred, size_t height, size_t width) {
    return dv_confusion_add_u8_by(dv_pair_runs_best(), confusion, policy, truth, pred, height, width);
}
