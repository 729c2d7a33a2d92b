#include "io/json_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/text_file.h"

/* A round of blocks is read before it is taken over; EXTRA bytes at least are read where a line ends behind its block. */
enum { ROUND_BLOCKS = 32, ROUND_BLOCKS_THREAD = 4, EXTRA = 1 << 12, MOST_LINE = 16 << 20, MARK_LENGTH = 3 };

/* One block at a time; one for each thread. */
typedef struct block_reader {
    int file;
    uint64_t end;           /* of the block in the file */
    uint64_t offset;        /* in the file, of what is read next */
    char *buffer;           /* [capacity], owned, kept for the next block */
    size_t capacity, at, n; /* what was read and not yet given: buffer[at..n) */
    uint64_t number;        /* lines of the block so far */
    bool at_end;            /* of the file */
} block_reader;

/* What came of a block. */
typedef struct block {
    void *part; /* in the run's parts */
    uint64_t n_lines;
    dv_status status; /* DV_OK: as below */
    char message[DV_MESSAGE_SIZE];
} block;

typedef struct run {
    const char *path;
    const dv_json_work *work;
    void *context;
    FILE *stream;
    uint64_t size_bytes, block_bytes, first; /* of the file; of a block; the block that a round begins with */
    block_reader *readers;                   /* [threads], owned */
    size_t n_readers, n_blocks;              /* of a round */
    block *blocks;                           /* [n_blocks], owned */
    char *parts;                             /* [n_blocks * work->part_size], owned */
} run;

/* ---- Bytes ---------------------------------------------------------------------------------------------------------
 */

/* Moves what is left to the front and makes room for `wanted` bytes behind it. */
static dv_status make_room(block_reader *reader, size_t wanted) {
    reader->n -= reader->at;
    memmove(reader->buffer, reader->buffer + reader->at, reader->n);
    reader->at = 0;
    if (reader->capacity - reader->n >= wanted) return DV_OK;
    const size_t capacity = reader->n + wanted;
    char *const grown = realloc(reader->buffer, capacity);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a line");
    reader->buffer = grown;
    reader->capacity = capacity;
    return DV_OK;
}

