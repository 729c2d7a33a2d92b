/* search_args.h: the options of a search, shared by knn and eval. */
#ifndef DV_APP_SEARCH_ARGS_H
#define DV_APP_SEARCH_ARGS_H

#include "app/bank_args.h"
#include "app/command.h"
#include "denseval/search.h"

typedef struct dv_search_args {
    const char *bank;
    dv_path_list queries;
    size_t k, shards, block_images, head_dim;
    int stages; /* place of its word: the number, 0 for auto */
    dv_exclude exclude;
    bool force_mixed;
} dv_search_args;

#define DV_SEARCH_ARGS_DEFAULTS                                                                                        \
    { .k = 30, .shards = 1 }

/* Offsets are within dv_search_args. */
extern const dv_option dv_search_options_table[];

/* The library's options; texts are borrowed from the arguments. */
dv_search_options dv_search_args_options(const dv_app_context *context, const dv_search_args *args,
                                         const dv_bank_args *bank);

void dv_search_args_report(dv_report *report, const dv_app_context *context, const dv_search_args *args);

#endif
