/* hash_sample.c: a hash of a file that is too large to be read for it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/regular_file.h"
#include "denseval/hash.h"

enum { PIECE_BYTES = 16384, N_PIECES = 64 };

static dv_status fail_to_read(const char *path) {
    return dv_fail(DV_E_IO, "%s: cannot be read: %s", path, dv_error_text(errno));
}

static dv_status add_piece(FILE *stream, const char *path, uint64_t begin, void *piece, dv_hasher *hasher) {
    if (fseeko(stream, (off_t)begin, SEEK_SET) != 0) return fail_to_read(path);
    const size_t n = fread(piece, 1, PIECE_BYTES, stream);
    if (ferror(stream)) return fail_to_read(path);
    dv_hasher_add(hasher, piece, n);
    return DV_OK;
}

/* Pieces that meet where the file is small, else evenly spread from its first byte to its last. */
static dv_status add_pieces(FILE *stream, const char *path, void *piece, dv_hasher *hasher) {
    struct stat facts;
    if (fstat(fileno(stream), &facts) != 0) return fail_to_read(path);
    const uint64_t size = (uint64_t)facts.st_size;
    dv_hasher_add(hasher, &size, sizeof size);
    if (size <= (uint64_t)PIECE_BYTES * N_PIECES) {
        for (uint64_t at = 0; at < size; at += PIECE_BYTES) DV_TRY(add_piece(stream, path, at, piece, hasher));
        return DV_OK;
    }
    const uint64_t last = size - PIECE_BYTES, step = last / (N_PIECES - 1), rest = last % (N_PIECES - 1);
    for (uint64_t i = 0; i < N_PIECES; i++)
        DV_TRY(add_piece(stream, path, i * step + i * rest / (N_PIECES - 1), piece, hasher));
    return DV_OK;
}

dv_status dv_hash_sample(const char *path, char *text) {
    FILE *stream;
    void *piece = NULL;
    dv_hasher *hasher = NULL;
    const int error = dv_regular_file_open(path, &stream);
    if (error)
        return dv_fail(error == ENOENT || error == ENOTDIR ? DV_E_MISSING : DV_E_IO, "%s: cannot be opened: %s", path,
                       dv_error_text(error));
    setvbuf(stream, NULL, _IONBF, 0);
    dv_status status = dv_hasher_create(&hasher);
    if (status == DV_OK) status = dv_alloc(PIECE_BYTES, 1, "a piece of a file", &piece);
    if (status == DV_OK) status = add_pieces(stream, path, piece, hasher);
    if (status == DV_OK) dv_hasher_end(hasher, text);
    dv_hasher_free(hasher);
    free(piece);
    fclose(stream); /* it was only read: a failure loses nothing */
    return status;
}
