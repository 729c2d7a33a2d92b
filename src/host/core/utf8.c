#include "core/utf8.h"

/* Source: The Unicode Standard, table 3-7. A NUL is below every continuation byte, so nothing behind it is read. */
size_t dv_utf8_bytes(const char *text) {
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char low = 0x80, high = 0xBF; /* of the second byte */
    size_t n;
    if (byte[0] < 0x80) return byte[0] != 0;
    if (byte[0] >= 0xC2 && byte[0] <= 0xDF)
        n = 2;
    else if ((byte[0] & 0xF0) == 0xE0)
        n = 3;
    else if (byte[0] >= 0xF0 && byte[0] <= 0xF4)
        n = 4;
    else
        return 0;
    if (byte[0] == 0xE0) low = 0xA0;
    if (byte[0] == 0xED) high = 0x9F;
    if (byte[0] == 0xF0) low = 0x90;
    if (byte[0] == 0xF4) high = 0x8F;
    if (byte[1] < low || byte[1] > high) return 0;
    for (size_t i = 2; i < n; i++)
        if ((byte[i] & 0xC0) != 0x80) return 0;
    return n;
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
