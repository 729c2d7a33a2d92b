/* settings.h: the choices that simt.h draws, and the numbers behind them. */
#ifndef SIMT_SETTINGS_H
#define SIMT_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "simt.h"

namespace simt {

struct settings {
    int schedule, copy_timing, pattern;
    unsigned eagerness; /* of 4: how often the device goes on with queued work while the host goes on too */
};
const settings &chosen();

/* Below n, n > 0. */
size_t random_below(size_t n);
/* A variable of the environment, or what it is when unset. */
uint64_t environment_number(const char *name, uint64_t unset);
/* With what new memory is filled. */
unsigned char fill_byte();

} // namespace simt

#endif
