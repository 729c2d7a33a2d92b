/* same.h: do all ranks see the same? Files on disks of their own, or in stale caches, are others under the same name.
 * Every rank must call these alike, once it has opened what it asks for. DV_E_DATA on all ranks, naming the lowest rank
 * that differs from rank 0 and the file; ranks NULL, or one of them: DV_OK. */
#ifndef DV_CLUSTER_SAME_H
#define DV_CLUSTER_SAME_H

#include "denseval/bank.h"
#include "denseval/features.h"
#include "denseval/ranks.h"

/* What a set's files say of its images, and samples of their bytes (dv_hash_sample). */
DV_MUST_USE dv_status dv_ranks_same_features(dv_ranks *ranks, const dv_feature_info *info);

/* The same of a bank's file: all but its features, of which there are samples. */
DV_MUST_USE dv_status dv_ranks_same_bank(dv_ranks *ranks, const dv_bank_info *info, const char *path);

/* Samples of other files. paths: [n], as this rank knows them; n may be 0 */
DV_MUST_USE dv_status dv_ranks_same_files(dv_ranks *ranks, const char *const *paths, size_t n);

/* A text that was made of a file. path: to name it */
DV_MUST_USE dv_status dv_ranks_same_text(dv_ranks *ranks, const char *text, const char *path);

#endif
