#include "core/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"

enum { ALIGNMENT = 64, FIRST_CAPACITY = 64 /* elements */ };

dv_status dv_mul_size(size_t a, size_t b, const char *what, size_t *product) {
    if (__builtin_mul_overflow(a, b, product))
        return dv_fail(DV_E_NOMEM, "%s: %zu x %zu is more than any memory holds", what, a, b);
    return DV_OK;
}

dv_status dv_add_size(size_t a, size_t b, const char *what, size_t *sum) {
    if (__builtin_add_overflow(a, b, sum))
        return dv_fail(DV_E_NOMEM, "%s: %zu + %zu is more than any memory holds", what, a, b);
    return DV_OK;
}

static dv_status allocate(size_t n, size_t size, const char *what, void *out, bool zeroed) {
    void *made = NULL;
    memcpy(out, &made, sizeof made); /* `out` points to a pointer of any type, so it is written as bytes */
    size_t n_bytes, n_padded;
    DV_TRY(dv_mul_size(n, size, what, &n_bytes));
    DV_TRY(dv_add_size(n_bytes, ALIGNMENT, what, &n_padded));
    made = aligned_alloc(ALIGNMENT, n_padded / ALIGNMENT * ALIGNMENT);
    if (!made) return dv_fail(DV_E_NOMEM, "%s: no memory for %zu bytes", what, n_bytes);
    if (zeroed) memset(made, 0, n_padded / ALIGNMENT * ALIGNMENT);
    memcpy(out, &made, sizeof made);
    return DV_OK;
}

dv_status dv_alloc(size_t n, size_t size, const char *what, void *out) {
    return allocate(n, size, what, out, true);
}

dv_status dv_alloc_unset(size_t n, size_t size, const char *what, void *out) {
    return allocate(n, size, what, out, false);
}

dv_status dv_grow(void *items, size_t size, size_t n_used, size_t n_more, const char *what, size_t *capacity) {
    size_t needed, wanted, n_bytes;
    void *old;
    if (*capacity - n_used >= n_more) return DV_OK;
    DV_TRY(dv_add_size(n_used, n_more, what, &needed));
    DV_TRY(dv_add_size(*capacity, *capacity ? *capacity / 2 : FIRST_CAPACITY, what, &wanted));
    if (wanted < needed) wanted = needed;
    DV_TRY(dv_mul_size(wanted, size, what, &n_bytes));
    memcpy(&old, items, sizeof old); /* as in allocate */
    void *const grown = realloc(old, n_bytes);
    if (!grown) return dv_fail(DV_E_NOMEM, "%s: no memory for %zu bytes", what, n_bytes);
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return DV_OK;
}

dv_status dv_strdup(const char *text, char **out) {
    *out = strdup(text);
    return *out ? DV_OK : dv_fail(DV_E_NOMEM, "no memory for a text of %zu bytes", strlen(text));
}
