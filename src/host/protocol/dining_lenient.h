/* dining_lenient.h: nutrients as people write them: with units, commas, as ranges, under other names
 * (docs/METRICS.md, "Dining"). */
#ifndef DV_PROTOCOL_DINING_LENIENT_H
#define DV_PROTOCOL_DINING_LENIENT_H

#include "denseval/dining.h"
#include "protocol/dining_text.h"

/* A unit: an amount is divided by `per` and multiplied by `times` to be kcal, or g. */
typedef struct dv_dining_unit {
    const char *name; /* lower case; NULL: none */
    double times, per;
    dv_dining_repair repair;
} dv_dining_unit;

/* Which nutrient a key names, as published or not; DV_N_NUTRIENTS: none. *unit: of the key, name NULL where it has
 * none; *repaired: the key is not as published */
size_t dv_dining_lenient_key(dv_span key, dv_dining_unit *unit, bool *repaired);

/* The amount that a text states, in kcal for nutrient 0, else in g. unit: what it is in where the text does not say.
 * *repairs: 1 << dv_dining_repair of what was done, added. false: it states none */
bool dv_dining_lenient_amount(dv_span text, size_t nutrient, const dv_dining_unit *unit, double *amount,
                              unsigned *repairs);

#endif
