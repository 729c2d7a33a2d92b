/* message.h: failures of the command line itself. The library keeps its own message; the newest of both is what is
 * shown. */
#ifndef DV_APP_MESSAGE_H
#define DV_APP_MESSAGE_H

#include "denseval/status.h"

/* Sets the message and returns `status`: `return dv_app_fail(DV_E_USAGE, "--bins %s: ...", text);` */
dv_status dv_app_fail(dv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message that stands, the library's or ours, and returns `status`. */
dv_status dv_app_prefix(dv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message of the failure that is on its way out: ours where we set one, else the library's. Valid until the next
 * failure. We set one only to return at once, so ours is never older. */
const char *dv_app_message(void);

/* Drops our message: for a failure that was dealt with. */
void dv_app_message_clear(void);

/* Passes a failure on where nothing is owned yet that would have to be released. */
#define DV_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const dv_status dv_try_status = (call);                                                                        \
        if (dv_try_status != DV_OK) return dv_try_status;                                                              \
    } while (0)

#endif
