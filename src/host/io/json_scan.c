#include "io/json_scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h> /* every x86-64 has it */
#endif

#include "core/check.h"
#include "core/memory.h"
#include "core/unicode.h"

enum {
    MOST_ESCAPE = 4,    /* bytes that an escape can become */
    MOST_KEPT = 1 << 20 /* bytes of a text in use */
};

typedef struct scanner {
    const char *at, *end;
    dv_json_dialect dialect;
    size_t n_around; /* objects around what is scanned */
} scanner;

static void skip_space(scanner *s) {
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r')) s->at++;
}

/* ---- Strings -------------------------------------------------------------------------------------------------------
 */

static int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* Four hexadecimal digits; -1: they are not. */
static int32_t hex_unit(const char *at, const char *end) {
    int32_t unit = 0;
    if (end - at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        const int digit = hex_value(at[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* At a backslash. */
static bool skip_escape(scanner *s) {
    if (s->end - s->at < 2) return false;
    switch (s->at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        s->at += 2;
        return true;
    case 'u':
        if (hex_unit(s->at + 2, s->end) < 0) return false;
        s->at += 6;
        return true;
    default:
        return false;
    }
}

/* Which of the STEP bytes are not plain, and so end a run: a quote, backslash, control or byte above ASCII. The lowest
 * bit that is set is that of the first one, STEP_BITS a byte; 0: all are plain. */
#if defined(__SSE2__)
enum { STEP = 16, STEP_BITS = 1 };

static inline uint64_t ends_of_run(const char *at) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')); /* signed: bytes above ASCII are below, too */
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(low, marks));
}
#else
enum { STEP = 8, STEP_BITS = 8 };

/* A borrow goes up only, so above the first byte that ends the run there may be false ones. */
static inline uint64_t ends_of_run(const char *at) {
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    const uint64_t quotes = bytes ^ ones * '"', slashes = bytes ^ ones * '\\';
    return ((bytes - ones * ' ') | (quotes - ones) | (slashes - ones) | bytes) & tops;
}
#endif
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");

static bool is_plain(char c) {
    return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

static void skip_plain(scanner *s) {
    while (s->end - s->at >= STEP) {
        const uint64_t ends = ends_of_run(s->at);
        if (ends) {
            s->at += __builtin_ctzll(ends) / STEP_BITS;
            return;
        }
        s->at += STEP;
    }
    while (s->at < s->end && is_plain(*s->at)) s->at++;
}

/* Is it the first byte of three, and any second one is good? Behind 0xE0 it could be overlong, behind 0xED a surrogate.
 */
static bool begins_three(unsigned char byte) {
    return (byte & 0xF0) == 0xE0 && byte != 0xE0 && byte != 0xED;
}

/* Characters of three bytes, as most scripts of Asia have them. */
static void skip_three_bytes(scanner *s) {
    const unsigned char *at = (const unsigned char *)s->at;
    const unsigned char *const end = (const unsigned char *)s->end;
    while (end - at >= 3 && begins_three(at[0]) && (at[1] & 0xC0) == 0x80 && (at[2] & 0xC0) == 0x80) at += 3;
    s->at = (const char *)at;
}

/* 0xED, 0xA0..0xBF and another byte, as put_character leaves half of a pair. */
static bool begins_surrogate(const scanner *s) {
    const unsigned char *const at = (const unsigned char *)s->at;
    return s->end - s->at >= 3 && at[0] == 0xED && (at[1] & 0xE0) == 0xA0 && (at[2] & 0xC0) == 0x80;
}

/* At a byte above ASCII. */
static bool skip_beyond_ascii(scanner *s) {
    const char *const begin = s->at;
    size_t n_bytes;
    skip_three_bytes(s);
    if (s->at > begin) return true;
    if (s->dialect == DV_JSON_PYTHON_TEXT && begins_surrogate(s)) {
        s->at += 3;
        return true;
    }
    if (dv_unicode_next(s->at, (size_t)(s->end - s->at), &n_bytes) > 0x10FFFF) return false;
    s->at += n_bytes;
    return true;
}

/* At the opening quote; leaves `at` behind the closing one. */
static bool skip_string(scanner *s, dv_json_value *value) {
    *value = (dv_json_value){.kind = DV_JSON_STRING, .text = ++s->at};
    for (;;) {
        skip_plain(s);
        if (s->at == s->end || (unsigned char)*s->at < ' ') return false;
        if (*s->at == '"') break;
        if (*s->at == '\\') {
            value->escaped = true;
            if (!skip_escape(s)) return false;
        } else if (!skip_beyond_ascii(s)) {
            return false;
        }
    }
    value->n = (size_t)(s->at++ - value->text);
    return true;
}

/* ---- Other scalars -------------------------------------------------------------------------------------------------
 */

static size_t skip_digits(scanner *s) {
    const char *const begin = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9') s->at++;
    return (size_t)(s->at - begin);
}

static bool skip_number(scanner *s) {
    if (*s->at == '-') s->at++;
    const char *const whole = s->at;
    const size_t n_whole = skip_digits(s);
    if (n_whole == 0 || (n_whole > 1 && *whole == '0')) return false;
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        if (!skip_digits(s)) return false;
    }
    if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
        if (!skip_digits(s)) return false;
    }
    return true;
}

static bool skip_word(scanner *s, const char *word) {
    const size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0) return false;
    s->at += n;
    return true;
}

