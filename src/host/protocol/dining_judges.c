#include "protocol/dining_judges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "io/json_lines.h"
#include "protocol/dining_join.h"
#include "protocol/dining_key.h"
#include "protocol/dining_verdict.h"

/* The members of a verdict, and their places. */
enum { IDX, MODEL_PRED, EVAL_RESULT, EVAL_MATCH, N_MEMBERS };
static const char *const names[N_MEMBERS] = {"idx", "model_pred", "eval_result", "eval_match"};

typedef struct verdict_reader {
    const dv_dining_options *options;
    dv_dining_result *result;
    dv_dining_judge *judge;
    dv_dining_joiner *joiner;
    dv_json_value members[N_MEMBERS];
    dv_json_text pred, said; /* texts in use, kept for the next line */
} verdict_reader;

/* ---- Strict --------------------------------------------------------------------------------------------------------
 */

static bool is_failed_call(dv_span said) {
    return dv_span_find(said, "__EVAL_ERROR__", 0, false) != SIZE_MAX;
}

static dv_status read_verdict(verdict_reader *reader, dv_dining_verdict *verdict) {
    const dv_json_value *const said = &reader->members[EVAL_RESULT];
    dv_span text;
    *verdict = DV_VERDICT_NONE;
    if (said->kind == DV_JSON_ABSENT || dv_json_is_word(said, "null")) return DV_OK;
    *verdict = DV_VERDICT_UNDECIDED;
    if (said->kind != DV_JSON_STRING) return DV_OK;
    DV_TRY(dv_json_string(said, &reader->said, &text.text, &text.n));
    *verdict = is_failed_call(text) ? DV_VERDICT_NONE : dv_dining_verdict_strict(text);
    return DV_OK;
}

/* Did the judge see another answer than the one we have? */
static dv_status is_stale(verdict_reader *reader, const dv_dining_answer *answer, bool *stale) {
    const dv_json_value *const pred = &reader->members[MODEL_PRED];
    dv_span text = {pred->text, pred->n};
    *stale = false;
    if (pred->kind == DV_JSON_ABSENT || !answer->line) return DV_OK;
    if (pred->kind == DV_JSON_STRING) DV_TRY(dv_json_string(pred, &reader->pred, &text.text, &text.n));
    *stale = dv_dining_text_hash(pred, text) != answer->text;
    return DV_OK;
}

static dv_status take_strict(verdict_reader *reader, uint64_t line) {
    dv_dining_verdict verdict;
    size_t question;
    bool stale;
    DV_TRY(dv_dining_joiner_place(reader->joiner, &reader->members[IDX], line, &question));
    if (question == SIZE_MAX) return DV_OK;
    DV_TRY(read_verdict(reader, &verdict));
    DV_TRY(is_stale(reader, &reader->result->answers[question], &stale));
    if (stale && verdict != DV_VERDICT_NONE) {
        reader->judge->n_stale++;
        verdict = DV_VERDICT_NONE;
    }
    reader->judge->verdicts[question] = (unsigned char)verdict;
    return DV_OK;
}

/* ---- Compat --------------------------------------------------------------------------------------------------------
 */

/* Verdicts that are there are kept by index, whatever they were given for: those of an earlier file before a later
 * one's. Right is what Python takes for true, the text "false" as well. */
