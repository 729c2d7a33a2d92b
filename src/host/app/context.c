#include "app/context.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

bool dv_given(const dv_app_context *context, const char *name) {
    const dv_option_slot *const slot = dv_options_find(context->slots, context->n_slots, name);
    assert(slot); /* a name that no table has would never be given, and nobody would notice */
    return slot && slot->given;
}

void dv_print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}
