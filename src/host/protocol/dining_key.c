#include "protocol/dining_key.h"

#include "core/check.h"
#include "core/hash.h"
#include "core/unicode.h"
#include "protocol/dining_number.h"

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

static bool is_zero(const dv_json_value *number) {
    double value;
    return dv_dining_decimal((dv_span){number->text, number->n}, &value) && value == 0;
}

bool dv_dining_is_falsy(const dv_json_value *value) {
    switch (value->kind) {
    case DV_JSON_ABSENT:
        return true;
    case DV_JSON_STRING:
        return value->n == 0;
    case DV_JSON_NUMBER:
        return is_zero(value);
    case DV_JSON_WORD:
        return !dv_json_is_word(value, "true");
    case DV_JSON_OBJECT:
    case DV_JSON_ARRAY:
        return dv_span_trim((dv_span){value->text + 1, value->n - 2}, " \t\r\n").n == 0;
    default:
        return false;
    }
}

uint64_t dv_dining_text_hash(const dv_json_value *value, dv_span text) {
    return value->kind == DV_JSON_STRING ? dv_hash64(text.text, text.n) : dv_hash64(value->text, value->n);
}