static dv_status take_compat(verdict_reader *reader, uint64_t line) {
    const dv_json_value *const match = &reader->members[EVAL_MATCH], *const said = &reader->members[EVAL_RESULT];
    dv_dining_compat *const compat = &reader->result->compat;
    const size_t n_before = reader->joiner->join->n_keys;
    dv_span text = {"", 0};
    size_t question;
    if (match->kind == DV_JSON_ABSENT && said->kind != DV_JSON_STRING) return DV_OK;
    DV_TRY(dv_dining_joiner_place(reader->joiner, &reader->members[IDX], line, &question));
    if (reader->joiner->join->n_keys == n_before) return DV_OK;
    if (said->kind == DV_JSON_STRING) DV_TRY(dv_json_string(said, &reader->said, &text.text, &text.n));
    const bool right = match->kind == DV_JSON_ABSENT ? !is_failed_call(text) && dv_dining_verdict_compat(text)
                                                     : !dv_dining_is_falsy(match);
    compat->n_paired++;
    compat->n_correct += right;
    return DV_OK;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------
 */

/* A bad line was named when the predictions were read, if it is their file. */
static dv_status take_line(verdict_reader *reader, const dv_json_line *line) {
    const bool compat = reader->options->scoring == DV_DINING_COMPAT;
    if (!dv_json_pick(line->text, line->n, compat ? DV_JSON_PYTHON : DV_JSON_RFC, names, N_MEMBERS, reader->members)) {
        if (reader->options->n_judges)
            dv_log(DV_LOG_WARNING, "left out: %s: line %llu: is no JSON object", reader->judge->path,
                   (unsigned long long)line->number);
        return DV_OK;
    }
    return compat ? take_compat(reader, line->number) : take_strict(reader, line->number);
}

static dv_status read_lines(verdict_reader *reader) {
    dv_json_lines *lines;
    dv_json_line line;
    bool found = true;
    dv_status status = DV_OK;
    DV_TRY(dv_json_lines_open(reader->judge->path, &lines));
    while (status == DV_OK && found) {
        status = dv_json_lines_next(lines, &line, &found);
        if (status == DV_OK && found) status = take_line(reader, &line);
    }
    dv_json_lines_close(lines);
    return status;
}

static dv_status read_judge(const dv_dining_options *options, dv_dining_result *result, dv_dining_judge *judge,
                            dv_dining_joiner *joiner) {
    verdict_reader reader = {.options = options, .result = result, .judge = judge, .joiner = joiner};
    DV_TRY(dv_alloc(result->n, sizeof *judge->verdicts, "verdicts", &judge->verdicts));
    const dv_status status = read_lines(&reader);
    free(reader.pred.text);
    free(reader.said.text);
    if (status == DV_OK && judge->n_stale)
        dv_log(DV_LOG_WARNING, "%s: verdicts on another answer than the predictions hold, which count for nothing: %zu",
               judge->path, judge->n_stale);
    return status;
}

/* Each file of strict scoring is joined by itself; those of the reference are one dictionary. */
static dv_status read_judges(const dv_dining_options *options, dv_dining_result *result) {
    const bool compat = options->scoring == DV_DINING_COMPAT;
    dv_dining_join join = {0};
    dv_dining_joiner joiner = {0};
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < result->n_judges; i++) {
        if (i == 0 || !compat) {
            dv_dining_joiner_clear(&joiner);
            dv_dining_join_clear(&join);
            status = dv_dining_joiner_init(&joiner, options->scoring, result->n, &join);
        }
        if (status == DV_OK) status = read_judge(options, result, &result->judges[i], &joiner);
        if (status == DV_OK && options->n_judges) dv_dining_join_log(&join, result->judges[i].path);
    }
    dv_dining_joiner_clear(&joiner);
    dv_dining_join_clear(&join);
    return status;
}

/* ---- Agreement -----------------------------------------------------------------------------------------------------
 */

static bool can_be_judged(const dv_dining_answer *answer) {
    return answer->state == DV_DINING_NOT_JUDGED;
}

static dv_dining_agreement agreement_of(const dv_dining_result *result, size_t a, size_t b) {
    dv_dining_agreement made = {.first = a, .second = b, .raw = (double)NAN, .kappa = (double)NAN};
    size_t firsts[DV_N_VERDICTS] = {0}, seconds[DV_N_VERDICTS] = {0}, n_same = 0;
    for (size_t q = 0; q < result->n; q++) {
        const unsigned char x = result->judges[a].verdicts[q], y = result->judges[b].verdicts[q];
        if (!x || !y || !can_be_judged(&result->answers[q])) continue;
        made.n++;
        firsts[x]++;
        seconds[y]++;
        n_same += x == y;
    }
    if (made.n == 0) return made;
    const double n = (double)made.n;
    double chance = 0;
    for (size_t v = 0; v < DV_N_VERDICTS; v++) chance += (double)firsts[v] / n * ((double)seconds[v] / n);
    made.raw = (double)n_same / n;
    if (chance < 1) made.kappa = (made.raw - chance) / (1 - chance);
    return made;
}

