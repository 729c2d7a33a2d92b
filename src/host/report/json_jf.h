/* json_jf.h: what the reports of all protocols of jf share. */
#ifndef DV_REPORT_JSON_JF_H
#define DV_REPORT_JSON_JF_H

#include "denseval/report.h"

/* `sequences`, and what was extra, left out and unused. */
void dv_report_jf_sequences(dv_report *report, const dv_jf_result *result);

#endif
