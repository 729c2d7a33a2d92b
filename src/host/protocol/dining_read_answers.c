#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "core/unicode.h"
#include "io/json_lines.h"
#include "protocol/dining_clean.h"
#include "protocol/dining_join.h"
#include "protocol/dining_key.h"
#include "protocol/dining_nutrients.h"
#include "protocol/dining_option.h"
#include "protocol/dining_read.h"

/* The members of a record, and their places. */
enum { IDX, MODEL_PRED, GT_ANSWER, N_MEMBERS };
static const char *const names[N_MEMBERS] = {"idx", "model_pred", "gt_answer"};

typedef struct answer_reader {
    const dv_dining_options *options;
    dv_dining_result *result;
    dv_dining_joiner joiner;
    dv_json_value members[N_MEMBERS];
    dv_json_text pred, scratch[2]; /* texts in use, kept for the next line */
    dv_fault_list faults;
} answer_reader;

/* ---- Options -------------------------------------------------------------------------------------------------------
 */

static dv_status read_option_strict(answer_reader *reader, dv_span text, const dv_dining_question *question,
                                    dv_dining_answer *answer) {
    const dv_json_value *const key = &reader->members[GT_ANSWER];
    dv_span said = {key->text, key->n};
    char letter;
    uint64_t hash;
    if (answer->state == DV_DINING_UNREADABLE && answer->is_text) {
        DV_TRY(dv_dining_option_strict(text, reader->scratch, &answer->letter));
        if (answer->letter) answer->state = answer->letter == question->letter ? DV_DINING_CORRECT : DV_DINING_WRONG;
    }
    if (dv_dining_is_falsy(key)) return DV_OK;
    if (key->kind == DV_JSON_STRING) DV_TRY(dv_json_string(key, &reader->scratch[0], &said.text, &said.n));
    DV_TRY(dv_dining_key_read(said, DV_DINING_COMPAT, &reader->scratch[1], &letter, &hash));
    answer->key_conflict = hash != question->key;
    return DV_OK;
}

static dv_status read_option_compat(answer_reader *reader, dv_span text, const dv_dining_question *question,
                                    dv_dining_answer *answer) {
    const dv_json_value *const key = &reader->members[GT_ANSWER];
    dv_span said = {NULL, 0};
    answer->letter = dv_dining_option_compat(text);
    if (!answer->letter) return DV_OK;
    if (key->kind == DV_JSON_STRING) DV_TRY(dv_json_string(key, &reader->scratch[0], &said.text, &said.n));
    const bool right =
        dv_dining_is_falsy(key) ? answer->letter == question->letter : said.n == 1 && said.text[0] == answer->letter;
    answer->state = right ? DV_DINING_CORRECT : DV_DINING_WRONG;
    return DV_OK;
}

/* ---- Nutrients -----------------------------------------------------------------------------------------------------
 */

static dv_status read_nutrients(answer_reader *reader, dv_span text, dv_dining_answer *answer) {
    const dv_json_value *const pred = &reader->members[MODEL_PRED];
    bool found = false;
    if (answer->state != DV_DINING_UNREADABLE) return DV_OK;
    if (reader->options->scoring == DV_DINING_COMPAT)
        DV_TRY(dv_dining_nutrients_compat(text, reader->scratch, answer->values, &found));
    else if (pred->kind == DV_JSON_STRING)
        DV_TRY(dv_dining_nutrients_of_text(text, reader->options->numbers, reader->scratch, answer, &found));
    else if (pred->kind == DV_JSON_OBJECT)
        DV_TRY(dv_dining_nutrients_of_object(pred, reader->options->numbers, reader->scratch, answer, &found));
    if (found) answer->state = DV_DINING_PARSED;
    return DV_OK;
}

/* ---- Judged answers ------------------------------------------------------------------------------------------------
 */

static dv_status read_judged(const answer_reader *reader, dv_span text, const dv_dining_question *question,
                             dv_dining_answer *answer) {
    size_t n = text.n;
    const bool blank = reader->members[MODEL_PRED].kind == DV_JSON_STRING && (dv_unicode_strip(text.text, &n), n == 0);
    answer->text = dv_dining_text_hash(&reader->members[MODEL_PRED], text);
    if (question->no_key)
        answer->state = DV_DINING_NO_KEY;
    else if (blank)
        answer->state = DV_DINING_MISSING;
    else if (answer->state == DV_DINING_UNREADABLE)
        answer->state = DV_DINING_NOT_JUDGED;
    return DV_OK;
}

/* ---- Records -------------------------------------------------------------------------------------------------------
 */

