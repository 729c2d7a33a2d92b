/* hash.h: the short hash inside the library. */
#ifndef DV_CORE_HASH_H
#define DV_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH64, seed 0. */
uint64_t dv_hash64(const void *bytes, size_t n_bytes);

/* XXH3-64, to notice damage: with another seed the same bytes have another checksum. */
uint64_t dv_checksum64(const void *bytes, size_t n_bytes, uint64_t seed);

#endif
