#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/unicode.h"
#include "io/json_lines.h"
#include "protocol/dining_key.h"
#include "protocol/dining_nutrients.h"
#include "protocol/dining_option.h"
#include "protocol/dining_read.h"

enum { FIRST_CAPACITY = 64, COMPAT_MOST = 10000 /* records that the reference reads */ };

typedef struct truth_reader {
    const dv_dining_options *options;
    dv_dining_result *result;
    dv_dining_values *fields;
    size_t capacity;     /* of the questions */
    dv_json_name *names; /* [1 + n_fields]: the members asked for; owned, the texts are not */
    dv_fault_list faults;
} truth_reader;

typedef struct truth_fault {
    uint64_t line;
    size_t n_before; /* questions of the part before it */
    const char *what;
} truth_fault;

/* The questions of a block. */
typedef struct truth_part {
    size_t n_fields, n, capacity, n_faults, faults_capacity;
    dv_dining_question *questions; /* [n], owned */
    truth_fault *faults;           /* [n_faults], owned */
    dv_dining_values *fields;      /* [n_fields], owned */
    dv_json_value *members;        /* [1 + n_fields], owned */
    dv_json_text scratch[2];
} truth_part;

/* Room for n more behind the first *n_used. */
static dv_status make_room(void *items, size_t size, size_t n_used, size_t n, size_t *capacity) {
    size_t wanted = *capacity ? *capacity + *capacity / 2 : FIRST_CAPACITY, n_bytes;
    void *old;
    if (*capacity - n_used >= n) return DV_OK;
    if (wanted - n_used < n) wanted = n_used + n;
    DV_TRY(dv_mul_size(wanted, size, "questions", &n_bytes));
    memcpy(&old, items, sizeof old);
    void *const grown = realloc(old, n_bytes);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu questions", wanted);
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return DV_OK;
}

