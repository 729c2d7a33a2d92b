#include "protocol/dining_option.h"

#include <stdint.h>
#include <string.h>

#include "core/check.h"
#include "core/unicode.h"

/* Letters that a rule found; they must agree. */
typedef struct letters {
    char letter; /* '\0': none yet */
    bool differ;
} letters;

static void found_letter(letters *found, char letter) {
    if (found->letter && found->letter != letter) found->differ = true;
    found->letter = letter;
}

static bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

/* ---- Full-width forms ----------------------------------------------------------------------------------------------
 */

/* The ASCII form of a full-width letter, or of one of （）［］：．＊; 0: it is none. */
static char narrow(uint32_t character) {
    static const char marks[] = "()[]:.*";
    if ((character >= 0xFF21 && character <= 0xFF3A) || (character >= 0xFF41 && character <= 0xFF5A))
        return (char)(character - 0xFEE0);
    if (character > 0xFEE0 && character < 0xFF5F && strchr(marks, (char)(character - 0xFEE0)))
        return (char)(character - 0xFEE0);
    return '\0';
}

static dv_status narrow_forms(dv_span text, dv_json_text *scratch, dv_span *out) {
    *out = text;
    if (text.n == 0 || !memchr(text.text, 0xEF, text.n)) return DV_OK; /* all of them begin with this byte */
    scratch->n = 0;
    DV_TRY(dv_json_text_reserve(scratch, text.n));
    for (size_t n_bytes; text.n > 0; text = dv_span_after(text, n_bytes)) {
        const char ascii = narrow(dv_unicode_next(text.text, text.n, &n_bytes));
        if (ascii)
            scratch->text[scratch->n++] = ascii;
        else
            for (size_t i = 0; i < n_bytes; i++) scratch->text[scratch->n++] = text.text[i];
    }
    *out = (dv_span){scratch->text, scratch->n};
    return DV_OK;
}

/* ---- Boxes ---------------------------------------------------------------------------------------------------------
 */

/* Up to the brace that closes what is open; one does. */
static dv_span closed_part(dv_span inside) {
    size_t depth = 1, n = 0;
    for (; depth > 0 && n < inside.n; n++) {
        if (inside.text[n] == '{') depth++;
        if (inside.text[n] == '}') depth--;
    }
    return (dv_span){inside.text, n - 1};
}

/* The last \boxed{...} whose brace is closed; its content is trimmed. From the end: braces that wait for an opener. */
static bool last_box(dv_span text, dv_span *content) {
    static const char opener[] = "\\boxed";
    const size_t n_opener = sizeof opener - 1;
    size_t n_waiting = 0;
    for (size_t at = text.n; at-- > 0;) {
        if (text.text[at] == '}') n_waiting++;
        if (text.text[at] != '{' || n_waiting == 0) continue;
        n_waiting--;
        if (at < n_opener || memcmp(text.text + at - n_opener, opener, n_opener) != 0) continue;
        *content = dv_span_trim_white(closed_part(dv_span_after(text, at + 1)));
        return true;
    }
    return false;
}

/* Drops one \text{...} or the like that encloses all. */
static dv_span unwrapped(dv_span text) {
    static const char *const wrappers[] = {"\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{"};
    if (text.n == 0 || text.text[text.n - 1] != '}') return text;
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (dv_span_begins(text, wrappers[i], false)) {
            const size_t n = strlen(wrappers[i]);
            return dv_span_trim_white((dv_span){text.text + n, text.n - n - 1});
        }
    return text;
}

/* ---- Rules ---------------------------------------------------------------------------------------------------------
 */

static letters by_whole(dv_span text) {
    static const char around[] = " \t\r\n*_\"'`.,:;()[]{}<>。、，：；“”‘’【】（）";
    const dv_span bare = dv_span_trim(text, around);
    letters found = {0};
    if (bare.n == 1 && dv_ascii_is_letter(bare.text[0]))
        found_letter(&found, dv_unicode_capital((uint32_t)bare.text[0]));
    return found;
}

static dv_span skip_separators(dv_span text) {
    static const char separators[] = " \t\r\n*_:=([\"'";
    while (text.n > 0 && memchr(separators, text.text[0], sizeof separators - 1)) text = dv_span_after(text, 1);
    return text;
}

/* Bytes of the first of the words that the text begins with; 0: none. */
static size_t word_at(dv_span text, const char *const *words) {
    for (; *words; words++)
        if (dv_span_begins(text, *words, true)) return strlen(*words);
    return 0;
}

