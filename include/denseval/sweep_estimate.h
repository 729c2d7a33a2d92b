/* sweep_estimate.h: what a sweep will take, from the shapes of its files and a short trial on this machine. */
#ifndef DENSEVAL_SWEEP_ESTIMATE_H
#define DENSEVAL_SWEEP_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/sweep.h"

DV_C_BEGIN

/* What was measured for an encoder, on rows of its own file. On a device of the host what is computed is told in
 * processor time, shared by the threads: as if each had a processor of its own. */
typedef struct dv_sweep_rates {
    const char *backend;                  /* the device that ran; static lifetime */
    double row_pair_s;                    /* a query against a bank row, those included that are passed over */
    double visit_s;                       /* a query in a segment of the bank, whatever that holds */
    double bank_image_s;                  /* an image sampled, and its rows brought to the device */
    double score_image_s;                 /* an image for a configuration: soft labels, pixels, confusion */
    double read_bytes_s;                  /* a byte of the file; optimistic where the file lies in the page cache */
    size_t index_row_bytes, search_bytes; /* memory on the host: of a bank row beside itself, and of a search */
} dv_sweep_rates;

/* One part of a sweep. Nothing is added for safety. */
typedef struct dv_sweep_estimate {
    double wall_s; /* of one start to the end: the sum of the next six */
    double start_s, read_s, bank_s, pairs_s, visits_s, score_s;
    size_t memory_bytes; /* resident at most */
    /* The sums over its encoders, and the largest bank. */
    uint64_t read_bytes;
    size_t n_images, n_configs, n_bank_rows, n_segments;
} dv_sweep_estimate;

typedef struct dv_sweep_forecast {
    size_t n_parts, n_encoders;
    dv_sweep_estimate *parts; /* [n_parts] */
    dv_sweep_rates *rates;    /* [n_encoders]; encoders of one shape share a trial */
    size_t merge_bytes;       /* memory of joining the parts */
    size_t dim;               /* of the first encoder */
} dv_sweep_forecast;

/* Opens every file of the configuration and runs the sweep of each encoder small: some images of all its banks, with
 * the segments that these have, are searched for some query images, which are scored for all configurations, with
 * options->n_threads threads, in about a second. Of the options those that shape a run count, but `part`.
 * The model: every file is read once for its hash, every query image once; every bank image is sampled; a query meets
 * every row of the union bank and every segment; every image is scored for every configuration.
 *
 * *out, of n_parts 1..cells parts, is released with dv_sweep_forecast_clear; zeroed on failure.
 *
 * Fails with DV_E_USAGE (more parts than cells), as dv_sweep_run does before it computes, and as the device. */
DV_MUST_USE dv_status dv_sweep_forecast_make(const dv_sweep_config *config, const dv_sweep_options *options,
                                             size_t n_parts, dv_sweep_forecast *out);
void dv_sweep_forecast_clear(dv_sweep_forecast *forecast); /* also on a zeroed struct */

DV_C_END
#endif
