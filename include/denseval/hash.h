/* hash.h: content hashes of files, to name an input and to notice a changed one. Not a cryptographic signature. */
#ifndef DENSEVAL_HASH_H
#define DENSEVAL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

DV_C_BEGIN

enum { DV_HASH_TEXT_SIZE = 42 }; /* "xxh3-128:", 32 hexadecimal digits, NUL */

/* A file as it was when it was read. */
typedef struct dv_file_hash {
    uint64_t size_bytes;
    char text[DV_HASH_TEXT_SIZE]; /* as dv_hash_file writes it; "": the file was not read to its end */
} dv_file_hash;

/* XXH3-128 (seed 0) of n bytes as "xxh3-128:HEX", the digits as `xxhsum -H2` prints them.
 * text  char [DV_HASH_TEXT_SIZE] */
void dv_hash_bytes(const void *bytes, size_t n_bytes, char *text);

/* The same of a whole file, streamed; size_bytes may be NULL. Fails with DV_E_MISSING, DV_E_IO, DV_E_INTERRUPTED,
 * DV_E_NOMEM naming the path; text and *size_bytes then stay as they were. */
DV_MUST_USE dv_status dv_hash_file(const char *path, char *text, uint64_t *size_bytes);

DV_C_END
#endif