/* The word that begins as a scalar does; NULL: none, and a number if anything. */
static const char *word_of(const scanner *s, dv_json_kind *kind) {
    *kind = DV_JSON_WORD;
    switch (*s->at) {
    case 't':
        return "true";
    case 'f':
        return "false";
    case 'n':
        return "null";
    default:
        break;
    }
    *kind = DV_JSON_CONSTANT;
    if (s->dialect != DV_JSON_RFC) {
        if (*s->at == 'N') return "NaN";
        if (*s->at == 'I') return "Infinity";
        if (*s->at == '-' && s->end - s->at > 1 && s->at[1] == 'I') return "-Infinity";
    }
    *kind = DV_JSON_NUMBER;
    return NULL;
}

static bool skip_scalar(scanner *s, dv_json_value *value) {
    if (*s->at == '"') return skip_string(s, value);
    const char *const begin = s->at;
    *value = (dv_json_value){.text = begin};
    const char *const word = word_of(s, &value->kind);
    const bool good = word ? skip_word(s, word) : skip_number(s);
    value->n = (size_t)(s->at - begin);
    return good;
}

/* ---- Objects and lists ---------------------------------------------------------------------------------------------
 */

/* A key and its colon. */
static bool skip_key(scanner *s, dv_json_value *key) {
    skip_space(s);
    if (s->at == s->end || *s->at != '"' || !skip_string(s, key)) return false;
    skip_space(s);
    if (s->at == s->end || *s->at != ':') return false;
    s->at++;
    return true;
}

typedef struct nesting {
    size_t depth;
    char closers[DV_JSON_MOST_DEPTH]; /* [depth], of what is open */
} nesting;

/* At the opening bracket. */
static bool open_nested(scanner *s, nesting *open, bool *empty) {
    dv_json_value key;
    if (s->n_around + open->depth == DV_JSON_MOST_DEPTH) return false;
    const char closer = *s->at++ == '{' ? '}' : ']';
    open->closers[open->depth++] = closer;
    skip_space(s);
    *empty = s->at < s->end && *s->at == closer;
    return *empty || closer == ']' || skip_key(s, &key);
}

/* Behind a value: closes what ends here, or goes on to the next value. */
static bool close_nested(scanner *s, nesting *open) {
    dv_json_value key;
    while (open->depth > 0) {
        const char closer = open->closers[open->depth - 1];
        skip_space(s);
        if (s->at == s->end) return false;
        const char found = *s->at++;
        if (found == ',') return closer == ']' || skip_key(s, &key);
        if (found != closer) return false;
        open->depth--;
    }
    return true;
}

