#include "app/bench_search_plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/message.h"
#include "denseval/features.h"
#include "denseval/run.h"

static const size_t default_rows[] = {320000, 640000, 1024000}, default_dims[] = {384, 768, 1024, 1536};
enum { PATH_ROOM = 4096, BANK_PATCHES = 1024, QUERY_PATCHES = 64 };

const dv_option dv_bench_search_options[] = {
    {"rows", "LIST", "rows of the banks [320k,640k,1024k]", DV_OPT_SIZES, offsetof(dv_bench_search_args, rows), 1,
     INT32_MAX},
    {"dims", "LIST", "dimensions of the banks [384,768,1024,1536]", DV_OPT_SIZES, offsetof(dv_bench_search_args, dims),
     1, DV_MAX_DIM},
    {"queries", "N", "queries, all in one call [4096]", DV_OPT_SIZE, offsetof(dv_bench_search_args, queries), 1,
     INT32_MAX},
    {"k", "N", "neighbours of each query [30]", DV_OPT_COUNT, offsetof(dv_bench_search_args, k), 1, INT32_MAX},
    {"kind", DV_BENCH_KIND_WORDS, "what the rows are like [real with --features, else random]", DV_OPT_CHOICE,
     offsetof(dv_bench_search_args, kind), 0, 0},
    {"features", "F", "feature files whose rows the banks are made of", DV_OPT_PATHS,
     offsetof(dv_bench_search_args, features), 0, 0},
    {"dtype", "f16|bf16|f32", "how the rows are stored [f16]", DV_OPT_CHOICE, offsetof(dv_bench_search_args, dtype), 0,
     0},
    {"verify", "N", "queries compared with the backend reference first, 0 for none [64]", DV_OPT_COUNT,
     offsetof(dv_bench_search_args, verify), 0, INT32_MAX},
    {"save-data", "DIR", "write banks and queries there as feature files, and time nothing", DV_OPT_PATH,
     offsetof(dv_bench_search_args, save_data), 0, 0},
    {0},
};

dv_sizes dv_sizes_or(const dv_size_list *list, const size_t *values, size_t n) {
    return list->n ? (dv_sizes){list->values, list->n} : (dv_sizes){values, n};
}

static dv_sizes rows_of(const dv_bench_search_args *args) {
    return dv_sizes_or(&args->rows, default_rows, sizeof default_rows / sizeof *default_rows);
}

static dv_sizes dims_of(const dv_bench_search_args *args) {
    return dv_sizes_or(&args->dims, default_dims, sizeof default_dims / sizeof *default_dims);
}

static size_t largest(dv_sizes sizes) {
    size_t most = 0;
    for (size_t i = 0; i < sizes.n; i++) most = sizes.values[i] > most ? sizes.values[i] : most;
    return most;
}

dv_status dv_bench_search_check(const dv_app_context *context, const dv_bench_search_args *args) {
    const dv_sizes rows = rows_of(args);
    if (args->features.n && dv_given(context, "dims"))
        return dv_app_fail(DV_E_USAGE, "--dims: the files of --features say what the dimension is");
    if (!args->features.n && dv_given(context, "kind") && args->kind == DV_BENCH_REAL)
        return dv_app_fail(DV_E_USAGE, "--kind real: needs --features");
    for (size_t i = 0; i < rows.n; i++)
        if (rows.values[i] < args->k)
            return dv_app_fail(DV_E_USAGE, "-k %zu: a bank of %zu rows has fewer", args->k, rows.values[i]);
    return DV_OK;
}

/* The device's own memory comes on top: what this counts is the least that a shape can need. */
static dv_status check_memory(const dv_app_context *context, const dv_bench_shape *shape) {
    const size_t limit = context->common.memory_limit, element = dv_dtype_size(shape->dtype);
    const double bytes = ((double)shape->n_rows + (double)shape->n_queries) * (double)(shape->dim * element);
    if (!limit || bytes <= (double)limit) return DV_OK;
    return dv_app_fail(DV_E_NOMEM, "--memory-limit %zu: %zu rows and %zu queries of dimension %zu take %.0f bytes",
                       limit, shape->n_rows, shape->n_queries, shape->dim, bytes);
}

