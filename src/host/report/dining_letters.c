#include "report/dining_letters.h"

#include <inttypes.h>

void dv_dining_letter_count(const dv_dining_result *result, size_t option, uint64_t *right, uint64_t *named) {
    *right = *named = 0;
    for (size_t i = 0; i <= DV_N_OPTIONS; i++) {
        *right += result->confusion[option][i];
        if (i < DV_N_OPTIONS) *named += result->confusion[i][option];
    }
}

static void print_share(FILE *stream, int width, uint64_t part, uint64_t whole) {
    if (whole)
        fprintf(stream, "  %*.4f", width, (double)part / (double)whole);
    else
        fprintf(stream, "  %*s", width, "-");
}

static void print_letter(FILE *stream, const dv_dining_result *result, const size_t *letters, size_t n, size_t option) {
    const uint64_t *const row = result->confusion[option];
    uint64_t right, named;
    dv_dining_letter_count(result, option, &right, &named);
    fprintf(stream, "%-5c", (char)('A' + option));
    for (size_t i = 0; i < n; i++) fprintf(stream, "  %5" PRIu64, row[letters[i]]);
    fprintf(stream, "  %5" PRIu64, row[DV_N_OPTIONS]);
    print_share(stream, 6, row[option], right);
    print_share(stream, 9, row[option], named);
    fprintf(stream, "\n");
}

void dv_dining_letters_print(FILE *stream, const dv_dining_result *result) {
    size_t letters[DV_N_OPTIONS], n = 0;
    uint64_t right, named;
    for (size_t i = 0; i < DV_N_OPTIONS; i++) {
        dv_dining_letter_count(result, i, &right, &named);
        if (right || named) letters[n++] = i;
    }
    if (n == 0) return;
    fprintf(stream, "\nright option by named one\n%-5s", "");
    for (size_t i = 0; i < n; i++) fprintf(stream, "  %5c", (char)('A' + letters[i]));
    fprintf(stream, "  %5s  %6s  %9s\n", "none", "recall", "precision");
    for (size_t i = 0; i < n; i++) print_letter(stream, result, letters, n, letters[i]);
}
