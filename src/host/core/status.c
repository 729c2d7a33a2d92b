#include "denseval/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/unicode.h"

enum { LAST_CHARACTER = 0x10FFFF };
static _Thread_local char message[DV_MESSAGE_SIZE];

const char *dv_status_name(dv_status status) {
    switch (status) {
    case DV_OK:
        return "DV_OK";
    case DV_E_ARG:
        return "DV_E_ARG";
    case DV_E_USAGE:
        return "DV_E_USAGE";
    case DV_E_DATA:
        return "DV_E_DATA";
    case DV_E_MISSING:
        return "DV_E_MISSING";
    case DV_E_IO:
        return "DV_E_IO";
    case DV_E_NOMEM:
        return "DV_E_NOMEM";
    case DV_E_BACKEND:
        return "DV_E_BACKEND";
    case DV_E_INTERRUPTED:
        return "DV_E_INTERRUPTED";
    case DV_E_INTERNAL:
        return "DV_E_INTERNAL";
    }
    return "unknown";
}

const char *dv_last_error(void) {
    return message;
}

const char *dv_error_text(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}

void dv_fold_lines(char *text) {
    size_t n_bytes;
    for (size_t n = strlen(text); n > 0; text += n_bytes, n -= n_bytes) {
        const uint32_t character = dv_unicode_next(text, n, &n_bytes);
        if (character < ' ' || (character >= 0x7f && character < 0xa0)) memset(text, ' ', n_bytes);
        if (character > LAST_CHARACTER) *text = '?';
    }
}

dv_status dv_fail(dv_status status, const char *format, ...) {
    char fresh[DV_MESSAGE_SIZE]; /* the arguments may point into the message that stands */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    dv_fold_lines(fresh);
    memcpy(message, fresh, sizeof message);
    return status;
}

dv_status dv_context(dv_status status, const char *format, ...) {
    if (status == DV_OK) return status;
    char fresh[DV_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    dv_fold_lines(fresh);
    const size_t length = strlen(fresh);
    const int room = (int)(sizeof fresh - length) - 3; /* for ": " and the NUL; what does not fit is cut */
    if (room > 0) snprintf(fresh + length, sizeof fresh - length, ": %.*s", room, message);
    memcpy(message, fresh, sizeof message);
    return status;
}
