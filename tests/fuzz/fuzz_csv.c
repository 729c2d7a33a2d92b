/* fuzz_csv.c: tables from arbitrary text, and cells from it as a result file. What is accepted reads back as itself. */
#include <stdlib.h>
#include <string.h>

#include "denseval/cells.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "io/csv.h"

static void check_table(const uint8_t *data, size_t size) {
    dv_csv csv;
    char *text = malloc(size + 1);
    if (!text) return;
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    if (dv_csv_parse(text, size, &csv) != DV_OK) {
        if (csv.text || csv.n_rows) abort();
        return;
    }
    size_t length = 0; /* looks at every field, so that the sanitizers see one that is none */
    for (size_t i = 0; i < csv.n_rows * csv.n_columns; i++) length += strlen(csv.fields[i]);
    if (length > size || csv.n_columns == 0) abort();
    dv_csv_clear(&csv);
}

/* Cells of a CSV are written and read again: the same number of them. A results.json may hold what no CSV can. */
static void check_cells(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE], again_path[MEMORY_FILE_PATH_SIZE], *text;
    const char *const name = path, *const again_name = again_path;
    dv_cells cells, again;
    const int file = memory_file_open(data, size, path);
    if (dv_cells_read(&name, 1, &cells) == DV_OK) {
        if (dv_cells_csv(&cells, false, &text) != DV_OK) abort();
        const int again_file = memory_file_open((const uint8_t *)text, strlen(text), again_path);
        if (!memchr(data, '{', size)) {
            if (dv_cells_read(&again_name, 1, &again) != DV_OK || again.n != cells.n) abort();
            dv_cells_clear(&again);
        }
        memory_file_close(again_file);
        free(text);
        dv_cells_clear(&cells);
    }
    memory_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_table(data, size);
    check_cells(data, size);
    return 0;
}
