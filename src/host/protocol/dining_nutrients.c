#include "protocol/dining_nutrients.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/check.h"
#include "core/unicode.h"
#include "protocol/dining_number.h"

enum { N_SPELLINGS = 2, MOST_DEPTH = 1000 /* of what io/json_scan.h reads */ };

/* ---- Members -------------------------------------------------------------------------------------------------------
 */

size_t dv_dining_nutrients_find(const dv_json_value *object, dv_json_value *values) {
    static const char *const names[DV_N_NUTRIENTS][N_SPELLINGS] = {
        {"calories", "卡路里"}, {"protein", "蛋白质"}, {"carbohydrates", "碳水化合物"}, {"fat", "脂肪"}};
    int spellings[DV_N_NUTRIENTS] = {-1, -1, -1, -1};
    size_t n_found = 0;
    const char *at = NULL;
    dv_json_value key, value;
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) values[i] = (dv_json_value){.kind = DV_JSON_ABSENT};
    while (dv_json_next(object, &at, &key, &value))
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
            for (int s = 0; s < N_SPELLINGS; s++) {
                if (!dv_json_is(&key, names[i][s]) || (spellings[i] >= 0 && spellings[i] != s)) continue;
                n_found += spellings[i] < 0;
                spellings[i] = s;
                values[i] = value;
            }
    return n_found;
}

bool dv_dining_value_strict(const dv_json_value *value, dv_json_text *scratch, double *number) {
    dv_span text = {value->text, value->n};
    if (value->kind == DV_JSON_STRING && dv_json_string(value, scratch, &text.text, &text.n) != DV_OK) return false;
    return (value->kind == DV_JSON_STRING || value->kind == DV_JSON_NUMBER) && dv_dining_decimal(text, number);
}

bool dv_dining_value_compat(const dv_json_value *value, dv_json_text *scratch, double *number) {
    dv_span text = {value->text, value->n};
    if (value->kind == DV_JSON_STRING && dv_json_string(value, scratch, &text.text, &text.n) != DV_OK) return false;
    if (value->kind == DV_JSON_WORD && !dv_json_is_word(value, "null")) {
        *number = dv_json_is_word(value, "true") ? 1 : 0;
        return true;
    }
    if (value->kind != DV_JSON_STRING && value->kind != DV_JSON_NUMBER && value->kind != DV_JSON_CONSTANT) return false;
    if (!dv_dining_python_float(text, number)) return false;
    /* An integer has no infinity: Python refuses one that is too large for a double. */
    const bool is_integer = value->kind == DV_JSON_NUMBER && !memchr(text.text, '.', text.n) &&
                            !memchr(text.text, 'e', text.n) && !memchr(text.text, 'E', text.n);
    return !is_integer || isfinite(*number);
}

typedef bool (*read_value)(const dv_json_value *value, dv_json_text *scratch, double *number);

static bool read_values(const dv_json_value *members, read_value read, dv_json_text *scratch, double *values) {
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        if (!read(&members[i], scratch, &values[i])) return false;
    return true;
}

bool dv_dining_nutrients_of(const dv_json_value *object, dv_json_text *scratch, double *values) {
    dv_json_value members[DV_N_NUTRIENTS];
    return dv_dining_nutrients_find(object, members) == DV_N_NUTRIENTS &&
           read_values(members, dv_dining_value_strict, scratch, values);
}

/* ---- Strict: the last object with all four -------------------------------------------------------------------------
 */