static dv_status visit_shape(const dv_app_context *context, const dv_bench_shape *shape, const dv_bench_base *base,
                             dv_bench_visit visit, void *user) {
    dv_bench_data data = {0};
    dv_status status = check_memory(context, shape);
    if (status == DV_OK) status = dv_bench_data_make(shape, base, context->n_threads, &data);
    if (status == DV_OK && dv_interrupted()) status = dv_app_fail(DV_E_INTERRUPTED, "bench search: interrupted");
    if (status == DV_OK) status = visit(user, shape, &data);
    dv_bench_data_clear(&data);
    return status;
}

dv_status dv_bench_search_each(const dv_app_context *context, const dv_bench_search_args *args, dv_bench_visit visit,
                               void *user) {
    const dv_sizes rows = rows_of(args);
    dv_sizes dims = dims_of(args);
    dv_bench_base base = {0};
    dv_status status = DV_OK;
    if (args->features.n) {
        status = dv_bench_base_read(&args->features, largest(rows), args->queries, &base);
        dims = (dv_sizes){&base.dim, 1};
    }
    const int chosen =
        args->features.n && args->kind == DV_BENCH_RANDOM && !dv_given(context, "kind") ? DV_BENCH_REAL : args->kind;
    for (int kind = 0; status == DV_OK && kind < DV_BENCH_KINDS; kind++) {
        if (chosen != DV_BENCH_KINDS && kind != chosen) continue;
        if (kind == DV_BENCH_REAL && !args->features.n) continue; /* of all kinds those that can be had */
        for (size_t i = 0; status == DV_OK && i < dims.n * rows.n; i++) {
            const dv_bench_shape shape = {.kind = (dv_bench_kind)kind,
                                          .n_rows = rows.values[i % rows.n],
                                          .n_queries = args->queries,
                                          .dim = dims.values[i / rows.n],
                                          .dtype = (dv_dtype)(args->dtype + 1),
                                          .seed = context->common.seed};
            status = visit_shape(context, &shape, &base, visit, user);
        }
    }
    dv_bench_base_clear(&base);
    return status;
}

typedef struct saver {
    const dv_app_context *context;
    const char *folder;
} saver;

static dv_status save_rows(const saver *s, const dv_bench_shape *shape, const dv_rows *rows, const char *what,
                           size_t most_patches) {
    char path[PATH_ROOM];
    const int length = snprintf(path, sizeof path, "%s/%s-%zux%zu-%s.h5", s->folder, dv_bench_kind_name(shape->kind),
                                shape->n_rows, shape->dim, what);
    if (length < 0 || (size_t)length >= sizeof path)
        return dv_app_fail(DV_E_USAGE, "--save-data %s: too long a name", s->folder);
    DV_TRY(dv_bench_data_save(rows, dv_bench_kind_name(shape->kind), most_patches, s->context->common.force, path));
    dv_print("%s\n", path);
    return DV_OK;
}

static dv_status save_shape(void *user, const dv_bench_shape *shape, const dv_bench_data *data) {
    const saver *const s = user;
    DV_TRY(save_rows(s, shape, &data->bank, "bank", BANK_PATCHES));
    return save_rows(s, shape, &data->queries, "queries", QUERY_PATCHES);
}

dv_status dv_bench_search_save(const dv_app_context *context, const dv_bench_search_args *args) {
    if (context->common.json) return dv_app_fail(DV_E_USAGE, "--save-data and --json contradict each other");
    if (mkdir(args->save_data, 0777) != 0 && errno != EEXIST)
        return dv_app_fail(DV_E_IO, "--save-data %s: %s", args->save_data, strerror(errno));
    saver s = {context, args->save_data};
    return dv_bench_search_each(context, args, save_shape, &s);
}
