#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "core/unicode.h"
#include "io/json_lines.h"
#include "protocol/dining_clean.h"
#include "protocol/dining_join.h"
#include "protocol/dining_judged.h"
#include "protocol/dining_key.h"
#include "protocol/dining_nutrients.h"
#include "protocol/dining_option.h"
#include "protocol/dining_read.h"
#include "protocol/dining_record.h"

/* The members of a record, and their places; those of a verdict are read where they are wanted. */
enum { IDX, MODEL_PRED, GT_ANSWER, N_MEMBERS, EVAL_RESULT = N_MEMBERS, EVAL_MATCH, N_JUDGED_MEMBERS };
static const dv_json_name names[N_JUDGED_MEMBERS] = {
    {"idx", 3}, {"model_pred", 10}, {"gt_answer", 9}, {"eval_result", 11}, {"eval_match", 10}};

typedef struct answer_reader {
    const dv_dining_options *options;
    size_t n_members; /* of `names` */
    dv_dining_result *result;
    dv_dining_joiner joiner;
    dv_dining_verdicts *verdicts;
    dv_fault_list faults;
} answer_reader;

/* A record before it is known which question it answers. */
typedef struct reading {
    dv_dining_answer answer; /* its line is one of the block; of an option the state waits for the key */
    dv_dining_index index;
    uint64_t key; /* strict classification: hash of the key that the record names */
    bool has_key;
    bool right; /* COMPAT classification: by the key that the record names */
} reading;

/* The records of a block. */
typedef struct answer_part {
    size_t n, capacity;
    reading *readings; /* [n], owned */
    dv_dining_list bad;
    dv_dining_verdicts verdicts;
    dv_json_value members[N_JUDGED_MEMBERS];
    dv_json_text pred, scratch[2]; /* texts in use, kept for the next line */
} answer_part;

/* ---- Options -------------------------------------------------------------------------------------------------------
 */

static dv_status read_option_strict(answer_part *part, dv_span text, reading *made) {
    const dv_json_value *const key = &part->members[GT_ANSWER];
    dv_span said = {key->text, key->n};
    char letter;
    if (made->answer.state == DV_DINING_UNREADABLE && made->answer.is_text)
        DV_TRY(dv_dining_option_strict(text, part->scratch, &made->answer.letter));
    made->has_key = !dv_dining_is_falsy(key);
    if (!made->has_key) return DV_OK;
    if (key->kind == DV_JSON_STRING) DV_TRY(dv_json_string(key, &part->scratch[0], &said.text, &said.n));
    return dv_dining_key_read(said, DV_DINING_COMPAT, &part->scratch[1], &letter, &made->key);
}

static dv_status read_option_compat(answer_part *part, dv_span text, reading *made) {
    const dv_json_value *const key = &part->members[GT_ANSWER];
    dv_span said = {NULL, 0};
    made->answer.letter = dv_dining_option_compat(text);
    made->has_key = !dv_dining_is_falsy(key);
    if (key->kind == DV_JSON_STRING) DV_TRY(dv_json_string(key, &part->scratch[0], &said.text, &said.n));
    made->right = said.n == 1 && said.text[0] == made->answer.letter;
    return DV_OK;
}

/* ---- Nutrients -----------------------------------------------------------------------------------------------------
 */

static dv_status read_nutrients(const dv_dining_options *options, answer_part *part, dv_span text,
                                dv_dining_answer *answer) {
    const dv_json_value *const pred = &part->members[MODEL_PRED];
    bool found = false;
    if (answer->state != DV_DINING_UNREADABLE) return DV_OK;
    if (options->scoring == DV_DINING_COMPAT)
        DV_TRY(dv_dining_nutrients_compat(text, part->scratch, answer->values, &found));
    else if (pred->kind == DV_JSON_STRING)
        DV_TRY(dv_dining_nutrients_of_text(text, options->numbers, part->scratch, answer, &found));
    else if (pred->kind == DV_JSON_OBJECT)
        DV_TRY(dv_dining_nutrients_of_object(pred, options->numbers, part->scratch, answer, &found));
    if (found) answer->state = DV_DINING_PARSED;
    return DV_OK;
}

