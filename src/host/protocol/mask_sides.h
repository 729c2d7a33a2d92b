/* mask_sides.h: what protocols that join two sets of masks by name tell in the same way. */
#ifndef DV_PROTOCOL_MASK_SIDES_H
#define DV_PROTOCOL_MASK_SIDES_H

#include "core/check.h"
#include "pipeline/mask_pass.h"

/* The first names of a list that a warning shows. Zeroed it is empty. */
typedef struct dv_shown_names {
    size_t n;
    char text[DV_MESSAGE_SIZE / 2];
} dv_shown_names;

/* Adds FOLDER, or FOLDER/FILE; file: NULL for none. */
void dv_show_name(dv_shown_names *list, const char *folder, const char *file);
/* Warns of what a set has and `whose` does not: "pred: 2 frames that the truth does not have: a/00003, b/00001".
 * Nothing where the list is empty. */
void dv_warn_unused(const dv_mask_set *set, const char *whose, const dv_shown_names *list, const char *what);

/* Logs how many hidden and foreign files were passed over, if any. */
void dv_log_passed_over(const dv_mask_set *set);

/* Bytes of a file that holds all masks; of a folder, the sum over those of the jobs. */
uint64_t dv_mask_bytes(const dv_mask_set *set, const dv_mask_job *jobs, size_t n_jobs, bool is_truth);

#endif
