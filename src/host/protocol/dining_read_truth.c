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

enum { FIRST_CAPACITY = 1024, COMPAT_MOST = 10000 /* records that the reference reads */ };

typedef struct truth_reader {
    const dv_dining_options *options;
    dv_dining_result *result;
    dv_dining_values *fields;
    size_t capacity;        /* of the questions */
    const char **names;     /* [1 + n_fields]: the members asked for; owned, the texts are not */
    dv_json_value *members; /* [1 + n_fields], owned */
    dv_json_text scratch[2];
    dv_fault_list faults;
} truth_reader;

static dv_status fault(truth_reader *reader, const dv_json_line *line, const char *what) {
    char message[DV_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: line %llu: %s", reader->options->truth, (unsigned long long)line->number,
             what);
    dv_fault_list_add(&reader->faults, message);
    return DV_OK;
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------
 */

static dv_status read_option(truth_reader *reader, const dv_json_line *line, dv_dining_question *question) {
    dv_span text;
    if (reader->members[0].kind != DV_JSON_STRING) return fault(reader, line, "ground_truth: must be a text");
    DV_TRY(dv_json_string(&reader->members[0], &reader->scratch[0], &text.text, &text.n));
    DV_TRY(dv_dining_key_read(text, reader->options->scoring, &reader->scratch[1], &question->letter, &question->key));
    question->unreadable =
        reader->options->scoring == DV_DINING_STRICT && (!question->letter || question->letter > DV_LAST_OPTION);
    return DV_OK;
}

/* An object, or a text that is one; false: neither. */
static dv_status find_object(truth_reader *reader, const dv_json_value *key, dv_json_value *object, bool *found) {
    const bool compat = reader->options->scoring == DV_DINING_COMPAT;
    dv_span text;
    *object = *key;
    if (key->kind == DV_JSON_STRING) {
        DV_TRY(dv_json_string(key, &reader->scratch[0], &text.text, &text.n));
        if (!dv_json_scan(text.text, text.n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, object))
            object->kind = DV_JSON_ABSENT;
    }
    if (compat && dv_dining_is_falsy(key)) *object = (dv_json_value){.text = "{}", .n = 2, .kind = DV_JSON_OBJECT};
    *found = object->kind == DV_JSON_OBJECT;
    return DV_OK;
}

static dv_status read_values(truth_reader *reader, dv_dining_question *question) {
    const bool strict = reader->options->scoring == DV_DINING_STRICT;
    dv_json_value object, members[DV_N_NUTRIENTS];
    bool found;
    DV_TRY(find_object(reader, &reader->members[0], &object, &found));
    question->unreadable = !found;
    if (found) (void)dv_dining_nutrients_find(&object, members);
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) {
        double *const value = &question->values[i];
        *value = (double)NAN;
        if (!found) continue;
        question->has_values[i] = strict ? dv_dining_value_strict(&members[i], &reader->scratch[1], value)
                                         : dv_dining_value_compat(&members[i], &reader->scratch[1], value);
        if (strict && !question->has_values[i]) *value = (double)NAN;
    }
    return DV_OK;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------
 */

/* For one question more. */
static dv_status make_room(truth_reader *reader) {
    if (reader->result->n < reader->capacity) return DV_OK;
    const size_t wanted = reader->capacity ? reader->capacity + reader->capacity / 2 : FIRST_CAPACITY;
    dv_dining_question *const grown = realloc(reader->result->questions, wanted * sizeof *grown);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu questions", wanted);
    reader->result->questions = grown;
    reader->capacity = wanted;
    return DV_OK;
}

static dv_status read_line(truth_reader *reader, const dv_json_line *line) {
    const dv_dining_options *const options = reader->options;
    const bool compat = options->scoring == DV_DINING_COMPAT;
    size_t n = line->n;
    if (compat && (dv_unicode_strip(line->text, &n), n == 0)) return DV_OK; /* blank to Python */
    if (compat && line->marked)
        return fault(reader, line, "begins with a byte-order mark, on which the reference ends");
    if (!dv_json_pick(line->text, line->n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, reader->names, 1 + options->n_fields,
                      reader->members))
        return fault(reader, line, "is no JSON object");
    DV_TRY(make_room(reader));
    dv_dining_question *const question = &reader->result->questions[reader->result->n++];
    *question = (dv_dining_question){0};
    if (options->task == DV_DINING_NUTRITION)
        DV_TRY(read_values(reader, question));
    else if (options->task == DV_DINING_CLASSIFICATION)
        DV_TRY(read_option(reader, line, question));
    else
        question->no_key = dv_dining_is_falsy(&reader->members[0]);
    for (size_t f = 0; f < options->n_fields; f++)
        DV_TRY(dv_dining_values_add(&reader->fields[f], &reader->members[1 + f], options, &reader->scratch[0]));
    return DV_OK;
}

static dv_status read_lines(truth_reader *reader) {
    const bool compat = reader->options->scoring == DV_DINING_COMPAT;
    dv_json_lines *lines;
    dv_json_line line;
    bool found = true;
    DV_TRY(dv_json_lines_open(reader->options->truth, &lines));
    dv_status status = DV_OK;
    while (status == DV_OK && found && !(compat && reader->result->n == COMPAT_MOST)) {
        status = dv_json_lines_next(lines, &line, &found);
        if (status == DV_OK && found) status = read_line(reader, &line);
    }
    dv_json_lines_close(lines);
    return status == DV_OK ? dv_fault_list_judge(&reader->faults, DV_E_DATA, "lines of the truth are bad") : status;
}

dv_status dv_dining_read_truth(const dv_dining_options *options, dv_dining_result *result, dv_dining_values *fields) {
    truth_reader reader = {.options = options, .result = result, .fields = fields};
    dv_status status = dv_alloc(1 + options->n_fields, sizeof *reader.names, "names of fields", &reader.names);
    if (status == DV_OK)
        status = dv_alloc(1 + options->n_fields, sizeof *reader.members, "values of fields", &reader.members);
    if (status == DV_OK) {
        reader.names[0] = "ground_truth";
        for (size_t f = 0; f < options->n_fields; f++) reader.names[1 + f] = options->fields[f];
        status = read_lines(&reader);
    }
    free(reader.names);
    free(reader.members);
    free(reader.scratch[0].text);
    free(reader.scratch[1].text);
    return status;
}
