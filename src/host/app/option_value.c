#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "app/option.h"
#include "denseval/number.h"

enum { DISPLAY_SIZE = 80, RANGE_SIZE = 2 * DV_NUMBER_SIZE + 32 };
static const char WHOLE_FORM[] = "a whole number, 0 to 18446744073709551615";
static const char SIZE_FORM[] = "a size such as 4096, 320k, 1m or 2GiB";

static bool has_range(const dv_option *option) {
    return option->max != 0 || option->min != 0;
}

static bool in_range(const dv_option *option, double value) {
    return !has_range(option) || (value >= option->min && (option->max == 0 || value <= option->max));
}

/* "--k 0: must be 1 or more": the argument as it was written, and what it may be. */
static dv_status refuse_range(const dv_option *option, const char *text) {
    char display[DISPLAY_SIZE], low[DV_NUMBER_SIZE], high[DV_NUMBER_SIZE], range[RANGE_SIZE];
    dv_format_double(option->min, low);
    dv_format_double(option->max, high);
    if (option->max == 0)
        snprintf(range, sizeof range, "%s or more", low);
    else
        snprintf(range, sizeof range, "%s to %s", low, high);
    return dv_app_fail(DV_E_USAGE, "%s %s: must be %s", dv_option_display(option, display, sizeof display), text,
                       range);
}

static dv_status refuse_form(const dv_option *option, const char *text, const char *wanted) {
    char display[DISPLAY_SIZE];
    return dv_app_fail(DV_E_USAGE, "%s %s: must be %s", dv_option_display(option, display, sizeof display), text,
                       wanted);
}

/* A text that is no number of ours. One that is a whole number all the same is out of range. */
static dv_status refuse_whole(const dv_option *option, const char *text, const char *wanted) {
    const char *const digits = text + (*text == '-');
    const bool whole = *digits && strspn(digits, "0123456789") == strlen(digits);
    return whole && has_range(option) ? refuse_range(option, text) : refuse_form(option, text, wanted);
}

static dv_status set_count(const dv_option *option, const char *text, size_t *target) {
    size_t value;
    uint64_t plain;
    if (option->type == DV_OPT_SIZE) {
        if (dv_parse_size(text, &value) != DV_OK) return refuse_whole(option, text, SIZE_FORM);
    } else {
        if (dv_parse_u64(text, &plain) != DV_OK || plain > SIZE_MAX) return refuse_whole(option, text, WHOLE_FORM);
        value = (size_t)plain;
    }
    if (!in_range(option, (double)value)) return refuse_range(option, text);
    *target = value;
    return DV_OK;
}

static dv_status set_u64(const dv_option *option, const char *text, uint64_t *target) {
    uint64_t value;
    if (dv_parse_u64(text, &value) != DV_OK) return refuse_whole(option, text, WHOLE_FORM);
    if (!in_range(option, (double)value)) return refuse_range(option, text);
    *target = value;
    return DV_OK;
}

static dv_status set_real(const dv_option *option, const char *text, double *target) {
    double value;
    if (dv_parse_double(text, &value) != DV_OK) return refuse_form(option, text, "a decimal number");
    if (option->type == DV_OPT_POSITIVE && !(value > 0)) return refuse_form(option, text, "above 0");
    if (!in_range(option, value)) return refuse_range(option, text);
    *target = value;
    return DV_OK;
}

static dv_status set_choice(const dv_option *option, const char *text, void *target) {
    const size_t length = strlen(text);
    int place = 0;
    for (const char *word = option->value; word; place++) {
        const size_t word_length = strcspn(word, "|");
        if (word_length == length && memcmp(word, text, length) == 0) {
            memcpy(target, &place, sizeof place); /* the field may be any enum of ours, all as wide as int */
            return DV_OK;
        }
        word = word[word_length] ? word + word_length + 1 : NULL;
    }
    char wanted[256];
    snprintf(wanted, sizeof wanted, "one of %s", option->value);
    return refuse_form(option, text, wanted);
}

