/* compat.h: published tools whose policies a run may take over (`--compat`). */
#ifndef DENSEVAL_COMPAT_H
#define DENSEVAL_COMPAT_H

/* Source of the policies: open-hummingbird-3d-eval. */
typedef enum dv_compat { DV_COMPAT_NONE = 0, DV_COMPAT_HUMMINGBIRD = 1 } dv_compat;

/* What becomes of the images of a last incomplete batch (`--last-batch`). */
typedef enum dv_last_batch { DV_LAST_BATCH_KEEP = 0, DV_LAST_BATCH_DROP = 1 } dv_last_batch;

enum { DV_COMPAT_BATCH = 4 }; /* images of a batch of the hummingbird loaders */

#endif
