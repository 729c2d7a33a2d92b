/* check.h: setting and passing on failures inside the library. */
#ifndef DV_CORE_CHECK_H
#define DV_CORE_CHECK_H

#include "denseval/status.h"

/* Sets this thread's message and returns `status`: `return dv_fail(DV_E_DATA, "row %zu: ...", row);` */
dv_status dv_fail(dv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " before this thread's message and returns `status`; does nothing for DV_OK. Whoever knows the name of
 * the file adds it: `return dv_context(status, "%s", path);` */
dv_status dv_context(dv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Passes a failure on where nothing is owned yet that would have to be released. */
#define DV_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const dv_status dv_try_status = (call);                                                                        \
        if (dv_try_status != DV_OK) return dv_try_status;                                                              \
    } while (0)

#endif
