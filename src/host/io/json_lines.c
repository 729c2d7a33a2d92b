#include "io/json_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/hash.h"
#include "core/memory.h"
#include "io/text_file.h"

/* EXTRA bytes at least are read where a line ends behind its block. */
enum { ROUND_BLOCKS = 32, ROUND_BLOCKS_THREAD = 2, EXTRA = 1 << 12, MOST_LINE = 16 << 20, MARK_LENGTH = 3 };
enum { MOST_KEPT = 1 << 20 /* bytes of a buffer that are kept for another block */ };

typedef struct block {
    uint64_t begin, end;    /* in the file */
    uint64_t offset;        /* in the file, of buffer[0] */
    char *buffer;           /* [capacity], owned, kept for the next block */
    size_t capacity, at, n; /* buffer[0..n) was read, buffer[at..n) is not yet given */
    bool at_end;            /* of the file */
    uint64_t n_lines;       /* so far */
    void *part;             /* what is made of it, a piece of the round's parts */
    dv_status status;       /* DV_OK: as below */
    char message[DV_MESSAGE_SIZE];
} block;

/* Blocks that follow each other: they are read side by side, while those of the round before are taken over. */
typedef struct block_round {
    size_t n;
    block *blocks; /* [capacity of the run], owned */
    char *parts;   /* [capacity * part_size], owned */
} block_round;

typedef struct run {
    const char *path;
    const dv_json_work *work;
    void *context;
    FILE *stream;
    int file;                                /* its number */
    uint64_t size_bytes, block_bytes, next;  /* of the file; of a block; block that the next round begins with */
    size_t capacity;                         /* blocks of a round */
    block_round rounds[2], *reading, *taken; /* one of them each */
    uint64_t n_before;                       /* lines that were taken over */
    bool done;
    dv_hasher *hasher; /* owned */
} run;

/* ---- Bytes ---------------------------------------------------------------------------------------------------------
 */

static dv_status make_room(block *b, size_t wanted) {
    if (b->capacity - b->n >= wanted) return DV_OK;
    const size_t capacity = b->n + wanted + EXTRA;
    char *const grown = realloc(b->buffer, capacity);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a line");
    b->buffer = grown;
    b->capacity = capacity;
    return DV_OK;
}

