#include "protocol/dining_record.h"

#include <stdio.h>

#include "core/check.h"
#include "core/unicode.h"
#include "protocol/dining_join.h"

dv_dining_line dv_dining_record_pick(const dv_json_line *line, dv_dining_scoring scoring, const dv_json_name *names,
                                     size_t n_names, dv_json_value *members) {
    const bool compat = scoring == DV_DINING_COMPAT;
    const char *text = line->text;
    size_t n = line->n;
    if (compat) text = dv_unicode_strip(text, &n);
    if (n == 0) return compat && line->marked ? DV_LINE_BAD : DV_LINE_BLANK;
    if (!dv_json_pick(text, n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, names, n_names, members)) return DV_LINE_BAD;
    return compat && (line->marked || dv_dining_is_no_key(&members[0])) ? DV_LINE_BAD : DV_LINE_RECORD;
}

void dv_dining_record_fault(dv_fault_list *faults, const char *path, uint64_t line) {
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: line %llu: is no JSON object", path, (unsigned long long)line);
    dv_fault_list_add(faults, message);
}
