#include "pipeline/journal.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "pipeline/journal_key.h"

/* All numbers are little-endian (docs/FORMATS.md, "denseval journal v2"). */
static const char magic[] = "denseval journal"; /* without its NUL */
enum {
    VERSION = 2, /* 1: without the account of GPUs in what was spent */
    MAGIC_BYTES = sizeof magic - 1,
    FIXED_BYTES = MAGIC_BYTES + 4 + 4 + 8 + 8, /* of the header: magic, version, 0, lengths of both texts */
    MARK = 0x4352564a,                         /* begins a record */
    HEAD_BYTES = 4 + 4 + 8 + 8 + 8,            /* of a record: mark, kind, key, length, checksum */
    SUM_BYTES = 8,
    SCAN_BYTES = 1 << 16,
    MAX_TEXT = 1 << 28 /* bytes of a text of the key: far above any, far below memory */
};

struct dv_journal {
    int file;
    uint64_t end; /* of the last whole record */
    size_t n_records;
    bool locked;
    bool broken; /* a failed write could not be taken back */
    char *path;  /* for messages; owned */
};

static void put32(unsigned char *at, uint32_t value) {
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static void put64(unsigned char *at, uint64_t value) {
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static uint32_t get32(const unsigned char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static uint64_t get64(const unsigned char *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

/* ---- The header ----------------------------------------------------------------------------------------------------
 */

static dv_status write_header(FILE *out, const dv_journal_key *key) {
    const size_t n_settings = strlen(key->settings), n_inputs = strlen(key->inputs);
    if (n_settings > MAX_TEXT || n_inputs > MAX_TEXT) return dv_fail(DV_E_ARG, "the key of a journal is too long");
    const size_t n_bytes = FIXED_BYTES + n_settings + n_inputs;
    unsigned char *bytes;
    DV_TRY(dv_alloc(n_bytes + SUM_BYTES, 1, "a journal's header", &bytes));
    memcpy(bytes, magic, MAGIC_BYTES);
    put32(bytes + MAGIC_BYTES, VERSION);
    put64(bytes + MAGIC_BYTES + 8, n_settings);
    put64(bytes + MAGIC_BYTES + 16, n_inputs);
    memcpy(bytes + FIXED_BYTES, key->settings, n_settings);
    memcpy(bytes + FIXED_BYTES + n_settings, key->inputs, n_inputs);
    put64(bytes + n_bytes, dv_checksum64(bytes, n_bytes, 0));
    fwrite(bytes, 1, n_bytes + SUM_BYTES, out); /* the commit looks at the stream's state */
    free(bytes);
    return DV_OK;
}

dv_status dv_journal_create(const char *path, const dv_journal_key *key, bool force) {
    dv_atomic_file *file;
    FILE *out;
    DV_TRY(dv_atomic_file_begin(path, force, &file));
    dv_status status = dv_atomic_file_stream(file, &out);
    if (status == DV_OK) status = write_header(out, key);
    if (status == DV_OK) return dv_atomic_file_commit(file);
    dv_atomic_file_abandon(file);
    return status;
}

/* Reads n bytes at an offset, which are there. */
static dv_status read_at(const dv_journal *journal, uint64_t offset, size_t n, void *bytes) {
    for (size_t n_read = 0; n_read < n;) {
        const ssize_t got = pread(journal->file, (char *)bytes + n_read, n - n_read, (off_t)(offset + n_read));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return dv_fail(DV_E_IO, "cannot be read: %s", dv_error_text(errno));
        if (got == 0) return dv_fail(DV_E_IO, "byte %llu: became shorter", (unsigned long long)offset);
        n_read += (size_t)got;
    }
    return DV_OK;
}

static dv_status file_size(const dv_journal *journal, uint64_t *size) {
    struct stat found;
    if (fstat(journal->file, &found) != 0) return dv_fail(DV_E_IO, "cannot be read: %s", dv_error_text(errno));
    *size = S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0;
    return DV_OK;
}

/* Checks the header and compares its texts with the key. */
static dv_status check_header(dv_journal *journal, const dv_journal_key *key) {
    unsigned char fixed[FIXED_BYTES] = {0};
    uint64_t size = 0;
    DV_TRY(file_size(journal, &size));
    if (size >= FIXED_BYTES) DV_TRY(read_at(journal, 0, FIXED_BYTES, fixed));
    if (size < FIXED_BYTES || memcmp(fixed, magic, MAGIC_BYTES) != 0)
        return dv_fail(DV_E_DATA, "is no journal: must begin with \"%s\"", magic);
    if (get32(fixed + MAGIC_BYTES) != VERSION)
        return dv_fail(DV_E_DATA,
                       "version %u: must be %d; go on with the program that began it, or begin anew with force",
                       get32(fixed + MAGIC_BYTES), VERSION);
    const uint64_t n_settings = get64(fixed + MAGIC_BYTES + 8), n_inputs = get64(fixed + MAGIC_BYTES + 16);
    const bool fits = n_settings <= MAX_TEXT && n_inputs <= MAX_TEXT;
    const uint64_t n_bytes = fits ? FIXED_BYTES + n_settings + n_inputs : 0;
    if (!fits || n_bytes + SUM_BYTES > size) return dv_fail(DV_E_DATA, "the header is damaged");
    unsigned char *bytes;
    DV_TRY(dv_alloc(n_bytes + SUM_BYTES, 1, "a journal's header", &bytes));
    dv_status status = read_at(journal, 0, n_bytes + SUM_BYTES, bytes);
    if (status == DV_OK && get64(bytes + n_bytes) != dv_checksum64(bytes, n_bytes, 0))
        status = dv_fail(DV_E_DATA, "the header is damaged");
    const char *const texts = (const char *)bytes + FIXED_BYTES;
    if (status == DV_OK) status = dv_journal_key_compare("settings", texts, n_settings, key->settings);
    if (status == DV_OK) status = dv_journal_key_compare("inputs", texts + n_settings, n_inputs, key->inputs);
    free(bytes);
    journal->end = n_bytes + SUM_BYTES;
    return status;
}

/* ---- Opening -------------------------------------------------------------------------------------------------------
 */

static dv_status lock(dv_journal *journal) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    journal->locked = fcntl(journal->file, F_OFD_SETLK, &whole) == 0;
    if (journal->locked) return DV_OK;
    if (errno == EAGAIN || errno == EACCES) return dv_fail(DV_E_INTERRUPTED, "another process is at work on it");
    dv_log(DV_LOG_WARNING, "%s: cannot be locked, so a second process on it would not be noticed: %s", journal->path,
           dv_error_text(errno));
    return DV_OK;
}

/* Does the path still mean the file that was opened? Whoever had the lock may have finished and removed it. */
static bool is_current(const dv_journal *journal) {
    struct stat mine, there;
    return fstat(journal->file, &mine) == 0 && stat(journal->path, &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
}

static dv_status open_file(dv_journal *journal) {
    journal->file = open(journal->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (journal->file >= 0) return DV_OK;
    return dv_fail(errno == ENOENT || errno == ENOTDIR ? DV_E_MISSING : DV_E_IO, "cannot be opened: %s",
                   dv_error_text(errno));
}

static dv_status open_and_check(dv_journal *journal, const dv_journal_key *key) {
    DV_TRY(open_file(journal));
    DV_TRY(lock(journal));
    if (!is_current(journal)) return dv_fail(DV_E_INTERRUPTED, "another process has just replaced it");
    return check_header(journal, key);
}

dv_status dv_journal_open(const char *path, const dv_journal_key *key, dv_journal **out) {
    *out = NULL;
    dv_journal *journal;
    DV_TRY(dv_alloc(1, sizeof *journal, "a journal", &journal));
    journal->file = -1;
    dv_status status = dv_strdup(path, &journal->path);
    if (status == DV_OK) status = open_and_check(journal, key);
    if (status == DV_OK)
        *out = journal;
    else
        dv_journal_close(journal);
    return dv_context(status, "%s", path);
}

bool dv_journal_is_locked(const dv_journal *journal) {
    return journal->locked;
}

void dv_journal_close(dv_journal *journal) {
    if (!journal) return;
    if (journal->file >= 0) close(journal->file); /* what was added is synced already */
    free(journal->path);
    free(journal);
}

/* ---- Reading -------------------------------------------------------------------------------------------------------
 */

/* Is this the head of a record that stands at `offset`? */
static bool is_head(const unsigned char *head, uint64_t offset) {
    return get32(head) == MARK &&
           get64(head + HEAD_BYTES - SUM_BYTES) == dv_checksum64(head, HEAD_BYTES - SUM_BYTES, offset);
}

/* Looks for the head of a record from `offset` on: behind damage it tells that more than the last record is lost. */
static dv_status find_head(const dv_journal *journal, uint64_t offset, uint64_t size, bool *found) {
    unsigned char *block;
    *found = false;
    DV_TRY(dv_alloc(SCAN_BYTES, 1, "a block of a journal", &block));
    dv_status status = DV_OK;
    while (status == DV_OK && !*found && offset + HEAD_BYTES <= size) {
        const size_t n = size - offset < SCAN_BYTES ? (size_t)(size - offset) : SCAN_BYTES;
        const size_t n_places = n - HEAD_BYTES + 1;
        status = read_at(journal, offset, n, block);
        for (size_t i = 0; status == DV_OK && !*found && i < n_places; i++) *found = is_head(block + i, offset + i);
        offset += n_places;
    }
    free(block);
    return status;
}

static dv_status damaged(uint64_t offset) {
    return dv_fail(DV_E_DATA, "byte %llu: the record is damaged, and others follow it", (unsigned long long)offset);
}

typedef struct reading {
    dv_journal *journal;
    dv_journal_visit visit;
    void *user;
    uint64_t size; /* of the file */
    unsigned char *payload;
    size_t capacity; /* of payload */
} reading;

static dv_status reserve(reading *r, size_t n) {
    if (n <= r->capacity) return DV_OK;
    free(r->payload);
    r->payload = NULL;
    r->capacity = 0;
    DV_TRY(dv_alloc(n, 1, "a record of a journal", &r->payload));
    r->capacity = n;
    return DV_OK;
}

/* Reads the record at journal->end and moves on. *torn: there is none that is whole. */
static dv_status read_record(reading *r, bool *torn) {
    dv_journal *const journal = r->journal;
    const uint64_t start = journal->end, left = r->size - start;
    unsigned char head[HEAD_BYTES];
    *torn = left < HEAD_BYTES;
    if (*torn) return DV_OK;
    DV_TRY(read_at(journal, start, HEAD_BYTES, head));
    if (!is_head(head, start)) {
        bool found;
        DV_TRY(find_head(journal, start + 1, r->size, &found));
        *torn = true;
        return found ? damaged(start) : DV_OK;
    }
    const uint64_t length = get64(head + 16);
    *torn = left < HEAD_BYTES + SUM_BYTES || length > left - HEAD_BYTES - SUM_BYTES;
    if (*torn) return DV_OK;
    DV_TRY(reserve(r, length + SUM_BYTES));
    DV_TRY(read_at(journal, start + HEAD_BYTES, length + SUM_BYTES, r->payload));
    const uint64_t next = start + HEAD_BYTES + length + SUM_BYTES;
    if (get64(r->payload + length) != dv_checksum64(r->payload, length, get64(head + HEAD_BYTES - SUM_BYTES))) {
        *torn = true;
        return next < r->size ? damaged(start) : DV_OK;
    }
    const dv_journal_record record = {get32(head + 4), get64(head + 8), length, r->payload};
    if (r->visit) DV_TRY(r->visit(r->user, &record));
    journal->end = next;
    journal->n_records++;
    return DV_OK;
}

/* Ends the file after its last whole record. */
static int cut(dv_journal *journal) {
    while (ftruncate(journal->file, (off_t)journal->end) != 0)
        if (errno != EINTR) return errno;
    return fsync(journal->file) == 0 ? 0 : errno;
}

static dv_status read_all(reading *r) {
    bool torn = false;
    DV_TRY(file_size(r->journal, &r->size));
    while (!torn && r->journal->end < r->size) {
        DV_TRY(dv_check_interrupted());
        DV_TRY(read_record(r, &torn));
    }
    if (!torn) return DV_OK;
    dv_log(DV_LOG_WARNING, "%s: the %llu bytes of a record that was not finished are cut off", r->journal->path,
           (unsigned long long)(r->size - r->journal->end));
    const int error = cut(r->journal);
    return error ? dv_fail(DV_E_IO, "cannot be cut: %s", dv_error_text(error)) : DV_OK;
}

dv_status dv_journal_read(dv_journal *journal, dv_journal_visit visit, void *user) {
    reading r = {.journal = journal, .visit = visit, .user = user};
    const dv_status status = read_all(&r);
    free(r.payload);
    return dv_context(status, "%s", journal->path);
}

size_t dv_journal_n_records(const dv_journal *journal) {
    return journal->n_records;
}

/* ---- Adding --------------------------------------------------------------------------------------------------------
 */

/* An errno. */
static int write_at(int file, uint64_t offset, const unsigned char *bytes, size_t n) {
    while (n > 0) {
        const ssize_t n_written = pwrite(file, bytes, n, (off_t)offset);
        if (n_written < 0 && errno != EINTR) return errno;
        if (n_written <= 0) continue;
        bytes += n_written;
        offset += (uint64_t)n_written;
        n -= (size_t)n_written;
    }
    return fdatasync(file) == 0 ? 0 : errno;
}

dv_status dv_journal_append(dv_journal *journal, const dv_journal_record *record) {
    if (journal->broken) return dv_fail(DV_E_IO, "%s: cannot be written since an earlier failure", journal->path);
    size_t n_bytes;
    unsigned char *bytes;
    DV_TRY(dv_add_size(record->n_bytes, HEAD_BYTES + SUM_BYTES, "a record of a journal", &n_bytes));
    DV_TRY(dv_alloc(n_bytes, 1, "a record of a journal", &bytes));
    put32(bytes, MARK);
    put32(bytes + 4, record->kind);
    put64(bytes + 8, record->key);
    put64(bytes + 16, record->n_bytes);
    const uint64_t head_sum = dv_checksum64(bytes, HEAD_BYTES - SUM_BYTES, journal->end);
    put64(bytes + HEAD_BYTES - SUM_BYTES, head_sum);
    if (record->n_bytes) memcpy(bytes + HEAD_BYTES, record->payload, record->n_bytes);
    put64(bytes + n_bytes - SUM_BYTES, dv_checksum64(bytes + HEAD_BYTES, record->n_bytes, head_sum));
    const int error = write_at(journal->file, journal->end, bytes, n_bytes);
    free(bytes);
    if (error) {
        journal->broken = cut(journal) != 0;
        return dv_fail(DV_E_IO, "%s: cannot be written: %s", journal->path, dv_error_text(error));
    }
    journal->end += n_bytes;
    journal->n_records++;
    return DV_OK;
}
