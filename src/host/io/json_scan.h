/* json_scan.h: values of a JSON text where they stand, without a tree: for files of many records, and for JSON inside
 * answers, which may be written in the dialect of Python's json. Nothing is copied before it is asked for. */
#ifndef DV_IO_JSON_SCAN_H
#define DV_IO_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

typedef enum dv_json_kind {
    DV_JSON_ABSENT = 0,
    DV_JSON_OBJECT,
    DV_JSON_ARRAY,
    DV_JSON_STRING,
    DV_JSON_NUMBER,
    DV_JSON_WORD,    /* true, false, null */
    DV_JSON_CONSTANT /* NaN, Infinity, -Infinity */
} dv_json_kind;

/* RFC 8259, or what Python reads: with NaN, Infinity and -Infinity. All take lone surrogates as \u escapes. */
typedef enum dv_json_dialect {
    DV_JSON_RFC = 0,
    DV_JSON_PYTHON,     /* of the bytes of a file */
    DV_JSON_PYTHON_TEXT /* of a text of dv_json_string, in which lone surrogates may stand as three bytes, too */
} dv_json_dialect;

typedef struct dv_json_value {
    const char *text; /* the value as it stands, a string without its quotes; borrowed from the scanned text */
    size_t n;
    dv_json_kind kind;
    bool escaped; /* a string holds backslashes */
} dv_json_value;

enum { DV_JSON_MOST_DEPTH = 1000 }; /* objects and lists within each other */

/* Is text[0..n) one value, and nothing beside but white space? Nested deeper, or no UTF-8, is not. */
bool dv_json_scan(const char *text, size_t n, dv_json_dialect dialect, dv_json_value *value);

/* The same where other text may follow. */
bool dv_json_begins(const char *text, size_t n, dv_json_dialect dialect, dv_json_value *value);

/* Of a member that is asked for. */
typedef struct dv_json_name {
    const char *text;
    size_t n; /* its bytes */
} dv_json_name;

/* As dv_json_scan for an object, and the values of some of its members: of a key that stands there twice the last one,
 * as Python does. names  [n_names]; values  [n_names], DV_JSON_ABSENT where there is no such key */
bool dv_json_pick(const char *text, size_t n, dv_json_dialect dialect, const dv_json_name *names, size_t n_names,
                  dv_json_value *values);

/* Goes through the members of an object that dv_json_scan or dv_json_pick saw: *at begins as NULL. false: no more */
bool dv_json_next(const dv_json_value *object, const char **at, dv_json_value *key, dv_json_value *value);

/* A growing text. Zeroed it is empty. */
typedef struct dv_json_text {
    char *text; /* owned: free it; NULL: empty */
    size_t n, capacity;
} dv_json_text;

/* What a string means: where it stands, or, with escapes resolved, in `scratch`, whose content is replaced. A lone
 * surrogate becomes three bytes as others do. *text: [*n], no NUL behind it. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_json_string(const dv_json_value *value, dv_json_text *scratch, const char **text, size_t *n);

/* Is the value a string of exactly this text, escaped or not? */
bool dv_json_is(const dv_json_value *value, const char *text);

/* Is the value this word: "true", "false", "null"? */
bool dv_json_is_word(const dv_json_value *value, const char *word);

/* Frees a text of more than 1 MiB: that of one long line must not be kept until the end of the file. */
void dv_json_text_drop_long(dv_json_text *text);

/* Room for n more bytes. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_json_text_reserve(dv_json_text *text, size_t n);

#endif
