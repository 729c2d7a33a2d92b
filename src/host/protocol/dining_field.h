/* dining_field.h: which field of a truth was meant by a name that is none. */
#ifndef DV_PROTOCOL_DINING_FIELD_H
#define DV_PROTOCOL_DINING_FIELD_H

#include "core/parallel.h"
#include "denseval/status.h"

enum { DV_FIELD_NAME_SIZE = 64 }; /* of a suggestion, with its NUL; longer fields are not looked at */

/* The field of any record of the file that is nearest to `name`, of those equally near the first. nearest:
 * [DV_FIELD_NAME_SIZE], empty: there is none. Fails as dv_json_lines_read does */
DV_MUST_USE dv_status dv_dining_field_nearest(const char *path, dv_pool *pool, const char *name, char *nearest);

#endif
