/* Leakage between two splits. */
#include "denseval/splits.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "io/id_list.h"
#include "io/name_list.h"
#include "protocol/splits_pixels.h"

/* Pairs grow with the square of the pictures that are alike; so many are listed at most, in all. */
enum { FIRST_PAIRS = 16, MOST_PAIRS = 1 << 20 };

static int compare_pairs(const void *a, const void *b) {
    const dv_split_pair *const x = a, *const y = b;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static void sort_pairs(dv_split_pairs *list) {
    if (list->n) qsort(list->pairs, list->n, sizeof *list->pairs, compare_pairs);
}

/* Room is a power of two. */
static dv_status add_pair(dv_split_pairs *list, size_t a, size_t b) {
    if (list->n == 0 || (list->n >= FIRST_PAIRS && (list->n & (list->n - 1)) == 0)) {
        dv_split_pair *const grown = reallocarray(list->pairs, list->n ? list->n * 2 : FIRST_PAIRS, sizeof *grown);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a list of %zu pairs", list->n + 1);
        list->pairs = grown;
    }
    list->pairs[list->n++] = (dv_split_pair){a, b};
    return DV_OK;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static dv_status find_same_ids(dv_splits_result *result) {
    const dv_names *const a = &result->ids[0], *const b = &result->ids[1];
    char **const sorted = malloc(b->n * sizeof *sorted);
    if (!sorted) return dv_fail(DV_E_NOMEM, "no memory for %zu ids", b->n);
    memcpy(sorted, b->names, b->n * sizeof *sorted);
    qsort(sorted, b->n, sizeof *sorted, compare_texts);
    dv_status status = DV_OK;
    for (size_t i = 0; i < a->n && status == DV_OK; i++)
        if (bsearch(&a->names[i], sorted, b->n, sizeof *sorted, compare_texts))
            status = add_pair(&result->same_id, i, i);
    free(sorted);
    return status;
}

/* ---- Pixels --------------------------------------------------------------------------------------------------------
 */

/* By hash, then split, then id. */
static int compare_pictures(const void *a, const void *b) {
    const dv_split_picture *const x = a, *const y = b;
    const int order = strcmp(x->hash, y->hash);
    if (order) return order;
    if (x->split != y->split) return x->split < y->split ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static dv_status take_pair(dv_splits_result *result, const dv_split_picture *x, const dv_split_picture *y) {
    if (x->split == y->split) return add_pair(&result->inside[x->split], x->id, y->id);
    const bool same_id = strcmp(result->ids[x->split].names[x->id], result->ids[y->split].names[y->id]) == 0;
    return same_id ? DV_OK : add_pair(&result->same_pixels, x->id, y->id);
}

static dv_status check_room(const dv_splits_result *result, const dv_split_picture *next) {
    if (result->same_pixels.n + result->inside[0].n + result->inside[1].n <= MOST_PAIRS) return DV_OK;
    return dv_fail(DV_E_DATA, "picture of %s: with it, more than %d pairs of pictures have the same pixels",
                   result->ids[next->split].names[next->id], MOST_PAIRS);
}

static dv_status find_same_pixels(dv_split_picture *pictures, dv_splits_result *result) {
    const size_t n = result->ids[0].n + result->ids[1].n;
    qsort(pictures, n, sizeof *pictures, compare_pictures);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; pictures[i].hash[0] && k < n && strcmp(pictures[i].hash, pictures[k].hash) == 0; k++) {
            DV_TRY(take_pair(result, &pictures[i], &pictures[k]));
            DV_TRY(check_room(result, &pictures[k]));
        }
    sort_pairs(&result->same_pixels);
    for (size_t split = 0; split < DV_N_SPLITS; split++) sort_pairs(&result->inside[split]);
    return DV_OK;
}

/* ---- Run -----------------------------------------------------------------------------------------------------------
 */

static dv_status run(const dv_splits_options *options, dv_splits_result *result) {
    dv_split_picture *pictures;
    for (size_t split = 0; split < DV_N_SPLITS; split++)
        DV_TRY(dv_id_list_read(options->lists[split], &result->ids[split], &result->n_repeated[split]));
    DV_TRY(find_same_ids(result));
    if (!options->images) return DV_OK;
    DV_TRY(dv_split_pictures_read(options, result, &pictures));
    const dv_status status = find_same_pixels(pictures, result);
    free(pictures);
    return status;
}

dv_status dv_splits_run(const dv_splits_options *options, dv_splits_result *result) {
    memset(result, 0, sizeof *result);
    const dv_status status = run(options, result);
    if (status != DV_OK) dv_splits_result_clear(result);
    return status;
}

void dv_splits_result_clear(dv_splits_result *result) {
    if (!result) return;
    for (size_t split = 0; split < DV_N_SPLITS; split++) {
        dv_name_list_clear(&result->ids[split]);
        free(result->inside[split].pairs);
    }
    free(result->same_id.pairs);
    free(result->same_pixels.pairs);
    memset(result, 0, sizeof *result);
}
