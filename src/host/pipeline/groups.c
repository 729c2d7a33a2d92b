#include "pipeline/groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

typedef struct key {
    const char *id;
    int32_t group;
} key;

static int compare_keys(const void *a, const void *b) {
    return strcmp(((const key *)a)->id, ((const key *)b)->id);
}

/* Numbers the ids by their first place in sorted order: equal ids share a group. */
static dv_status sorted_keys(const char *const *ids, size_t n, key **out) {
    key *keys;
    DV_TRY(dv_alloc(n, sizeof *keys, "the ids of the bank", &keys));
    for (size_t i = 0; i < n; i++) keys[i].id = ids[i];
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n; i++)
        keys[i].group = i > 0 && strcmp(keys[i].id, keys[i - 1].id) == 0 ? keys[i - 1].group : (int32_t)i;
    *out = keys;
    return DV_OK;
}

static int32_t group_of(const key *keys, size_t n, const char *id) {
    const key wanted = {.id = id};
    const key *found = bsearch(&wanted, keys, n, sizeof *keys, compare_keys);
    return found ? found->group : -1;
}

static dv_status fill_groups(const dv_bank_info *bank, const dv_feature_info *queries, const char *const *bank_ids,
                             const char *const *query_ids, dv_groups *groups) {
    key *keys = NULL;
    int32_t *of_image = NULL;
    dv_status status = sorted_keys(bank_ids, bank->n_images, &keys);
    if (status == DV_OK) status = dv_alloc(bank->n_images, sizeof *of_image, "groups of the bank", &of_image);
    if (status == DV_OK) status = dv_alloc(bank->n_rows, sizeof(int32_t), "groups of the rows", &groups->of_row);
    if (status == DV_OK)
        status = dv_alloc(queries->n_images, sizeof(int32_t), "groups of the queries", &groups->of_query_image);
    if (status != DV_OK) goto done;
    for (size_t image = 0; image < bank->n_images; image++)
        of_image[image] = group_of(keys, bank->n_images, bank_ids[image]);
    for (size_t row = 0; row < bank->n_rows; row++)
        groups->of_row[row] = bank->image[row] < 0 ? -2 : of_image[bank->image[row]];
    for (size_t image = 0; image < queries->n_images; image++)
        groups->of_query_image[image] = group_of(keys, bank->n_images, query_ids[image]);
done:
    free(keys);
    free(of_image);
    return status;
}

dv_status dv_groups_make(const dv_bank_info *bank, const dv_feature_info *queries, dv_exclude exclude,
                         dv_groups *groups) {
    *groups = (dv_groups){0};
    if (exclude == DV_EXCLUDE_NONE) return DV_OK;
    const bool by_object = exclude == DV_EXCLUDE_OBJECT;
    if (by_object && (!bank->object_ids || !queries->object_ids))
        return dv_fail(DV_E_DATA, "--exclude object: the %s have no /object_id",
                       bank->object_ids ? "queries" : "rows of the bank");
    const dv_status status = fill_groups(bank, queries, by_object ? bank->object_ids : bank->image_ids,
                                         by_object ? queries->object_ids : queries->image_ids, groups);
    if (status != DV_OK) dv_groups_clear(groups);
    return status;
}

void dv_groups_clear(dv_groups *groups) {
    free(groups->of_row);
    free(groups->of_query_image);
    free(groups->of_block);
    *groups = (dv_groups){0};
}

void dv_groups_count(const dv_groups *groups, const size_t *rows, size_t n_rows, size_t *n_of_group) {
    for (size_t i = 0; i < n_rows; i++) {
        const int32_t group = groups->of_row[rows ? rows[i] : i];
        if (group >= 0) n_of_group[group]++;
    }
}

dv_status dv_groups_check(const dv_groups *groups, const dv_feature_info *queries, const size_t *images,
                          size_t n_images, const size_t *n_of_group, size_t n_rows, size_t k) {
    for (size_t i = 0; i < n_images; i++) {
        const size_t image = images ? images[i] : i;
        const int32_t group = groups->of_query_image[image];
        const size_t visible = n_rows - (group >= 0 ? n_of_group[group] : 0);
        if (visible < k)
            return dv_fail(DV_E_DATA, "query image \"%s\": %zu bank rows are left after --exclude, k is %zu",
                           queries->image_ids[image], visible, k);
    }
    return DV_OK;
}

dv_status dv_groups_block(dv_groups *groups, const dv_feature_block *block, size_t n_patches, const int32_t **out) {
    *out = NULL;
    if (!groups->of_query_image) return DV_OK;
    if (groups->n_of_block < block->n_images * n_patches) {
        free(groups->of_block);
        groups->of_block = NULL;
        groups->n_of_block = 0;
        DV_TRY(dv_alloc(block->n_images * n_patches, sizeof *groups->of_block, "groups of a block", &groups->of_block));
        groups->n_of_block = block->n_images * n_patches;
    }
    for (size_t i = 0; i < block->n_images; i++)
        for (size_t patch = 0; patch < n_patches; patch++)
            groups->of_block[i * n_patches + patch] = groups->of_query_image[block->images[i]];
    *out = groups->of_block;
    return DV_OK;
}