/* Up to the end of the block; behind it as much again as the line has so far. */
static dv_status refill(const run *r, block *b) {
    const uint64_t place = b->offset + b->n;
    const size_t n_left = b->n - b->at;
    const size_t wanted = place < b->end ? (size_t)(b->end - place) : n_left > EXTRA ? n_left : EXTRA;
    ssize_t got;
    DV_TRY(make_room(b, wanted));
    do {
        got = pread(r->file, b->buffer + b->n, wanted, (off_t)place);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return dv_fail(DV_E_IO, "cannot read: %s", dv_error_text(errno));
    b->at_end = got == 0;
    b->n += (size_t)got;
    return DV_OK;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------
 */

/* The rest of a line that began in an earlier block: up to its newline, or to the end of this block. */
static dv_status skip_rest(const run *r, block *b) {
    while (b->offset + b->at < b->end && !b->at_end) {
        const char *const newline = b->n > b->at ? memchr(b->buffer + b->at, '\n', b->n - b->at) : NULL;
        b->at = newline ? (size_t)(newline - b->buffer) + 1 : b->n;
        if (newline) return DV_OK;
        DV_TRY(refill(r, b));
    }
    return DV_OK;
}

/* The bytes of the next line up to its newline, or, *has_newline false, to the end of the file. */
static dv_status find_end(const run *r, block *b, size_t *n, bool *has_newline) {
    const char *newline = NULL;
    for (size_t searched = 0;;) {
        *n = b->n - b->at;
        if (*n > searched) newline = memchr(b->buffer + b->at + searched, '\n', *n - searched);
        if (newline) *n = (size_t)(newline - b->buffer) - b->at;
        *has_newline = newline != NULL;
        if (*n > MOST_LINE) return dv_fail(DV_E_DATA, "longer than %d MiB", MOST_LINE >> 20);
        if (newline || b->at_end) return DV_OK;
        searched = *n;
        DV_TRY(refill(r, b));
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
static dv_status next_line(const run *r, block *b, dv_json_line *line, bool *found) {
    size_t n;
    bool has_newline;
    do {
        const uint64_t begin = b->offset + b->at;
        *found = begin < b->end;
        if (!*found) break;
        b->n_lines++;
        DV_TRY(find_end(r, b, &n, &has_newline));
        *found = has_newline || n > 0; /* neither: somebody cut the file since it was opened */
        b->n_lines -= !*found;
        *line = trimmed(b->buffer + b->at, n, b->n_lines, begin == 0);
        b->at += n + has_newline;
    } while (*found && line->n == 0 && !line->marked);
    return DV_OK;
}

/* Whole, or between its CRs. */
static dv_status give_line(const run *r, block *b, dv_json_line line) {
    const char *cr;
    while (r->work->cr_ends && line.n > 0 && (cr = memchr(line.text, '\r', line.n))) {
        const size_t n = (size_t)(cr - line.text);
        dv_json_line first = trimmed(line.text, n, line.number, false);
        first.marked = line.marked;
        if (first.n > 0 || first.marked) DV_TRY(r->work->read(r->context, b->part, &first));
        line = trimmed(cr + 1, line.n - n - 1, line.number, false);
    }
    return line.n > 0 || line.marked ? r->work->read(r->context, b->part, &line) : DV_OK;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------
 */

/* A block after the first begins one byte early: a newline there means that a line begins with the block. */
static void begin_block(const run *r, block *b, uint64_t number) {
    b->begin = number * r->block_bytes;
    b->end = r->size_bytes - b->begin < r->block_bytes ? r->size_bytes : b->begin + r->block_bytes;
    b->offset = b->begin - (b->begin > 0);
    b->at = b->n = 0;
    b->at_end = false;
    b->n_lines = 0;
    b->status = DV_OK;
}

static dv_status read_lines(const run *r, block *b) {
    dv_json_line line;
    bool found = true;
    if (b->begin > 0) DV_TRY(skip_rest(r, b));
    while (found) {
        DV_TRY(next_line(r, b, &line, &found));
        if (found) DV_TRY(give_line(r, b, line));
    }
    return DV_OK;
}

/* A failure waits until the blocks before were taken over. */
static void read_block(const run *r, block *b) {
    b->status = read_lines(r, b);
    if (b->status != DV_OK) memccpy(b->message, dv_last_error(), '\0', sizeof b->message);
}

static void hash_block(run *r, const block *b) {
    const size_t n_early = (size_t)(b->begin - b->offset), n_most = (size_t)(b->end - b->begin);
    if (b->n > n_early)
        dv_hasher_add(r->hasher, b->buffer + n_early, b->n - n_early < n_most ? b->n - n_early : n_most);
}

/* A long line must not hold its memory until the end. */
static void drop_long_buffer(block *b) {
    if (b->capacity <= MOST_KEPT) return;
    free(b->buffer);
    b->buffer = NULL;
    b->capacity = 0;
}

static dv_status take_block(run *r, block *b) {
    DV_TRY(r->work->take(r->context, b->part, r->n_before, &r->done));
    if (r->done) return DV_OK;
    r->n_before += b->n_lines;
    if (b->status != DV_OK)
        return dv_fail(b->status, "%s: line %llu: %s", r->path, (unsigned long long)r->n_before, b->message);
    hash_block(r, b);
    drop_long_buffer(b);
    return DV_OK;
}

/* ---- Rounds --------------------------------------------------------------------------------------------------------
 */

static dv_status take_round(run *r) {
    for (size_t i = 0; i < r->taken->n && !r->done; i++) DV_TRY(take_block(r, &r->taken->blocks[i]));
    r->taken->n = 0;
    return DV_OK;
}

/* The first task takes the last round over, the others read a block each. */
static dv_status run_task(void *context, size_t task, size_t worker) {
    run *const r = context;
    (void)worker;
    if (task == 0) return take_round(r);
    read_block(r, &r->reading->blocks[task - 1]);
    return DV_OK;
}

static void begin_round(run *r, block_round *round, uint64_t n_blocks) {
    round->n = n_blocks - r->next < r->capacity ? (size_t)(n_blocks - r->next) : r->capacity;
    for (size_t i = 0; i < round->n; i++) begin_block(r, &round->blocks[i], r->next + i);
    r->next += round->n;
}

static dv_status run_rounds(run *r, dv_pool *pool) {
    const uint64_t n_blocks = (r->size_bytes + r->block_bytes - 1) / r->block_bytes;
    r->reading = &r->rounds[0];
    r->taken = &r->rounds[1];
    while (!r->done && r->next < n_blocks) {
        DV_TRY(dv_check_interrupted());
        begin_round(r, r->reading, n_blocks);
        DV_TRY(dv_pool_run(pool, 1 + r->reading->n, run_task, r));
        block_round *const read = r->reading;
        r->reading = r->taken;
        r->taken = read;
    }
    return take_round(r);
}

/* ---- Runs ----------------------------------------------------------------------------------------------------------
 */

static dv_status make_round(const run *r, block_round *round) {
    DV_TRY(dv_alloc(r->capacity, sizeof *round->blocks, "blocks of lines", &round->blocks));
    DV_TRY(dv_alloc(r->capacity, r->work->part_size, "blocks of lines", &round->parts));
    for (size_t i = 0; i < r->capacity; i++) round->blocks[i].part = round->parts + i * r->work->part_size;
    return DV_OK;
}

static void clear_round(const run *r, block_round *round) {
    for (size_t i = 0; round->parts && i < r->capacity; i++) r->work->clear(round->blocks[i].part);
    for (size_t i = 0; round->blocks && i < r->capacity; i++) free(round->blocks[i].buffer);
    free(round->parts);
    free(round->blocks);
}

static dv_status open_run(run *r, size_t n_threads) {
    struct stat facts;
    DV_TRY(dv_text_file_open(r->path, &r->stream));
    r->file = fileno(r->stream);
    if (fstat(r->file, &facts) != 0) return dv_fail(DV_E_IO, "%s: cannot stat: %s", r->path, dv_error_text(errno));
    r->size_bytes = (uint64_t)facts.st_size;
    r->capacity = n_threads * ROUND_BLOCKS_THREAD > ROUND_BLOCKS ? n_threads * ROUND_BLOCKS_THREAD : ROUND_BLOCKS;
    DV_TRY(dv_hasher_create(&r->hasher));
    DV_TRY(make_round(r, &r->rounds[0]));
    return make_round(r, &r->rounds[1]);
}

static void close_run(run *r) {
    if (r->stream) fclose(r->stream); /* only read: nothing can be lost */
    clear_round(r, &r->rounds[0]);
    clear_round(r, &r->rounds[1]);
    dv_hasher_free(r->hasher);
}

dv_status dv_json_lines_read(const char *path, size_t block_bytes, dv_pool *pool, const dv_json_work *work,
                             void *context, dv_file_hash *hash) {
    run r = {.path = path, .work = work, .context = context, .block_bytes = block_bytes};
    *hash = (dv_file_hash){0};
    dv_status status = open_run(&r, dv_pool_threads(pool));
    if (status == DV_OK) status = run_rounds(&r, pool);
    if (status == DV_OK && !r.done) hash->size_bytes = dv_hasher_end(r.hasher, hash->text);
    close_run(&r);
    return status;
}