static dv_status fault(truth_part *part, const dv_json_line *line, size_t n_before, const char *what) {
    DV_TRY(make_room(&part->faults, sizeof *part->faults, part->n_faults, 1, &part->faults_capacity));
    part->faults[part->n_faults++] = (truth_fault){line->number, n_before, what};
    return DV_OK;
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------
 */

static dv_status read_option(truth_part *part, dv_dining_scoring scoring, const dv_json_line *line,
                             dv_dining_question *question) {
    dv_span text;
    if (part->members[0].kind != DV_JSON_STRING) return fault(part, line, part->n - 1, "ground_truth: must be a text");
    DV_TRY(dv_json_string(&part->members[0], &part->scratch[0], &text.text, &text.n));
    DV_TRY(dv_dining_key_read(text, scoring, &part->scratch[1], &question->letter, &question->key));
    question->unreadable = scoring == DV_DINING_STRICT && (!question->letter || question->letter > DV_LAST_OPTION);
    return DV_OK;
}

/* An object, or a text that is one; false: neither. */
static dv_status find_object(truth_part *part, dv_dining_scoring scoring, const dv_json_value *key,
                             dv_json_value *object, bool *found) {
    const bool compat = scoring == DV_DINING_COMPAT;
    dv_span text;
    *object = *key;
    if (key->kind == DV_JSON_STRING) {
        DV_TRY(dv_json_string(key, &part->scratch[0], &text.text, &text.n));
        if (!dv_json_scan(text.text, text.n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, object))
            object->kind = DV_JSON_ABSENT;
    }
    if (compat && dv_dining_is_falsy(key)) *object = (dv_json_value){.text = "{}", .n = 2, .kind = DV_JSON_OBJECT};
    *found = object->kind == DV_JSON_OBJECT;
    return DV_OK;
}

static dv_status read_values(truth_part *part, dv_dining_scoring scoring, dv_dining_question *question) {
    const bool strict = scoring == DV_DINING_STRICT;
    dv_json_value object, members[DV_N_NUTRIENTS];
    bool found;
    DV_TRY(find_object(part, scoring, &part->members[0], &object, &found));
    question->unreadable = !found;
    if (found) (void)dv_dining_nutrients_find(&object, members);
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) {
        double *const value = &question->values[i];
        *value = (double)NAN;
        if (!found) continue;
        question->has_values[i] = strict ? dv_dining_value_strict(&members[i], &part->scratch[1], value)
                                         : dv_dining_value_compat(&members[i], &part->scratch[1], value);
        if (strict && !question->has_values[i]) *value = (double)NAN;
    }
    return DV_OK;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------
 */

static dv_status begin_part(truth_part *part, size_t n_fields) {
    if (part->members) return DV_OK;
    DV_TRY(dv_alloc(1 + n_fields, sizeof *part->members, "values of fields", &part->members));
    DV_TRY(dv_alloc(n_fields, sizeof *part->fields, "fields", &part->fields));
    part->n_fields = n_fields;
    return DV_OK;
}

static dv_status read_line(void *context, void *out, const dv_json_line *line) {
    const truth_reader *const reader = context;
    const dv_dining_options *const options = reader->options;
    const bool compat = options->scoring == DV_DINING_COMPAT;
    truth_part *const part = out;
    size_t n = line->n;
    DV_TRY(begin_part(part, options->n_fields));
    if (compat && (dv_unicode_strip(line->text, &n), n == 0)) return DV_OK; /* blank to Python */
    if (compat && line->marked)
        return fault(part, line, part->n, "begins with a byte-order mark, on which the reference ends");
    if (!dv_json_pick(line->text, line->n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, reader->names, 1 + options->n_fields,
                      part->members))
        return fault(part, line, part->n, "is no JSON object");
    DV_TRY(make_room(&part->questions, sizeof *part->questions, part->n, 1, &part->capacity));
    dv_dining_question *const question = &part->questions[part->n++];
    *question = (dv_dining_question){0};
    if (options->task == DV_DINING_NUTRITION)
        DV_TRY(read_values(part, options->scoring, question));
    else if (options->task == DV_DINING_CLASSIFICATION)
        DV_TRY(read_option(part, options->scoring, line, question));
    else
        question->no_key = dv_dining_is_falsy(&part->members[0]);
    for (size_t f = 0; f < options->n_fields; f++)
        DV_TRY(dv_dining_values_add(&part->fields[f], &part->members[1 + f], options, &part->scratch[0]));
    return DV_OK;
}

/* ---- Parts ---------------------------------------------------------------------------------------------------------
 */

/* Those that stand before n questions of the part were read. */
static void take_faults(truth_reader *reader, const truth_part *part, size_t n, uint64_t n_before) {
    char message[DV_MESSAGE_SIZE];
    for (size_t i = 0; i < part->n_faults && part->faults[i].n_before < n; i++) {
        snprintf(message, sizeof message, "%s: line %llu: %s", reader->options->truth,
                 (unsigned long long)n_before + part->faults[i].line, part->faults[i].what);
        dv_fault_list_add(&reader->faults, message);
    }
}

static dv_status take_part(void *context, void *from, uint64_t n_before, bool *done) {
    truth_reader *const reader = context;
    dv_dining_result *const result = reader->result;
    truth_part *const part = from;
    const bool compat = reader->options->scoring == DV_DINING_COMPAT;
    const size_t n = compat && part->n >= COMPAT_MOST - result->n ? COMPAT_MOST - result->n : part->n;
    *done = compat && result->n + n == COMPAT_MOST;
    take_faults(reader, part, *done ? n : SIZE_MAX, n_before);
    DV_TRY(make_room(&result->questions, sizeof *result->questions, result->n, n, &reader->capacity));
    if (n) memcpy(result->questions + result->n, part->questions, n * sizeof *result->questions);
    result->n += n;
    for (size_t f = 0; f < part->n_fields; f++) {
        DV_TRY(dv_dining_values_append(&reader->fields[f], &part->fields[f]));
        dv_dining_values_clear(&part->fields[f]);
    }
    part->n = part->n_faults = 0;
    return DV_OK;
}

static void clear_part(void *out) {
    truth_part *const part = out;
    for (size_t f = 0; f < part->n_fields; f++) dv_dining_values_clear(&part->fields[f]);
    free(part->fields);
    free(part->members);
    free(part->questions);
    free(part->faults);
    free(part->scratch[0].text);
    free(part->scratch[1].text);
}

dv_status dv_dining_read_truth(const dv_dining_options *options, dv_pool *pool, dv_dining_result *result,
                               dv_dining_values *fields) {
    static const dv_json_work work = {sizeof(truth_part), read_line, take_part, clear_part};
    truth_reader reader = {.options = options, .result = result, .fields = fields};
    DV_TRY(dv_alloc(1 + options->n_fields, sizeof *reader.names, "names of fields", &reader.names));
    reader.names[0] = (dv_json_name){"ground_truth", strlen("ground_truth")};
    for (size_t f = 0; f < options->n_fields; f++)
        reader.names[1 + f] = (dv_json_name){options->fields[f], strlen(options->fields[f])};
    const dv_status status =
        dv_json_lines_read(options->truth, DV_JSON_BLOCK_BYTES, pool, &work, &reader, &result->truth_hash);
    free(reader.names);
    if (status != DV_OK) return status;
    return dv_fault_list_judge(&reader.faults, DV_E_DATA, "lines of the truth are bad");
}
