/* cmd_viewpoint.c: `denseval viewpoint`: what comes before and after a sweep over viewpoint bins. */
#include "app/commands.h"

static const dv_command *const subcommands[] = {
    &dv_cmd_viewpoint_bin,
    &dv_cmd_viewpoint_analyze,
    NULL,
};

const dv_command dv_cmd_viewpoint = {
    .name = "viewpoint",
    .summary = "Work with viewpoint bins",
    .usage = "SUBCOMMAND [OPTIONS]",
    .subcommands = subcommands,
};
