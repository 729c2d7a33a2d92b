/* feature_rules.h: reading under rules, with all that breaks them told instead of the first alone. */
#ifndef DV_IO_FEATURE_RULES_H
#define DV_IO_FEATURE_RULES_H

#include "denseval/features.h"
#include "denseval/labels.h"

/* What images must be. */
typedef struct dv_feature_rules {
    dv_zero_rows zero_rows;
    size_t n_classes;            /* labels must be below it, or ignored; 0: any label is good */
    const dv_label_set *ignored; /* with n_classes; borrowed for the call */
    /* Told of every fault: the values of a patch that are not finite, a run of zero rows within an image, an image
     * whose labels are no classes, an image that cannot be decoded. `what` is the message, borrowed for the call. NULL:
     * the first one fails. */
    void (*note)(void *user, size_t image, const char *what);
    void *user;
} dv_feature_rules;

/* dv_features_read under rules. With `note` it fails only for what no image is at fault for; the values of an image
 * that has faults are whatever was read. */
DV_MUST_USE dv_status dv_features_read_by(dv_features *features, size_t first, size_t n_images,
                                          const dv_feature_rules *rules, void *rows, uint16_t *labels);

#endif
