#include "pipeline/journal_key.h"

#include <stdbool.h>
#include <string.h>

#include "core/check.h"
#include "denseval/hash.h"

enum { MAX_SHOWN = 300 };

static size_t line_length(const char *text, size_t n) {
    const char *const end = n ? memchr(text, '\n', n) : NULL;
    return end ? (size_t)(end - text) : n;
}

static int shown(size_t length) {
    return (int)(length < MAX_SHOWN ? length : MAX_SHOWN);
}

dv_status dv_journal_key_compare(const char *what, const char *theirs, size_t n, const char *ours) {
    size_t n_ours = strlen(ours);
    char their_hash[DV_HASH_TEXT_SIZE], our_hash[DV_HASH_TEXT_SIZE];
    if (n == n_ours && memcmp(theirs, ours, n) == 0) return DV_OK;
    dv_hash_bytes(theirs, n, their_hash);
    dv_hash_bytes(ours, n_ours, our_hash);
    for (;;) {
        const size_t a = line_length(theirs, n), b = line_length(ours, n_ours);
        const bool same = a == b && memcmp(theirs, ours, a) == 0;
        if (!same || n == a || n_ours == b)
            return dv_fail(DV_E_DATA, "belongs to a run with other %s: there %s, \"%.*s\"; here %s, \"%.*s\"", what,
                           their_hash, shown(a), theirs, our_hash, shown(b), ours);
        theirs += a + 1;
        ours += a + 1;
        n -= a + 1;
        n_ours -= a + 1;
    }
}
