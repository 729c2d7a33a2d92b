/* An image id is the key that results are joined by, so it occurs once in a set. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/feature_set.h"

typedef struct keyed_image {
    const char *id;
    size_t image;
} keyed_image;

static int compare_keyed(const void *a, const void *b) {
    const keyed_image *x = a, *y = b;
    const int order = strcmp(x->id, y->id);
    if (order) return order;
    return x->image < y->image ? -1 : x->image > y->image;
}

static dv_status repeated(const dv_features *set, size_t earlier, size_t later) {
    const size_t file = dv_features_file_of(set, later), other = dv_features_file_of(set, earlier);
    return dv_fail(DV_E_DATA, "%s: /image_id row %zu, \"%s\": is also row %zu of %s, expected unique ids",
                   set->files[file].path, later - set->first[file], set->image_ids[later], earlier - set->first[other],
                   set->files[other].path);
}

dv_status dv_features_check_unique(const dv_features *features) {
    const size_t n = features->info.n_images;
    keyed_image *keyed = NULL;
    DV_TRY(dv_alloc(n, sizeof *keyed, "image ids", &keyed));
    for (size_t i = 0; i < n; i++) keyed[i] = (keyed_image){features->image_ids[i], i};
    qsort(keyed, n, sizeof *keyed, compare_keyed);
    size_t earlier = 0, later = SIZE_MAX; /* of the repeat that comes first in the set */
    for (size_t i = 1; i < n; i++) {
        if (keyed[i].image >= later || strcmp(keyed[i - 1].id, keyed[i].id) != 0) continue;
        earlier = keyed[i - 1].image;
        later = keyed[i].image;
    }
    free(keyed);
    return later == SIZE_MAX ? DV_OK : repeated(features, earlier, later);
}
