/* check.h: setting and passing on failures inside the library. */
#ifndef DV_CORE_CHECK_H
#define DV_CORE_CHECK_H

#include "denseval/status.h"

enum { DV_MESSAGE_SIZE = 2048 }; /* bytes of the longest message with its NUL; what does not fit is cut */

/* Sets this thread's message and returns `status`: `return dv_fail(DV_E_DATA, "row %zu: ...", row);` */
dv_status dv_fail(dv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " before this thread's message and returns `status`; does nothing for DV_OK. Whoever knows the name of
 * the file adds it: `return dv_context(status, "%s", path);` */
dv_status dv_context(dv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* DV_E_INTERRUPTED once dv_interrupt was called: for every loop over blocks, so that a call of any length ends soon. */
DV_MUST_USE dv_status dv_check_interrupted(void);

/* What an errno means, in English whatever the locale is, from any thread. Static lifetime. */
const char *dv_error_text(int error);

/* Makes one line of a text, of as many bytes: a control character (C0, DEL, C1) that a file name, a damaged file or a
 * library smuggled in becomes spaces, a byte that begins no character "?". */
void dv_fold_lines(char *text);

/* Passes a failure on where nothing is owned yet that would have to be released. */
#define DV_TRY(call)                                                                                                   \
    do {                                                                                                               \
        const dv_status dv_try_status = (call);                                                                        \
        if (dv_try_status != DV_OK) return dv_try_status;                                                              \
    } while (0)

#endif
