#include "core/unicode.h"

#include "core/unicode_tables.h"

enum { NO_CHARACTER = 0x110000 };
#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* Source: The Unicode Standard, table 3-7. */
uint32_t dv_unicode_next(const char *text, size_t n, size_t *n_bytes) {
    const unsigned char *const byte = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *n_bytes = 1;
    if (byte[0] < 0x80) return byte[0];
    const size_t length = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : byte[0] >= 0xC0 ? 2 : 0;
    if (length == 0 || length > n || byte[0] > 0xF4) return NO_CHARACTER;
    uint32_t character = byte[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80) return NO_CHARACTER;
        character = character << 6 | (byte[i] & 0x3F);
    }
    if (character < least[length] || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
        return NO_CHARACTER;
    *n_bytes = length;
    return character;
}

bool dv_unicode_is_sound(const char *text, size_t n) {
    size_t n_bytes;
    for (size_t at = 0; at < n; at += n_bytes)
        if (dv_unicode_next(text + at, n - at, &n_bytes) == NO_CHARACTER) return false;
    return true;
}

static bool is_in(const unicode_range *ranges, size_t n, uint32_t character) {
    size_t low = 0, high = n; /* ranges before low end below the character, those from high on begin above it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (character < ranges[middle].first)
            high = middle;
        else if (character > ranges[middle].last)
            low = middle + 1;
        else
            return true;
    }
    return false;
}

bool dv_unicode_is_space(uint32_t character) {
    if (character < 0x80) return (character >= 9 && character <= 13) || (character >= 28 && character <= 32);
    return is_in(unicode_spaces, LENGTH(unicode_spaces), character);
}

const char *dv_unicode_strip(const char *text, size_t *n) {
    size_t begin = 0, end = 0, n_bytes;
    while (begin < *n && dv_unicode_is_space(dv_unicode_next(text + begin, *n - begin, &n_bytes))) begin += n_bytes;
    end = *n;
    while (end > begin) {
        size_t last = end - 1;
        while (last > begin && end - last < 4 && ((unsigned char)text[last] & 0xC0) == 0x80) last--;
        if (!dv_unicode_is_space(dv_unicode_next(text + last, end - last, &n_bytes)) || n_bytes != end - last) break;
        end = last;
    }
    *n = end - begin;
    return text + begin;
}

int dv_unicode_digit(uint32_t character) {
    if (character < 0x80) return character >= '0' && character <= '9' ? (int)(character - '0') : -1;
    for (size_t i = 0; i < LENGTH(unicode_zeros) && unicode_zeros[i] <= character; i++)
        if (character - unicode_zeros[i] < 10) return (int)(character - unicode_zeros[i]);
    return -1;
}

char dv_unicode_capital(uint32_t character) {
    if (character >= 'a' && character <= 'z') return (char)(character - 'a' + 'A');
    if (character < 0x80) return (char)(character >= 'A' && character <= 'Z' ? character : 0);
    for (size_t i = 0; i < LENGTH(unicode_latin); i++)
        if (unicode_latin[i].character == character) return unicode_latin[i].letter;
    return (char)(is_in(unicode_letters, LENGTH(unicode_letters), character) ? 1 : 0);
}
