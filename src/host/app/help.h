/* help.h: --help of every level, from the tables. */
#ifndef DV_APP_HELP_H
#define DV_APP_HELP_H

#include "app/command.h"
#include "denseval/status.h"

/* Prints the help of a command to standard output. path: how it is called, "denseval bank build" */
DV_MUST_USE dv_status dv_help_print(const dv_command *command, const char *path);

#endif
