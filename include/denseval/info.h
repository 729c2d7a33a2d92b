/* info.h: what a file holds and whether it is sound; what this machine offers. */
#ifndef DENSEVAL_INFO_H
#define DENSEVAL_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/report.h"
#include "denseval/status.h"
#include "denseval/threads.h"

DV_C_BEGIN

/* Adds `files` to the report, an object for each path: `path`, `schema` and what that kind of file holds: of features
 * and banks the encoder, sizes, dtype, classes, bins with their images; of knn files shape and bank rows; of result
 * files their command and scores. `finite` and `sound` are null unless `check`, which reads all values: then true, with
 * counts of zero rows and of the pixels of each label. Once a report.
 * table  the same as lines for people, the caller's until free(); NULL: not wanted
 * Fails with DV_E_MISSING, DV_E_DATA (no file of ours, damage; under check what other commands refuse by default:
 * values that are not finite or not in their range, zero rows, labels that are neither a class nor 255. The problems of
 * a file, and the bad files, are all logged as errors, the first 20 in full), DV_E_IO, DV_E_NOMEM, DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_info_files(dv_report *report, const char *const *paths, size_t n_paths, bool check,
                                    char **table);

/* Adds `machine` to the report: thread limits, build, BLAS kernels, devices and why one is not usable, likewise the
 * program that draws plots (dv_plot_usable, which runs it). Once a report.
 * table  as above */
DV_MUST_USE dv_status dv_info_machine(dv_report *report, const dv_thread_limits *limits, char **table);

DV_C_END
#endif
