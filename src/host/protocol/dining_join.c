#include "protocol/dining_join.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "protocol/dining_number.h"

enum { FIRST_CAPACITY = 16, KIND_SHIFT = 56 };
#define MOST_INDEX UINT64_MAX /* no question has it */
#define MOST_TENTH (UINT64_MAX / 10 - 1)
#define MOST_EXACT 0x1p53 /* below it a double holds every whole number */

dv_status dv_dining_list_add(dv_dining_list *list, uint64_t number) {
    DV_TRY(dv_grow(&list->numbers, sizeof *list->numbers, list->n, 1, "a list of lines", &list->capacity));
    list->numbers[list->n++] = number;
    return DV_OK;
}

dv_status dv_dining_joiner_init(dv_dining_joiner *joiner, dv_dining_scoring scoring, size_t n_questions,
                                dv_dining_join *join) {
    *joiner = (dv_dining_joiner){.scoring = scoring, .n_questions = n_questions, .join = join};
    return dv_alloc(n_questions, sizeof *joiner->seen, "the questions that were answered", &joiner->seen);
}

void dv_dining_joiner_clear(dv_dining_joiner *joiner) {
    free(joiner->seen);
    free(joiner->others);
    *joiner = (dv_dining_joiner){0};
}

/* ---- Indices -------------------------------------------------------------------------------------------------------
 */

/* Digits, with a minus before them where `sign`; MOST_INDEX where no question can have the index. */
static bool whole_number(dv_span text, bool sign, uint64_t *number) {
    const bool negative = sign && dv_span_begins(text, "-", false);
    uint64_t value = 0;
    if (text.n == negative) return false;
    for (size_t i = negative; i < text.n; i++) {
        if (text.text[i] < '0' || text.text[i] > '9') return false;
        value = value > MOST_TENTH ? MOST_INDEX / 10 : 10 * value + (uint64_t)(text.text[i] - '0');
    }
    *number = value > MOST_TENTH || (negative && value) ? MOST_INDEX : value;
    return true;
}

static dv_dining_index index_strict(const dv_json_value *idx, dv_span text) {
    dv_dining_index index = {.kind = DV_INDEX_NONE, .is_text = idx->kind == DV_JSON_STRING};
    if ((idx->kind == DV_JSON_NUMBER || index.is_text) && whole_number(text, !index.is_text, &index.number))
        index.kind = DV_INDEX_NUMBER;
    return index;
}

/* A key of one kind is never one of another. */
static dv_dining_index other_index(dv_json_kind kind, const void *bytes, size_t n) {
    return (dv_dining_index){.kind = DV_INDEX_OTHER, .number = dv_hash64(bytes, n) ^ (uint64_t)kind << KIND_SHIFT};
}

static dv_dining_index number_index(double number) {
    if (number >= 0 && number < MOST_EXACT && number == floor(number))
        return (dv_dining_index){.kind = DV_INDEX_NUMBER, .number = (uint64_t)number};
    return other_index(DV_JSON_NUMBER, &number, sizeof number);
}

/* An integer that no double holds is a key of its own. */
static bool is_exact(dv_span text, double number) {
    char digits[DBL_MAX_10_EXP + 4];
    if (dv_span_find(text, ".", 0, false) != SIZE_MAX || dv_span_find(text, "e", 0, true) != SIZE_MAX) return true;
    if (fabs(number) < MOST_EXACT) return true;
    return isfinite(number) && (size_t)snprintf(digits, sizeof digits, "%.0f", number) == text.n &&
           memcmp(digits, text.text, text.n) == 0;
}

/* A key of a Python dictionary: 1, 1.0 and true are one; so are all infinite ones, and NaN. */
static dv_dining_index index_compat(const dv_json_value *idx, dv_span text) {
    double number;
    if (idx->kind == DV_JSON_ABSENT) return (dv_dining_index){.kind = DV_INDEX_NONE};
    if (idx->kind == DV_JSON_WORD && !dv_json_is_word(idx, "null")) return number_index(dv_json_is_word(idx, "true"));
    const bool is_number = idx->kind == DV_JSON_NUMBER || idx->kind == DV_JSON_CONSTANT;
    if (is_number && dv_dining_python_float(text, &number) && !isnan(number) &&
        (idx->kind == DV_JSON_CONSTANT || is_exact(text, number)))
        return number_index(number);
    return other_index(idx->kind, text.text, text.n);
}

dv_status dv_dining_index_read(const dv_json_value *idx, dv_dining_scoring scoring, dv_json_text *scratch,
                               dv_dining_index *index) {
    dv_span text = {idx->text, idx->n};
    if (idx->kind == DV_JSON_STRING) DV_TRY(dv_json_string(idx, scratch, &text.text, &text.n));
    *index = scoring == DV_DINING_STRICT ? index_strict(idx, text) : index_compat(idx, text);
    return DV_OK;
}

