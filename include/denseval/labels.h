/* labels.h: what is done with pixels whose label is ignored or no class. */
#ifndef DENSEVAL_LABELS_H
#define DENSEVAL_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

enum { DV_MAX_CLASSES = 4096 };         /* of a dense confusion matrix */
enum { DV_MAX_SPARSE_CLASSES = 65535 }; /* of one that holds its non-zero cells alone */

/* A set of label values 0..65535. Zero-initialised it is empty. */
typedef struct dv_label_set {
    uint64_t bits[1024];
} dv_label_set;

void dv_label_set_add(dv_label_set *set, uint16_t label);
bool dv_label_set_has(const dv_label_set *set, uint16_t label);

/* "none" (empty) or a comma list of labels, "255" or "0,255". Fails with DV_E_USAGE; *set is then as it was. */
DV_MUST_USE dv_status dv_label_set_parse(const char *text, dv_label_set *set);

/* Writes the set as dv_label_set_parse reads it, rising. text  char [size]; cut with "..." where it does not fit. */
void dv_label_set_format(const dv_label_set *set, char *text, size_t size);

/* A truth label that is neither ignored nor below the class count (`--invalid-labels`). */
typedef enum dv_invalid_labels {
    DV_INVALID_ERROR = 0,         /* refuse the file, naming image, pixel and value */
    DV_INVALID_DROP = 1,          /* leave the pixel out of every count */
    DV_INVALID_FALSE_POSITIVE = 2 /* count it as a false positive of the predicted class, outside the matrix */
} dv_invalid_labels;

/* A class without truth and without prediction, or without truth alone (`--absent`). */
typedef enum dv_absent {
    DV_ABSENT_SKIP = 0,      /* union 0: no value, out of the mean */
    DV_ABSENT_ZERO = 1,      /* union 0 counts as IoU 0 */
    DV_ABSENT_ONE = 2,       /* union 0 counts as IoU 1 */
    DV_ABSENT_TRUTH_ONLY = 3 /* a class without truth pixels is out of the mean, predicted or not */
} dv_absent;

DV_C_END
#endif
