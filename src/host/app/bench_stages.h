/* bench_stages.h: the stages of `denseval bench`, each with its options. A stage adds a table to an open bench. */
#ifndef DV_APP_BENCH_STAGES_H
#define DV_APP_BENCH_STAGES_H

#include "app/bench.h"
#include "app/bench_data.h"

typedef struct dv_bench_search_args {
    dv_size_list rows, dims; /* empty: the defaults */
    size_t queries, k, verify;
    int kind, dtype; /* places of their words */
    dv_path_list features;
    const char *save_data;
} dv_bench_search_args;

typedef struct dv_bench_aggregate_args {
    size_t rows, patches, k;
    dv_size_list classes;
} dv_bench_aggregate_args;

typedef struct dv_bench_confusion_args {
    size_t images, height, width;
    dv_size_list classes;
} dv_bench_confusion_args;

typedef struct dv_bench_jf_args {
    size_t frames, height, width; /* height, width 0: the default sizes */
    dv_size_list objects;
    int matching; /* place of its word */
} dv_bench_jf_args;

typedef struct dv_bench_io_args {
    size_t images, patches;
    dv_size_list dims;
    dv_path_list features;
} dv_bench_io_args;

extern const dv_option dv_bench_search_options[], dv_bench_aggregate_options[], dv_bench_confusion_options[],
    dv_bench_io_options[], dv_bench_jf_options[];
#define DV_BENCH_SEARCH_DEFAULTS                                                                                       \
    { .queries = 4096, .k = 30, .verify = 64, .kind = DV_BENCH_RANDOM }
#define DV_BENCH_AGGREGATE_DEFAULTS                                                                                    \
    { .rows = 320000, .patches = 16384, .k = 30 }
#define DV_BENCH_CONFUSION_DEFAULTS                                                                                    \
    { .images = 32, .height = 512, .width = 512 }
#define DV_BENCH_JF_DEFAULTS                                                                                           \
    { .frames = 16 }
#define DV_BENCH_IO_DEFAULTS                                                                                           \
    { .images = 512, .patches = 196 }

DV_MUST_USE dv_status dv_bench_search(dv_bench *bench, const dv_bench_search_args *args);
DV_MUST_USE dv_status dv_bench_aggregate(dv_bench *bench, const dv_bench_aggregate_args *args);
DV_MUST_USE dv_status dv_bench_confusion(dv_bench *bench, const dv_bench_confusion_args *args);
DV_MUST_USE dv_status dv_bench_io(dv_bench *bench, const dv_bench_io_args *args);
DV_MUST_USE dv_status dv_bench_jf(dv_bench *bench, const dv_bench_jf_args *args);

/* The search beside the peers of the device, on the same banks; nothing where it has none. */
DV_MUST_USE dv_status dv_bench_search_peers(dv_bench *bench, const dv_bench_search_args *args);

/* Are the options of jf in order? Before the machine is measured, too. */
DV_MUST_USE dv_status dv_bench_jf_check(const dv_bench_jf_args *args);

/* Is the whole of the search's options in order? Before the machine is measured, so that a mistake is told at once. */
DV_MUST_USE dv_status dv_bench_search_check(const dv_app_context *context, const dv_bench_search_args *args);

/* bench search --save-data: writes the data of every shape and times nothing. */
DV_MUST_USE dv_status dv_bench_search_save(const dv_app_context *context, const dv_bench_search_args *args);

/* `list`, or the default where it is empty. */
typedef struct dv_sizes {
    const size_t *values;
    size_t n;
} dv_sizes;
dv_sizes dv_sizes_or(const dv_size_list *list, const size_t *values, size_t n);

#endif