/* ---- Judged answers ------------------------------------------------------------------------------------------------
 */

static void read_judged(const answer_part *part, dv_span text, reading *made) {
    const dv_json_value *const pred = &part->members[MODEL_PRED];
    size_t n = text.n;
    const bool blank = pred->kind == DV_JSON_STRING && (dv_unicode_strip(text.text, &n), n == 0);
    made->answer.text = dv_dining_text_hash(pred, text);
    if (blank)
        made->answer.state = DV_DINING_MISSING;
    else if (made->answer.state == DV_DINING_UNREADABLE)
        made->answer.state = DV_DINING_NOT_JUDGED;
}

/* The verdict that stands in the record. */
static dv_status read_verdict(answer_part *part, dv_dining_scoring scoring, const reading *made) {
    dv_dining_judged judged = {.index = made->index,
                               .line = made->answer.line,
                               .text = made->answer.text,
                               .has_text = part->members[MODEL_PRED].kind != DV_JSON_ABSENT};
    DV_TRY(dv_dining_judged_read(&part->members[EVAL_RESULT], &part->members[EVAL_MATCH], scoring, &part->scratch[0],
                                 &judged));
    return dv_dining_verdicts_add(&part->verdicts, &judged, 1, 0);
}

/* ---- Records -------------------------------------------------------------------------------------------------------
 */

/* What the record says before anybody looks into its answer. */
static void begin_answer(const answer_part *part, dv_dining_scoring scoring, dv_span text, dv_dining_answer *answer) {
    const dv_json_value *const pred = &part->members[MODEL_PRED];
    answer->is_text = pred->kind == DV_JSON_STRING || pred->kind == DV_JSON_ABSENT;
    answer->state = DV_DINING_UNREADABLE;
    if (scoring == DV_DINING_COMPAT) return;
    if (pred->kind == DV_JSON_ABSENT || dv_json_is_word(pred, "null"))
        answer->state = DV_DINING_MISSING;
    else if (pred->kind == DV_JSON_STRING && dv_dining_is_failed(text))
        answer->state = DV_DINING_FAILED;
}

static dv_status read_record(const answer_reader *reader, answer_part *part, reading *made) {
    const dv_dining_scoring scoring = reader->options->scoring;
    dv_span text = {"", 0};
    if (part->members[MODEL_PRED].kind == DV_JSON_STRING)
        DV_TRY(dv_json_string(&part->members[MODEL_PRED], &part->pred, &text.text, &text.n));
    DV_TRY(dv_dining_clean_compat(text, reader->options->model, &part->scratch[0], &text));
    begin_answer(part, scoring, text, &made->answer);
    if (reader->options->task == DV_DINING_VQA) {
        read_judged(part, text, made);
        return DV_OK;
    }
    if (reader->options->task == DV_DINING_NUTRITION) return read_nutrients(reader->options, part, text, &made->answer);
    return scoring == DV_DINING_STRICT ? read_option_strict(part, text, made) : read_option_compat(part, text, made);
}

static dv_status refuse(answer_part *part, dv_dining_scoring scoring, const dv_json_line *line) {
    if (scoring == DV_DINING_COMPAT && !dv_unicode_is_sound(line->text, line->n))
        return dv_fail(DV_E_DATA, "is no UTF-8: the reference ends with an exception here, which --scoring compat "
                                  "cannot score");
    return dv_dining_list_add(&part->bad, line->number);
}

static dv_status read_line(void *context, void *out, const dv_json_line *line) {
    const answer_reader *const reader = context;
    const dv_dining_scoring scoring = reader->options->scoring;
    answer_part *const part = out;
    const dv_dining_line is = dv_dining_record_pick(line, scoring, names, reader->n_members, part->members);
    if (is == DV_LINE_BLANK) return DV_OK;
    if (is == DV_LINE_BAD) return refuse(part, scoring, line);
    DV_TRY(dv_grow(&part->readings, sizeof *part->readings, part->n, 1, "answers", &part->capacity));
    reading *const made = &part->readings[part->n++];
    *made = (reading){.answer = {.line = line->number}};
    DV_TRY(dv_dining_index_read(&part->members[IDX], scoring, &part->scratch[0], &made->index));
    DV_TRY(read_record(reader, part, made));
    return reader->n_members == N_JUDGED_MEMBERS ? read_verdict(part, scoring, made) : DV_OK;
}

