#include "protocol/dining_clean.h"

#include <stdint.h>
#include <string.h>

#include "core/check.h"
#include "core/unicode.h"

static dv_span strip(dv_span text) {
    text.text = dv_unicode_strip(text.text, &text.n);
    return text;
}

/* The text between the words, where both stand there. */
static bool find_between(dv_span text, const char *opener, const char *closer, dv_span *between) {
    const size_t begin = dv_span_find(text, opener, 0, true);
    if (begin == SIZE_MAX) return false;
    const size_t first = begin + strlen(opener), end = dv_span_find(text, closer, first, true);
    if (end == SIZE_MAX) return false;
    *between = (dv_span){text.text + first, end - first};
    return true;
}

/* Deletes from each opener to the next closer, both included. */
static void delete_blocks(dv_json_text *text, const char *opener, const char *closer) {
    dv_span rest = {text->text, text->n}, inside;
    size_t n = 0;
    while (find_between(rest, opener, closer, &inside)) {
        const size_t n_before = (size_t)(inside.text - rest.text) - strlen(opener);
        memmove(text->text + n, rest.text, n_before);
        n += n_before;
        rest = dv_span_after(rest, n_before + strlen(opener) + inside.n + strlen(closer));
    }
    memmove(text->text + n, rest.text, rest.n);
    text->n = n + rest.n;
}

static dv_status copy(dv_span text, dv_json_text *scratch) {
    scratch->n = 0;
    DV_TRY(dv_json_text_reserve(scratch, text.n + 1));
    memcpy(scratch->text, text.text, text.n);
    scratch->n = text.n;
    return DV_OK;
}

static dv_status clean_analysis(dv_span text, dv_json_text *scratch, dv_span *answer) {
    DV_TRY(copy(text, scratch));
    delete_blocks(scratch, "<analysis>", "</analysis>");
    *answer = (dv_span){scratch->text, scratch->n};
    (void)find_between(*answer, "<answer>", "</answer>", answer);
    return DV_OK;
}

/* Three passes, the first of blocks that an empty line follows: it takes a block for longer than it is where none
 * follows the first closing tag. */
static dv_status clean_blocks(dv_span text, dv_json_text *scratch, dv_span *answer) {
    DV_TRY(copy(text, scratch));
    delete_blocks(scratch, "<think>", "</think>\n\n");
    delete_blocks(scratch, "<think>", "</think>");
    delete_blocks(scratch, "<think>", "</think>");
    *answer = (dv_span){scratch->text, scratch->n};
    return DV_OK;
}

static dv_span after_thinking(dv_span text) {
    static const char closer[] = "</think>";
    for (size_t at; (at = dv_span_find(text, closer, 0, true)) != SIZE_MAX;)
        text = dv_span_after(text, at + strlen(closer));
    return text;
}

/* Up to the nearest brace, which may be the wrong one. */
static dv_span in_box(dv_span text) {
    static const char opener[] = "\\boxed{";
    const size_t at = dv_span_find(text, opener, 0, false);
    if (at == SIZE_MAX) return text;
    const dv_span inside = dv_span_after(text, at + strlen(opener));
    const size_t n = dv_span_find(inside, "}", 0, false);
    return n == SIZE_MAX ? text : strip((dv_span){inside.text, n});
}

dv_status dv_dining_clean_compat(dv_span text, dv_dining_model model, dv_json_text *scratch, dv_span *answer) {
    *answer = text;
    switch (model) {
    case DV_DINING_MODEL_NONE:
        return DV_OK;
    case DV_DINING_MODEL_OTHER:
        break;
    case DV_DINING_KEYE_VL_1_5_8B:
        DV_TRY(clean_analysis(text, scratch, answer));
        break;
    case DV_DINING_MIMO_VL_7B_RL_2508:
    case DV_DINING_MINICPM_V_4_5:
        DV_TRY(clean_blocks(text, scratch, answer));
        break;
    case DV_DINING_QWEN_3_VL_4B_THINKING:
    case DV_DINING_QWEN_3_VL_8B_THINKING:
    case DV_DINING_QWEN_3_VL_30B_A3B_THINKING:
        *answer = after_thinking(text);
        break;
    case DV_N_DINING_MODELS:
        return dv_fail(DV_E_ARG, "no such model");
    }
    if (model != DV_DINING_MODEL_OTHER) *answer = strip(*answer);
    *answer = in_box(*answer);
    return DV_OK;
}
