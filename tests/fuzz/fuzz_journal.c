/* fuzz_journal.c: journals from arbitrary bytes. What is accepted can be gone on with: a record that is added comes
 * back as the last one, behind those that were there. */
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "pipeline/journal.h"

static const dv_journal_key key = {"k: 30\n", "a.h5: 3 bytes\n"}; /* of the seeds */
static const dv_journal_record added = {7, 42, 5, "added"};

typedef struct seen {
    size_t n;
    uint64_t last_key;
    uint32_t sum;
} seen;

static dv_status see(void *user, const dv_journal_record *record) {
    seen *const s = user;
    for (size_t i = 0; i < record->n_bytes; i++) s->sum += ((const uint8_t *)record->payload)[i];
    s->last_key = record->key;
    s->n++;
    return DV_OK;
}

static dv_status read_all(const char *path, seen *s, dv_journal **journal) {
    *s = (seen){0};
    dv_status status = dv_journal_open(path, &key, journal);
    if (status != DV_OK) return status;
    status = dv_journal_read(*journal, see, s);
    if (status != DV_OK) dv_journal_close(*journal);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE];
    const int file = memory_file_open(data, size, path);
    dv_journal *journal;
    seen before, after;
    if (read_all(path, &before, &journal) == DV_OK) {
        if (dv_journal_append(journal, &added) != DV_OK) abort();
        dv_journal_close(journal);
        if (read_all(path, &after, &journal) != DV_OK) abort();
        if (after.n != before.n + 1 || after.last_key != added.key) abort();
        dv_journal_close(journal);
    }
    memory_file_close(file);
    return 0;
}
