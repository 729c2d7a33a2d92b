#include "protocol/dining_kind.h"

#include <stdint.h>

#include "core/check.h"
#include "protocol/dining_key.h"
#include "protocol/dining_nutrients.h"
#include "protocol/dining_option.h"

static dv_dining_kind kind_of_object(const dv_json_value *object) {
    dv_json_value members[DV_N_NUTRIENTS];
    return dv_dining_nutrients_find(object, members) ? DV_KIND_NUTRIENTS : DV_KIND_OTHER;
}

dv_status dv_dining_kind_of(const dv_json_value *key, dv_json_text *scratch, dv_dining_kind *kind) {
    dv_json_value object;
    dv_span text;
    uint64_t hash;
    char letter;
    *kind = dv_dining_is_falsy(key)       ? DV_KIND_NONE
            : key->kind == DV_JSON_OBJECT ? kind_of_object(key)
            : key->kind == DV_JSON_STRING ? DV_KIND_TEXT
                                          : DV_KIND_OTHER;
    if (*kind != DV_KIND_TEXT) return DV_OK;
    DV_TRY(dv_json_string(key, &scratch[0], &text.text, &text.n));
    if (dv_json_scan(text.text, text.n, DV_JSON_RFC, &object) && object.kind == DV_JSON_OBJECT)
        *kind = kind_of_object(&object);
    DV_TRY(dv_dining_key_read(text, DV_DINING_STRICT, &scratch[1], &letter, &hash));
    if (letter && letter <= DV_LAST_OPTION) *kind = DV_KIND_OPTION;
    return DV_OK;
}

const char *dv_dining_kind_task(dv_dining_kind kind) {
    switch (kind) {
    case DV_KIND_OPTION:
        return "classification";
    case DV_KIND_NUTRIENTS:
        return "nutrition";
    case DV_KIND_TEXT:
        return "vqa";
    default:
        return NULL;
    }
}
