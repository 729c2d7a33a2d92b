#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/utf8.h"
#include "denseval/report.h"
#include "report/dining_letters.h"
#include "report/text_end.h"

enum { MOST_NAME = 32 };
#define MOST_PLAIN 1e8 /* larger numbers fill no column */

static void print_real(FILE *stream, int width, int digits, double value) {
    if (fabs(value) >= MOST_PLAIN && isfinite(value))
        fprintf(stream, "  %*.*e", width, digits, value);
    else if (isfinite(value))
        fprintf(stream, "  %*.*f", width, digits, value);
    else
        fprintf(stream, "  %*s", width, isnan(value) ? "-" : value > 0 ? "inf" : "-inf");
}

/* ---- Scores --------------------------------------------------------------------------------------------------------
 */

static void print_errors(FILE *stream, const char *title, const dv_dining_errors *errors, bool median) {
    fprintf(stream, "%-13s  %8s  %8s  %8s%s  %6s\n", title, "MAE", "RMSE", "MAPE %", median ? "    median" : "", "n");
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++) {
        const dv_dining_error *const error = &errors->nutrients[i];
        fprintf(stream, "%-13s", dv_nutrient_name(i));
        print_real(stream, 8, 2, error->mae);
        print_real(stream, 8, 2, error->rmse);
        print_real(stream, 8, 2, error->mape);
        if (median) print_real(stream, 8, 2, error->median);
        fprintf(stream, "  %6zu\n", error->n);
    }
    fprintf(stream, "average MAPE");
    print_real(stream, 8, 2, errors->average_mape);
    fprintf(stream, "\n");
}

static void print_states(FILE *stream, const dv_dining_options *options, const dv_dining_summary *summary) {
    fprintf(stream, "%zu records:", summary->n);
    const char *comma = "";
    for (size_t i = DV_N_DINING_STATES; i-- > 0;) {
        const bool expected = options->task == DV_DINING_NUTRITION ? i == DV_DINING_PARSED
                                                                   : i == DV_DINING_CORRECT || i == DV_DINING_WRONG;
        if (!summary->states[i] && !expected) continue;
        fprintf(stream, "%s %zu %s", comma, summary->states[i],
                dv_dining_state_name(options->task, (dv_dining_state)i));
        comma = ",";
    }
    fprintf(stream, "\n");
}

static void print_energy(FILE *stream, const char *what, const dv_dining_energy *energy) {
    if (energy->n_flagged)
        fprintf(stream, "%s: %zu of %zu dishes differ from 4/4/9 kcal a gram by more than 10 %%; %zu look like kJ\n",
                what, energy->n_flagged, energy->n_checked, energy->n_kj);
}

/* Answers that were read as lenient numbers alone are, and what was done to them. */
static void print_repairs(FILE *stream, const dv_dining_result *result) {
    fprintf(stream, "repaired: %zu answers", result->n_repaired);
    const char *before = ": ";
    for (size_t i = 0; i < DV_N_DINING_REPAIRS; i++) {
        if (!result->n_repairs[i]) continue;
        fprintf(stream, "%s%zu %s", before, result->n_repairs[i], dv_dining_repair_name((dv_dining_repair)i));
        before = ", ";
    }
    fputc('\n', stream);
}

/* What a judge left open may be right or wrong. */
static void print_judges(FILE *stream, const dv_dining_result *result) {
    const dv_dining_summary *const summary = &result->summary;
    fprintf(stream, "at most ");
    print_real(stream, 6, 4, summary->accuracy_high);
    fprintf(stream, "\nof judged");
    print_real(stream, 6, 4, summary->accuracy_answered);
    fprintf(stream, "\n");
    for (size_t i = 0; i < result->n_judges && result->n_judges > 1; i++) {
        fprintf(stream, "judge %zu ", i + 1);
        print_real(stream, 6, 4, result->judges[i].accuracy);
        fprintf(stream, "  %s\n", result->judges[i].path);
    }
    for (size_t i = 0; i < result->n_agreements; i++) {
        const dv_dining_agreement *const pair = &result->agreements[i];
        fprintf(stream, "judges %zu and %zu: %zu answers, agreement", pair->first + 1, pair->second + 1, pair->n);
        print_real(stream, 6, 4, pair->raw);
        fprintf(stream, ", kappa");
        print_real(stream, 6, 4, pair->kappa);
        fprintf(stream, "\n");
    }
}

