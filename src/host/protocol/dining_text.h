/* dining_text.h: pieces of the answers of models and judges, and what of an answer is thinking. */
#ifndef DV_PROTOCOL_DINING_TEXT_H
#define DV_PROTOCOL_DINING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"
#include "io/json_scan.h"

/* A piece of a text: bytes, no NUL behind them. Borrowed. */
typedef struct dv_span {
    const char *text;
    size_t n;
} dv_span;

/* In [a-zA-Z]; the locale has no say. */
bool dv_ascii_is_letter(char c);
char dv_ascii_lower(char c);

/* Does the text begin with `word`? `any_case`: the word is lower case, and ASCII letters of the text may be either. */
bool dv_span_begins(dv_span text, const char *word, bool any_case);
/* Where the word stands first at or behind byte `from`; SIZE_MAX: nowhere. */
size_t dv_span_find(dv_span text, const char *word, size_t from, bool any_case);
/* Without the first n bytes. */
dv_span dv_span_after(dv_span text, size_t n);

/* Without what `set` holds, at the start, or at both ends. set: characters of UTF-8 */
dv_span dv_span_trim_start(dv_span text, const char *set);
dv_span dv_span_trim(dv_span text, const char *set);
/* Space, tab, CR, LF, FF, VT. */
dv_span dv_span_trim_white(dv_span text);

/* The failed call of a model, as the benchmark's programs note it. */
bool dv_dining_is_failed(dv_span answer);

/* Takes thinking off: blocks of <think>, <thinking>, <analysis>, then all up to the last closing tag of those, then all
 * around the last <answer>..</answer>; trimmed. false: there is no answer, for a block of thinking has no end.
 * *answer: a piece of `text` or of `scratch`, whose content is replaced. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_clean(dv_span text, dv_json_text *scratch, dv_span *answer, bool *ended);

#endif
