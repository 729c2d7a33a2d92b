#include "protocol/dining_judges.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/log.h"
#include "core/memory.h"
#include "io/json_lines.h"
#include "protocol/dining_join.h"
#include "protocol/dining_key.h"
#include "protocol/dining_record.h"

/* The members of a verdict, and their places. */
enum { IDX, MODEL_PRED, EVAL_RESULT, EVAL_MATCH, N_MEMBERS };
static const dv_json_name names[N_MEMBERS] = {{"idx", 3}, {"model_pred", 10}, {"eval_result", 11}, {"eval_match", 10}};

/* COMPAT: of one index. */
typedef struct kept_verdict {
    const dv_dining_judge *judge; /* NULL: none yet */
    bool right;
} kept_verdict;

typedef struct kept_verdicts {
    size_t n;
    kept_verdict *verdicts; /* [n], by the places of the joiner; owned */
} kept_verdicts;

typedef struct verdict_reader {
    const dv_dining_options *options;
    dv_dining_result *result;
    dv_dining_judge *judge;
    dv_dining_joiner *joiner;
    kept_verdicts *kept;
    dv_fault_list faults;
} verdict_reader;

/* The verdicts of a block. */
typedef struct verdict_part {
    dv_dining_verdicts verdicts;
    dv_dining_list bad;      /* lines that are no object */
    dv_json_text pred, said; /* texts in use, kept for the next line */
} verdict_part;

/* ---- Verdicts ------------------------------------------------------------------------------------------------------
 */

static dv_status take_strict(verdict_reader *reader, const dv_dining_judged *judged, uint64_t n_before) {
    size_t question;
    DV_TRY(dv_dining_joiner_place(reader->joiner, &judged->index, n_before + judged->line, &question));
    if (question == SIZE_MAX) return DV_OK;
    const dv_dining_answer *const answer = &reader->result->answers[question];
    const bool stale = judged->has_text && answer->line && judged->text != answer->text;
    reader->judge->n_stale += stale && judged->verdict != DV_VERDICT_NONE;
    reader->judge->verdicts[question] = (unsigned char)(stale ? DV_VERDICT_NONE : judged->verdict);
    return DV_OK;
}

/* Room for the verdict at this place. */
static dv_status reach(verdict_reader *reader, size_t place) {
    kept_verdicts *const kept = reader->kept;
    const size_t n_old = kept->n;
    if (place < n_old) return DV_OK;
    DV_TRY(dv_grow(&kept->verdicts, sizeof *kept->verdicts, n_old, place - n_old + 1, "verdicts", &kept->n));
    memset(kept->verdicts + n_old, 0, (kept->n - n_old) * sizeof *kept->verdicts);
    return DV_OK;
}

/* Verdicts that are there are kept by index, whatever they were given for: the last one of a file, and those of an
 * earlier file before a later one's. */
static dv_status take_compat(verdict_reader *reader, const dv_dining_judged *judged, uint64_t n_before) {
    dv_dining_compat *const compat = &reader->result->compat;
    const dv_dining_judge *const judge = reader->judge;
    size_t place;
    if (!judged->counts) return DV_OK;
    DV_TRY(dv_dining_joiner_place(reader->joiner, &judged->index, n_before + judged->line, &place));
    DV_TRY(reach(reader, place));
    kept_verdict *const kept = &reader->kept->verdicts[place];
    if (kept->judge && kept->judge != judge) return DV_OK;
    compat->n_paired += !kept->judge;
    compat->n_correct += judged->right;
    compat->n_correct -= kept->right;
    *kept = (kept_verdict){judge, judged->right};
    return DV_OK;
}

