/* clock.h: clocks that only go forward. */
#ifndef DV_CORE_CLOCK_H
#define DV_CORE_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
static inline double dv_steady_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds that processors have worked for this process, all threads together. */
static inline double dv_processor_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
