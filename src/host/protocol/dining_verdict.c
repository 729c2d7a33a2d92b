#include "protocol/dining_verdict.h"

#include <stdint.h>
#include <string.h>

static dv_span after_label(dv_span text) {
    static const char *const labels[] = {"answer", "verdict", "judgement", "judgment", "output",
                                         "result", "答案",    "判定",      "结论",     "输出"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (text.n == 0 || dv_ascii_lower(text.text[0]) != labels[i][0] || !dv_span_begins(text, labels[i], true))
            continue;
        const dv_span at = dv_span_trim_start(dv_span_after(text, strlen(labels[i])), " \t*");
        const size_t n_colon = dv_span_begins(at, ":", false) ? 1 : dv_span_begins(at, "：", false) ? strlen("：") : 0;
        if (n_colon) return dv_span_trim_start(dv_span_after(at, n_colon), " \t\r\n*\"'“");
    }
    return text;
}

/* Does the text begin with the word, and not with a longer English one? */
static bool begins_with_word(dv_span text, const char *word) {
    if (text.n == 0 || dv_ascii_lower(text.text[0]) != word[0] || !dv_span_begins(text, word, true)) return false;
    const size_t n = strlen(word);
    return (unsigned char)word[0] >= 0x80 || n == text.n || !dv_ascii_is_letter(text.text[n]);
}

dv_dining_verdict dv_dining_verdict_strict(dv_span text) {
    static const struct {
        const char *word;
        dv_dining_verdict verdict;
    } words[] = {{"yes", DV_VERDICT_YES},       {"true", DV_VERDICT_YES},     {"correct", DV_VERDICT_YES},
                 {"是", DV_VERDICT_YES},        {"正确", DV_VERDICT_YES},     {"一致", DV_VERDICT_YES},
                 {"相同", DV_VERDICT_YES},      {"等价", DV_VERDICT_YES},     {"no", DV_VERDICT_NO},
                 {"false", DV_VERDICT_NO},      {"incorrect", DV_VERDICT_NO}, {"wrong", DV_VERDICT_NO},
                 {"否", DV_VERDICT_NO},         {"错误", DV_VERDICT_NO},      {"不一致", DV_VERDICT_NO},
                 {"不同", DV_VERDICT_NO},       {"不正确", DV_VERDICT_NO},    {"不是", DV_VERDICT_NO},
                 {"不相同", DV_VERDICT_NO},     {"不等价", DV_VERDICT_NO},    {"不对", DV_VERDICT_NO},
                 {"是否", DV_VERDICT_UNDECIDED}};
    const dv_span said = after_label(dv_span_trim_start(text, " \t\r\n\"'*_#`“‘「【（("));
    dv_dining_verdict verdict = DV_VERDICT_UNDECIDED;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins_with_word(said, words[i].word) && strlen(words[i].word) > longest) {
            longest = strlen(words[i].word);
            verdict = words[i].verdict;
        }
    return verdict;
}

static bool has_any(dv_span text, const char *const *words) {
    for (; *words; words++)
        if (dv_span_find(text, *words, 0, true) != SIZE_MAX) return true;
    return false;
}

bool dv_dining_verdict_compat(dv_span text) {
    static const char *const refusals[] = {"no", "false",  "incorrect", "different", "not match",
                                           "否", "不一致", "不同",      "错误",      NULL};
    static const char *const consents[] = {"yes",  "true", "correct", "match", "same", "是",
                                           "一致", "相同", "等价",    "正确",  NULL};
    return !has_any(text, refusals) && has_any(text, consents);
}
