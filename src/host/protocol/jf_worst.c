#include "denseval/jf_worst.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

static int compare_sizes(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int compare(const dv_jf_worst *a, const dv_jf_worst *b) {
    const double of_a = a->j + a->f, of_b = b->j + b->f;
    if (of_a != of_b) return of_a < of_b ? -1 : 1;
    if (a->sequence != b->sequence) return compare_sizes(a->sequence, b->sequence);
    if (a->frame != b->frame) return compare_sizes(a->frame, b->frame);
    return compare_sizes(a->object, b->object);
}

/* Puts an entry at its place in a list that is in order; the last one goes where it is full. */
static void insert(dv_jf_worst *list, size_t most, size_t *n, const dv_jf_worst *entry) {
    if (*n == most && compare(entry, &list[most - 1]) > 0) return;
    size_t at = *n < most ? (*n)++ : most - 1;
    for (; at > 0 && compare(entry, &list[at - 1]) < 0; at--) list[at] = list[at - 1];
    list[at] = *entry;
}

static size_t count_all(const dv_jf_result *result) {
    size_t n = 0;
    for (size_t s = 0; s < result->n_sequences; s++)
        for (size_t o = 0; o < result->sequences[s].n_objects; o++) n += result->sequences[s].objects[o].n_frames;
    return n;
}

dv_status dv_jf_worst_find(const dv_jf_result *result, size_t most, dv_jf_worst **worst, size_t *n) {
    const size_t n_all = count_all(result), n_kept = most < n_all ? most : n_all;
    *n = 0;
    DV_TRY(dv_alloc(n_kept, sizeof **worst, "the worst frames", worst));
    for (size_t s = 0; n_kept && s < result->n_sequences; s++)
        for (size_t o = 0; o < result->sequences[s].n_objects; o++) {
            const dv_jf_object *const object = &result->sequences[s].objects[o];
            for (size_t i = 0; i < object->n_frames; i++) {
                const dv_jf_worst entry = {s, object->frames[i], o, object->j[i], object->f[i]};
                insert(*worst, n_kept, n, &entry);
            }
        }
    return DV_OK;
}
