#include "protocol/dining_judged.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "protocol/dining_key.h"
#include "protocol/dining_verdict.h"

static bool is_failed_call(dv_span said) {
    return dv_span_find(said, "__EVAL_ERROR__", 0, false) != SIZE_MAX;
}

/* Right is what Python takes for true, the text "false" as well. */
static void read_compat(const dv_json_value *result, const dv_json_value *match, dv_span said,
                        dv_dining_judged *judged) {
    judged->counts = match->kind != DV_JSON_ABSENT || result->kind == DV_JSON_STRING;
    if (match->kind != DV_JSON_ABSENT)
        judged->right = !dv_dining_is_falsy(match);
    else if (judged->counts)
        judged->right = !is_failed_call(said) && dv_dining_verdict_compat(said);
}

static dv_dining_verdict verdict_of(const dv_json_value *result, dv_span said) {
    if (result->kind == DV_JSON_ABSENT || dv_json_is_word(result, "null")) return DV_VERDICT_NONE;
    if (result->kind != DV_JSON_STRING) return DV_VERDICT_UNDECIDED;
    return is_failed_call(said) ? DV_VERDICT_NONE : dv_dining_verdict_strict(said);
}

dv_status dv_dining_judged_read(const dv_json_value *result, const dv_json_value *match, dv_dining_scoring scoring,
                                dv_json_text *scratch, dv_dining_judged *judged) {
    dv_span said = {"", 0};
    if (result->kind == DV_JSON_STRING) DV_TRY(dv_json_string(result, scratch, &said.text, &said.n));
    if (scoring == DV_DINING_COMPAT)
        read_compat(result, match, said, judged);
    else
        judged->verdict = (unsigned char)verdict_of(result, said);
    return DV_OK;
}

dv_status dv_dining_verdicts_add(dv_dining_verdicts *verdicts, const dv_dining_judged *records, size_t n,
                                 uint64_t n_before) {
    DV_TRY(dv_grow(&verdicts->records, sizeof *verdicts->records, verdicts->n, n, "verdicts", &verdicts->capacity));
    for (size_t i = 0; i < n; i++) {
        verdicts->records[verdicts->n] = records[i];
        verdicts->records[verdicts->n++].line += n_before;
    }
    return DV_OK;
}
