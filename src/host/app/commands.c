/* commands.c: every command of denseval. A new one is its file and a line here; help and dispatch follow. */
#include "app/commands.h"

#include "app/command.h"

static const dv_command *const commands[] = {
    &dv_cmd_info, &dv_cmd_bank,    &dv_cmd_knn,    &dv_cmd_eval,    &dv_cmd_sweep,  &dv_cmd_viewpoint, &dv_cmd_iou,
    &dv_cmd_jf,   &dv_cmd_objects, &dv_cmd_dining, &dv_cmd_overlay, &dv_cmd_report, &dv_cmd_bench,     NULL,
};

const dv_command dv_root_command = {
    .name = "denseval",
    .summary = "Dense evaluation of frozen vision encoders",
    .usage = "COMMAND [SUBCOMMAND] [OPTIONS] [FILES]",
    .notes =
        "File arguments take comma lists and globs. Sizes may be written 320k (320 000) or 1m (1 000 000). "
        "Exit codes: 0 good, 64 usage, 65 bad data, 66 input missing, 69 backend or device unavailable, "
        "70 internal fault or memory exhausted, 74 input or output failed, 75 interrupted: the same command goes on.",
    .subcommands = commands,
};