static dv_status compare_judges(dv_dining_result *result) {
    const size_t n = result->n_judges;
    DV_TRY(dv_alloc(n * (n - 1) / 2, sizeof *result->agreements, "pairs of judges", &result->agreements));
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) result->agreements[result->n_agreements++] = agreement_of(result, a, b);
    return DV_OK;
}

static void count_verdicts(dv_dining_result *result, dv_dining_judge *judge) {
    size_t n = 0;
    for (size_t q = 0; q < result->n; q++) {
        n += result->answers[q].state != DV_DINING_NO_KEY;
        if (can_be_judged(&result->answers[q])) judge->counts[judge->verdicts[q]]++;
    }
    judge->accuracy = n ? (double)judge->counts[DV_VERDICT_YES] / (double)n : (double)NAN;
}

/* ---- States --------------------------------------------------------------------------------------------------------
 */

static void take_states(dv_dining_result *result) {
    static const dv_dining_state states[DV_N_VERDICTS] = {
        [DV_VERDICT_NONE] = DV_DINING_NOT_JUDGED,
        [DV_VERDICT_UNDECIDED] = DV_DINING_UNDECIDED,
        [DV_VERDICT_YES] = DV_DINING_CORRECT,
        [DV_VERDICT_NO] = DV_DINING_WRONG,
    };
    for (size_t q = 0; q < result->n; q++)
        if (can_be_judged(&result->answers[q]))
            result->answers[q].state = (unsigned char)states[result->judges[0].verdicts[q]];
}

static dv_status finish_compat(const dv_dining_options *options, dv_dining_result *result) {
    dv_dining_compat *const compat = &result->compat;
    compat->n_truth = result->n;
    compat->n_keys = result->join.n_keys;
    if (compat->n_paired == 0 && !options->allow_empty)
        return dv_fail(DV_E_DATA, "%s: holds no verdict (eval_match or eval_result): nothing is scored",
                       result->judges[0].path);
    result->summary.accuracy = compat->n_paired ? (double)compat->n_correct / (double)compat->n_paired : 0;
    return DV_OK;
}

static dv_status finish_strict(const dv_dining_options *options, dv_dining_result *result) {
    size_t n_judged = 0;
    for (size_t i = 0; i < result->n_judges; i++) {
        count_verdicts(result, &result->judges[i]);
        for (size_t v = DV_VERDICT_UNDECIDED; v < DV_N_VERDICTS; v++) n_judged += result->judges[i].counts[v];
    }
    if (n_judged == 0 && !options->allow_empty)
        return dv_fail(DV_E_DATA, "%s: holds no verdict (eval_result) on an answer: nothing is scored",
                       result->judges[0].path);
    DV_TRY(compare_judges(result));
    take_states(result);
    return DV_OK;
}

dv_status dv_dining_read_judges(const dv_dining_options *options, dv_dining_result *result) {
    const size_t n = options->n_judges ? options->n_judges : 1;
    DV_TRY(dv_alloc(n, sizeof *result->judges, "judges", &result->judges));
    for (size_t i = 0; i < n; i++) {
        DV_TRY(dv_strdup(options->n_judges ? options->judges[i] : options->pred, &result->judges[i].path));
        result->n_judges = i + 1;
    }
    DV_TRY(read_judges(options, result));
    return options->scoring == DV_DINING_COMPAT ? finish_compat(options, result) : finish_strict(options, result);
}