/* ---- Parts ---------------------------------------------------------------------------------------------------------
 */

/* What the answer is to its question. */
static void settle(const dv_dining_options *options, const dv_dining_question *question, const reading *made,
                   dv_dining_answer *answer) {
    const bool compat = options->scoring == DV_DINING_COMPAT;
    if (question->no_key) answer->state = DV_DINING_NO_KEY;
    if (options->task != DV_DINING_CLASSIFICATION) return;
    answer->key_conflict = !compat && made->has_key && made->key != question->key;
    if (!answer->letter) return;
    const bool right = compat && made->has_key ? made->right : answer->letter == question->letter;
    answer->state = right ? DV_DINING_CORRECT : DV_DINING_WRONG;
}

static dv_status take_reading(answer_reader *reader, const reading *made, uint64_t n_before) {
    const uint64_t line = n_before + made->answer.line;
    size_t at;
    DV_TRY(dv_dining_joiner_place(&reader->joiner, &made->index, line, &at));
    if (at >= reader->result->n) return DV_OK;
    dv_dining_answer *const answer = &reader->result->answers[at];
    *answer = made->answer;
    answer->line = line;
    settle(reader->options, &reader->result->questions[at], made, answer);
    return DV_OK;
}

static dv_status take_bad(answer_reader *reader, uint64_t line) {
    dv_dining_record_fault(&reader->faults, reader->options->pred, line);
    return dv_dining_list_add(&reader->result->join.bad, line);
}

static dv_status take_part(void *context, void *from, uint64_t n_before, bool *done) {
    answer_reader *const reader = context;
    answer_part *const part = from;
    (void)done;
    for (size_t i = 0; i < part->bad.n; i++) DV_TRY(take_bad(reader, n_before + part->bad.numbers[i]));
    for (size_t i = 0; i < part->n; i++) DV_TRY(take_reading(reader, &part->readings[i], n_before));
    DV_TRY(dv_dining_verdicts_add(reader->verdicts, part->verdicts.records, part->verdicts.n, n_before));
    part->n = part->bad.n = part->verdicts.n = 0;
    dv_json_text_drop_long(&part->pred);
    for (size_t i = 0; i < 2; i++) dv_json_text_drop_long(&part->scratch[i]);
    return DV_OK;
}

static void clear_part(void *out) {
    answer_part *const part = out;
    free(part->readings);
    free(part->bad.numbers);
    free(part->verdicts.records);
    free(part->pred.text);
    free(part->scratch[0].text);
    free(part->scratch[1].text);
}

dv_status dv_dining_read_answers(const dv_dining_options *options, dv_pool *pool, dv_dining_result *result,
                                 dv_dining_verdicts *verdicts) {
    const dv_json_work work = {sizeof(answer_part), options->scoring == DV_DINING_COMPAT, read_line, take_part,
                               clear_part};
    const bool judged = options->task == DV_DINING_VQA && options->n_judges == 0;
    answer_reader reader = {.options = options,
                            .n_members = judged ? N_JUDGED_MEMBERS : N_MEMBERS,
                            .result = result,
                            .verdicts = verdicts,
                            .faults = {.left_out = true}};
    dv_status status = dv_dining_joiner_init(&reader.joiner, options->scoring, result->n, &result->join);
    if (status == DV_OK) status = dv_alloc(result->n, sizeof *result->answers, "answers", &result->answers);
    for (size_t q = 0; status == DV_OK && q < result->n; q++)
        if (result->questions[q].no_key) result->answers[q].state = DV_DINING_NO_KEY;
    if (status == DV_OK)
        status = dv_json_lines_read(options->pred, DV_JSON_BLOCK_BYTES, pool, &work, &reader, &result->pred_hash);
    dv_fault_list_end(&reader.faults);
    dv_dining_join_log(&result->join, options->pred);
    dv_dining_joiner_clear(&reader.joiner);
    return status;
}
