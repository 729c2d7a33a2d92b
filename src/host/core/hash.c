#include "core/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/hash.h"
#include "denseval/run.h"

enum { BLOCK_BYTES = 1 << 20 };
static const char prefix[] = "xxh3-128:";
_Static_assert(sizeof prefix + 2 * sizeof(XXH128_canonical_t) == DV_HASH_TEXT_SIZE, "prefix, two digits a byte, NUL");

static void write_text(XXH128_hash_t hash, char *text) {
    static const char digits[] = "0123456789abcdef";
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    memcpy(text, prefix, sizeof prefix);
    text += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof canonical.digest; i++) {
        *text++ = digits[canonical.digest[i] >> 4];
        *text++ = digits[canonical.digest[i] & 15];
    }
    *text = '\0';
}

void dv_hash_bytes(const void *bytes, size_t n_bytes, char *text) {
    write_text(XXH3_128bits(bytes, n_bytes), text);
}

uint64_t dv_hash64(const void *bytes, size_t n_bytes) {
    return XXH64(bytes, n_bytes, 0);
}

uint64_t dv_checksum64(const void *bytes, size_t n_bytes, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, n_bytes, seed);
}

/* ---- Pieces --------------------------------------------------------------------------------------------------------
 */

struct dv_hasher {
    XXH3_state_t *state; /* owned */
    uint64_t n_bytes;
};

dv_status dv_hasher_create(dv_hasher **out) {
    DV_TRY(dv_alloc(1, sizeof **out, "a hash", out));
    (*out)->state = XXH3_createState();
    if (!(*out)->state) {
        free(*out);
        *out = NULL;
        return dv_fail(DV_E_NOMEM, "no memory for a hash");
    }
    XXH3_128bits_reset((*out)->state);
    return DV_OK;
}

void dv_hasher_free(dv_hasher *hasher) {
    if (!hasher) return;
    XXH3_freeState(hasher->state);
    free(hasher);
}

void dv_hasher_add(dv_hasher *hasher, const void *bytes, size_t n_bytes) {
    XXH3_128bits_update(hasher->state, bytes, n_bytes);
    hasher->n_bytes += n_bytes;
}

uint64_t dv_hasher_end(const dv_hasher *hasher, char *text) {
    write_text(XXH3_128bits_digest(hasher->state), text);
    return hasher->n_bytes;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------
 */

static dv_status hash_stream(int file, const char *path, void *block, dv_hasher *hasher) {
    for (;;) {
        if (dv_interrupted()) return dv_fail(DV_E_INTERRUPTED, "%s: interrupted while hashing", path);
        const ssize_t n_read = read(file, block, BLOCK_BYTES);
        if (n_read == 0) return DV_OK;
        if (n_read < 0 && errno == EINTR) continue;
        if (n_read < 0) return dv_fail(DV_E_IO, "%s: cannot be read: %s", path, dv_error_text(errno));
        dv_hasher_add(hasher, block, (size_t)n_read);
    }
}

static dv_status open_file(const char *path, int *file) {
    *file = open(path, O_RDONLY | O_CLOEXEC);
    if (*file >= 0) return DV_OK;
    const dv_status status = errno == ENOENT || errno == ENOTDIR ? DV_E_MISSING : DV_E_IO;
    return dv_fail(status, "%s: cannot be opened: %s", path, dv_error_text(errno));
}

dv_status dv_hash_file(const char *path, char *text, uint64_t *size_bytes) {
    int file;
    DV_TRY(open_file(path, &file));
    void *block = NULL;
    dv_hasher *hasher = NULL;
    dv_status status = dv_hasher_create(&hasher);
    if (status == DV_OK) status = dv_alloc(BLOCK_BYTES, 1, "block to be hashed", &block);
    if (status != DV_OK) status = dv_context(status, "%s", path);
    if (status == DV_OK && hasher) status = hash_stream(file, path, block, hasher);
    if (status == DV_OK && hasher) {
        const uint64_t n_bytes = dv_hasher_end(hasher, text);
        if (size_bytes) *size_bytes = n_bytes;
    }
    dv_hasher_free(hasher);
    free(block);
    close(file); /* it was only read: a failure loses nothing */
    return status;
}
