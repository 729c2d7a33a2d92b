/* dining_key.h: the right option of a question. */
#ifndef DV_PROTOCOL_DINING_KEY_H
#define DV_PROTOCOL_DINING_KEY_H

#include <stdint.h>

#include "denseval/dining.h"
#include "protocol/dining_text.h"

/* Python's `not value`, for what a key or a verdict can be. */
bool dv_dining_is_falsy(const dv_json_value *value);

/* To know an answer again; `text` is what the value means where it is a string. */
uint64_t dv_dining_text_hash(const dv_json_value *value, dv_span text);

/* A key, trimmed (COMPAT: of white space of Unicode) and in upper case: the letter 'A'..'Z' that it is, '\0' where it
 * is none, and a hash of all of it; of characters beyond ASCII the hash knows no case. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_key_read(dv_span text, dv_dining_scoring scoring, dv_json_text *scratch, char *letter,
                                         uint64_t *hash);

#endif
