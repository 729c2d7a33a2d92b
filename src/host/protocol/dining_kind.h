/* dining_kind.h: what the key of a question looks like, to tell whoever chose the wrong subcommand. */
#ifndef DV_PROTOCOL_DINING_KIND_H
#define DV_PROTOCOL_DINING_KIND_H

#include "io/json_scan.h"

typedef enum dv_dining_kind {
    DV_KIND_NONE = 0, /* no key */
    DV_KIND_OPTION,   /* a letter A to H */
    DV_KIND_NUTRIENTS,
    DV_KIND_TEXT,
    DV_KIND_OTHER
} dv_dining_kind;

/* key: a `ground_truth`; scratch: two texts whose contents are replaced. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_dining_kind_of(const dv_json_value *key, dv_json_text *scratch, dv_dining_kind *kind);

/* "classification", ... that scores keys of this kind; NULL: none does. Static. */
const char *dv_dining_kind_task(dv_dining_kind kind);

#endif
