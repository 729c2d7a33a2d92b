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
#include "protocol/dining_field.h"
#include "protocol/dining_key.h"
#include "protocol/dining_kind.h"
#include "protocol/dining_nutrients.h"
#include "protocol/dining_option.h"
#include "protocol/dining_read.h"

enum { COMPAT_MOST = 10000 /* records that the reference reads */ };

/* What the keys of a file, or of a block, look like. */
typedef struct key_looks {
    bool has_key;         /* a key of the task */
    size_t n_predictions; /* records with an answer and no key */
    dv_dining_kind kind;  /* of the first key */
} key_looks;

typedef struct truth_reader {
    const dv_dining_options *options;
    dv_dining_result *result;
    dv_dining_values *fields;
    size_t capacity;     /* of the questions */
    dv_json_name *names; /* [1 + n_fields]: the members asked for; owned, the texts are not */
    key_looks looks;
    size_t n_refused; /* questions of the first block, where they are of another task: nothing else is read */
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
    key_looks looks;
    dv_json_text scratch[2];
} truth_part;

static dv_status fault(truth_part *part, const dv_json_line *line, size_t n_before, const char *what) {
    DV_TRY(dv_grow(&part->faults, sizeof *part->faults, part->n_faults, 1, "bad lines", &part->faults_capacity));
    part->faults[part->n_faults++] = (truth_fault){line->number, n_before, what};
    return DV_OK;
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------
 */

static dv_status read_option(truth_part *part, dv_dining_scoring scoring, const dv_json_line *line,
                             dv_dining_question *question) {
    dv_span text;
    if (part->members[0].kind == DV_JSON_ABSENT) return fault(part, line, part->n - 1, "ground_truth: missing");
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
        if (!dv_json_scan(text.text, text.n, compat ? DV_JSON_PYTHON_TEXT : DV_JSON_RFC, object))
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

/* ---- Looks ---------------------------------------------------------------------------------------------------------
 */

static bool has_key(dv_dining_task task, const dv_dining_question *question, dv_dining_kind kind) {
    if (task == DV_DINING_VQA) return kind != DV_KIND_NONE && kind != DV_KIND_NUTRIENTS;
    if (task == DV_DINING_CLASSIFICATION) return question->letter && question->letter <= DV_LAST_OPTION;
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        if (question->has_values[i]) return true;
    return false;
}

/* Looks at the key until the kind of one is known; for VQA, where all but nutrients can be a key, until one is found.
 */
static dv_status look_at_key(truth_part *part, dv_dining_task task, const dv_json_line *line,
                             const dv_dining_question *question) {
    static const dv_json_name answer = {"model_pred", sizeof "model_pred" - 1};
    key_looks *const looks = &part->looks;
    dv_dining_kind kind = DV_KIND_NONE;
    dv_json_value value;
    if (part->members[0].kind == DV_JSON_ABSENT)
        looks->n_predictions +=
            dv_json_pick(line->text, line->n, DV_JSON_PYTHON, &answer, 1, &value) && value.kind != DV_JSON_ABSENT;
    else if (looks->kind == DV_KIND_NONE || (task == DV_DINING_VQA && !looks->has_key))
        DV_TRY(dv_dining_kind_of(&part->members[0], part->scratch, &kind));
    if (!looks->has_key) looks->has_key = has_key(task, question, kind);
    if (looks->kind == DV_KIND_NONE) looks->kind = kind;
    return DV_OK;
}

static void add_looks(key_looks *looks, const key_looks *next) {
    looks->has_key |= next->has_key;
    looks->n_predictions += next->n_predictions;
    if (looks->kind == DV_KIND_NONE) looks->kind = next->kind;
}

static bool is_of_another_task(const dv_dining_options *options, const key_looks *looks) {
    static const dv_dining_kind kinds[] = {DV_KIND_OPTION, DV_KIND_NUTRIENTS, DV_KIND_TEXT};
    return !looks->has_key && dv_dining_kind_task(looks->kind) && looks->kind != kinds[options->task];
}

/* Fails again with the message of this thread, and behind it what may be wrong. */
static dv_status add_hint(const truth_reader *reader, dv_status status) {
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s", dv_last_error());
    if (reader->looks.kind == DV_KIND_NONE && reader->looks.n_predictions > 0)
        return dv_fail(status, "%s; are --truth and --pred swapped?", message);
    if (is_of_another_task(reader->options, &reader->looks))
        return dv_fail(status, "%s; is it a truth of dining %s?", message, dv_dining_kind_task(reader->looks.kind));
    return status;
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
    if (compat && line->marked)
        return fault(part, line, part->n, "begins with a byte-order mark, on which the reference ends");
    if (compat) (void)dv_unicode_strip(line->text, &n);
    if (n == 0) return DV_OK; /* blank, perhaps to Python alone */
    if (!dv_json_pick(line->text, line->n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, reader->names, 1 + options->n_fields,
                      part->members))
        return fault(part, line, part->n, "is no JSON object");
    DV_TRY(dv_grow(&part->questions, sizeof *part->questions, part->n, 1, "questions", &part->capacity));
    dv_dining_question *const question = &part->questions[part->n++];
    *question = (dv_dining_question){0};
    if (options->task == DV_DINING_NUTRITION)
        DV_TRY(read_values(part, options->scoring, question));
    else if (options->task == DV_DINING_CLASSIFICATION)
        DV_TRY(read_option(part, options->scoring, line, question));
    else
        question->no_key = dv_dining_is_falsy(&part->members[0]);
    DV_TRY(look_at_key(part, options->task, line, question));
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

/* One message instead of a fault a line. */
static bool must_be_refused(const dv_dining_options *options, const truth_part *part, uint64_t n_before) {
    return n_before == 0 && options->scoring == DV_DINING_STRICT && !options->allow_empty && part->n_faults > 0 &&
           is_of_another_task(options, &part->looks);
}

static dv_status take_part(void *context, void *from, uint64_t n_before, bool *done) {
    truth_reader *const reader = context;
    dv_dining_result *const result = reader->result;
    truth_part *const part = from;
    const bool compat = reader->options->scoring == DV_DINING_COMPAT;
    if (must_be_refused(reader->options, part, n_before)) {
        reader->looks = part->looks;
        reader->n_refused = part->n;
        *done = true;
        return DV_OK;
    }
    const size_t n = compat && part->n >= COMPAT_MOST - result->n ? COMPAT_MOST - result->n : part->n;
    *done = compat && result->n + n == COMPAT_MOST;
    take_faults(reader, part, *done ? n : SIZE_MAX, n_before);
    DV_TRY(dv_grow(&result->questions, sizeof *result->questions, result->n, n, "questions", &reader->capacity));
    if (n) memcpy(result->questions + result->n, part->questions, n * sizeof *result->questions);
    result->n += n;
    for (size_t f = 0; f < part->n_fields; f++) {
        DV_TRY(dv_dining_values_append(&reader->fields[f], &part->fields[f]));
        dv_dining_values_clear(&part->fields[f]);
    }
    add_looks(&reader->looks, &part->looks);
    part->looks = (key_looks){0};
    part->n = part->n_faults = 0;
    for (size_t i = 0; i < 2; i++) dv_json_text_drop_long(&part->scratch[i]);
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

/* ---- Checks --------------------------------------------------------------------------------------------------------
 */

static dv_status check_faults(const truth_reader *reader) {
    const dv_status status = dv_fault_list_judge(&reader->faults, DV_E_DATA, "lines of the truth are bad");
    return status == DV_OK ? DV_OK : add_hint(reader, status);
}

/* A truth of another task would score nothing. */
static dv_status check_keys(const truth_reader *reader) {
    static const char *const keys[] = {"an option A to H", "an object of nutrients", "an answer"};
    const dv_dining_options *const options = reader->options;
    if (reader->n_refused)
        return add_hint(reader, dv_fail(DV_E_DATA, "%s: none of the first %zu questions has %s as its ground_truth",
                                        options->truth, reader->n_refused, keys[options->task]));
    if (options->scoring == DV_DINING_COMPAT || options->allow_empty || reader->result->n == 0 || reader->looks.has_key)
        return DV_OK;
    return add_hint(reader, dv_fail(DV_E_DATA, "%s: no question has %s as its ground_truth: nothing is scored",
                                    options->truth, keys[options->task]));
}

static dv_status check_fields(const truth_reader *reader, dv_pool *pool) {
    const dv_dining_options *const options = reader->options;
    char nearest[DV_FIELD_NAME_SIZE];
    for (size_t f = 0; f < options->n_fields && reader->result->n > 0; f++) {
        if (reader->fields[f].is_there) continue;
        DV_TRY(dv_dining_field_nearest(options->truth, pool, options->fields[f], nearest));
        return dv_fail(DV_E_USAGE, "--group-by %s: no question of %s has this field%s%s", options->fields[f],
                       options->truth, nearest[0] ? "; the nearest one is " : "", nearest);
    }
    return DV_OK;
}

dv_status dv_dining_read_truth(const dv_dining_options *options, dv_pool *pool, dv_dining_result *result,
                               dv_dining_values *fields) {
    const dv_json_work work = {sizeof(truth_part), options->scoring == DV_DINING_COMPAT, read_line, take_part,
                               clear_part};
    truth_reader reader = {.options = options, .result = result, .fields = fields};
    DV_TRY(dv_alloc(1 + options->n_fields, sizeof *reader.names, "names of fields", &reader.names));
    reader.names[0] = (dv_json_name){"ground_truth", strlen("ground_truth")};
    for (size_t f = 0; f < options->n_fields; f++)
        reader.names[1 + f] = (dv_json_name){options->fields[f], strlen(options->fields[f])};
    const dv_status status =
        dv_json_lines_read(options->truth, DV_JSON_BLOCK_BYTES, pool, &work, &reader, &result->truth_hash);
    free(reader.names);
    if (status != DV_OK) return status;
    DV_TRY(check_faults(&reader));
    DV_TRY(check_keys(&reader));
    return check_fields(&reader, pool);
}
