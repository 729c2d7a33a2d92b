#include "report/html_text.h"

#include <string.h>

#include "core/unicode.h"
#include "core/utf8.h"

/* Controls and noncharacters are errors of the page, whatever stands around them (HTML, 13.2.3.5). */
static int is_allowed(uint32_t code) {
    if (code == '\t' || code == '\n') return 1;
    if (code > 0x10ffff || code < 0x20 || (code >= 0x7f && code <= 0x9f)) return 0;
    return (code < 0xfdd0 || code > 0xfdef) && (code & 0xfffe) != 0xfffe;
}

static const char *entity_of(char character) {
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\r':
        return " ";
    default:
        return NULL;
    }
}

/* The bytes that it was. */
static size_t put_character(FILE *stream, const char *text) {
    enum { MOST_BYTES = 4 };
    size_t length;
    const uint32_t code = dv_unicode_next(text, strnlen(text, MOST_BYTES), &length);
    const char *const entity = entity_of(*text);
    if (entity)
        fputs(entity, stream);
    else if (is_allowed(code))
        fwrite(text, 1, length, stream);
    else
        fputs(DV_UTF8_REPLACEMENT, stream);
    return length;
}

void dv_html_put_text(FILE *stream, const char *text) {
    while (*text) text += put_character(stream, text);
}

void dv_html_put_start(FILE *stream, const char *text, size_t n_characters) {
    for (size_t i = 0; i < n_characters && *text; i++) text += put_character(stream, text);
    if (*text) fputs("\xe2\x80\xa6", stream);
}

/* A digit of base 64 of the lowest six bits. */
static int digit_of(uint32_t bits) {
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[bits & 63];
}

void dv_html_put_data(FILE *stream, const char *type, const uint8_t *data, size_t size) {
    fprintf(stream, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)data[i + 2] : 0);
        fputc(digit_of(bits >> 18), stream);
        fputc(digit_of(bits >> 12), stream);
        fputc(left > 1 ? digit_of(bits >> 6) : '=', stream);
        fputc(left > 2 ? digit_of(bits) : '=', stream);
    }
}

const char *dv_html_bytes_text(uint64_t size, char *text) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (size < 1024) {
        snprintf(text, DV_HTML_BYTES_SIZE, "%llu bytes", (unsigned long long)size);
        return text;
    }
    double value = (double)size / 1024;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++) value /= 1024;
    snprintf(text, DV_HTML_BYTES_SIZE, "%.1f %s", value, units[unit]);
    return text;
}
