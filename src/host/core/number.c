#include "denseval/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"

enum { DOUBLE_DIGITS = 17 }; /* significant digits that tell any two doubles apart */

/* glibc hands out its built-in "C" locale without allocating, so it may be asked for again and again and never fails.
 */
static locale_t c_locale(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *text) {
    while (is_digit(*text)) text++;
    return text;
}

static dv_status refuse(const char *text, const char *expected) {
    return dv_fail(DV_E_USAGE, "\"%.100s\": must be %s", text, expected);
}

/* Reads the digits at `text`, at least one; false when there is none or the number does not fit. *end is past them. */
static bool read_digits(const char *text, uint64_t *value, const char **end) {
    uint64_t sum = 0;
    bool fits = is_digit(*text);
    for (; is_digit(*text); text++)
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
            fits = false;
    *end = text;
    *value = sum;
    return fits;
}

dv_status dv_parse_u64(const char *text, uint64_t *value) {
    const char *end;
    uint64_t parsed;
    if (!read_digits(text, &parsed, &end) || *end) return refuse(text, "a whole number, 0..18446744073709551615");
    *value = parsed;
    return DV_OK;
}

dv_status dv_parse_i64(const char *text, int64_t *value) {
    const char *end;
    uint64_t magnitude;
    const bool negative = *text == '-';
    const uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (!read_digits(text + negative, &magnitude, &end) || *end || magnitude > limit)
        return refuse(text, "a whole number, -9223372036854775808..9223372036854775807");
    if (!negative)
        *value = (int64_t)magnitude;
    else
        *value = magnitude ? -(int64_t)(magnitude - 1) - 1 : 0; /* by way of a value that always fits */
    return DV_OK;
}

/* -D, -D.D, -.D or -D. with an exponent eD, e-D or e+D; strtod takes much more (space, "+1", "0x1p3", "nan", "inf"). */
static bool is_decimal(const char *text) {
    if (*text == '-') text++;
    const char *whole = text;
    text = skip_digits(text);
    bool has_digit = text > whole;
    if (*text == '.') {
        const char *fraction = ++text;
        text = skip_digits(text);
        has_digit = has_digit || text > fraction;
    }
    if (!has_digit) return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        if (*text == '-' || *text == '+') text++;
        if (!is_digit(*text)) return false;
        text = skip_digits(text);
    }
    return *text == '\0';
}

/* Is some digit before the exponent not 0? Then a result of 0 was lost to underflow. */
static bool says_nonzero(const char *text) {
    return text[strcspn(text, "123456789eE")] != '\0' && !strchr("eE", text[strcspn(text, "123456789eE")]);
}

dv_status dv_parse_double(const char *text, double *value) {
    if (!is_decimal(text)) return refuse(text, "a decimal number");
    char *end;
    const double parsed = strtod_l(text, &end, c_locale());
    if (!isfinite(parsed) || (parsed == 0 && says_nonzero(text)))
        return refuse(text, "a number that a double holds, about 1e-323..1.7e308 in magnitude");
    *value = parsed;
    return DV_OK;
}

dv_status dv_parse_size(const char *text, size_t *value) {
    static const struct {
        const char *name;
        uint64_t factor;
    } suffixes[] = {{"", 1},
                    {"k", 1000},
                    {"K", 1000},
                    {"m", 1000000},
                    {"M", 1000000},
                    {"g", 1000000000},
                    {"G", 1000000000},
                    {"KiB", UINT64_C(1) << 10},
                    {"MiB", UINT64_C(1) << 20},
                    {"GiB", UINT64_C(1) << 30}};
    const char *end;
    uint64_t count;
    const bool fits = read_digits(text, &count, &end);
    for (size_t i = 0; end > text && i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t product;
        if (strcmp(end, suffixes[i].name) != 0) continue;
        if (!fits || __builtin_mul_overflow(count, suffixes[i].factor, &product))
            return refuse(text, "a size below 2^64");
        *value = product;
        return DV_OK;
    }
    return refuse(text, "a whole number, alone or with one of k, m, g, KiB, MiB, GiB");
}

const char *dv_format_double(double value, char *buffer) {
    if (isnan(value)) return memcpy(buffer, "nan", sizeof "nan");
    if (isinf(value)) return value > 0 ? memcpy(buffer, "inf", sizeof "inf") : memcpy(buffer, "-inf", sizeof "-inf");
    const locale_t c = c_locale(), before = uselocale(c);
    /* A normal double that some text of up to 15 digits means prints as that text with 15, for %g drops the zeros. */
    int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
    do snprintf(buffer, DV_NUMBER_SIZE, "%.*g", digits, value);
    while (strtod_l(buffer, NULL, c) != value && ++digits <= DOUBLE_DIGITS);
    uselocale(before);
    return buffer;
}
