/* dining_judged.h: one record of a judge, before it is known which answer it is on. */
#ifndef DV_PROTOCOL_DINING_JUDGED_H
#define DV_PROTOCOL_DINING_JUDGED_H

#include "protocol/dining_join.h"
#include "protocol/dining_text.h"

typedef struct dv_dining_judged {
    dv_dining_index index;
    uint64_t line;         /* of the file, or of a block of it */
    uint64_t text;         /* hash of the answer that was judged */
    bool has_text;         /* false: the record does not hold it */
    bool counts, right;    /* COMPAT: it holds a verdict, and which */
    unsigned char verdict; /* strict: dv_dining_verdict */
} dv_dining_judged;

/* Records in the order of their lines. Zeroed it is empty. */
typedef struct dv_dining_verdicts {
    size_t n, capacity;
    dv_dining_judged *records; /* [n], owned: free it */
} dv_dining_verdicts;

/* The verdict of a record; index, line and text are the caller's to fill. result, match: its `eval_result` and
 * `eval_match`; scratch: a text whose content is replaced. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_judged_read(const dv_json_value *result, const dv_json_value *match,
                                            dv_dining_scoring scoring, dv_json_text *scratch, dv_dining_judged *judged);

/* Puts n records behind the others, n_before added to their lines. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_verdicts_add(dv_dining_verdicts *verdicts, const dv_dining_judged *records, size_t n,
                                             uint64_t n_before);

#endif
