#include "bank/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/counts.h"
#include "core/check.h"
#include "core/memory.h"

static bool bin_is_chosen(const dv_bank_options *options, int32_t bin) {
    for (size_t i = 0; i < options->n_bins; i++)
        if (options->bins[i] == bin) return true;
    return false;
}

/* Whether a bin occurs among the first n of a set. */
static bool bin_occurs(const int32_t *view_bins, size_t n, int32_t bin) {
    for (size_t i = 0; i < n; i++)
        if (view_bins[i] == bin) return true;
    return false;
}

/* Lists the bins of a set in the order they first occur, cut with "..." where the text is full. */
static void list_bins(const dv_feature_info *set, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < set->n_images; i++) {
        if (bin_occurs(set->view_bins, i, set->view_bins[i])) continue;
        char item[24];
        const int length = snprintf(item, sizeof item, "%s%" PRId32, used ? ", " : "", set->view_bins[i]);
        if (used + (size_t)length + sizeof ", ..." > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        memcpy(text + used, item, (size_t)length + 1);
        used += (size_t)length;
    }
}

static dv_status check_bins(const dv_feature_info *set, const dv_bank_options *options) {
    if (!options->bins) return DV_OK;
    if (options->n_bins == 0) return dv_fail(DV_E_ARG, "n_bins 0: a list of bins must name one");
    if (!set->view_bins) return dv_fail(DV_E_DATA, "%s: /view_bin: missing, but bins were chosen", set->paths[0]);
    for (size_t i = 0; i < options->n_bins; i++) {
        if (bin_occurs(set->view_bins, set->n_images, options->bins[i])) continue;
        char present[160];
        list_bins(set, present, sizeof present);
        return dv_fail(DV_E_DATA, "%s: /view_bin: no image of bin %" PRId32 ", the bins are %s", set->paths[0],
                       options->bins[i], present);
    }
    return DV_OK;
}

/* How many classes the counts are of; 0 for a bank without. */
static dv_status choose_classes(const dv_feature_info *set, const dv_bank_options *options, dv_bank_plan *plan) {
    const char *path = set->paths[0];
    const bool may_lack = options->labels_optional && plan->every_patch;
    if (!set->has_labels && may_lack) return DV_OK;
    if (!set->has_labels) return dv_fail(DV_E_DATA, "%s: /labels: missing, a bank needs labels", path);
    const size_t patch_size = set->preprocessing.patch_size;
    if (patch_size > DV_MAX_PATCH_SIZE)
        return dv_fail(DV_E_DATA, "%s: patch_size %zu: a bank counts the pixels of patches up to %d", path, patch_size,
                       DV_MAX_PATCH_SIZE);
    if (set->n_classes && options->n_classes && set->n_classes != options->n_classes)
        return dv_fail(DV_E_USAGE, "%s: /class_names: %zu classes, but %zu were asked for", path, set->n_classes,
                       options->n_classes);
    plan->n_classes = set->n_classes ? set->n_classes : options->n_classes;
    if (plan->n_classes == 0 && !may_lack)
        return dv_fail(DV_E_USAGE,
                       "%s: /class_names: missing, so the number of classes must be given (--classes C gives it)",
                       path);
    if (plan->n_classes > DV_MAX_CLASSES)
        return dv_fail(DV_E_USAGE, "%s: %zu classes: at most %d are possible", path, plan->n_classes, DV_MAX_CLASSES);
    return DV_OK;
}

static dv_status choose_images(const dv_feature_info *set, const dv_bank_options *options, dv_bank_plan *plan) {
    DV_TRY(check_bins(set, options));
    DV_TRY(dv_alloc(set->n_images, sizeof *plan->images, "the list of bank images", &plan->images));
    for (size_t image = 0; image < set->n_images; image++)
        if (!options->bins || bin_is_chosen(options, set->view_bins[image])) plan->images[plan->n_images++] = image;
    return DV_OK;
}