/* Up to the end of the block; behind it as much again as the line has so far. */
static dv_status refill(block_reader *reader) {
    const size_t n_left = reader->n - reader->at;
    const size_t wanted = reader->offset < reader->end ? (size_t)(reader->end - reader->offset)
                          : n_left > EXTRA            ? n_left
                                                      : EXTRA;
    ssize_t got;
    DV_TRY(make_room(reader, wanted));
    do {
        got = pread(reader->file, reader->buffer + reader->n, wanted, (off_t)reader->offset);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return dv_fail(DV_E_IO, "cannot read: %s", dv_error_text(errno));
    reader->at_end = got == 0;
    reader->n += (size_t)got;
    reader->offset += (uint64_t)got;
    return DV_OK;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------
 */

/* In the file, of what is given next. */
static uint64_t place(const block_reader *reader) {
    return reader->offset - (reader->n - reader->at);
}

/* The rest of a line that began in an earlier block: up to its newline, or to the end of this block. */
static dv_status skip_rest(block_reader *reader) {
    while (place(reader) < reader->end && !reader->at_end) {
        const size_t n_left = reader->n - reader->at;
        const char *const begin = reader->buffer + reader->at;
        const char *const newline = n_left ? memchr(begin, '\n', n_left) : NULL;
        reader->at = newline ? reader->at + (size_t)(newline - begin) + 1 : reader->n;
        if (newline) return DV_OK;
        DV_TRY(refill(reader));
    }
    return DV_OK;
}

/* The newline of a line whose first `searched` bytes have none; NULL: it ends with the file. */
static dv_status find_newline(block_reader *reader, const char **newline) {
    size_t searched = 0;
    *newline = NULL;
    for (;;) {
        const size_t n_left = reader->n - reader->at;
        const char *const begin = reader->buffer + reader->at;
        if (n_left > searched) *newline = memchr(begin + searched, '\n', n_left - searched);
        if ((*newline ? (size_t)(*newline - begin) : n_left) > MOST_LINE)
            return dv_fail(DV_E_DATA, "longer than %d MiB", MOST_LINE >> 20);
        if (*newline || reader->at_end) return DV_OK;
        searched = n_left;
        DV_TRY(refill(reader));
    }
}

static bool is_white(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static dv_json_line trimmed(const char *text, size_t n, uint64_t number, bool is_first) {
    dv_json_line line = {.number = number, .text = text, .n = n};
    if (is_first && n >= MARK_LENGTH && memcmp(text, "\xef\xbb\xbf", MARK_LENGTH) == 0) {
        line.marked = true;
        line.text += MARK_LENGTH;
        line.n -= MARK_LENGTH;
    }
    while (line.n > 0 && is_white(line.text[line.n - 1])) line.n--;
    for (; line.n > 0 && is_white(line.text[0]); line.n--) line.text++;
    return line;
}

/* The next line that begins in the block; *found is false behind the last. */
static dv_status next_line(block_reader *reader, dv_json_line *line, bool *found) {
    const char *newline;
    for (*found = true; *found;) {
        const uint64_t begin = place(reader);
        *found = begin < reader->end;
        if (!*found) break;
        reader->number++;
        DV_TRY(find_newline(reader, &newline));
        const char *const text = reader->buffer + reader->at;
        const size_t n = newline ? (size_t)(newline - text) : reader->n - reader->at;
        *found = newline || n > 0; /* neither: somebody cut the file since it was opened */
        reader->number -= !*found;
        *line = trimmed(text, n, reader->number, begin == 0);
        reader->at += n + (newline != NULL);
        if (line->n > 0) break;
    }
    return DV_OK;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------
 */

/* A block after the first begins one byte early: a newline there means that a line begins with the block. */
static dv_status read_block(run *r, block_reader *reader, uint64_t number, void *part) {
    const uint64_t begin = number * r->block_bytes;
    dv_json_line line;
    bool found = true;
    reader->file = fileno(r->stream);
    reader->end = begin + r->block_bytes < r->size_bytes ? begin + r->block_bytes : r->size_bytes;
    reader->offset = begin - (begin > 0);
    reader->at = reader->n = 0;
    reader->number = 0;
    reader->at_end = false;
    if (begin > 0) DV_TRY(skip_rest(reader));
    while (found) {
        DV_TRY(next_line(reader, &line, &found));
        if (found) DV_TRY(r->work->read(r->context, part, &line));
    }
    return DV_OK;
}

/* A failure waits until the blocks before were taken over. */
static dv_status run_block(void *context, size_t task, size_t worker) {
    run *const r = context;
    block *const made = &r->blocks[task];
    block_reader *const reader = &r->readers[worker];
    made->status = read_block(r, reader, r->first + task, made->part);
    made->n_lines = reader->number;
    if (made->status != DV_OK) memccpy(made->message, dv_last_error(), '\0', sizeof made->message);
    return DV_OK;
}

static dv_status take_round(run *r, size_t n, uint64_t *n_before, bool *done) {
    for (size_t i = 0; i < n && !*done; i++) {
        const block *const made = &r->blocks[i];
        DV_TRY(r->work->take(r->context, made->part, *n_before, done));
        *n_before += made->n_lines;
        if (made->status != DV_OK && !*done)
            return dv_fail(made->status, "%s: line %llu: %s", r->path, (unsigned long long)*n_before, made->message);
    }
    return DV_OK;
}

static dv_status run_rounds(run *r, dv_pool *pool) {
    const uint64_t n_blocks = (r->size_bytes + r->block_bytes - 1) / r->block_bytes;
    uint64_t n_before = 0;
    bool done = false;
    for (r->first = 0; r->first < n_blocks && !done; r->first += r->n_blocks) {
        const size_t n = n_blocks - r->first < r->n_blocks ? (size_t)(n_blocks - r->first) : r->n_blocks;
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_pool_run(pool, n, run_block, r));
        DV_TRY(take_round(r, n, &n_before, &done));
    }
    return DV_OK;
}

/* ---- Runs ----------------------------------------------------------------------------------------------------------
 */

static dv_status open_run(run *r, dv_pool *pool) {
    struct stat facts;
    r->n_readers = dv_pool_threads(pool);
    r->n_blocks = r->n_readers * ROUND_BLOCKS_THREAD > ROUND_BLOCKS ? r->n_readers * ROUND_BLOCKS_THREAD : ROUND_BLOCKS;
    DV_TRY(dv_text_file_open(r->path, &r->stream));
    if (fstat(fileno(r->stream), &facts) != 0)
        return dv_fail(DV_E_IO, "%s: cannot stat: %s", r->path, dv_error_text(errno));
    r->size_bytes = (uint64_t)facts.st_size;
    DV_TRY(dv_alloc(r->n_readers, sizeof *r->readers, "readers of lines", &r->readers));
    DV_TRY(dv_alloc(r->n_blocks, sizeof *r->blocks, "blocks of lines", &r->blocks));
    DV_TRY(dv_alloc(r->n_blocks, r->work->part_size, "blocks of lines", &r->parts));
    for (size_t i = 0; i < r->n_blocks; i++) r->blocks[i].part = r->parts + i * r->work->part_size;
    return DV_OK;
}

static void close_run(run *r) {
    if (r->stream) fclose(r->stream); /* only read: nothing can be lost */
    if (r->parts)
        for (size_t i = 0; i < r->n_blocks; i++) r->work->clear(r->blocks[i].part);
    if (r->readers)
        for (size_t i = 0; i < r->n_readers; i++) free(r->readers[i].buffer);
    free(r->parts);
    free(r->blocks);
    free(r->readers);
}

dv_status dv_json_lines_read(const char *path, size_t block_bytes, dv_pool *pool, const dv_json_work *work,
                             void *context) {
    run r = {.path = path, .work = work, .context = context, .block_bytes = block_bytes};
    dv_status status = open_run(&r, pool);
    if (status == DV_OK) status = run_rounds(&r, pool);
    close_run(&r);
    return status;
}
