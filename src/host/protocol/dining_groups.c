#include "protocol/dining_groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/unicode.h"
#include "protocol/dining_number.h"

enum { FIRST_SLOTS = 64, RANGE_SIZE = 32 };
#define NO_VALUE "(none)"

/* ---- Names ---------------------------------------------------------------------------------------------------------
 */

static size_t find_slot(const dv_dining_values *values, dv_span text) {
    size_t at = (size_t)dv_hash64(text.text, text.n) & (values->n_slots - 1);
    for (; values->slots[at]; at = (at + 1) & (values->n_slots - 1)) {
        const char *const name = values->names[values->slots[at] - 1];
        if (strlen(name) == text.n && memcmp(name, text.text, text.n) == 0) break;
    }
    return at;
}

static dv_status grow(dv_dining_values *values) {
    const size_t n_slots = values->n_slots ? 2 * values->n_slots : FIRST_SLOTS;
    char **const names = realloc(values->names, n_slots / 2 * sizeof *names);
    if (names) values->names = names;
    double *const order = realloc(values->order, n_slots / 2 * sizeof *order);
    if (order) values->order = order;
    if (!names || !order) return dv_fail(DV_E_NOMEM, "no memory for groups");
    free(values->slots);
    values->slots = NULL;
    values->n_slots = n_slots;
    DV_TRY(dv_alloc(n_slots, sizeof *values->slots, "groups", &values->slots));
    for (size_t i = 0; i < values->n; i++)
        values->slots[find_slot(values, (dv_span){names[i], strlen(names[i])})] = (uint32_t)i + 1;
    return DV_OK;
}

static dv_status number_of(dv_dining_values *values, dv_span text, double order, uint32_t *number) {
    if (2 * (values->n + 1) > values->n_slots) DV_TRY(grow(values));
    const size_t slot = find_slot(values, text);
    if (!values->slots[slot]) {
        char *const name = strndup(text.text, text.n);
        if (!name) return dv_fail(DV_E_NOMEM, "no memory for groups");
        values->names[values->n] = name;
        values->order[values->n++] = order;
        values->slots[slot] = (uint32_t)values->n;
    }
    *number = values->slots[slot] - 1;
    return DV_OK;
}

/* Names are C strings of UTF-8: no NUL, no lone surrogate. */
static bool is_name(dv_span text) {
    return text.n == 0 || (!memchr(text.text, '\0', text.n) && dv_unicode_is_sound(text.text, text.n));
}

/* ---- Values --------------------------------------------------------------------------------------------------------
 */

/* "<2", "[2,4)", ">=4". */
static void range_name(const dv_dining_options *options, double number, char *name, double *order) {
    size_t n_below = 0;
    while (n_below < options->n_edges && number >= options->edges[n_below]) n_below++;
    *order = (double)n_below;
    if (n_below == 0)
        snprintf(name, RANGE_SIZE, "<%d", options->edges[0]);
    else if (n_below == options->n_edges)
        snprintf(name, RANGE_SIZE, ">=%d", options->edges[n_below - 1]);
    else
        snprintf(name, RANGE_SIZE, "[%d,%d)", options->edges[n_below - 1], options->edges[n_below]);
}

static dv_status append(dv_dining_values *values, uint32_t number) {
    DV_TRY(dv_grow(&values->of, sizeof *values->of, values->n_questions, 1, "groups", &values->questions_capacity));
    values->of[values->n_questions++] = number;
    return DV_OK;
}

dv_status dv_dining_values_add(dv_dining_values *values, const dv_json_value *value, const dv_dining_options *options,
                               dv_json_text *scratch) {
    char range[RANGE_SIZE];
    double parsed, order = (double)NAN;
    uint32_t number = 0;
    dv_span text = {value->text, value->n};
    if (value->kind == DV_JSON_STRING) DV_TRY(dv_json_string(value, scratch, &text.text, &text.n));
    if (!is_name(text)) text = (dv_span){value->text, value->n}; /* with its escapes it is one */
    if (value->kind == DV_JSON_ABSENT || dv_json_is_word(value, "null"))
        text = (dv_span){NO_VALUE, sizeof NO_VALUE - 1};
    else if (options->n_edges && value->kind == DV_JSON_NUMBER && dv_dining_decimal(text, &parsed)) {
        range_name(options, parsed, range, &order);
        text = (dv_span){range, strlen(range)};
    }
    values->is_there |= value->kind != DV_JSON_ABSENT;
    DV_TRY(number_of(values, text, order, &number));
    return append(values, number);
}

dv_status dv_dining_values_append(dv_dining_values *values, const dv_dining_values *next) {
    uint32_t *numbers;
    values->is_there |= next->is_there;
    dv_status status = dv_alloc(next->n, sizeof *numbers, "groups", &numbers);
    for (size_t i = 0; status == DV_OK && i < next->n; i++)
        status = number_of(values, (dv_span){next->names[i], strlen(next->names[i])}, next->order[i], &numbers[i]);
    for (size_t q = 0; status == DV_OK && q < next->n_questions; q++) status = append(values, numbers[next->of[q]]);
    free(numbers);
    return status;
}

void dv_dining_values_clear(dv_dining_values *values) {
    for (size_t i = 0; i < values->n; i++) free(values->names[i]);
    free(values->names);
    free(values->slots);
    free(values->order);
    free(values->of);
    *values = (dv_dining_values){0};
}

/* ---- Partition -----------------------------------------------------------------------------------------------------
 */

static int compare_values(const void *a, const void *b, void *context) {
    const dv_dining_values *const values = context;
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const double x = values->order[left], y = values->order[right];
    if (isnan(x) != isnan(y)) return isnan(x) ? 1 : -1;
    if (!isnan(x)) return (x > y) - (x < y);
    return strcmp(values->names[left], values->names[right]);
}

static void fill(dv_dining_values *values, dv_dining_partition *made, size_t *next) {
    for (size_t v = 0; v < values->n; v++) made->order[v] = (uint32_t)v;
    qsort_r(made->order, values->n, sizeof *made->order, compare_values, values);
    for (size_t q = 0; q < values->n_questions; q++) next[values->of[q]]++;
    for (size_t v = 0; v < values->n; v++) {
        made->starts[v + 1] = made->starts[v] + next[made->order[v]];
        next[made->order[v]] = made->starts[v];
    }
    for (size_t q = 0; q < values->n_questions; q++) made->members[next[values->of[q]]++] = (uint32_t)q;
}

dv_status dv_dining_partition_make(dv_dining_values *values, dv_dining_partition *partition) {
    size_t *next = NULL;
    *partition = (dv_dining_partition){0};
    dv_status status = dv_alloc(values->n, sizeof *partition->order, "groups", &partition->order);
    if (status == DV_OK) status = dv_alloc(values->n + 1, sizeof *partition->starts, "groups", &partition->starts);
    if (status == DV_OK)
        status = dv_alloc(values->n_questions, sizeof *partition->members, "groups", &partition->members);
    if (status == DV_OK) status = dv_alloc(values->n, sizeof *next, "groups", &next);
    if (status == DV_OK) fill(values, partition, next);
    free(next);
    return status;
}

void dv_dining_partition_clear(dv_dining_partition *partition) {
    free(partition->order);
    free(partition->members);
    free(partition->starts);
    *partition = (dv_dining_partition){0};
}
