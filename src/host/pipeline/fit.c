#include "pipeline/fit.h"

#include <string.h>

#include "core/check.h"
#include "core/log.h"

static dv_status fit_encoder(const char *bank, const char *queries) {
    if (strcmp(bank, queries) == 0) return DV_OK;
    if (!*bank || !*queries) {
        dv_log(DV_LOG_WARNING, "only one of bank and queries names its encoder: \"%s\"", *bank ? bank : queries);
        return DV_OK;
    }
    return dv_fail(DV_E_DATA, "encoder \"%s\" of the bank, \"%s\" of the queries: must be the same", bank, queries);
}

static dv_status fit_size(const char *name, size_t bank, size_t queries) {
    if (bank == queries) return DV_OK;
    return dv_fail(DV_E_DATA, "%s %zu of the bank, %zu of the queries: must be the same", name, bank, queries);
}

static dv_status fit_channels(const char *name, size_t n_bank, const double *bank, size_t n_queries,
                              const double *queries) {
    if (n_bank == 0 && n_queries == 0) return DV_OK;
    if (n_bank == 0 || n_queries == 0) {
        dv_log(DV_LOG_WARNING, "only one of bank and queries states its %s", name);
        return DV_OK;
    }
    if (n_bank != n_queries)
        return dv_fail(DV_E_DATA, "%s of %zu channels of the bank, %zu of the queries: must be the same", name, n_bank,
                       n_queries);
    for (size_t channel = 0; channel < n_bank; channel++)
        if (bank[channel] != queries[channel])
            return dv_fail(DV_E_DATA, "%s[%zu] %.17g of the bank, %.17g of the queries: must be the same", name,
                           channel, bank[channel], queries[channel]);
    return DV_OK;
}

static dv_status fit_preprocessing(const dv_preprocessing *bank, const dv_preprocessing *queries) {
    DV_TRY(fit_encoder(bank->encoder, queries->encoder));
    DV_TRY(fit_size("patch_size", bank->patch_size, queries->patch_size));
    DV_TRY(fit_size("input_h", bank->input_h, queries->input_h));
    DV_TRY(fit_size("input_w", bank->input_w, queries->input_w));
    DV_TRY(fit_channels("mean", bank->n_mean, bank->mean, queries->n_mean, queries->mean));
    return fit_channels("std", bank->n_std, bank->std, queries->n_std, queries->std);
}

dv_status dv_fit_search(const dv_bank_info *bank, const dv_feature_info *queries, const dv_search_options *options) {
    if (options->k < 1) return dv_fail(DV_E_USAGE, "k 0: must be at least 1");
    if (bank->dim != queries->dim)
        return dv_fail(DV_E_DATA, "dim %zu of the bank, %zu of the queries: must be the same", bank->dim, queries->dim);
    if (options->k > bank->n_rows) return dv_fail(DV_E_DATA, "k %zu: the bank has %zu rows", options->k, bank->n_rows);
    return options->force_mixed ? DV_OK : fit_preprocessing(&bank->preprocessing, &queries->preprocessing);
}

dv_status dv_fit_classes(const dv_bank_info *bank, const dv_feature_info *queries) {
    if (!queries->has_labels) return dv_fail(DV_E_DATA, "/labels: missing, queries need them");
    if (queries->n_classes == 0) return DV_OK;
    if (bank->n_classes != queries->n_classes)
        return dv_fail(DV_E_DATA, "%zu classes in the bank, %zu in the queries: must be the same", bank->n_classes,
                       queries->n_classes);
    for (size_t class_id = 0; bank->class_names && class_id < bank->n_classes; class_id++)
        if (strcmp(bank->class_names[class_id], queries->class_names[class_id]) != 0)
            return dv_fail(DV_E_DATA, "class %zu is \"%s\" in the bank, \"%s\" in the queries: must be the same",
                           class_id, bank->class_names[class_id], queries->class_names[class_id]);
    return DV_OK;
}
