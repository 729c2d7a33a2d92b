/* jf_worst.h: the objects in frames where a prediction is worst. */
#ifndef DENSEVAL_JF_WORST_H
#define DENSEVAL_JF_WORST_H

#include <stddef.h>

#include "denseval/jf.h"

DV_C_BEGIN

/* An object in a frame. Indices: into the result's sequences, into that one's frames and objects. */
typedef struct dv_jf_worst {
    size_t sequence, frame, object;
    double j, f; /* f at the first radius */
} dv_jf_worst;

/* The `most` objects in scored frames of least (J + F) / 2, that one first; ties by sequence, then frame, then object.
 * *worst: [*n], *n at most `most`; the caller's until free(). Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_jf_worst_find(const dv_jf_result *result, size_t most, dv_jf_worst **worst, size_t *n);

DV_C_END
#endif
