/* aggregate.h: the vote of the neighbours: from cosines and pixel counts to a soft label for each patch. */
#ifndef DENSEVAL_AGGREGATE_H
#define DENSEVAL_AGGREGATE_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

enum { DV_MIXED = 65535 }; /* no pure class */

/* Weights = softmax(cosine / beta) over the k neighbours: maximum subtracted, exponentials of ours (core/exp.h, the
 * same on every device), each divided by their sum taken in neighbour order. soft[c] = sum over the neighbours, in
 * order, of weight * (count[c] / total count of the row). A row without counts carries weight and no label.
 * ids      i64 [n, k], rows of `counts`; cosines f64 [n, k], falling. An id of -1 (a masked search ran out of rows, at
 *          the end of a list) is no neighbour: it has no weight
 * counts   u16 [n_rows, n_classes], pixel counts of the bank's rows; n_classes at most 65535
 * soft     f64 [n, n_classes], written in full
 * pure     u16 [n], written in full: the one class that holds all weight of a patch (no other soft label is above 0),
 * or DV_MIXED; a patch without any label is DV_MIXED All host memory, borrowed for the call. beta > 0. Cannot fail on
 * data that keep this contract. Source: Balazevic et al., Towards In-context Scene Understanding, NeurIPS 2023, eq. 1;
 * beta 0.02 and k 30 as published. */
void dv_aggregate(const int64_t *ids, const double *cosines, size_t n, size_t k, double beta, const uint16_t *counts,
                  size_t n_classes, double *soft, uint16_t *pure);

DV_C_END
#endif
