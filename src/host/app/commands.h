/* commands.h: the commands, each in its cmd_*.c. */
#ifndef DV_APP_COMMANDS_H
#define DV_APP_COMMANDS_H

#include "app/command.h"

extern const dv_command dv_cmd_info;
extern const dv_command dv_cmd_bank;
extern const dv_command dv_cmd_iou;
extern const dv_command dv_cmd_jf;
extern const dv_command dv_cmd_knn;
extern const dv_command dv_cmd_eval;
extern const dv_command dv_cmd_sweep;
extern const dv_command dv_cmd_viewpoint;
extern const dv_command dv_cmd_objects;
extern const dv_command dv_cmd_dining;
extern const dv_command dv_cmd_overlay;
extern const dv_command dv_cmd_report;
extern const dv_command dv_cmd_bench;

/* Below `viewpoint`. */
extern const dv_command dv_cmd_viewpoint_bin;
extern const dv_command dv_cmd_viewpoint_analyze;

#endif