/* A letter that stands alone: a capital one before anything but a letter, digit or apostrophe, a small one at the end
 * or before a closing mark. */
static bool stands_alone(dv_span text) {
    if (text.n == 0) return false;
    const dv_span rest = dv_span_after(text, 1);
    const char next = (char)(rest.n ? rest.text[0] : 0);
    if (is_lower(text.text[0])) return rest.n == 0 || (next && strchr(").:,]", next));
    if (!is_capital(text.text[0])) return false;
    return !dv_ascii_is_letter(next) && !(next >= '0' && next <= '9') && next != '\'' &&
           !dv_span_begins(rest, "’", false);
}

/* Behind a keyword; what it names, or 0. *end: bytes of `text` that were read */
static char named_letter(dv_span text, const char *begin, size_t *n_read) {
    static const char *const copulas[] = {"is", "为", "是", NULL};
    dv_span at = skip_separators(text);
    const size_t n_copula = word_at(at, copulas);
    if (n_copula) at = skip_separators(dv_span_after(at, n_copula));
    if (!stands_alone(at) || (at.text > begin && dv_ascii_is_letter(at.text[-1]))) return '\0';
    *n_read = (size_t)(at.text - text.text) + 1;
    return dv_unicode_capital((uint32_t)at.text[0]);
}

/* Of the keywords below; most bytes of a text are not. */
static bool begins_keyword(char c) {
    const char lower = dv_ascii_lower(c);
    return lower == 'a' || lower == 'o' || lower == 'c' || (unsigned char)c >= 0x80;
}

static letters by_keyword(dv_span text) {
    static const char *const keywords[] = {"answer", "option", "choice", "答案", "选项", "选择", "选", NULL};
    letters found = {0};
    for (dv_span at = text; at.n > 0;) {
        const size_t n = begins_keyword(at.text[0]) ? word_at(at, keywords) : 0;
        size_t n_read;
        const char letter = (char)(n ? named_letter(dv_span_after(at, n), text.text, &n_read) : '\0');
        if (letter) found_letter(&found, letter);
        at = dv_span_after(at, letter ? n + n_read : 1);
    }
    return found;
}

static letters by_bracket(dv_span text) {
    letters found = {0};
    for (dv_span at = text; at.n > 0;) {
        const char *const t = at.text;
        size_t n = 1;
        if (at.n >= 3 && is_capital(t[1]) && ((t[0] == '(' && t[2] == ')') || (t[0] == '[' && t[2] == ']')))
            n = 3;
        else if (at.n >= 5 && is_capital(t[2]) && memcmp(t, "**", 2) == 0 && memcmp(t + 3, "**", 2) == 0)
            n = 5;
        if (n > 1) found_letter(&found, t[n / 2]);
        at = dv_span_after(at, n);
    }
    return found;
}

static letters by_lead(dv_span text) {
    static const char *const marks[] = {".", ")", ":", "、", NULL};
    const dv_span at = dv_span_trim_start(text, " \t\r\n*");
    letters found = {0};
    if (at.n > 0 && is_capital(at.text[0]) && word_at(dv_span_after(at, 1), marks)) found_letter(&found, at.text[0]);
    return found;
}

dv_status dv_dining_option_strict(dv_span answer, dv_json_text *scratch, char *letter) {
    letters (*const rules[])(dv_span) = {by_whole, by_keyword, by_bracket, by_lead};
    dv_span text, box;
    bool ended;
    *letter = '\0';
    DV_TRY(dv_dining_clean(answer, &scratch[0], &text, &ended));
    if (!ended) return DV_OK;
    DV_TRY(narrow_forms(text, &scratch[1], &text));
    if (last_box(text, &box)) text = unwrapped(box);
    letters found = {0};
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !found.letter; i++) found = rules[i](text);
    if (!found.differ && found.letter <= DV_LAST_OPTION) *letter = found.letter;
    return DV_OK;
}

char dv_dining_option_compat(dv_span answer) {
    if (dv_dining_is_failed(answer)) return '\0';
    for (size_t n_bytes; answer.n > 0; answer = dv_span_after(answer, n_bytes)) {
        const char capital = dv_unicode_capital(dv_unicode_next(answer.text, answer.n, &n_bytes));
        if (capital) return (char)(is_capital(capital) ? capital : '\0');
    }
    return '\0';
}
