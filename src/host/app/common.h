/* common.h: the tables behind DV_COMMON_..., and all option rows of a command in one list. */
#ifndef DV_APP_COMMON_H
#define DV_APP_COMMON_H

#include "app/command.h"

/* Lists the options of a command: its own, the shared groups, the common ones.
 * common_args, args  what the targets point into; NULL for --help alone
 * *slots  the caller's until free(); release what the targets own by dv_options_clear first */
DV_MUST_USE dv_status dv_command_slots(const dv_command *command, dv_common_args *common_args, void *args,
                                       dv_option_slot **slots, size_t *n_slots);

#endif
