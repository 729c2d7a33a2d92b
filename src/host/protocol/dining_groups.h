/* dining_groups.h: which group of a field each question is in. */
#ifndef DV_PROTOCOL_DINING_GROUPS_H
#define DV_PROTOCOL_DINING_GROUPS_H

#include "denseval/dining.h"
#include "io/json_scan.h"

/* The values of one field, numbered as they come. */
typedef struct dv_dining_values {
    size_t n, n_slots, capacity;
    char **names;    /* [n], owned */
    uint32_t *slots; /* [n_slots]: number of a value + 1; 0: free; owned */
    double *order;   /* [n]: by which ranges are sorted; NaN: a value; owned */
    size_t n_questions, questions_capacity;
    uint32_t *of;  /* [n_questions]: the value of each; owned */
    bool is_there; /* a question has the field */
} dv_dining_values;

/* The value of the next question: a text as it stands, anything else as JSON, "(none)" for null and where there is
 * none; a number its range, where there are edges. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_values_add(dv_dining_values *values, const dv_json_value *value,
                                           const dv_dining_options *options, dv_json_text *scratch);

/* The values of the questions that come next, numbered by themselves. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_values_append(dv_dining_values *values, const dv_dining_values *next);
void dv_dining_values_clear(dv_dining_values *values);

/* The questions of each value together: members[starts[v] .. starts[v + 1]) are those of value order[v], rising; values
 * by rising text, ranges by rising numbers and before. All owned by the caller, also on failure: free them. Fails with
 * DV_E_NOMEM */
typedef struct dv_dining_partition {
    uint32_t *order, *members;
    size_t *starts;
} dv_dining_partition;
DV_MUST_USE dv_status dv_dining_partition_make(dv_dining_values *values, dv_dining_partition *partition);
void dv_dining_partition_clear(dv_dining_partition *partition);

#endif