/* At a '{' or '['. */
static bool skip_nested(scanner *s) {
    nesting open = {.depth = 0};
    dv_json_value scalar;
    bool empty;
    do {
        skip_space(s);
        if (s->at == s->end) return false;
        if (*s->at == '{' || *s->at == '[') {
            if (!open_nested(s, &open, &empty)) return false;
            if (!empty) continue;
        } else if (!skip_scalar(s, &scalar)) {
            return false;
        }
        if (!close_nested(s, &open)) return false;
    } while (open.depth > 0);
    return true;
}

static bool skip_value(scanner *s, dv_json_value *value) {
    skip_space(s);
    if (s->at == s->end) return false;
    if (*s->at != '{' && *s->at != '[') return skip_scalar(s, value);
    const char *const begin = s->at;
    *value = (dv_json_value){.kind = *begin == '{' ? DV_JSON_OBJECT : DV_JSON_ARRAY, .text = begin};
    if (!skip_nested(s)) return false;
    value->n = (size_t)(s->at - begin);
    return true;
}

static bool is_at_end(scanner *s) {
    skip_space(s);
    return s->at == s->end;
}

bool dv_json_scan(const char *text, size_t n, dv_json_dialect dialect, dv_json_value *value) {
    scanner s = {.at = text, .end = text + n, .dialect = dialect};
    return skip_value(&s, value) && is_at_end(&s);
}

bool dv_json_begins(const char *text, size_t n, dv_json_dialect dialect, dv_json_value *value) {
    scanner s = {.at = text, .end = text + n, .dialect = dialect};
    return skip_value(&s, value);
}

/* Most keys have another length than the name. */
static bool is_named(const dv_json_value *key, const dv_json_name *name) {
    if (key->escaped) return dv_json_is(key, name->text);
    return key->n == name->n && memcmp(key->text, name->text, name->n) == 0;
}

static bool pick_members(scanner *s, const dv_json_name *names, size_t n_names, dv_json_value *values) {
    dv_json_value key, value;
    for (;;) {
        if (!skip_key(s, &key) || !skip_value(s, &value)) return false;
        for (size_t i = 0; i < n_names; i++)
            if (is_named(&key, &names[i])) values[i] = value;
        skip_space(s);
        if (s->at == s->end) return false;
        const char found = *s->at++;
        if (found != ',') return found == '}';
    }
}

bool dv_json_pick(const char *text, size_t n, dv_json_dialect dialect, const dv_json_name *names, size_t n_names,
                  dv_json_value *values) {
    scanner s = {.at = text, .end = text + n, .dialect = dialect, .n_around = 1};
    for (size_t i = 0; i < n_names; i++) values[i] = (dv_json_value){.kind = DV_JSON_ABSENT};
    if (is_at_end(&s) || *s.at++ != '{') return false;
    skip_space(&s);
    if (s.at < s.end && *s.at == '}')
        s.at++;
    else if (!pick_members(&s, names, n_names, values))
        return false;
    return is_at_end(&s);
}

bool dv_json_next(const dv_json_value *object, const char **at, dv_json_value *key, dv_json_value *value) {
    scanner s = {.at = *at ? *at : object->text, .end = object->text + object->n, .dialect = DV_JSON_PYTHON_TEXT};
    skip_space(&s);
    if (s.at == s.end) return false;
    s.at++;                                                         /* the brace, or a comma */
    if (!skip_key(&s, key) || !skip_value(&s, value)) return false; /* an empty object has no key */
    skip_space(&s);
    *at = s.at;
    return true;
}

/* ---- What strings mean ---------------------------------------------------------------------------------------------
 */

dv_status dv_json_text_reserve(dv_json_text *text, size_t n) {
    size_t wanted;
    DV_TRY(dv_add_size(text->n, n, "a text", &wanted));
    if (wanted <= text->capacity) return DV_OK;
    if (wanted < 2 * text->capacity) wanted = 2 * text->capacity;
    char *const grown = realloc(text->text, wanted);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a text of %zu bytes", wanted);
    text->text = grown;
    text->capacity = wanted;
    return DV_OK;
}

