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

/* Room for n_more elements behind the first n_used of memory that malloc and its like gave (NULL at first); what is new
 * is not set. It grows by half at least, so that adding one by one costs little.
 * items  points to the pointer, which is moved; *capacity  elements there is room for. Fails with DV_E_NOMEM, naming
 * `what`; both are then as they were */
DV_MUST_USE dv_status dv_grow(void *items, size_t size, size_t n_used, size_t n_more, const char *what,
                              size_t *capacity);

/* A copy of a string; the caller's until free(). */
DV_MUST_USE dv_status dv_strdup(const char *text, char **out);

#endif