static dv_status set_numbers(const dv_option *option, const char *text, dv_number_list *target) {
    size_t n = 1;
    for (const char *comma = text; (comma = strchr(comma, ',')); comma++) n++;
    char *const parts = strdup(text);
    int32_t *const values = calloc(n, sizeof *values);
    dv_status status = parts && values ? DV_OK : dv_app_fail(DV_E_NOMEM, "no memory for a list of %zu numbers", n);
    char *rest = parts;
    for (size_t i = 0; status == DV_OK && i < n; i++) {
        const char *const part = strsep(&rest, ",");
        int64_t value;
        if (dv_parse_i64(part, &value) != DV_OK || value < INT32_MIN || value > INT32_MAX)
            status = refuse_form(option, text, "whole numbers with commas between them");
        else if (!in_range(option, (double)value))
            status = refuse_range(option, part);
        else
            values[i] = (int32_t)value;
    }
    free(parts);
    if (status == DV_OK)
        *target = (dv_number_list){n, values};
    else
        free(values);
    return status;
}

static dv_status set_sizes(const dv_option *option, const char *text, dv_size_list *target) {
    size_t n = 1;
    for (const char *comma = text; (comma = strchr(comma, ',')); comma++) n++;
    char *const parts = strdup(text);
    size_t *const values = calloc(n, sizeof *values);
    dv_status status = parts && values ? DV_OK : dv_app_fail(DV_E_NOMEM, "no memory for a list of %zu sizes", n);
    char *rest = parts;
    for (size_t i = 0; status == DV_OK && i < n; i++) {
        const char *const part = strsep(&rest, ",");
        size_t value;
        if (dv_parse_size(part, &value) != DV_OK)
            status = refuse_form(option, text, "sizes such as 320k with commas between them");
        else if (!in_range(option, (double)value))
            status = refuse_range(option, part);
        else
            values[i] = value;
    }
    free(parts);
    if (status == DV_OK)
        *target = (dv_size_list){n, values};
    else
        free(values);
    return status;
}

static dv_status set_range(const dv_option *option, const char *text, dv_range *target) {
    const char *const colon = strchr(text, ':');
    char first_text[DV_NUMBER_SIZE];
    uint64_t first, end;
    const bool split = colon && (size_t)(colon - text) < sizeof first_text;
    if (split) snprintf(first_text, sizeof first_text, "%.*s", (int)(colon - text), text);
    if (!split || dv_parse_u64(first_text, &first) != DV_OK || dv_parse_u64(colon + 1, &end) != DV_OK || first > end ||
        end > SIZE_MAX)
        return refuse_form(option, text, "A:B with whole numbers, A not above B");
    *target = (dv_range){(size_t)first, (size_t)end};
    return DV_OK;
}

static dv_status set_paths(const dv_option *option, const char *text, dv_path_list *target) {
    const dv_status status = dv_path_list_add(target, text);
    char display[DISPLAY_SIZE];
    if (status == DV_E_USAGE) return dv_app_prefix(status, "%s", dv_option_display(option, display, sizeof display));
    return status;
}

dv_status dv_option_set(const dv_option_slot *slot, const char *text) {
    switch (slot->option->type) {
    case DV_OPT_FLAG:
        *(bool *)slot->target = true;
        return DV_OK;
    case DV_OPT_TEXT:
    case DV_OPT_PATH:
        *(const char **)slot->target = text;
        return DV_OK;
    case DV_OPT_PATHS:
        return set_paths(slot->option, text, slot->target);
    case DV_OPT_COUNT:
    case DV_OPT_SIZE:
        return set_count(slot->option, text, slot->target);
    case DV_OPT_U64:
        return set_u64(slot->option, text, slot->target);
    case DV_OPT_REAL:
    case DV_OPT_POSITIVE:
        return set_real(slot->option, text, slot->target);
    case DV_OPT_CHOICE:
        return set_choice(slot->option, text, slot->target);
    case DV_OPT_NUMBERS:
        return set_numbers(slot->option, text, slot->target);
    case DV_OPT_SIZES:
        return set_sizes(slot->option, text, slot->target);
    case DV_OPT_RANGE:
        return set_range(slot->option, text, slot->target);
    }
    return dv_app_fail(DV_E_INTERNAL, "option %s: no such type", slot->option->name);
}
