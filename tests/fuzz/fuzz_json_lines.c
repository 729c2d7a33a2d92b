/* fuzz_json_lines.c: records, one a line, from arbitrary bytes; and answers of models as they are. */
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "io/json_lines.h"
#include "protocol/dining_nutrients.h"
#include "protocol/dining_option.h"
#include "protocol/dining_verdict.h"

static const dv_json_name names[] = {{"idx", 3}, {"model_pred", 10}};
enum { N_NAMES = sizeof names / sizeof *names, SMALL_BLOCK = 40 };

/* Everything that looks at an answer; none of it may read beyond the text. */
static void read_answer(const char *text, size_t n) {
    dv_json_text scratch[2] = {{0}};
    const dv_span answer = {text, n};
    dv_dining_answer read[2];
    double values[DV_N_NUTRIENTS];
    bool found, founds[2];
    char letter;
    memset(read, 0, sizeof read);
    if (dv_dining_option_strict(answer, scratch, &letter) != DV_OK || letter > DV_LAST_OPTION) abort();
    letter = dv_dining_option_compat(answer);
    if (letter && (letter < 'A' || letter > 'Z')) abort();
    for (size_t i = 0; i < 2; i++)
        if (dv_dining_nutrients_of_text(answer, (dv_dining_numbers)i, scratch, &read[i], &founds[i]) != DV_OK) abort();
    if (founds[0] && (!founds[1] || read[1].repairs || memcmp(read[0].values, read[1].values, sizeof values) != 0))
        abort(); /* what is strict needs no repair */
    if (founds[1] && !founds[0] && !read[1].repairs) abort();
    if (dv_dining_nutrients_compat(answer, scratch, values, &found) != DV_OK) abort();
    (void)dv_dining_verdict_strict(answer);
    (void)dv_dining_verdict_compat(answer);
    free(scratch[0].text);
    free(scratch[1].text);
}

/* What the scanner takes for an object, it goes through to its end; what is strict is no less in Python's dialect. */
static void read_record(const char *line, size_t n) {
    dv_json_value values[N_NAMES], again, key, value;
    dv_json_text scratch = {0};
    const char *at = NULL, *text;
    size_t length;
    if (!dv_json_pick(line, n, DV_JSON_RFC, names, N_NAMES, values)) return;
    if (!dv_json_scan(line, n, DV_JSON_PYTHON, &again) || again.kind != DV_JSON_OBJECT) abort();
    while (dv_json_next(&again, &at, &key, &value))
        if (dv_json_string(&key, &scratch, &text, &length) != DV_OK || length > key.n) abort();
    if (values[1].kind == DV_JSON_STRING) {
        if (dv_json_string(&values[1], &scratch, &text, &length) != DV_OK) abort();
        read_answer(text, length);
    }
    free(scratch.text);
}

/* What came of the lines: sums, which do not tell where a block ended. */
typedef struct line_sums {
    uint64_t n, numbers, hashes, products; /* of lines; of number, hash of the text, and both together */
} line_sums;

static dv_status sum_line(void *context, void *part, const dv_json_line *line) {
    line_sums *const sums = part;
    const uint64_t hash = dv_hash64(line->text, line->n);
    (void)context;
    if (line->number <= sums->n || (line->n == 0 && !line->marked)) abort(); /* a mark alone is a line, too */
    sums->n++;
    sums->numbers += line->number;
    sums->hashes += hash;
    sums->products += hash * line->number;
    read_record(line->text, line->n);
    return DV_OK;
}

static dv_status take_sums(void *context, void *part, uint64_t n_before, bool *done) {
    line_sums *const all = context, *const sums = part;
    (void)done;
    all->n += sums->n;
    all->numbers += sums->numbers + n_before * sums->n;
    all->hashes += sums->hashes;
    all->products += sums->products + n_before * sums->hashes;
    *sums = (line_sums){0};
    return DV_OK;
}

static void clear_sums(void *part) {
    (void)part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const dv_json_work work = {sizeof(line_sums), false, sum_line, take_sums, clear_sums};
    char path[MEMORY_FILE_PATH_SIZE];
    line_sums whole = {0}, pieces = {0};
    dv_file_hash hashes[2];
    dv_pool *pool;
    const int file = memory_file_open(data, size, path);
    if (dv_pool_create(1, &pool) != DV_OK) abort();
    const dv_status status = dv_json_lines_read(path, DV_JSON_BLOCK_BYTES, pool, &work, &whole, &hashes[0]);
    if (dv_json_lines_read(path, 1 + size % SMALL_BLOCK, pool, &work, &pieces, &hashes[1]) != status) abort();
    if (memcmp(&whole, &pieces, sizeof whole) != 0 || strcmp(hashes[0].text, hashes[1].text) != 0) abort();
    dv_pool_free(pool);
    memory_file_close(file);
    read_answer((const char *)data, size);
    return 0;
}
