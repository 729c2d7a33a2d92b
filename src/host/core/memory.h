/* memory.h: sizes that refuse to overflow, and allocation that reports what it was for. */
#ifndef DV_CORE_MEMORY_H
#define DV_CORE_MEMORY_H

#include <stddef.h>

#include "denseval/status.h"

/* *product = a * b, or DV_E_NOMEM when that does not fit; `what` names the thing in the message. */
DV_MUST_USE dv_status dv_mul_size(size_t a, size_t b, const char *what, size_t *product);

/* *sum = a + b, or DV_E_NOMEM when that does not fit. */
DV_MUST_USE dv_status dv_add_size(size_t a, size_t b, const char *what, size_t *sum);

/* Allocates n elements of `size` bytes, zeroed, aligned to 64 bytes; n = 0 gives a valid pointer.
 * *out  the caller's until free(); NULL on failure. Fails with DV_E_NOMEM, naming `what` and the bytes. */
DV_MUST_USE dv_status dv_alloc(size_t n, size_t size, const char *what, void *out);

/* As dv_alloc, but not zeroed: for large memory that is written whole at once, such as the pixels of an image. */
DV_MUST_USE dv_status dv_alloc_unset(size_t n, size_t size, const char *what, void *out);

/* A copy of a string; the caller's until free(). */
DV_MUST_USE dv_status dv_strdup(const char *text, char **out);

#endif
