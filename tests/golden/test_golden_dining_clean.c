/* What the reference makes of raw outputs, by the name of the model: every text of diningbench/extraction/clean.jsonl,
 * and texts on which its expressions do what nobody would expect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/dining_clean.h"

enum { SKIPPED = 77, PATH_SIZE = 4096, LINE_SIZE = 4096, N_GOLDENS = 76 };
static FILE *goldens;

/* Of a model without rules of its own: "other". */
static dv_dining_model find_model(const char *name) {
    for (int model = DV_DINING_KEYE_VL_1_5_8B; model < DV_N_DINING_MODELS; model++)
        if (strcmp(dv_dining_model_name((dv_dining_model)model), name) == 0) return (dv_dining_model)model;
    return DV_DINING_MODEL_OTHER;
}

static void check(dv_dining_model model, const char *text, const char *expected) {
    dv_json_text scratch = {0};
    dv_span answer;
    char *const exact = malloc(strlen(text)); /* without a NUL: a byte read too many is one of the sanitizer's */
    memcpy(exact, text, strlen(text));
    assert_int_equal(dv_dining_clean_compat((dv_span){exact, strlen(text)}, model, &scratch, &answer), DV_OK);
    if (answer.n != strlen(expected) || memcmp(answer.text, expected, answer.n) != 0)
        fail_msg("%s: '%s': '%.*s', not '%s'", dv_dining_model_name(model), text, (int)answer.n, answer.text, expected);
    free(scratch.text);
    free(exact);
}

static void every_golden_is_met(void **state) {
    (void)state;
    char line[LINE_SIZE];
    size_t n = 0;
    while (fgets(line, sizeof line, goldens)) {
        const char *model, *input, *compat;
        json_t *const root = json_loads(line, 0, NULL);
        assert_int_equal(json_unpack(root, "{s:s, s:s, s:s}", "model", &model, "input", &input, "compat", &compat), 0);
        check(find_model(model), input, compat);
        json_decref(root);
        n++;
    }
    assert_int_equal(n, N_GOLDENS);
}

/* Expected: Python 3.11's re on the expressions of the reference. */
static void passes_of_the_reference_are_made_in_its_order(void **state) {
    (void)state;
    check(DV_DINING_MIMO_VL_7B_RL_2508, "<think>a</think>x<think>b</think>\n\nC", "C");
    check(DV_DINING_MINICPM_V_4_5, "<think>a</think>x<think>b</think>C", "xC");
    check(DV_DINING_MINICPM_V_4_5, "<thi<think>x</think>nk>y</think>C", "C");
    check(DV_DINING_MINICPM_V_4_5, "<think>a\n</think>\n\nB<think>", "B<think>");
    check(DV_DINING_KEYE_VL_1_5_8B, "<answer>A<analysis>x</analysis></answer> <answer>B</answer>", "A");
    check(DV_DINING_KEYE_VL_1_5_8B, "\u3000<ANSWER>\nA\u00a0</Answer>", "A");
    check(DV_DINING_KEYE_VL_1_5_8B, "<answer>\\boxed{A</answer>}", "\\boxed{A");
    check(DV_DINING_QWEN_3_VL_4B_THINKING, "a</think>\n\nb</THINK>\\boxed{\n C\n}", "C");
    check(DV_DINING_QWEN_3_VL_30B_A3B_THINKING, "a</think>", "");
    check(DV_DINING_MODEL_OTHER, " </think> ", " </think> ");
    check(DV_DINING_MODEL_OTHER, "\\boxed{", "\\boxed{");
    check(DV_DINING_MODEL_OTHER, "\\BOXED{A}", "\\BOXED{A}");
    check(DV_DINING_MODEL_NONE, "\\boxed{A}", "\\boxed{A}");
}

int main(void) {
    const char *shared = getenv("DENSEVAL_SHARED");
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/data/diningbench/extraction/clean.jsonl", shared ? shared : "../shared");
    goldens = fopen(path, "rb");
    if (!goldens) {
        printf("skipped: %s is not there\n", path);
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_is_met),
        cmocka_unit_test(passes_of_the_reference_are_made_in_its_order),
    };
    const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    fclose(goldens);
    return n_failed;
}
