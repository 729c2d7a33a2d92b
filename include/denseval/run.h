/* run.h: progress of a long call, and asking it to stop. */
#ifndef DENSEVAL_RUN_H
#define DENSEVAL_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Called now and then from the calling thread: `done` of `total` units of `stage`. */
typedef void (*dv_progress_callback)(void *user, const char *stage, size_t done, size_t total);

/* Asks every running call of the library to end with DV_E_INTERRUPTED at its next block; calls that start later end the
 * same way until dv_interrupt_clear. All three are safe in a signal handler and from any thread. */
void dv_interrupt(void);
bool dv_interrupted(void);
void dv_interrupt_clear(void);

DV_C_END
#endif
