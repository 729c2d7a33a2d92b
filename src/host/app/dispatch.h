/* dispatch.h: from the arguments of main to the run of a command. */
#ifndef DV_APP_DISPATCH_H
#define DV_APP_DISPATCH_H

#include "app/command.h"
#include "denseval/status.h"

/* Finds the command, reads its options, and runs it. The message of a failure is dv_app_message().
 * arguments  [n_arguments], of main, without the program's name */
DV_MUST_USE dv_status dv_dispatch(const dv_command *root, size_t n_arguments, char *const *arguments);

#endif
