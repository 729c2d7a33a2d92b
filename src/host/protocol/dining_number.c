#include "protocol/dining_number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/unicode.h"

enum { SHORT = 64, EXACT_DIGITS = 15, EXACT_POWER = 22 /* doubles hold 10^22 and 15 digits exactly */ };

static size_t digits_at(dv_span text, size_t at) {
    size_t n = 0;
    while (at + n < text.n && text.text[at + n] >= '0' && text.text[at + n] <= '9') n++;
    return n;
}

/* [+-](D[.[D]]|.D)[(e|E)[+-]D], all of it. */
static bool is_decimal(dv_span text) {
    size_t at = text.n > 0 && (text.text[0] == '+' || text.text[0] == '-');
    size_t n_digits = digits_at(text, at);
    at += n_digits;
    if (at < text.n && text.text[at] == '.') {
        const size_t n_fraction = digits_at(text, ++at);
        n_digits += n_fraction;
        at += n_fraction;
    }
    if (n_digits == 0) return false;
    if (at < text.n && (text.text[at] == 'e' || text.text[at] == 'E')) {
        at++;
        if (at < text.n && (text.text[at] == '+' || text.text[at] == '-')) at++;
        const size_t n_exponent = digits_at(text, at);
        if (n_exponent == 0) return false;
        at += n_exponent;
    }
    return at == text.n;
}

/* Few digits and no exponent: one division of exact numbers, which rounds as strtod does. */
static bool short_decimal(dv_span text, double *value) {
    static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    size_t n_digits = 0, n_fraction = 0;
    int64_t digits = 0;
    bool in_fraction = false, negative = false;
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.text[i];
        if (c == '.') {
            in_fraction = true;
        } else if (c >= '0' && c <= '9') {
            digits = 10 * digits + (c - '0');
            if (++n_digits > EXACT_DIGITS) return false;
            n_fraction += in_fraction;
        } else if (i == 0) {
            negative = c == '-';
        } else {
            return false;
        }
    }
    *value = (double)digits / powers[n_fraction];
    if (negative) *value = -*value;
    return true;
}

static bool by_strtod(dv_span text, double *value) {
    char few[SHORT], *const copy = text.n < SHORT ? few : malloc(text.n + 1);
    if (!copy) return false;
    memcpy(copy, text.text, text.n);
    copy[text.n] = '\0';
    *value = strtod_l(copy, NULL, newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* glibc's own: nothing to free */
    if (copy != few) free(copy);
    return true;
}

/* Of a decimal; infinite where it is too large. */
static bool value_of(dv_span text, double *value) {
    return short_decimal(text, value) || by_strtod(text, value);
}

static bool is_white(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool dv_dining_decimal(dv_span text, double *value) {
    while (text.n > 0 && is_white(text.text[0])) text = dv_span_after(text, 1);
    while (text.n > 0 && is_white(text.text[text.n - 1])) text.n--;
    return is_decimal(text) && value_of(text, value) && isfinite(*value);
}

/* "nan", "inf", "infinity" with an optional sign. */
static bool constant(dv_span text, double *value) {
    const bool negative = text.n > 0 && text.text[0] == '-';
    if (negative || dv_span_begins(text, "+", false)) text = dv_span_after(text, 1);
    const bool is_nan = text.n == 3 && dv_span_begins(text, "nan", true);
    if (!is_nan && !(text.n == 3 && dv_span_begins(text, "inf", true)) &&
        !(text.n == 8 && dv_span_begins(text, "infinity", true)))
        return false;
    *value = is_nan ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY;
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Digits of other scripts become ASCII, underscores between digits go. out: [text.n]; returns its length, SIZE_MAX
 * where an underscore stands elsewhere. */
static size_t to_ascii(dv_span text, char *out) {
    size_t n = 0;
    bool underscore = false;
    for (size_t n_bytes; text.n > 0; text = dv_span_after(text, n_bytes)) {
        const uint32_t character = dv_unicode_next(text.text, text.n, &n_bytes);
        const int digit = dv_unicode_digit(character);
        if (underscore && digit < 0) return SIZE_MAX;
        underscore = character == '_';
        if (underscore && (n == 0 || !is_digit(out[n - 1]))) return SIZE_MAX;
        if (!underscore) out[n++] = (char)(digit >= 0 ? '0' + digit : character < 0x80 ? (int)character : '?');
    }
    return underscore ? SIZE_MAX : n;
}

/* U+001C to U+001F: white space to Python, but none around a number. */
static bool has_separator(dv_span text) {
    for (size_t i = 0; i < text.n; i++)
        if (text.text[i] >= '\x1c' && text.text[i] <= '\x1f') return true;
    return false;
}

bool dv_dining_python_float(dv_span text, double *value) {
    size_t n = text.n;
    const char *const stripped = dv_unicode_strip(text.text, &n);
    if (has_separator(text)) return false;
    char few[SHORT], *const ascii = n < SHORT ? few : malloc(n);
    if (!ascii) return false;
    const dv_span bare = {ascii, to_ascii((dv_span){stripped, n}, ascii)};
    const bool good = bare.n != SIZE_MAX && (constant(bare, value) || (is_decimal(bare) && value_of(bare, value)));
    if (ascii != few) free(ascii);
    return good;
}
