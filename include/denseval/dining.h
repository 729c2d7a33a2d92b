/* dining.h: what models say of dishes, scored as DiningBench does: options, nutrients, judged answers
 * (docs/METRICS.md, "Dining"). */
#ifndef DENSEVAL_DINING_H
#define DENSEVAL_DINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/hash.h"
#include "denseval/status.h"

DV_C_BEGIN

typedef enum dv_dining_task { DV_DINING_CLASSIFICATION = 0, DV_DINING_NUTRITION = 1, DV_DINING_VQA = 2 } dv_dining_task;

typedef enum dv_dining_scoring {
    DV_DINING_STRICT = 0, /* every record of the truth counts; what is missing or not readable is wrong */
    DV_DINING_COMPAT = 1  /* what DiningBench's own programs print */
} dv_dining_scoring;

/* How the numbers of an answer are read (nutrition, STRICT). */
typedef enum dv_dining_numbers {
    DV_DINING_NUMBERS_STRICT = 0, /* all four, as numbers or decimals, under the published names */
    DV_DINING_NUMBERS_LENIENT = 1 /* where that fails: each by itself, with what dv_dining_repair lists */
} dv_dining_numbers;

/* Whose raw output the answers are (COMPAT): DiningBench's programs clean it by these names, of any other model only
 * \boxed{..}. */
typedef enum dv_dining_model {
    DV_DINING_MODEL_NONE = 0, /* the answers are clean */
    DV_DINING_MODEL_OTHER,
    DV_DINING_KEYE_VL_1_5_8B,
    DV_DINING_MIMO_VL_7B_RL_2508,
    DV_DINING_MINICPM_V_4_5,
    DV_DINING_QWEN_3_VL_4B_THINKING,
    DV_DINING_QWEN_3_VL_8B_THINKING,
    DV_DINING_QWEN_3_VL_30B_A3B_THINKING,
    DV_N_DINING_MODELS
} dv_dining_model;

/* "none", "other", "keye-vl-1.5-8b", ... Static. */
const char *dv_dining_model_name(dv_dining_model model);

/* What was done to read a number that is not as published. */
typedef enum dv_dining_repair {
    DV_REPAIR_UNIT = 0, /* kcal or g was left out */
    DV_REPAIR_KILOJOULE,
    DV_REPAIR_MILLIGRAM,
    DV_REPAIR_COMMA,
    DV_REPAIR_ABOUT,   /* "about", "~" was left out */
    DV_REPAIR_RANGE,   /* its middle was taken */
    DV_REPAIR_NAME,    /* the nutrient has another name */
    DV_REPAIR_PARTIAL, /* another nutrient has no number */
    DV_N_DINING_REPAIRS
} dv_dining_repair;

/* "unit", ... Static. */
const char *dv_dining_repair_name(dv_dining_repair repair);

/* What became of a question. */
typedef enum dv_dining_state {
    DV_DINING_MISSING = 0, /* no record, or none with an answer */
    DV_DINING_FAILED,      /* the call of the model failed, and the record says so */
    DV_DINING_UNREADABLE,  /* "unparsable" */
    DV_DINING_WRONG,
    DV_DINING_CORRECT,
    DV_DINING_PARSED, /* nutrition */
    DV_DINING_NO_KEY, /* VQA, as the three below; of them wrong is what the judge calls so, correct too */
    DV_DINING_NOT_JUDGED,
    DV_DINING_UNDECIDED, /* the judge said neither yes nor no */
    DV_N_DINING_STATES
} dv_dining_state;

/* "missing", ..., as results name them. Static. */
const char *dv_dining_state_name(dv_dining_task task, dv_dining_state state);

enum { DV_N_NUTRIENTS = 4, DV_N_OPTIONS = 26 };
/* "calories" (kcal), "protein", "carbohydrates", "fat" (g). Static. */
const char *dv_nutrient_name(size_t nutrient);

