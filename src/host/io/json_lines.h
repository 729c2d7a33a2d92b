/* json_lines.h: a file of one JSON record a line, read in blocks by several threads. */
#ifndef DV_IO_JSON_LINES_H
#define DV_IO_JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/hash.h"
#include "denseval/status.h"

enum { DV_JSON_BLOCK_BYTES = 1 << 16 };

/* A line that is not blank, or that a byte-order mark stands before. */
typedef struct dv_json_line {
    uint64_t number;  /* of the line in its block, from 1; blank lines count */
    const char *text; /* [n], without the white space around it; borrowed for the call */
    size_t n;
    bool marked; /* a byte-order mark stood before it, which is no part of the text */
} dv_json_line;

/* What is made of the lines: a part of the result for each block, then one whole. */
typedef struct dv_json_work {
    size_t part_size; /* bytes of a part; zeroed it is empty */
    bool cr_ends;     /* a CR alone ends a line, too, as Python reads texts; the numbers of lines do not count it */
    /* Takes in the next line of a block; for other blocks other threads do so at the same time. */
    dv_status (*read)(void *context, void *part, const dv_json_line *line);
    /* Takes over what was made of a block, block after block in the order of the file, and empties the part for another
     * one. n_before: lines of the file before the block; *done: nothing behind it is wanted */
    dv_status (*take)(void *context, void *part, uint64_t n_before, bool *done);
    void (*clear)(void *part); /* frees what a part owns */
} dv_json_work;

/* Reads a regular file. A block has the lines that begin in its block_bytes bytes, so what comes out depends neither on
 * the threads nor on their order. The last line needs no newline; CRLF is white space. After a failure of read the
 * lines before it are taken over, as if all were read in turn. Fails with DV_E_MISSING, DV_E_DATA (no file, a line
 * above 16 MiB), DV_E_IO, DV_E_NOMEM naming path and line, with DV_E_INTERRUPTED, and as read and take do.
 * *hash: empty on failure, too */
DV_MUST_USE dv_status dv_json_lines_read(const char *path, size_t block_bytes, dv_pool *pool, const dv_json_work *work,
                                         void *context, dv_file_hash *hash);

#endif
