/* json_settings.h: settings of a result file that is read again. */
#ifndef DV_REPORT_JSON_SETTINGS_H
#define DV_REPORT_JSON_SETTINGS_H

#include <jansson.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/report.h"
#include "denseval/status.h"

/* `settings.absent` of the results `root` (NULL: none); skip where they tell none. Fails with DV_E_DATA: no such
 * policy. */
DV_MUST_USE dv_status dv_json_setting_absent(const json_t *root, dv_absent *absent);

/* A whole number, at most `most`, as dv_json_count writes it; 0 where `settings` has no such name. Fails with
 * DV_E_DATA. */
DV_MUST_USE dv_status dv_json_setting_count(const json_t *root, const char *name, uint64_t most, uint64_t *value);

/* A report that begins as the results `root` do: command, version, settings and inputs are theirs. *out: the caller's
 * until dv_report_free. Fails with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_report_create_like(const char *schema, const json_t *root, dv_report **out);

#endif