static dv_status take_verdicts(verdict_reader *reader, const dv_dining_verdicts *verdicts, uint64_t n_before) {
    const bool compat = reader->options->scoring == DV_DINING_COMPAT;
    for (size_t i = 0; i < verdicts->n; i++)
        DV_TRY(compat ? take_compat(reader, &verdicts->records[i], n_before)
                      : take_strict(reader, &verdicts->records[i], n_before));
    return DV_OK;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------
 */

static dv_status read_line(void *context, void *out, const dv_json_line *line) {
    const verdict_reader *const reader = context;
    const dv_dining_scoring scoring = reader->options->scoring;
    verdict_part *const part = out;
    dv_json_value members[N_MEMBERS];
    dv_dining_judged judged = {.line = line->number};
    const dv_dining_line is = dv_dining_record_pick(line, scoring, names, N_MEMBERS, members);
    if (is == DV_LINE_BLANK) return DV_OK;
    if (is == DV_LINE_BAD) return dv_dining_list_add(&part->bad, line->number);
    const dv_json_value *const pred = &members[MODEL_PRED];
    dv_span text = {pred->text, pred->n};
    DV_TRY(dv_dining_index_read(&members[IDX], scoring, &part->said, &judged.index));
    judged.has_text = pred->kind != DV_JSON_ABSENT;
    if (pred->kind == DV_JSON_STRING) DV_TRY(dv_json_string(pred, &part->pred, &text.text, &text.n));
    if (judged.has_text) judged.text = dv_dining_text_hash(pred, text);
    DV_TRY(dv_dining_judged_read(&members[EVAL_RESULT], &members[EVAL_MATCH], scoring, &part->said, &judged));
    return dv_dining_verdicts_add(&part->verdicts, &judged, 1, 0);
}

static dv_status take_part(void *context, void *from, uint64_t n_before, bool *done) {
    verdict_reader *const reader = context;
    verdict_part *const part = from;
    (void)done;
    for (size_t i = 0; i < part->bad.n; i++)
        dv_dining_record_fault(&reader->faults, reader->judge->path, n_before + part->bad.numbers[i]);
    DV_TRY(take_verdicts(reader, &part->verdicts, n_before));
    part->verdicts.n = part->bad.n = 0;
    dv_json_text_drop_long(&part->pred);
    dv_json_text_drop_long(&part->said);
    return DV_OK;
}

static void clear_part(void *out) {
    verdict_part *const part = out;
    free(part->verdicts.records);
    free(part->bad.numbers);
    free(part->pred.text);
    free(part->said.text);
}

/* own: the verdicts of the predictions; NULL: the judge has a file */
static dv_status read_judge(verdict_reader *reader, dv_pool *pool, const dv_dining_verdicts *own) {
    const dv_json_work work = {sizeof(verdict_part), reader->options->scoring == DV_DINING_COMPAT, read_line, take_part,
                               clear_part};
    dv_dining_judge *const judge = reader->judge;
    DV_TRY(dv_alloc(reader->result->n, sizeof *judge->verdicts, "verdicts", &judge->verdicts));
    const dv_status status =
        own ? take_verdicts(reader, own, 0)
            : dv_json_lines_read(judge->path, DV_JSON_BLOCK_BYTES, pool, &work, reader, &judge->hash);
    dv_fault_list_end(&reader->faults);
    DV_TRY(status);
    if (judge->n_stale)
        dv_log(DV_LOG_WARNING, "%s: verdicts on another answer than the predictions hold, which count for nothing: %zu",
               judge->path, judge->n_stale);
    return DV_OK;
}

/* Each file of strict scoring is joined by itself; those of the reference are one dictionary. */
static dv_status read_judges(const dv_dining_options *options, dv_pool *pool, const dv_dining_verdicts *own,
                             dv_dining_result *result) {
    const bool compat = options->scoring == DV_DINING_COMPAT;
    dv_dining_join join = {0};
    dv_dining_joiner joiner = {0};
    kept_verdicts kept = {0};
    dv_status status = DV_OK;
    for (size_t i = 0; status == DV_OK && i < result->n_judges; i++) {
        if (i == 0 || !compat) {
            dv_dining_joiner_clear(&joiner);
            dv_dining_join_clear(&join);
            status = dv_dining_joiner_init(&joiner, options->scoring, result->n, &join);
        }
        verdict_reader reader = {options, result, &result->judges[i], &joiner, &kept, {.left_out = true}};
        if (status == DV_OK) status = read_judge(&reader, pool, options->n_judges ? NULL : own);
        if (status == DV_OK && options->n_judges) dv_dining_join_log(&join, result->judges[i].path);
    }
    free(kept.verdicts);
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

static dv_status refuse_unjudged(const dv_dining_options *options, const dv_dining_result *result, const char *members,
                                 const char *of) {
    const char *const hint = options->n_judges     ? ""
                             : options->is_against ? "; those on --against must stand among its records"
                                                   : "; give --judge, where verdicts stand in a file of their own";
    return dv_fail(DV_E_DATA, "%s: holds no verdict (%s)%s: nothing is scored%s", result->judges[0].path, members, of,
                   hint);
}

static dv_status finish_compat(const dv_dining_options *options, dv_dining_result *result) {
    dv_dining_compat *const compat = &result->compat;
    compat->n_truth = result->n;
    compat->n_keys = result->join.n_keys;
    if (compat->n_paired == 0 && !options->allow_empty)
        return refuse_unjudged(options, result, "eval_match or eval_result", "");
    result->summary.accuracy = compat->n_paired ? (double)compat->n_correct / (double)compat->n_paired : 0;
    return DV_OK;
}

static dv_status finish_strict(const dv_dining_options *options, dv_dining_result *result) {
    size_t n_judged = 0;
    for (size_t i = 0; i < result->n_judges; i++) {
        count_verdicts(result, &result->judges[i]);
        for (size_t v = DV_VERDICT_UNDECIDED; v < DV_N_VERDICTS; v++) n_judged += result->judges[i].counts[v];
    }
    if (n_judged == 0 && !options->allow_empty) return refuse_unjudged(options, result, "eval_result", " on an answer");
    DV_TRY(compare_judges(result));
    take_states(result);
    return DV_OK;
}

dv_status dv_dining_read_judges(const dv_dining_options *options, dv_pool *pool, const dv_dining_verdicts *verdicts,
                                dv_dining_result *result) {
    const size_t n = options->n_judges ? options->n_judges : 1;
    DV_TRY(dv_alloc(n, sizeof *result->judges, "judges", &result->judges));
    for (size_t i = 0; i < n; i++) {
        DV_TRY(dv_strdup(options->n_judges ? options->judges[i] : options->pred, &result->judges[i].path));
        result->n_judges = i + 1;
    }
    DV_TRY(read_judges(options, pool, verdicts, result));
    return options->scoring == DV_DINING_COMPAT ? finish_compat(options, result) : finish_strict(options, result);
}
