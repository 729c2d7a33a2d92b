/* bench.h: what the stages of `denseval bench` share: the device, the machine's peaks, timing, the table and its JSON.
 */
#ifndef DV_APP_BENCH_H
#define DV_APP_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "app/command.h"
#include "denseval/device.h"
#include "denseval/peak.h"
#include "denseval/report.h"

/* How often a stage is run; a group of options. */
typedef struct dv_bench_args {
    size_t runs, warm_up, head_dim;
    int stages;         /* place of its word: the number, 0 for auto */
    const char *kernel; /* NULL: as the environment says */
} dv_bench_args;

#define DV_BENCH_ARGS_DEFAULTS                                                                                         \
    { .runs = 3, .warm_up = 1 }

extern const dv_option dv_bench_options_table[];

/* A column of a table: of texts where width is negative, else of numbers. */
typedef struct dv_bench_column {
    const char *key;   /* in the JSON, with its unit */
    const char *title; /* over the column */
    const char *unit;  /* below the title: "(ms)" */
    int width, decimals;
} dv_bench_column;

/* A value of a row: the text or the number, as its column says. NaN: there is none. */
typedef struct dv_bench_cell {
    const char *text;
    double number;
} dv_bench_cell;

enum { DV_BENCH_NOTE_SIZE = 256 };
#define DV_BENCH_UNCHECKED SIZE_MAX
#define DV_BENCH_NOT_PROMISED (SIZE_MAX - 1)

typedef struct dv_bench {
    const dv_app_context *context;
    const dv_bench_args *args;
    dv_device *device;
    dv_peaks peaks;
    dv_report *report; /* NULL: text goes to standard output as it comes */
    dv_resources resources;
    const char *stage;
    const dv_bench_column *columns;
    char note[DV_BENCH_NOTE_SIZE];
    bool has_head;                       /* the lines over this stage's rows are printed */
    size_t n_rows, n_wrong, n_unchecked; /* rows of all stages; what was wrong in them; rows nobody compared */
} dv_bench;

/* Opens the device and measures the machine. Whatever the outcome, dv_bench_close ends it. */
DV_MUST_USE dv_status dv_bench_open(const dv_app_context *context, const dv_bench_args *args, dv_bench *bench);

/* Begins the table of a stage. columns: static lifetime, {0} after the last. `wrong` follows by itself.
 * note  of this stage, after "# " ("bank: f16   k 30") */
void dv_bench_begin(dv_bench *bench, const char *stage, const dv_bench_column *columns, const char *note);

/* One row. cells: one a column; n_wrong: results that are not those of `reference`, or DV_BENCH_UNCHECKED, or
 * DV_BENCH_NOT_PROMISED for what is checked in another row or need not be right */
void dv_bench_row(dv_bench *bench, const dv_bench_cell *cells, size_t n_wrong);

/* A remark between the rows: a line of text, or in the JSON an object of the list "remarks". */
void dv_bench_remark(dv_bench *bench, const char *about, const char *text);

/* Does the device work in this machine's memory, on its cores? Then its rates are compared with the measured peaks. */
bool dv_bench_on_host(const dv_bench *bench);

/* `peak`, or NaN where it is no yardstick of the device. */
double dv_bench_peak(const dv_bench *bench, double peak);

/* The verdict, or the JSON object, where `status` is DV_OK; frees everything. Gives `status` back, or DV_E_INTERNAL
 * where something was wrong. */
DV_MUST_USE dv_status dv_bench_close(dv_bench *bench, dv_status status);

typedef struct dv_bench_times {
    double p50_s, best_s, worst_s;
} dv_bench_times;

/* Runs `once` as often as the arguments say and takes its wall time. */
DV_MUST_USE dv_status dv_bench_time(const dv_bench *bench, dv_status (*once)(void *user), void *user,
                                    dv_bench_times *times);

/* Seconds of a clock that only goes forward. */
double dv_bench_now_s(void);

/* Device memory of n_bytes; with a copy of `host` in it where that is not NULL. The caller's until ops->release. */
DV_MUST_USE dv_status dv_bench_device_memory(dv_device *device, const void *host, size_t n_bytes, void **out);

/* Memory of this process now, in bytes; NaN where the system does not say. */
double dv_bench_resident_bytes(void);

/* n * size bytes, zeroed; `what` names it in the message. */
DV_MUST_USE dv_status dv_bench_alloc(size_t n, size_t size, const char *what, void *out);

/* Runs `part` for 0..n_parts-1, a thread each, and gives the first failure by number. */
typedef dv_status (*dv_bench_part)(void *user, size_t part, size_t n_parts);
DV_MUST_USE dv_status dv_bench_parallel(size_t n_parts, dv_bench_part part, void *user);

#endif
