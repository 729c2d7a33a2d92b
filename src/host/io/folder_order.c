#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "io/folder.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9'; /* isdigit goes by locale */
}

static size_t count_digits(const char *text) {
    size_t n = 0;
    while (is_digit(text[n])) n++;
    return n;
}

static const char *skip_zeros(const char *text) {
    while (text[0] == '0' && is_digit(text[1])) text++;
    return text;
}

/* Two runs of digits without leading zeros: the longer one is larger, equally long ones compare as text. */
static int compare_runs(const char *a, size_t n_a, const char *b, size_t n_b) {
    if (n_a != n_b) return n_a < n_b ? -1 : 1;
    return memcmp(a, b, n_a);
}

/* '/' lowest after the end of the text. */
static int rank_of(char c) {
    if (c == '\0') return 0;
    if (c == '/') return 1;
    return (unsigned char)c + 1;
}

int dv_natural_compare(const char *a, const char *b) {
    const char *x = a, *y = b;
    for (;;) {
        if (is_digit(*x) && is_digit(*y)) {
            x = skip_zeros(x);
            y = skip_zeros(y);
            const size_t n_x = count_digits(x), n_y = count_digits(y);
            const int order = compare_runs(x, n_x, y, n_y);
            if (order != 0) return order;
            x += n_x;
            y += n_y;
            continue;
        }
        if (*x != *y) return rank_of(*x) - rank_of(*y);
        if (*x == '\0') return strcmp(a, b);
        x++;
        y++;
    }
}

size_t dv_stem_length(const char *path) {
    const size_t length = strlen(path);
    for (size_t i = length; i > 0; i--) {
        if (path[i - 1] == '/') break;
        if (path[i - 1] == '.' && i > 1 && path[i - 2] != '/') return i - 1;
    }
    return length;
}

bool dv_has_extension(const char *path, const char *extension) {
    return strcasecmp(path + dv_stem_length(path), extension) == 0;
}
