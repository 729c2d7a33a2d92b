/* fuzz_number.c: numbers from arbitrary text. A refused text leaves the value alone; an accepted double reads back. */
#include <stdlib.h>
#include <string.h>

#include "denseval/number.h"
#include "fuzz/fuzz.h"

static void check_double(const char *text) {
    double value = 0.5, again = 0;
    if (dv_parse_double(text, &value) != DV_OK) {
        if (value != 0.5) abort();
        return;
    }
    char printed[DV_NUMBER_SIZE];
    if (dv_parse_double(dv_format_double(value, printed), &again) != DV_OK || again != value) abort();
}

static void check_whole(const char *text) {
    int64_t whole = 7;
    uint64_t count = 7;
    size_t bytes = 7;
    if (dv_parse_i64(text, &whole) != DV_OK && whole != 7) abort();
    if (dv_parse_u64(text, &count) != DV_OK && count != 7) abort();
    if (dv_parse_size(text, &bytes) != DV_OK && bytes != 7) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    check_double(text);
    check_whole(text);
    free(text);
    return 0;
}