void dv_json_text_drop_long(dv_json_text *text) {
    if (text->capacity <= MOST_KEPT) return;
    free(text->text);
    *text = (dv_json_text){0};
}

static size_t put_character(char *out, uint32_t character) {
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    const size_t n = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, character >>= 6) out[i] = (char)(0x80 | (character & 0x3F));
    out[0] = (char)((0xF00u >> n & 0xFF) | character);
    return n;
}

/* Behind "\u"; a pair of surrogates is one character. */
static const char *unit_escape(const char *at, const char *end, uint32_t *character) {
    *character = (uint32_t)hex_unit(at, end);
    at += 4;
    if (*character < 0xD800 || *character > 0xDBFF || end - at < 6 || at[0] != '\\' || at[1] != 'u') return at;
    const int32_t low = hex_unit(at + 2, end);
    if (low < 0xDC00 || low > 0xDFFF) return at;
    *character = 0x10000 + ((*character - 0xD800) << 10 | ((uint32_t)low - 0xDC00));
    return at + 6;
}

/* At a backslash of a sound string. */
static const char *read_escape(const char *at, const char *end, uint32_t *character) {
    if (at[1] == 'u') return unit_escape(at + 2, end, character);
    *character = (uint32_t)(unsigned char)(at[1] == 'n'   ? '\n'
                                           : at[1] == 't' ? '\t'
                                           : at[1] == 'r' ? '\r'
                                           : at[1] == 'b' ? '\b'
                                           : at[1] == 'f' ? '\f'
                                                          : at[1]);
    return at + 2;
}

dv_status dv_json_string(const dv_json_value *value, dv_json_text *scratch, const char **text, size_t *n) {
    *text = value->text;
    *n = value->n;
    if (!value->escaped) return DV_OK;
    scratch->n = 0;
    DV_TRY(dv_json_text_reserve(scratch, value->n)); /* an escape is never shorter than what it means */
    const char *at = value->text, *const end = at + value->n;
    while (at < end) {
        const char *const slash = memchr(at, '\\', (size_t)(end - at));
        const size_t n_plain = (size_t)((slash ? slash : end) - at);
        memcpy(scratch->text + scratch->n, at, n_plain);
        scratch->n += n_plain;
        at += n_plain;
        if (!slash) break;
        uint32_t character;
        at = read_escape(at, end, &character);
        scratch->n += put_character(scratch->text + scratch->n, character);
    }
    *text = scratch->text;
    *n = scratch->n;
    return DV_OK;
}

/* Of a string with escapes. */
static bool means(const dv_json_value *value, const char *text) {
    const char *at = value->text, *const end = at + value->n;
    const size_t n = strlen(text);
    size_t done = 0;
    while (at < end) {
        char bytes[MOST_ESCAPE];
        size_t n_bytes = 1;
        uint32_t character;
        bytes[0] = *at;
        if (*at != '\\') {
            at++;
        } else {
            at = read_escape(at, end, &character);
            n_bytes = put_character(bytes, character);
        }
        if (n - done < n_bytes || memcmp(text + done, bytes, n_bytes) != 0) return false;
        done += n_bytes;
    }
    return done == n;
}

/* No string that was scanned holds a NUL, so none goes on behind the end of the text. */
bool dv_json_is(const dv_json_value *value, const char *text) {
    if (value->kind != DV_JSON_STRING) return false;
    if (value->escaped) return means(value, text);
    const char *at = value->text, *const end = at + value->n;
    for (; at < end && *at == *text; at++) text++;
    return at == end && !*text;
}

bool dv_json_is_word(const dv_json_value *value, const char *word) {
    return value->kind == DV_JSON_WORD && value->n == strlen(word) && memcmp(value->text, word, value->n) == 0;
}