/* What the record says before anybody looks into its answer. */
static void begin_answer(const answer_reader *reader, dv_span text, dv_dining_answer *answer) {
    const dv_json_value *const pred = &reader->members[MODEL_PRED];
    answer->is_text = pred->kind == DV_JSON_STRING || pred->kind == DV_JSON_ABSENT;
    answer->state = DV_DINING_UNREADABLE;
    if (reader->options->scoring == DV_DINING_COMPAT) return;
    if (pred->kind == DV_JSON_ABSENT || dv_json_is_word(pred, "null"))
        answer->state = DV_DINING_MISSING;
    else if (pred->kind == DV_JSON_STRING && dv_dining_is_failed(text))
        answer->state = DV_DINING_FAILED;
}

static dv_status read_record(answer_reader *reader, uint64_t line, size_t at) {
    const dv_dining_question *const question = &reader->result->questions[at];
    dv_dining_answer *const answer = &reader->result->answers[at];
    dv_span text = {"", 0};
    *answer = (dv_dining_answer){.line = line};
    if (reader->members[MODEL_PRED].kind == DV_JSON_STRING)
        DV_TRY(dv_json_string(&reader->members[MODEL_PRED], &reader->pred, &text.text, &text.n));
    DV_TRY(dv_dining_clean_compat(text, reader->options->model, &reader->scratch[0], &text));
    begin_answer(reader, text, answer);
    if (reader->options->task == DV_DINING_VQA) return read_judged(reader, text, question, answer);
    if (reader->options->task == DV_DINING_NUTRITION) return read_nutrients(reader, text, answer);
    return reader->options->scoring == DV_DINING_STRICT ? read_option_strict(reader, text, question, answer)
                                                        : read_option_compat(reader, text, question, answer);
}

/* Compat: in Python white space is that of Unicode, a mark is text, and a list or an object is no key. */
static bool pick_compat(answer_reader *reader, dv_span line, bool marked) {
    const dv_json_value *const idx = &reader->members[IDX];
    return !marked && dv_json_pick(line.text, line.n, DV_JSON_PYTHON, names, N_MEMBERS, reader->members) &&
           idx->kind != DV_JSON_OBJECT && idx->kind != DV_JSON_ARRAY;
}

static bool is_utf8(dv_span text) {
    for (size_t n_bytes; text.n > 0; text = dv_span_after(text, n_bytes))
        if (dv_unicode_next(text.text, text.n, &n_bytes) > 0x10FFFF) return false;
    return true;
}

static dv_status read_line(answer_reader *reader, const dv_json_line *line) {
    char message[DV_MESSAGE_SIZE];
    size_t question;
    dv_span text = {line->text, line->n};
    bool good;
    if (reader->options->scoring == DV_DINING_COMPAT) {
        text.text = dv_unicode_strip(text.text, &text.n);
        if (text.n == 0) return DV_OK;
        good = pick_compat(reader, text, line->marked);
    } else {
        good = dv_json_pick(text.text, text.n, DV_JSON_RFC, names, N_MEMBERS, reader->members);
    }
    if (!good && reader->options->scoring == DV_DINING_COMPAT && !is_utf8(text))
        return dv_fail(DV_E_DATA,
                       "%s: line %llu: is no UTF-8: the reference ends with an exception here, which --scoring compat "
                       "cannot score",
                       reader->options->pred, (unsigned long long)line->number);
    if (!good) {
        snprintf(message, sizeof message, "%s: line %llu: is no JSON object", reader->options->pred,
                 (unsigned long long)line->number);
        dv_fault_list_add(&reader->faults, message);
        return dv_dining_list_add(&reader->result->join.bad, line->number);
    }
    DV_TRY(dv_dining_joiner_place(&reader->joiner, &reader->members[IDX], line->number, &question));
    return question == SIZE_MAX ? DV_OK : read_record(reader, line->number, question);
}

static dv_status read_lines(answer_reader *reader) {
    dv_json_lines *lines;
    dv_json_line line;
    bool found = true;
    dv_status status = DV_OK;
    DV_TRY(dv_json_lines_open(reader->options->pred, &lines));
    while (status == DV_OK && found) {
        status = dv_json_lines_next(lines, &line, &found);
        if (status == DV_OK && found) status = read_line(reader, &line);
    }
    dv_json_lines_close(lines);
    dv_fault_list_end(&reader->faults);
    dv_dining_join_log(&reader->result->join, reader->options->pred);
    return status;
}

dv_status dv_dining_read_answers(const dv_dining_options *options, dv_dining_result *result) {
    answer_reader reader = {.options = options, .result = result, .faults = {.left_out = true}};
    dv_status status = dv_dining_joiner_init(&reader.joiner, options->scoring, result->n, &result->join);
    if (status == DV_OK) status = dv_alloc(result->n, sizeof *result->answers, "answers", &result->answers);
    for (size_t q = 0; status == DV_OK && q < result->n; q++)
        if (result->questions[q].no_key) result->answers[q].state = DV_DINING_NO_KEY;
    if (status == DV_OK) status = read_lines(&reader);
    dv_dining_joiner_clear(&reader.joiner);
    free(reader.pred.text);
    free(reader.scratch[0].text);
    free(reader.scratch[1].text);
    return status;
}
