#include "report/json_settings.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "report/json_report.h"

dv_status dv_json_setting_absent(const json_t *root, dv_absent *absent) {
    static const char *const names[] = {"skip", "zero", "one", "truth-only"}; /* by dv_absent */
    const char *const name = json_string_value(json_object_get(json_object_get(root, "settings"), "absent"));
    size_t which = 0;
    while (name && which < sizeof names / sizeof *names && strcmp(names[which], name) != 0) which++;
    if (which == sizeof names / sizeof *names) return dv_fail(DV_E_DATA, "settings.absent %s: no such policy", name);
    *absent = (dv_absent)which;
    return DV_OK;
}

dv_status dv_json_setting_count(const json_t *root, const char *name, uint64_t most, uint64_t *value) {
    const json_t *const found = json_object_get(json_object_get(root, "settings"), name);
    const char *const digits = json_string_value(found);
    *value = 0;
    if (!found) return DV_OK;
    /* Above INT64_MAX it is a text. */
    const size_t n_digits = digits ? strspn(digits, "0123456789") : 0;
    if (json_is_integer(found) && json_integer_value(found) >= 0)
        *value = (uint64_t)json_integer_value(found);
    else if (n_digits > 0 && n_digits <= 20 && !digits[n_digits])
        *value = strtoull(digits, NULL, 10); /* 20 digits above UINT64_MAX are UINT64_MAX */
    else
        return dv_fail(DV_E_DATA, "settings.%s: must be a whole number", name);
    if (*value <= most) return DV_OK;
    return dv_fail(DV_E_DATA, "settings.%s: must be at most %llu", name, (unsigned long long)most);
}

dv_status dv_report_create_like(const char *schema, const json_t *root, dv_report **out) {
    static const char *const names[] = {"command", "version", "settings", "inputs"};
    DV_TRY(dv_report_create(schema, "", out));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *const value = json_object_get(root, names[i]);
        if (value) dv_report_top(*out, names[i], json_deep_copy(value));
    }
    const dv_status status = dv_report_failure(*out);
    if (status == DV_OK) return DV_OK;
    dv_report_free(*out);
    *out = NULL;
    return status;
}
