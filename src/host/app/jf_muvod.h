/* jf_muvod.h: `denseval jf --protocol muvod`. */
#ifndef DV_APP_JF_MUVOD_H
#define DV_APP_JF_MUVOD_H

#include "app/jf_args.h"

/* Scores and gives results. Fails with DV_E_USAGE where options are missing or contradict each other. */
DV_MUST_USE dv_status dv_jf_muvod(const dv_app_context *context, const dv_jf_args *args);

#endif
