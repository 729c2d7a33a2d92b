/* clock.h: a clock that only goes forward. */
#ifndef DV_CORE_CLOCK_H
#define DV_CORE_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
static inline double dv_steady_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