typedef struct dv_dining_options {
    dv_dining_task task;
    dv_dining_scoring scoring;
    dv_dining_numbers numbers;
    dv_dining_model model;    /* NONE with STRICT, which cleans all alike, and with VQA, where a judge reads */
    const char *truth, *pred; /* JSON Lines; pred joins by `idx`, the place of a record in truth, from 0 */
    size_t n_fields;
    const char *const *fields; /* [n_fields], of the truth, to group by; none with COMPAT */
    size_t n_edges;
    const int32_t *edges;      /* [n_edges], rising: a group of numbers is a range between two of them; none: a value */
    size_t n_judges;           /* VQA: files with verdicts; 0: the predictions hold them */
    const char *const *judges; /* [n_judges] */
    bool is_against;           /* answers to compare with others: what is odd about the truth was logged with those */
    bool allow_empty;
    size_t n_threads; /* 0 means 1 */
} dv_dining_options;

/* A record of the truth. */
typedef struct dv_dining_question {
    double values[DV_N_NUTRIENTS]; /* NaN (strict): there is none; infinite without has_values (COMPAT): an integer that
                                      is too large for a double */
    bool has_values[DV_N_NUTRIENTS];
    bool unreadable; /* nutrition: no object; classification (strict): the key is no option A to H: nothing is right */
    bool no_key;     /* VQA */
    char letter;     /* classification: the right option; '\0': the key is no letter */
    uint64_t key;    /* hash of the whole key */
} dv_dining_question;

/* What was found for it. */
typedef struct dv_dining_answer {
    double values[DV_N_NUTRIENTS]; /* of a parsed one; NaN (lenient): it could not be read */
    uint64_t text;                 /* VQA: hash of the answer */
    uint64_t line;                 /* of the prediction file, from 1; 0: none */
    unsigned char state;           /* dv_dining_state */
    char letter;                   /* '\0': none */
    bool key_conflict;             /* the record names another key than the truth; nutrition: it names a nutrient twice,
                                      with two values, of which the first counts */
    unsigned char repairs;         /* lenient: 1 << dv_dining_repair of each that was done */
    bool is_text;                  /* the answer is a text, or absent */
} dv_dining_answer;

/* Numbers of lines, from 1, or of questions, from 0; rising. */
typedef struct dv_dining_list {
    size_t n, capacity;
    uint64_t *numbers; /* [capacity], owned */
} dv_dining_list;

/* Lines of a file that were not joined as they should be. */
typedef struct dv_dining_join {
    size_t n_records;         /* lines with an object */
    size_t n_keys;            /* COMPAT: different indices */
    dv_dining_list bad;       /* no JSON object */
    dv_dining_list duplicate; /* an index that was there before: the last one counts */
    dv_dining_list unknown;   /* no question has the index */
    dv_dining_list no_index;
    dv_dining_list text_index; /* joined, but the index is a text */
} dv_dining_join;

/* NaN where nothing counts (COMPAT: 0). */
typedef struct dv_dining_error {
    size_t n, n_mape; /* questions that count; those with a truth other than 0 */
    double mae, rmse, mape, median;
} dv_dining_error;

typedef struct dv_dining_errors {
    dv_dining_error nutrients[DV_N_NUTRIENTS];
    double average_mape;
} dv_dining_errors;

/* Scores of some questions. NaN where nothing counts. */
typedef struct dv_dining_summary {
    size_t n;
    size_t states[DV_N_DINING_STATES];
    double accuracy, accuracy_answered; /* of n less those without a key; of the answers that are right or wrong */
    double coverage;                    /* classification: right or wrong */
    double accuracy_high;               /* VQA: were all right that are undecided or not judged */
    dv_dining_errors all, valid;        /* nutrition; valid: of parsed answers alone */
} dv_dining_summary;

typedef struct dv_dining_group {
    char *value; /* owned */
    dv_dining_summary summary;
} dv_dining_group;

/* The groups of one field, by rising value (ranges: by rising numbers). */
typedef struct dv_dining_field {
    char *name; /* owned */
    size_t n;
    dv_dining_group *groups; /* [n], owned */
} dv_dining_field;