static void print_scores(FILE *stream, const dv_dining_options *options, const dv_dining_result *result) {
    const dv_dining_summary *const summary = &result->summary;
    const bool strict = options->scoring == DV_DINING_STRICT;
    if (options->task == DV_DINING_NUTRITION) {
        print_errors(stream, "nutrient", &summary->all, strict);
        if (strict) {
            fprintf(stream, "\n");
            print_errors(stream, "valid only", &summary->valid, true);
        }
        fprintf(stream, "\n");
        print_states(stream, options, summary);
        if (options->numbers == DV_DINING_NUMBERS_LENIENT) print_repairs(stream, result);
        if (strict && result->key_conflicts.n)
            fprintf(stream, "two names with two values for a nutrient: %zu answers\n", result->key_conflicts.n);
        print_energy(stream, "truth", &result->truth_energy);
        print_energy(stream, "predictions", &result->pred_energy);
        return;
    }
    fprintf(stream, "accuracy");
    print_real(stream, 6, 4, summary->accuracy);
    fprintf(stream, "\n");
    if (strict && options->task == DV_DINING_VQA) {
        print_judges(stream, result);
    } else if (strict) {
        fprintf(stream, "of answered");
        print_real(stream, 6, 4, summary->accuracy_answered);
        fprintf(stream, "\ncoverage");
        print_real(stream, 6, 4, summary->coverage);
        fprintf(stream, "\n");
    }
    if (options->task == DV_DINING_VQA && !strict)
        fprintf(stream, "%zu verdicts: %zu right\n", result->compat.n_paired, result->compat.n_correct);
    else
        print_states(stream, options, summary);
    if (strict && options->task == DV_DINING_CLASSIFICATION) dv_dining_letters_print(stream, result);
}

/* ---- Groups --------------------------------------------------------------------------------------------------------
 */

/* A name that a model or an annotator wrote may hold anything. */
static void print_name(FILE *stream, const char *name) {
    size_t width = 0;
    for (; *name && width < MOST_NAME; width++) {
        const size_t n = dv_utf8_bytes(name);
        if (n == 0 || (unsigned char)*name < ' ' || *name == 0x7f)
            fputc('?', stream);
        else
            fwrite(name, 1, n, stream);
        name += n ? n : 1;
    }
    fprintf(stream, "%*s", (int)(MOST_NAME - width), "");
}

/* Of "MAE calories", ...; all are wide enough for a number but "MAE fat". */
static int error_padding(size_t nutrient) {
    return strlen(dv_nutrient_name(nutrient)) < 4 ? 1 : 0;
}

static int error_width(size_t nutrient) {
    return (int)(strlen("MAE ") + strlen(dv_nutrient_name(nutrient))) + error_padding(nutrient);
}

/* The accuracy is of the scored questions; a nutrient may be known of fewer than there are records. */
static void print_field(FILE *stream, const dv_dining_options *options, const dv_dining_field *field) {
    const bool nutrition = options->task == DV_DINING_NUTRITION;
    fprintf(stream, "\n");
    print_name(stream, field->name);
    fprintf(stream, "  %8s", nutrition ? "avg MAPE" : "accuracy");
    for (size_t i = 0; nutrition && i < DV_N_NUTRIENTS; i++)
        fprintf(stream, "  %*sMAE %s", error_padding(i), "", dv_nutrient_name(i));
    fprintf(stream, "  %7s\n", nutrition ? "records" : "scored");
    for (size_t g = 0; g < field->n; g++) {
        const dv_dining_summary *const summary = &field->groups[g].summary;
        print_name(stream, field->groups[g].value);
        print_real(stream, 8, nutrition ? 2 : 4, nutrition ? summary->all.average_mape : summary->accuracy);
        for (size_t i = 0; nutrition && i < DV_N_NUTRIENTS; i++)
            print_real(stream, error_width(i), 2, summary->all.nutrients[i].mae);
        fprintf(stream, "  %7zu\n", summary->n - summary->states[DV_DINING_NO_KEY]);
    }
}

dv_status dv_report_dining_table(const dv_dining_options *options, const dv_dining_result *result, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) {
        print_scores(stream, options, result);
        for (size_t f = 0; f < result->n_fields; f++) print_field(stream, options, &result->fields[f]);
    }
    return dv_text_end(stream, text);
}
