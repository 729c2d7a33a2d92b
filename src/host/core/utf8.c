#include "core/utf8.h"

#include <string.h>

#include "core/unicode.h"

size_t dv_utf8_bytes(const char *text) {
    enum { MOST_BYTES = 4, MOST_CHARACTER = 0x10FFFF };
    size_t n_bytes;
    if (!*text) return 0;
    return dv_unicode_next(text, strnlen(text, MOST_BYTES), &n_bytes) <= MOST_CHARACTER ? n_bytes : 0;
}

size_t dv_utf8_count(const char *text) {
    size_t n = 0;
    for (; *text; n++) {
        const size_t bytes = dv_utf8_bytes(text);
        text += bytes ? bytes : 1;
    }
    return n;
}

bool dv_utf8_has_control(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f) return true;
    return false;
}
