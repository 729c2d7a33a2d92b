#include <math.h>
#include <stdio.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "denseval/number.h"
#include "denseval/report.h"

/* The reference takes NaN for a number. */
static bool has_value(const dv_dining_options *options, const dv_dining_answer *answer, size_t nutrient) {
    return answer->state == DV_DINING_PARSED &&
           (options->scoring == DV_DINING_COMPAT || !isnan(answer->values[nutrient]));
}

static void put_repairs(FILE *stream, const dv_dining_answer *answer) {
    const char *before = ",";
    if (!answer->repairs) fputc(',', stream);
    for (size_t i = 0; i < DV_N_DINING_REPAIRS; i++) {
        if (!(answer->repairs >> i & 1)) continue;
        fprintf(stream, "%s%s", before, dv_dining_repair_name((dv_dining_repair)i));
        before = " ";
    }
}

static void put_letter(FILE *stream, char letter) {
    fprintf(stream, ",%.1s", letter ? &letter : "");
}

static void put_value(FILE *stream, bool is_there, double value) {
    char number[DV_NUMBER_SIZE];
    fprintf(stream, ",%s", is_there ? dv_format_double(value, number) : "");
}

/* The reference has one dictionary of verdicts, not judges. */
static size_t n_judges_of(const dv_dining_options *options, const dv_dining_result *result) {
    return options->scoring == DV_DINING_STRICT ? result->n_judges : 0;
}

static bool was_to_be_judged(const dv_dining_answer *answer) {
    return answer->state == DV_DINING_CORRECT || answer->state == DV_DINING_WRONG ||
           answer->state == DV_DINING_UNDECIDED || answer->state == DV_DINING_NOT_JUDGED;
}

static void put_record(FILE *stream, const dv_dining_options *options, const dv_dining_result *result, size_t q) {
    static const char *const verdicts[DV_N_VERDICTS] = {"not_judged", "undecided", "yes", "no"};
    const dv_dining_question *const question = &result->questions[q];
    const dv_dining_answer *const answer = &result->answers[q];
    fprintf(stream, "%zu,", q);
    if (answer->line) fprintf(stream, "%llu", (unsigned long long)answer->line);
    fprintf(stream, ",%s", dv_dining_state_name(options->task, (dv_dining_state)answer->state));
    if (options->task == DV_DINING_CLASSIFICATION) {
        put_letter(stream, answer->letter);
        put_letter(stream, question->letter);
    } else if (options->task == DV_DINING_NUTRITION) {
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++) put_value(stream, has_value(options, answer, i), answer->values[i]);
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++) put_value(stream, question->has_values[i], question->values[i]);
        if (options->numbers == DV_DINING_NUMBERS_LENIENT) put_repairs(stream, answer);
    } else {
        for (size_t i = 0; i < n_judges_of(options, result); i++)
            fprintf(stream, ",%s", was_to_be_judged(answer) ? verdicts[result->judges[i].verdicts[q]] : "");
    }
    fputc('\n', stream);
}

static void put_records(FILE *stream, const dv_dining_options *options, const dv_dining_result *result) {
    fprintf(stream, "idx,line,state");
    if (options->task == DV_DINING_NUTRITION)
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++) fprintf(stream, ",%s", dv_nutrient_name(i));
    if (options->task == DV_DINING_CLASSIFICATION) fprintf(stream, ",answer,key");
    if (options->task == DV_DINING_NUTRITION)
        for (size_t i = 0; i < DV_N_NUTRIENTS; i++) fprintf(stream, ",truth_%s", dv_nutrient_name(i));
    if (options->numbers == DV_DINING_NUMBERS_LENIENT) fprintf(stream, ",repairs");
    if (options->task == DV_DINING_VQA)
        for (size_t i = 0; i < n_judges_of(options, result); i++) fprintf(stream, ",judge_%zu", i + 1);
    fputc('\n', stream);
    for (size_t q = 0; q < result->n; q++) put_record(stream, options, result, q);
}

dv_status dv_dining_save_records(const char *path, bool force, const dv_dining_options *options,
                                 const dv_dining_result *result) {
    dv_atomic_file *file;
    FILE *stream;
    DV_TRY(dv_atomic_file_begin(path, force, &file));
    const dv_status status = dv_atomic_file_stream(file, &stream);
    if (status != DV_OK) {
        dv_atomic_file_abandon(file);
        return status;
    }
    put_records(stream, options, result);
    return dv_atomic_file_commit(file); /* what could not be written is found here */
}
