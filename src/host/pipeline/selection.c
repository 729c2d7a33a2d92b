#include "pipeline/selection.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

static int compare_bins(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static size_t find_bin(const dv_selection *selection, int32_t bin) {
    const int32_t *found = bsearch(&bin, selection->bins, selection->n_bins, sizeof bin, compare_bins);
    return (size_t)(found - selection->bins);
}

static dv_status find_bins(const dv_feature_info *queries, dv_selection *selection) {
    const size_t n = queries->n_images;
    DV_TRY(dv_alloc(n, sizeof *selection->bins, "the bins", &selection->bins));
    DV_TRY(dv_alloc(n, sizeof *selection->bin_of, "the bins of the images", &selection->bin_of));
    memcpy(selection->bins, queries->view_bins, n * sizeof *selection->bins);
    qsort(selection->bins, n, sizeof *selection->bins, compare_bins);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || selection->bins[i] != selection->bins[i - 1])
            selection->bins[selection->n_bins++] = selection->bins[i];
    for (size_t i = 0; i < n; i++) selection->bin_of[i] = find_bin(selection, queries->view_bins[i]);
    return DV_OK;
}

static dv_status keep_whole_batches(size_t n_images, size_t batch, dv_selection *selection) {
    const size_t n_groups = selection->bin_of ? selection->n_bins : 1;
    size_t *n_of_group, *seen;
    DV_TRY(dv_alloc(2 * n_groups, sizeof *n_of_group, "images of the bins", &n_of_group));
    seen = n_of_group + n_groups;
    for (size_t image = 0; image < n_images; image++) n_of_group[selection->bin_of ? selection->bin_of[image] : 0]++;
    for (size_t image = 0; image < n_images; image++) {
        const size_t group = selection->bin_of ? selection->bin_of[image] : 0;
        const size_t kept = batch ? n_of_group[group] / batch * batch : n_of_group[group];
        if (seen[group]++ < kept) selection->images[selection->n_images++] = image;
    }
    selection->n_dropped = n_images - selection->n_images;
    free(n_of_group);
    return DV_OK;
}

dv_status dv_selection_make(const dv_feature_info *queries, size_t drop_last_batch, dv_selection *out) {
    *out = (dv_selection){0};
    dv_status status = queries->view_bins ? find_bins(queries, out) : DV_OK;
    if (status == DV_OK) status = dv_alloc(queries->n_images, sizeof *out->images, "the query images", &out->images);
    if (status == DV_OK) status = keep_whole_batches(queries->n_images, drop_last_batch, out);
    if (status != DV_OK) dv_selection_clear(out);
    return status;
}

void dv_selection_clear(dv_selection *selection) {
    free(selection->images);
    free(selection->bins);
    free(selection->bin_of);
    *selection = (dv_selection){0};
}