/* n of each image, from the images before any dropping, as published. */
static dv_status size_memory(const dv_feature_info *set, const dv_bank_options *options, dv_bank_plan *plan) {
    const size_t n_patches = set->n_patches, size = options->memory_size;
    const bool fixed = options->zero_rows == DV_ZERO_KEEP; /* such a memory keeps the rows that nothing fills */
    size_t images_x_passes, most;
    DV_TRY(dv_mul_size(plan->n_images, plan->passes, "images times passes", &images_x_passes));
    DV_TRY(dv_mul_size(images_x_passes, n_patches, "the patches of all passes", &most));
    if (size && size < images_x_passes)
        return dv_fail(DV_E_USAGE,
                       "memory size %zu: must be at least %zu, one row for each of %zu images in %zu passes", size,
                       images_x_passes, plan->n_images, plan->passes);
    if (size > most && !fixed)
        return dv_fail(DV_E_USAGE, "memory size %zu: must be at most %zu, all %zu patches of %zu images in %zu passes",
                       size, most, n_patches, plan->n_images, plan->passes);
    size_t n = size ? size / images_x_passes : options->per_image;
    if (n > n_patches && !fixed)
        return dv_fail(DV_E_USAGE, "%zu rows an image: must be at most %zu, the patches of an image", n, n_patches);
    if (fixed && size) plan->n_rows_fixed = size;
    if (fixed && !size) DV_TRY(dv_mul_size(images_x_passes, n, "the rows of the bank", &plan->n_rows_fixed));
    plan->per_image = n < n_patches ? n : n_patches;
    return DV_OK;
}

static dv_status drop_last_batch(const dv_feature_info *set, const dv_bank_options *options, dv_bank_plan *plan) {
    const size_t batch = options->drop_last_batch, chosen = plan->n_images;
    if (batch) plan->n_images -= chosen % batch;
    if (plan->n_images == 0)
        return dv_fail(DV_E_DATA, "%s: %zu images, all in an incomplete batch of %zu: the bank would have no rows",
                       set->paths[0], chosen, batch);
    return DV_OK;
}

dv_status dv_bank_plan_make(const dv_feature_info *set, const dv_bank_options *options, dv_bank_plan *plan) {
    *plan = (dv_bank_plan){.passes = options->passes ? options->passes : 1};
    plan->every_patch = options->memory_size == 0 && options->per_image == 0;
    if (options->memory_size && options->per_image)
        return dv_fail(DV_E_USAGE, "memory size %zu and %zu rows an image: only one of them can be given",
                       options->memory_size, options->per_image);
    if (plan->every_patch && plan->passes > 1)
        return dv_fail(DV_E_USAGE, "%zu passes: with every patch in the bank there can be only one", plan->passes);
    if (plan->passes > UINT32_MAX) return dv_fail(DV_E_USAGE, "%zu passes: must be below 2^32", plan->passes);
    DV_TRY(choose_classes(set, options, plan));
    if (set->n_images > INT32_MAX || set->n_patches > INT32_MAX)
        return dv_fail(DV_E_DATA, "%s: %zu images of %zu patches: a bank takes less than 2^31 of each", set->paths[0],
                       set->n_images, set->n_patches);
    DV_TRY(choose_images(set, options, plan));
    if (plan->n_images == 0) return dv_fail(DV_E_DATA, "%s: no images: the bank would have no rows", set->paths[0]);
    if (plan->every_patch)
        plan->per_image = set->n_patches;
    else
        DV_TRY(size_memory(set, options, plan));
    DV_TRY(drop_last_batch(set, options, plan));
    size_t n_samplings;
    DV_TRY(dv_mul_size(plan->n_images, plan->passes, "images times passes", &n_samplings));
    return dv_mul_size(n_samplings, plan->per_image, "the rows of the bank", &plan->n_filled_max);
}

dv_status dv_bank_plan_join(const dv_bank_plan *plans, size_t n_plans, size_t n_images, dv_bank_plan *plan) {
    *plan = (dv_bank_plan){.n_classes = plans[0].n_classes, .passes = 1};
    size_t *wanted; /* rows of each image of the set; 0: not in any bank */
    DV_TRY(dv_alloc(n_images, sizeof *wanted, "the rows wanted of each image", &wanted));
    for (size_t i = 0; i < n_plans; i++)
        for (size_t j = 0; j < plans[i].n_images; j++) {
            const size_t image = plans[i].images[j];
            if (wanted[image] < plans[i].per_image) wanted[image] = plans[i].per_image;
        }
    dv_status status = dv_alloc(n_images, sizeof *plan->images, "the list of bank images", &plan->images);
    if (status == DV_OK) status = dv_alloc(n_images, sizeof *plan->limits, "the rows of each image", &plan->limits);
    for (size_t image = 0; status == DV_OK && image < n_images; image++) {
        if (!wanted[image]) continue;
        plan->images[plan->n_images] = image;
        plan->limits[plan->n_images++] = wanted[image];
        status = dv_add_size(plan->n_filled_max, wanted[image], "the rows of the bank", &plan->n_filled_max);
    }
    free(wanted);
    return status;
}

void dv_bank_plan_clear(dv_bank_plan *plan) {
    free(plan->images);
    free(plan->limits);
    *plan = (dv_bank_plan){0};
}
