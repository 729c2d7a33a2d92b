#include "denseval/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_LETTERS = 63 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t dv_text_distance(const char *text, const char *name) {
    const size_t n_text = strnlen(text, MAX_LETTERS), n_name = strnlen(name, MAX_LETTERS);
    if (n_text > 0 && n_text < n_name && strncmp(text, name, n_text) == 0) return 1;
    /* Optimal string alignment; cost[i][j]: the first i letters of text against the first j of name. */
    size_t cost[MAX_LETTERS + 1][MAX_LETTERS + 1];
    for (size_t i = 0; i <= n_text; i++) cost[i][0] = i;
    for (size_t j = 0; j <= n_name; j++) cost[0][j] = j;
    for (size_t i = 1; i <= n_text; i++) {
        for (size_t j = 1; j <= n_name; j++) {
            const size_t change = cost[i - 1][j - 1] + (text[i - 1] != name[j - 1]);
            cost[i][j] = least(change, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            const bool swapped = i > 1 && j > 1 && text[i - 1] == name[j - 2] && text[i - 2] == name[j - 1];
            if (swapped) cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[n_text][n_name];
}
