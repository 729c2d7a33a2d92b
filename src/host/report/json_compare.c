/* json_compare.c: is a result file of the same run as a report? */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "report/json_report.h"

static bool same(const json_t *a, const json_t *b) {
    return a && b ? json_equal(a, b) : a == b;
}

/* Names the first member that `a` and `b` do not share; just `key` where they are no objects. */
static void name_difference(const char *key, json_t *a, json_t *b, char *differs) {
    const char *member;
    json_t *value;
    snprintf(differs, DV_DIFFERS_SIZE, "%s", key);
    if (!json_is_object(a) || !json_is_object(b)) return;
    json_object_foreach(a, member, value) {
        if (same(value, json_object_get(b, member))) continue;
        snprintf(differs, DV_DIFFERS_SIZE, "%s.%s", key, member);
        return;
    }
}

dv_status dv_report_begins_as(const dv_report *report, const char *text, bool *kind, char *differs) {
    static const char *const keys[] = {"version", "settings", "inputs", "part"};
    DV_TRY(dv_report_failure(report));
    json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    *differs = '\0';
    *kind = same(dv_report_find(report, "schema"), json_object_get(root, "schema")) &&
            same(dv_report_find(report, "command"), json_object_get(root, "command"));
    for (size_t i = 0; *kind && *differs == '\0' && i < sizeof keys / sizeof *keys; i++) {
        json_t *const ours = dv_report_find(report, keys[i]), *const theirs = json_object_get(root, keys[i]);
        if (!same(ours, theirs)) name_difference(keys[i], ours, theirs, differs);
    }
    json_decref(root);
    return DV_OK;
}
