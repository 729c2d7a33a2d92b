#include "protocol/dining_key.h"

#include "core/check.h"
#include "core/hash.h"
#include "core/unicode.h"

dv_status dv_dining_key_read(dv_span text, dv_dining_scoring scoring, dv_json_text *scratch, char *letter,
                             uint64_t *hash) {
    if (scoring == DV_DINING_COMPAT)
        text.text = dv_unicode_strip(text.text, &text.n);
    else
        text = dv_span_trim_white(text);
    scratch->n = 0;
    DV_TRY(dv_json_text_reserve(scratch, text.n + 1));
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.text[i];
        scratch->text[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    *letter = (char)(text.n == 1 && dv_ascii_is_letter(scratch->text[0]) ? scratch->text[0] : '\0');
    *hash = dv_hash64(scratch->text, text.n);
    return DV_OK;
}