bool dv_dining_is_no_key(const dv_json_value *idx) {
    return idx->kind == DV_JSON_OBJECT || idx->kind == DV_JSON_ARRAY;
}

/* ---- Strict --------------------------------------------------------------------------------------------------------
 */

static dv_status place_strict(dv_dining_joiner *joiner, const dv_dining_index *index, uint64_t line, size_t *question) {
    dv_dining_join *const join = joiner->join;
    if (index->kind == DV_INDEX_NONE) return dv_dining_list_add(&join->no_index, line);
    if (index->is_text) DV_TRY(dv_dining_list_add(&join->text_index, line));
    if (index->number >= joiner->n_questions) return dv_dining_list_add(&join->unknown, line);
    if (joiner->seen[index->number]) DV_TRY(dv_dining_list_add(&join->duplicate, line));
    joiner->seen[index->number] = true;
    *question = index->number;
    return DV_OK;
}

/* ---- Compat: keys of a Python dictionary ---------------------------------------------------------------------------
 */

static dv_dining_other *find_slot(dv_dining_other *slots, size_t n_slots, uint64_t hash) {
    size_t at = (size_t)hash & (n_slots - 1);
    while (slots[at].hash && slots[at].hash != hash) at = (at + 1) & (n_slots - 1);
    return &slots[at];
}

static dv_status grow_others(dv_dining_joiner *joiner) {
    const size_t n_wanted = joiner->n_slots ? 2 * joiner->n_slots : FIRST_CAPACITY;
    dv_dining_other *grown;
    DV_TRY(dv_alloc(n_wanted, sizeof *grown, "a set of indices", &grown));
    for (size_t i = 0; i < joiner->n_slots; i++)
        if (joiner->others[i].hash) *find_slot(grown, n_wanted, joiner->others[i].hash) = joiner->others[i];
    free(joiner->others);
    joiner->others = grown;
    joiner->n_slots = n_wanted;
    return DV_OK;
}

/* An index that no question has: counts where it is new. */
static dv_status add_other(dv_dining_joiner *joiner, uint64_t hash, size_t *place) {
    if (2 * (joiner->n_others + 1) > joiner->n_slots) DV_TRY(grow_others(joiner));
    dv_dining_other *const slot = find_slot(joiner->others, joiner->n_slots, hash ? hash : 1);
    if (!slot->hash) {
        *slot = (dv_dining_other){hash ? hash : 1, joiner->n_others++};
        joiner->join->n_keys++;
    }
    *place = joiner->n_questions + slot->number;
    return DV_OK;
}

static dv_status add_number(dv_dining_joiner *joiner, uint64_t number, size_t *place) {
    const double key = (double)number;
    if (number >= joiner->n_questions)
        return add_other(joiner, other_index(DV_JSON_NUMBER, &key, sizeof key).number, place);
    *place = number;
    joiner->join->n_keys += !joiner->seen[number];
    joiner->seen[number] = true;
    return DV_OK;
}

/* Without an index it is the number of keys so far. */
static dv_status place_compat(dv_dining_joiner *joiner, const dv_dining_index *index, size_t *place) {
    if (index->kind == DV_INDEX_OTHER) return add_other(joiner, index->number, place);
    return add_number(joiner, index->kind == DV_INDEX_NONE ? joiner->join->n_keys : index->number, place);
}

dv_status dv_dining_joiner_place(dv_dining_joiner *joiner, const dv_dining_index *index, uint64_t line, size_t *place) {
    *place = SIZE_MAX;
    joiner->join->n_records++;
    return joiner->scoring == DV_DINING_STRICT ? place_strict(joiner, index, line, place)
                                               : place_compat(joiner, index, place);
}

void dv_dining_join_clear(dv_dining_join *join) {
    free(join->bad.numbers);
    free(join->duplicate.numbers);
    free(join->unknown.numbers);
    free(join->no_index.numbers);
    free(join->text_index.numbers);
    *join = (dv_dining_join){0};
}

void dv_dining_join_log(const dv_dining_join *join, const char *path) {
    const struct {
        const dv_dining_list *lines;
        const char *what;
    } kinds[] = {{&join->duplicate, "idx was there before: the last record counts"},
                 {&join->unknown, "no question has the idx: left out"},
                 {&join->no_index, "no idx: left out"},
                 {&join->text_index, "idx is a text: joined all the same"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].lines->n > 0)
            dv_log(DV_LOG_WARNING, "%s: line %llu: %s (lines of this kind: %zu)", path,
                   (unsigned long long)kinds[i].lines->numbers[0], kinds[i].what, kinds[i].lines->n);
}
