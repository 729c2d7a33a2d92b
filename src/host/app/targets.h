/* targets.h: where a result goes must not be where an input is. */
#ifndef DV_APP_TARGETS_H
#define DV_APP_TARGETS_H

#include <stdbool.h>

#include "denseval/path_list.h"
#include "denseval/status.h"

/* Before any work: DV_E_USAGE where `target` exists already and `force` is not given. */
DV_MUST_USE dv_status dv_target_check_new(const char *target, bool force);

/* DV_E_USAGE where `target` is the input itself, by whatever name or link, or a folder that holds it: not even --force
 * overwrites an input; or where it lies in the input: the next run would take it for a part of that. target: NULL for
 * none; it need not be there. input: a file or folder, NULL: none */
DV_MUST_USE dv_status dv_target_check_input(const char *option, const char *target, const char *input);
DV_MUST_USE dv_status dv_target_check_inputs(const char *option, const char *target, const dv_path_list *inputs);

/* DV_E_USAGE where two targets are one file, by whatever path. target, other: NULL for none */
DV_MUST_USE dv_status dv_target_check_other(const char *option, const char *target, const char *other_option,
                                            const char *other);

#endif
