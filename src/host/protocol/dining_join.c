#include "protocol/dining_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "protocol/dining_number.h"

enum { FIRST_CAPACITY = 16, MOST_DIGITS = 18 /* that a u64 holds for certain */ };
#define MOST_INDEX UINT64_MAX /* no question has it */
#define MOST_EXACT 0x1p53     /* below it a double holds every whole number */

dv_status dv_dining_list_add(dv_dining_list *list, uint64_t number) {
    if (list->n == list->capacity) {
        const size_t wanted = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
        uint64_t *const grown = realloc(list->numbers, wanted * sizeof *grown);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a list of lines");
        list->numbers = grown;
        list->capacity = wanted;
    }
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
static bool whole_number(const char *text, size_t n, bool sign, uint64_t *number) {
    const bool negative = sign && n > 0 && text[0] == '-';
    uint64_t value = 0;
    if (n == negative) return false;
    for (size_t i = negative; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = n > MOST_DIGITS ? MOST_INDEX : 10 * value + (uint64_t)(text[i] - '0');
    }
    *number = negative && value ? MOST_INDEX : value;
    return true;
}

static dv_dining_index index_strict(const dv_json_value *idx) {
    dv_dining_index index = {.kind = DV_INDEX_NONE, .is_text = idx->kind == DV_JSON_STRING};
    if ((idx->kind == DV_JSON_NUMBER || index.is_text) && !idx->escaped &&
        whole_number(idx->text, idx->n, !index.is_text, &index.number))
        index.kind = DV_INDEX_NUMBER;
    return index;
}

/* A key of a Python dictionary: 1, 1.0 and true are one. */
static dv_dining_index index_compat(const dv_json_value *idx) {
    double number = dv_json_is_word(idx, "true");
    if (idx->kind == DV_JSON_ABSENT) return (dv_dining_index){.kind = DV_INDEX_NONE};
    if ((idx->kind != DV_JSON_WORD || dv_json_is_word(idx, "null")) &&
        !(idx->kind == DV_JSON_NUMBER && dv_dining_decimal((dv_span){idx->text, idx->n}, &number)))
        return (dv_dining_index){.kind = DV_INDEX_OTHER, .number = dv_hash64(idx->text, idx->n)};
    if (!(number >= 0 && number < MOST_EXACT && number == floor(number)))
        return (dv_dining_index){.kind = DV_INDEX_OTHER, .number = dv_hash64(&number, sizeof number)};
    return (dv_dining_index){.kind = DV_INDEX_NUMBER, .number = (uint64_t)number};
}

dv_dining_index dv_dining_index_read(const dv_json_value *idx, dv_dining_scoring scoring) {
    return scoring == DV_DINING_STRICT ? index_strict(idx) : index_compat(idx);
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

static uint64_t *find_slot(uint64_t *slots, size_t n_slots, uint64_t hash) {
    size_t at = (size_t)hash & (n_slots - 1);
    while (slots[at] && slots[at] != hash) at = (at + 1) & (n_slots - 1);
    return &slots[at];
}

static dv_status grow_others(dv_dining_joiner *joiner) {
    const size_t n_wanted = joiner->n_slots ? 2 * joiner->n_slots : FIRST_CAPACITY;
    uint64_t *grown;
    DV_TRY(dv_alloc(n_wanted, sizeof *grown, "a set of indices", &grown));
    for (size_t i = 0; i < joiner->n_slots; i++)
        if (joiner->others[i]) *find_slot(grown, n_wanted, joiner->others[i]) = joiner->others[i];
    free(joiner->others);
    joiner->others = grown;
    joiner->n_slots = n_wanted;
    return DV_OK;
}

/* An index that no question has: counts where it is new. */
static dv_status add_other(dv_dining_joiner *joiner, uint64_t hash) {
    if (2 * (joiner->n_others + 1) > joiner->n_slots) DV_TRY(grow_others(joiner));
    uint64_t *const slot = find_slot(joiner->others, joiner->n_slots, hash ? hash : 1);
    if (*slot) return DV_OK;
    *slot = hash ? hash : 1;
    joiner->n_others++;
    joiner->join->n_keys++;
    return DV_OK;
}

static dv_status add_number(dv_dining_joiner *joiner, uint64_t number, size_t *question) {
    const double key = (double)number;
    if (number >= joiner->n_questions) return add_other(joiner, dv_hash64(&key, sizeof key));
    *question = number;
    joiner->join->n_keys += !joiner->seen[number];
    joiner->seen[number] = true;
    return DV_OK;
}

/* Without an index it is the number of keys so far. */
static dv_status place_compat(dv_dining_joiner *joiner, const dv_dining_index *index, size_t *question) {
    if (index->kind == DV_INDEX_OTHER) return add_other(joiner, index->number);
    return add_number(joiner, index->kind == DV_INDEX_NONE ? joiner->join->n_keys : index->number, question);
}

dv_status dv_dining_joiner_place(dv_dining_joiner *joiner, const dv_dining_index *index, uint64_t line,
                                 size_t *question) {
    *question = SIZE_MAX;
    joiner->join->n_records++;
    return joiner->scoring == DV_DINING_STRICT ? place_strict(joiner, index, line, question)
                                               : place_compat(joiner, index, question);
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
