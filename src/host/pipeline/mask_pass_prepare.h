/* mask_pass_prepare.h: what is done to a pair of masks before it is counted. */
#ifndef DV_PIPELINE_MASK_PASS_PREPARE_H
#define DV_PIPELINE_MASK_PASS_PREPARE_H

#include <stddef.h>
#include <stdint.h>

#include "pipeline/mask_pass.h"

/* Applies the policy (but for sizes) to both sides in place. truth, pred u16 [n_pixels]. Returns pixels that are void
 * in the truth and became background, and those of predicted ids above most_pred; where void is ignored on both sides,
 * a void pixel is one of them once. */
uint64_t dv_mask_prepare(const dv_mask_policy *policy, uint16_t *truth, uint16_t *pred, size_t n_pixels);

/* Has a map more than one value besides 0? ids u16 [n_pixels] */
bool dv_mask_is_mixed(const uint16_t *ids, size_t n_pixels);

/* Gives a map another size by nearest sampling: cell i of `out` along a side takes cell floor((2 i + 1) in / (2 out)),
 * the one that its centre lies in. Fails with DV_E_NOMEM; the map then stays as it was. Sides 1..65535 */
DV_MUST_USE dv_status dv_mask_resize(dv_label_map *map, size_t height, size_t width);

#endif
