#include "protocol/dining_text.h"

#include <stdint.h>
#include <string.h>

#include "core/check.h"
#include "core/unicode.h"

static const char white[] = " \t\r\n\f\v";

bool dv_ascii_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char dv_ascii_lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool dv_span_begins(dv_span text, const char *word, bool any_case) {
    for (size_t i = 0; word[i]; i++)
        if (i == text.n || (any_case ? dv_ascii_lower(text.text[i]) : text.text[i]) != word[i]) return false;
    return true;
}

dv_span dv_span_after(dv_span text, size_t n) {
    return (dv_span){text.text + n, text.n - n};
}

/* The next byte that is the word's first one, in either case. Nothing behind it is looked at: a search goes on from
 * there, and must not read the rest of the text again each time. */
static const char *next_start(dv_span text, char first, bool any_case) {
    if (!any_case || !dv_ascii_is_letter(first)) return memchr(text.text, first, text.n);
    for (size_t i = 0; i < text.n; i++)
        if (dv_ascii_lower(text.text[i]) == first) return text.text + i;
    return NULL;
}

size_t dv_span_find(dv_span text, const char *word, size_t from, bool any_case) {
    while (from < text.n) {
        const char *const start = next_start(dv_span_after(text, from), word[0], any_case);
        if (!start) break;
        from = (size_t)(start - text.text);
        if (dv_span_begins(dv_span_after(text, from), word, any_case)) return from;
        from++;
    }
    return SIZE_MAX;
}

/* ---- Ends ----------------------------------------------------------------------------------------------------------
 */

/* Is it one of the characters? Bytes that are none, such as a first byte without the others, are not. */
static bool is_in_set(const char *character, size_t n_bytes, const char *set) {
    if (!*character || ((unsigned char)*character & 0xC0) == 0x80) return false;
    for (const char *at = set; (at = strchr(at, *character)); at++)
        if (strncmp(at, character, n_bytes) == 0 && ((unsigned char)at[n_bytes] & 0xC0) != 0x80) return true;
    return false;
}

dv_span dv_span_trim_start(dv_span text, const char *set) {
    size_t n_bytes;
    while (text.n > 0) {
        (void)dv_unicode_next(text.text, text.n, &n_bytes);
        if (!is_in_set(text.text, n_bytes, set)) break;
        text = dv_span_after(text, n_bytes);
    }
    return text;
}

dv_span dv_span_trim(dv_span text, const char *set) {
    text = dv_span_trim_start(text, set);
    while (text.n > 0) {
        size_t n_last = 1;
        while (n_last < text.n && n_last < 4 && ((unsigned char)text.text[text.n - n_last] & 0xC0) == 0x80) n_last++;
        if (!is_in_set(text.text + text.n - n_last, n_last, set)) break;
        text.n -= n_last;
    }
    return text;
}

dv_span dv_span_trim_white(dv_span text) {
    while (text.n > 0 && memchr(white, text.text[0], sizeof white - 1)) text = dv_span_after(text, 1);
    while (text.n > 0 && memchr(white, text.text[text.n - 1], sizeof white - 1)) text.n--;
    return text;
}

bool dv_dining_is_failed(dv_span answer) {
    return dv_span_find(answer, "__INFER_ERROR__", 0, false) != SIZE_MAX;
}

/* ---- Thinking ------------------------------------------------------------------------------------------------------
 */

enum { N_TAGS = 3 };
static const char *const openers[N_TAGS] = {"<think>", "<thinking>", "<analysis>"};
static const char *const closers[N_TAGS] = {"</think>", "</thinking>", "</analysis>"};

/* Which of the words a text begins with; N_TAGS: none. */
static size_t tag_at(dv_span text, const char *const *words) {
    size_t tag = 0;
    while (tag < N_TAGS && !dv_span_begins(text, words[tag], true)) tag++;
    return tag;
}

/* Copies what is outside of blocks. A block ends at the first closing tag of its kind. */
static dv_status drop_blocks(dv_span text, dv_json_text *scratch, dv_span *out) {
    bool has_closer[N_TAGS] = {true, true, true}; /* behind the place looked at, as far as we know */
    scratch->n = 0;
    DV_TRY(dv_json_text_reserve(scratch, text.n));
    for (size_t at = 0; at < text.n;) {
        const char *const bracket = memchr(text.text + at, '<', text.n - at);
        const size_t n_plain = bracket ? (size_t)(bracket - text.text) - at : text.n - at;
        memcpy(scratch->text + scratch->n, text.text + at, n_plain);
        scratch->n += n_plain;
        at += n_plain;
        if (!bracket) break;
        const size_t tag = tag_at(dv_span_after(text, at), openers);
        const size_t end = tag < N_TAGS && has_closer[tag] ? dv_span_find(text, closers[tag], at, true) : SIZE_MAX;
        if (end != SIZE_MAX) {
            at = end + strlen(closers[tag]);
        } else {
            if (tag < N_TAGS) has_closer[tag] = false;
            scratch->text[scratch->n++] = text.text[at++];
        }
    }
    *out = (dv_span){scratch->text, scratch->n};
    return DV_OK;
}

static dv_span after_last_closer(dv_span text) {
    for (size_t at = text.n; at-- > 0;) {
        if (text.text[at] != '<') continue;
        const size_t tag = tag_at(dv_span_after(text, at), closers);
        if (tag < N_TAGS) return dv_span_after(text, at + strlen(closers[tag]));
    }
    return text;
}

static dv_span last_answer(dv_span text) {
    static const char opener[] = "<answer>", closer[] = "</answer>";
    dv_span found = text;
    for (size_t at = 0;;) {
        const size_t begin = dv_span_find(text, opener, at, true);
        if (begin == SIZE_MAX) break;
        const size_t first = begin + strlen(opener), end = dv_span_find(text, closer, first, true);
        if (end == SIZE_MAX) break;
        found = (dv_span){text.text + first, end - first};
        at = end + strlen(closer);
    }
    return found;
}

dv_status dv_dining_clean(dv_span text, dv_json_text *scratch, dv_span *answer, bool *ended) {
    *ended = true;
    *answer = text;
    if (text.n > 0 && memchr(text.text, '<', text.n)) {
        DV_TRY(drop_blocks(text, scratch, answer));
        *answer = after_last_closer(*answer);
        for (size_t tag = 0; tag < N_TAGS; tag++)
            if (dv_span_find(*answer, openers[tag], 0, true) != SIZE_MAX) *ended = false;
        *answer = last_answer(*answer);
    }
    *answer = dv_span_trim_white(*answer);
    return DV_OK;
}
