/* dining_nutrients.h: the four numbers of a dish in an answer, or in the truth. */
#ifndef DV_PROTOCOL_DINING_NUTRIENTS_H
#define DV_PROTOCOL_DINING_NUTRIENTS_H

#include "denseval/dining.h"
#include "protocol/dining_text.h"

/* The members that hold nutrients, by their English or Chinese names: the spelling that comes first counts. *values:
 * [DV_N_NUTRIENTS], DV_JSON_ABSENT where there is none. Returns how many there are */
size_t dv_dining_nutrients_find(const dv_json_value *object, dv_json_value *values);

/* A finite number, as JSON or as decimal text. */
bool dv_dining_value_strict(const dv_json_value *value, dv_json_text *scratch, double *number);
/* What Python's float() makes of a JSON value. */
bool dv_dining_value_compat(const dv_json_value *value, dv_json_text *scratch, double *number);

/* What an answer states: `values`, `key_conflict` and `repairs` of *answer. *found: all four could be read; they are of
 * the last object in a text that holds all four, or of an object itself. Lenient: where that fails, of the last one of
 * the objects that hold most, and one number is enough; what has none is NaN. scratch: two texts whose contents are
 * replaced. Fail with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_nutrients_of_text(dv_span text, dv_dining_numbers numbers, dv_json_text *scratch,
                                                  dv_dining_answer *answer, bool *found);
DV_MUST_USE dv_status dv_dining_nutrients_of_object(const dv_json_value *object, dv_dining_numbers numbers,
                                                    dv_json_text *scratch, dv_dining_answer *answer, bool *found);

/* What the reference reads in a text. values: f64 [DV_N_NUTRIENTS]. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_nutrients_compat(dv_span answer, dv_json_text *scratch, double *values, bool *found);

#endif