/* What DiningBench's programs print beside the scores. */
typedef struct dv_dining_compat {
    size_t n_paired; /* questions that are looked at: the fewer of truth records and indices */
    size_t n_truth, n_keys, n_fail_load, n_unreadable, n_correct, n_truth_missing;
} dv_dining_compat;

/* A dish whose energy is not 4, 4 and 9 kcal for a gram of protein, carbohydrates and fat. */
typedef struct dv_dining_atwater {
    size_t question;
    double calories, expected; /* kcal */
    bool looks_like_kj;
} dv_dining_atwater;

enum { DV_MOST_ATWATER = 1000 }; /* that are listed; all are counted */

typedef struct dv_dining_energy {
    size_t n_checked, n_flagged, n_kj, n_listed;
    dv_dining_atwater *flagged; /* [n_listed], owned */
} dv_dining_energy;

/* What a judge said of the answer to a question. */
typedef enum dv_dining_verdict {
    DV_VERDICT_NONE = 0, /* nothing, or its call failed, or it judged another answer */
    DV_VERDICT_UNDECIDED,
    DV_VERDICT_YES,
    DV_VERDICT_NO,
    DV_N_VERDICTS
} dv_dining_verdict;

/* A file of verdicts. */
typedef struct dv_dining_judge {
    char *path;              /* owned */
    dv_file_hash hash;       /* empty where it is the file of the predictions */
    unsigned char *verdicts; /* [n of the result], dv_dining_verdict; owned */
    size_t n_stale;          /* verdicts of an answer that is not the one of the predictions: they count for nothing */
    size_t counts[DV_N_VERDICTS]; /* over answers that could be judged */
    double accuracy;              /* as if it were the only one */
} dv_dining_judge;

/* Two judges, over the questions on which both have a verdict. */
typedef struct dv_dining_agreement {
    size_t first, second, n; /* places of the judges */
    double raw, kappa;       /* Cohen, 1960; NaN where nothing counts, kappa also where chance alone agrees always */
} dv_dining_agreement;

typedef struct dv_dining_result {
    size_t n;
    dv_dining_question *questions; /* [n], owned */
    dv_dining_answer *answers;     /* [n], owned */
    dv_file_hash truth_hash, pred_hash;
    dv_dining_join join; /* of the predictions */
    dv_dining_summary summary;
    dv_dining_compat compat;
    dv_dining_list key_conflicts, truth_unreadable;     /* questions */
    size_t n_missing_values[DV_N_NUTRIENTS];            /* of readable truth */
    size_t n_repaired, n_repairs[DV_N_DINING_REPAIRS];  /* lenient: answers, and answers by what was done */
    uint64_t confusion[DV_N_OPTIONS][DV_N_OPTIONS + 1]; /* right option x named option; the last column: none */
    dv_dining_energy truth_energy, pred_energy;
    size_t n_fields;
    dv_dining_field *fields; /* [n_fields], owned */
    size_t n_judges;
    dv_dining_judge *judges; /* [n_judges], in the order given; the first one decides the states; owned */
    size_t n_agreements;
    dv_dining_agreement *agreements; /* [n_agreements], of each pair; owned */
} dv_dining_result;

/* Scores predictions against the truth. Odd lines of the predictions are listed in the result and logged, the first 20
 * in full. Fails with DV_E_MISSING, DV_E_IO, DV_E_DATA (a line of the truth that is no JSON object or, classification,
 * whose key is no text; without allow_empty, no question, none with a key of the task (STRICT), or no prediction;
 * COMPAT: an answer that ends the reference), DV_E_USAGE (COMPAT with fields or lenient numbers, STRICT or VQA with a
 * model, a field that no question has), DV_E_NOMEM, DV_E_INTERRUPTED. *result: release with dv_dining_result_clear;
 * zeroed on failure */
DV_MUST_USE dv_status dv_dining_run(const dv_dining_options *options, dv_dining_result *result);
void dv_dining_result_clear(dv_dining_result *result);

DV_C_END
#endif
