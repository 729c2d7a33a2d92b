#include "protocol/dining_nutrients.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/check.h"
#include "core/unicode.h"
#include "protocol/dining_lenient.h"
#include "protocol/dining_number.h"

enum { N_SPELLINGS = 2 };

/* ---- Members -------------------------------------------------------------------------------------------------------
 */

/* Nutrients of an object, and whether one stands there under two names, with two values. */
typedef struct nutrient_members {
    size_t n;                                                   /* nutrients that have one */
    dv_json_value keys[DV_N_NUTRIENTS], values[DV_N_NUTRIENTS]; /* DV_JSON_ABSENT where there is none */
    bool conflict;
} nutrient_members;

static bool is_same_value(const dv_json_value *a, const dv_json_value *b) {
    double x, y;
    if (a->kind != b->kind || a->kind == DV_JSON_ABSENT) return false;
    if (a->kind == DV_JSON_NUMBER && dv_dining_decimal((dv_span){a->text, a->n}, &x) &&
        dv_dining_decimal((dv_span){b->text, b->n}, &y))
        return x == y;
    return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* Of two spellings the first counts; of one that stands there twice the last value, as everywhere in JSON. */
static void add_member(nutrient_members *members, size_t nutrient, bool is_same_key, const dv_json_value *key,
                       const dv_json_value *value) {
    const bool is_first = members->values[nutrient].kind == DV_JSON_ABSENT;
    if (!is_first && !is_same_key) {
        if (!is_same_value(&members->values[nutrient], value)) members->conflict = true;
        return;
    }
    members->n += is_first;
    members->keys[nutrient] = *key;
    members->values[nutrient] = *value;
}

static void find_members(const dv_json_value *object, nutrient_members *members) {
    static const char *const names[DV_N_NUTRIENTS][N_SPELLINGS] = {
        {"calories", "卡路里"}, {"protein", "蛋白质"}, {"carbohydrates", "碳水化合物"}, {"fat", "脂肪"}};
    int spellings[DV_N_NUTRIENTS] = {-1, -1, -1, -1};
    const char *at = NULL;
    dv_json_value key, value;
    *members = (nutrient_members){0};
    while (dv_json_next(object, &at, &key, &value))
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
            for (int s = 0; s < N_SPELLINGS; s++) {
                if (!dv_json_is(&key, names[i][s])) continue;
                add_member(members, i, spellings[i] == s, &key, &value);
                if (spellings[i] < 0) spellings[i] = s;
            }
}

size_t dv_dining_nutrients_find(const dv_json_value *object, dv_json_value *values) {
    nutrient_members members;
    find_members(object, &members);
    memcpy(values, members.values, sizeof members.values);
    return members.n;
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

/* ---- Lenient: other names, and values each by itself ---------------------------------------------------------------
 */

/* Which nutrient a key names by dv_dining_lenient_key. */
static dv_status lenient_key(const dv_json_value *key, dv_json_text *scratch, size_t *nutrient, dv_dining_unit *unit,
                             bool *repaired) {
    dv_span text;
    DV_TRY(dv_json_string(key, scratch, &text.text, &text.n));
    *nutrient = dv_dining_lenient_key(text, unit, repaired);
    return DV_OK;
}

static dv_status find_members_lenient(const dv_json_value *object, dv_json_text *scratch, nutrient_members *members) {
    const char *at = NULL;
    dv_json_value key, value;
    dv_dining_unit unit;
    bool repaired;
    size_t i;
    *members = (nutrient_members){0};
    while (dv_json_next(object, &at, &key, &value)) {
        DV_TRY(lenient_key(&key, scratch, &i, &unit, &repaired));
        if (i < DV_N_NUTRIENTS) add_member(members, i, is_same_value(&members->keys[i], &key), &key, &value);
    }
    return DV_OK;
}

/* A number, or a text that states an amount. */
static dv_status read_amount(const nutrient_members *members, size_t i, dv_json_text *scratch, double *amount,
                             bool *found, unsigned *repairs) {
    const dv_json_value *const value = &members->values[i];
    dv_dining_unit unit;
    dv_span text = {value->text, value->n};
    bool repaired;
    *found = false;
    if (value->kind != DV_JSON_NUMBER && value->kind != DV_JSON_STRING) return DV_OK;
    DV_TRY(lenient_key(&members->keys[i], scratch, &i, &unit, &repaired));
    if (value->kind == DV_JSON_STRING) DV_TRY(dv_json_string(value, scratch, &text.text, &text.n));
    *found =
        (!unit.name && dv_dining_decimal(text, amount)) || dv_dining_lenient_amount(text, i, &unit, amount, repairs);
    if (*found && repaired) *repairs |= 1u << DV_REPAIR_NAME;
    return DV_OK;
}

/* At least one value. */
static dv_status read_lenient(const nutrient_members *members, dv_json_text *scratch, dv_dining_answer *answer,
                              bool *found) {
    unsigned repairs = 0;
    size_t n_found = 0;
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) {
        bool has_value = false;
        answer->values[i] = (double)NAN;
        if (members->values[i].kind != DV_JSON_ABSENT)
            DV_TRY(read_amount(members, i, scratch, &answer->values[i], &has_value, &repairs));
        if (!has_value) answer->values[i] = (double)NAN;
        n_found += has_value;
    }
    if (n_found < DV_N_NUTRIENTS) repairs |= 1u << DV_REPAIR_PARTIAL;
    *found = n_found > 0;
    if (*found) answer->repairs = (unsigned char)repairs;
    return DV_OK;
}

/* ---- Objects in a text ---------------------------------------------------------------------------------------------
 */

/* The best object seen so far. */
typedef struct object_search {
    dv_dining_numbers numbers;
    dv_json_text *scratch;
    nutrient_members best;
} object_search;

static dv_status look_at(object_search *search, const dv_json_value *object, bool *has_all) {
    const bool lenient = search->numbers == DV_DINING_NUMBERS_LENIENT;
    nutrient_members members;
    if (lenient)
        DV_TRY(find_members_lenient(object, search->scratch, &members));
    else
        find_members(object, &members);
    *has_all = members.n == DV_N_NUTRIENTS;
    if (*has_all || (lenient && members.n > 0 && members.n >= search->best.n)) search->best = members;
    return DV_OK;
}

/* Looks in an object, and, unless it holds all four, in the objects that are its members. */
static dv_status dig(object_search *search, const dv_json_value *object) {
    struct {
        dv_json_value object;
        const char *at;
    } open[DV_JSON_MOST_DEPTH]; /* objects that are being gone through */
    dv_json_value key, value = *object;
    bool has_all;
    size_t depth = 0;
    for (;;) {
        DV_TRY(look_at(search, &value, &has_all));
        if (!has_all && depth < DV_JSON_MOST_DEPTH) {
            open[depth].object = value;
            open[depth++].at = NULL;
        }
        do {
            while (depth > 0 && !dv_json_next(&open[depth - 1].object, &open[depth - 1].at, &key, &value)) depth--;
        } while (depth > 0 && value.kind != DV_JSON_OBJECT);
        if (depth == 0) return DV_OK;
    }
}

static dv_status search_text(object_search *search, dv_span text) {
    dv_json_value object;
    while (text.n > 0) {
        const char *const brace = memchr(text.text, '{', text.n);
        if (!brace) break;
        text = dv_span_after(text, (size_t)(brace - text.text));
        if (dv_json_begins(text.text, text.n, DV_JSON_RFC, &object)) {
            DV_TRY(dig(search, &object));
            text = dv_span_after(text, object.n);
        } else {
            text = dv_span_after(text, 1);
        }
    }
    return DV_OK;
}

/* What a text or an object holds, which `search` has gone through. */
static dv_status read_best(const object_search *search, dv_dining_answer *answer, bool *found) {
    answer->key_conflict = search->best.conflict;
    if (search->numbers == DV_DINING_NUMBERS_LENIENT)
        return read_lenient(&search->best, search->scratch, answer, found);
    *found = search->best.n == DV_N_NUTRIENTS &&
             read_values(search->best.values, dv_dining_value_strict, search->scratch, answer->values);
    return DV_OK;
}

dv_status dv_dining_nutrients_of_text(dv_span text, dv_dining_numbers numbers, dv_json_text *scratch,
                                      dv_dining_answer *answer, bool *found) {
    dv_span clean;
    bool ended;
    *found = false;
    DV_TRY(dv_dining_clean(text, &scratch[0], &clean, &ended));
    for (int way = DV_DINING_NUMBERS_STRICT; ended && !*found && way <= (int)numbers; way++) {
        object_search search = {.numbers = (dv_dining_numbers)way, .scratch = &scratch[1]};
        DV_TRY(search_text(&search, clean));
        DV_TRY(read_best(&search, answer, found));
    }
    return DV_OK;
}

dv_status dv_dining_nutrients_of_object(const dv_json_value *object, dv_dining_numbers numbers, dv_json_text *scratch,
                                        dv_dining_answer *answer, bool *found) {
    object_search strict = {.scratch = &scratch[1]};
    object_search lenient = {.numbers = DV_DINING_NUMBERS_LENIENT, .scratch = &scratch[1]};
    bool has_all;
    DV_TRY(look_at(&strict, object, &has_all));
    DV_TRY(read_best(&strict, answer, found));
    if (*found || numbers == DV_DINING_NUMBERS_STRICT) return DV_OK;
    DV_TRY(dig(&lenient, object));
    return read_best(&lenient, answer, found);
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
    if (!dv_json_scan(text.text, text.n, DV_JSON_PYTHON_TEXT, &value)) {
        if (dv_span_find(text, "```", 0, false) == SIZE_MAX) return DV_OK;
        text = fenced(text);
        if (!dv_json_scan(text.text, text.n, DV_JSON_PYTHON_TEXT, &value)) return DV_OK;
    }
    *found = value.kind == DV_JSON_OBJECT && dv_dining_nutrients_find(&value, members) == DV_N_NUTRIENTS &&
             read_values(members, dv_dining_value_compat, &scratch[1], values);
    return DV_OK;
}
