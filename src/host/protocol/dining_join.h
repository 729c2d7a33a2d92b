/* dining_join.h: which question a record belongs to, by its `idx`; and what is odd about it. */
#ifndef DV_PROTOCOL_DINING_JOIN_H
#define DV_PROTOCOL_DINING_JOIN_H

#include "denseval/dining.h"
#include "io/json_scan.h"

/* What an `idx` is, whatever the questions are. */
typedef struct dv_dining_index {
    enum { DV_INDEX_NONE = 0, DV_INDEX_NUMBER, DV_INDEX_OTHER } kind; /* OTHER (COMPAT): what no question can have */
    bool is_text;
    uint64_t number; /* OTHER: a hash */
} dv_dining_index;

/* scratch: a text whose content is replaced. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_index_read(const dv_json_value *idx, dv_dining_scoring scoring, dv_json_text *scratch,
                                           dv_dining_index *index);

/* COMPAT: can it be no key at all? A list and an object are none in Python. */
bool dv_dining_is_no_key(const dv_json_value *idx);

/* An index that no question has (COMPAT). */
typedef struct dv_dining_other {
    uint64_t hash; /* 0: none */
    size_t number; /* of such indices before it */
} dv_dining_other;

typedef struct dv_dining_joiner {
    dv_dining_scoring scoring;
    size_t n_questions;
    bool *seen;              /* [n_questions], owned */
    dv_dining_other *others; /* [n_slots], owned */
    size_t n_others, n_slots;
    dv_dining_join *join; /* borrowed: what is odd goes here */
} dv_dining_joiner;

/* joiner: release with dv_dining_joiner_clear, on failure too. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_joiner_init(dv_dining_joiner *joiner, dv_dining_scoring scoring, size_t n_questions,
                                            dv_dining_join *join);
void dv_dining_joiner_clear(dv_dining_joiner *joiner);

/* The question of the record with this index on this line; SIZE_MAX: none; COMPAT: n_questions and more, one place for
 * each index that no question has. In the order of the lines. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_joiner_place(dv_dining_joiner *joiner, const dv_dining_index *index, uint64_t line,
                                             size_t *place);

void dv_dining_join_clear(dv_dining_join *join);

/* Logs what was odd in the file, a line a kind. */
void dv_dining_join_log(const dv_dining_join *join, const char *path);

DV_MUST_USE dv_status dv_dining_list_add(dv_dining_list *list, uint64_t number);

#endif
