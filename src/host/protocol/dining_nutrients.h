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

/* The numbers of an answer; *found: all four could be read. scratch: two texts whose contents are replaced. values: f64
 * [DV_N_NUTRIENTS]. Fail with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_nutrients_strict(dv_span answer, dv_json_text *scratch, double *values, bool *found);
DV_MUST_USE dv_status dv_dining_nutrients_compat(dv_span answer, dv_json_text *scratch, double *values, bool *found);

/* The same of an answer that is an object already. */
bool dv_dining_nutrients_of(const dv_json_value *object, dv_json_text *scratch, double *values);

#endif
