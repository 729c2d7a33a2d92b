#include "app/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 2048 };
static _Thread_local char message[MESSAGE_SIZE];

/* A message is one line: whatever an argument smuggled in becomes a space. */
static void fold_lines(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f) *text = ' ';
}

dv_status dv_app_fail(dv_status status, const char *format, ...) {
    char fresh[MESSAGE_SIZE]; /* the arguments may point into the message that stands */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    fold_lines(fresh);
    memcpy(message, fresh, sizeof message);
    return status;
}

dv_status dv_app_prefix(dv_status status, const char *format, ...) {
    char prefix[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    return dv_app_fail(status, "%s: %s", prefix, dv_app_message());
}

const char *dv_app_message(void) {
    return message[0] ? message : dv_last_error();
}

void dv_app_message_clear(void) {
    message[0] = '\0';
}
