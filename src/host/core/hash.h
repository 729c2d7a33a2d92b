/* hash.h: the short hash inside the library. */
#ifndef DV_CORE_HASH_H
#define DV_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

/* XXH3-128 (seed 0) of bytes that come in pieces. */
typedef struct dv_hasher dv_hasher;
/* *out: the caller's until dv_hasher_free. Fails with DV_E_NOMEM */
DV_MUST_USE dv_status dv_hasher_create(dv_hasher **out);
void dv_hasher_free(dv_hasher *hasher);
void dv_hasher_add(dv_hasher *hasher, const void *bytes, size_t n_bytes);
/* Of all bytes so far, as dv_hash_bytes writes it. text  char [DV_HASH_TEXT_SIZE]; returns how many bytes */
uint64_t dv_hasher_end(const dv_hasher *hasher, char *text);

/* A hash, as dv_hash_bytes writes it, of a file's size and of 64 pieces of 16 KB from its first byte to its last; of
 * all of a file of up to 1 MB. Fails with DV_E_MISSING, DV_E_IO, DV_E_NOMEM. text  char [DV_HASH_TEXT_SIZE] */
DV_MUST_USE dv_status dv_hash_sample(const char *path, char *text);

/* XXH64, seed 0. */
uint64_t dv_hash64(const void *bytes, size_t n_bytes);

/* XXH3-64, to notice damage: with another seed the same bytes have another checksum. */
uint64_t dv_checksum64(const void *bytes, size_t n_bytes, uint64_t seed);

#endif
