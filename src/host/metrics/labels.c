#include "denseval/labels.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"

void dv_label_set_add(dv_label_set *set, uint16_t label) {
    set->bits[label / 64] |= UINT64_C(1) << label % 64;
}

bool dv_label_set_has(const dv_label_set *set, uint16_t label) {
    return set->bits[label / 64] >> label % 64 & 1;
}

/* Reads decimal digits from *text on and moves it behind them; false without a digit or above 65535. */
static bool read_label(const char **text, uint16_t *label) {
    const char *begin = *text;
    uint32_t value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        value = value * 10 + (uint32_t)(**text - '0');
        if (value > UINT16_MAX) return false;
    }
    *label = (uint16_t)value;
    return *text > begin;
}

dv_status dv_label_set_parse(const char *text, dv_label_set *set) {
    dv_label_set parsed = {0};
    const char *at = text;
    bool more = strcmp(text, "none") != 0;
    while (more) {
        uint16_t label;
        if (!read_label(&at, &label) || (*at != ',' && *at != '\0'))
            return dv_fail(DV_E_USAGE, "label list \"%s\": must be none, or labels 0..65535 with commas between", text);
        dv_label_set_add(&parsed, label);
        more = *at++ == ',';
    }
    *set = parsed;
    return DV_OK;
}

void dv_label_set_format(const dv_label_set *set, char *text, size_t size) {
    static const char more[] = "...";
    size_t used = 0;
    if (size == 0) return;
    text[0] = '\0';
    for (int label = 0; label <= UINT16_MAX; label++) {
        if (!dv_label_set_has(set, (uint16_t)label)) continue;
        char one[8]; /* ",65535" */
        const int length = snprintf(one, sizeof one, "%s%d", used ? "," : "", label);
        if (used + (size_t)length >= size) {
            const size_t room = size > sizeof more ? size - sizeof more : 0;
            snprintf(text + (used < room ? used : room), size - (used < room ? used : room), "%s", more);
            return;
        }
        memcpy(text + used, one, (size_t)length + 1);
        used += (size_t)length;
    }
    if (used == 0) snprintf(text, size, "none");
}