/* Looks in an object, and in the objects that are its members; *members of the last one with all four. */
static bool dig(const dv_json_value *object, dv_json_value *members) {
    struct {
        dv_json_value object;
        const char *at;
    } open[MOST_DEPTH]; /* objects that are being gone through */
    dv_json_value found[DV_N_NUTRIENTS], key, value;
    bool any = false;
    size_t depth = 0;
    value = *object;
    for (;;) {
        if (dv_dining_nutrients_find(&value, found) == DV_N_NUTRIENTS) {
            memcpy(members, found, sizeof found);
            any = true;
        } else if (depth < MOST_DEPTH) {
            open[depth].object = value;
            open[depth++].at = NULL;
        }
        do {
            while (depth > 0 && !dv_json_next(&open[depth - 1].object, &open[depth - 1].at, &key, &value)) depth--;
        } while (depth > 0 && value.kind != DV_JSON_OBJECT);
        if (depth == 0) return any;
    }
}

dv_status dv_dining_nutrients_strict(dv_span answer, dv_json_text *scratch, double *values, bool *found) {
    dv_json_value members[DV_N_NUTRIENTS], object;
    dv_span text;
    bool ended, any = false;
    *found = false;
    DV_TRY(dv_dining_clean(answer, &scratch[0], &text, &ended));
    while (ended && text.n > 0) {
        const char *const brace = memchr(text.text, '{', text.n);
        if (!brace) break;
        text = dv_span_after(text, (size_t)(brace - text.text));
        if (dv_json_begins(text.text, text.n, DV_JSON_RFC, &object)) {
            any = dig(&object, members) || any;
            text = dv_span_after(text, object.n);
        } else {
            text = dv_span_after(text, 1);
        }
    }
    *found = any && read_values(members, dv_dining_value_strict, &scratch[1], values);
    return DV_OK;
}

/* ---- Compat: the text, or what a fence holds -----------------------------------------------------------------------
 */

static dv_span skip_spaces(dv_span text) {
    size_t n_bytes;
    while (text.n > 0 && dv_unicode_is_space(dv_unicode_next(text.text, text.n, &n_bytes)))
        text = dv_span_after(text, n_bytes);
    return text;
}

/* From a brace to the nearest one that white space and three backticks follow. */
static bool fenced_object(dv_span text, dv_span *object) {
    for (size_t at = 0;; at++) {
        at = dv_span_find(text, "}", at, false);
        if (at == SIZE_MAX) return false;
        if (!dv_span_begins(skip_spaces(dv_span_after(text, at + 1)), "```", false)) continue;
        *object = (dv_span){text.text, at + 1};
        return true;
    }
}

/* What the reference takes for JSON in a text with a fence. */
static dv_span fenced(dv_span text) {
    dv_span object;
    for (size_t at = 0;; at++) {
        at = dv_span_find(text, "```", at, false);
        if (at == SIZE_MAX) break;
        dv_span inside = dv_span_after(text, at + 3);
        if (dv_span_begins(inside, "json", false)) inside = dv_span_after(inside, 4);
        inside = skip_spaces(inside);
        if (inside.n == 0 || inside.text[0] != '{') continue;
        if (fenced_object(inside, &object)) return object;
        break; /* behind here no fence is closed either */
    }
    const char *const first = memchr(text.text, '{', text.n);
    const char *const last = memrchr(text.text, '}', text.n);
    if (!first || !last || last < first) return (dv_span){text.text, 0};
    return (dv_span){first, (size_t)(last - first) + 1};
}

dv_status dv_dining_nutrients_compat(dv_span answer, dv_json_text *scratch, double *values, bool *found) {
    dv_json_value members[DV_N_NUTRIENTS], value;
    dv_span text = answer;
    *found = false;
    text.text = dv_unicode_strip(text.text, &text.n);
    if (!dv_json_scan(text.text, text.n, DV_JSON_PYTHON, &value)) {
        if (dv_span_find(text, "```", 0, false) == SIZE_MAX) return DV_OK;
        text = fenced(text);
        if (!dv_json_scan(text.text, text.n, DV_JSON_PYTHON, &value)) return DV_OK;
    }
    *found = value.kind == DV_JSON_OBJECT && dv_dining_nutrients_find(&value, members) == DV_N_NUTRIENTS &&
             read_values(members, dv_dining_value_compat, &scratch[1], values);
    return DV_OK;
}
