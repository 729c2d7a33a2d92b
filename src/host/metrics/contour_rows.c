#include "metrics/contour_rows.h"

enum { WORD_BITS = 64 };

static void compare_row(const uint16_t *row, const uint16_t *above, size_t width, uint64_t *right, uint64_t *down) {
    for (size_t begin = 0; begin < width; begin += WORD_BITS) {
        const size_t n = width - begin < WORD_BITS ? width - begin : WORD_BITS;
        uint64_t changes = 0, differs = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t x = begin + i, next = x + 1 < width ? x + 1 : x;
            changes |= (uint64_t)(row[x] != row[next]) << i;
            differs |= (uint64_t)(row[x] != above[x]) << i;
        }
        right[begin / WORD_BITS] = changes;
        down[begin / WORD_BITS] = differs;
    }
}

static size_t list_columns(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words, uint16_t *columns) {
    size_t n = 0;
    for (size_t word = 0; word < n_words; word++)
        for (uint64_t bits = a[word] | b[word] | c[word]; bits; bits &= bits - 1)
            columns[n++] = (uint16_t)(word * WORD_BITS + (size_t)__builtin_ctzll(bits));
    return n;
}

static bool always(void) {
    return true;
}

const dv_contour_kernel dv_contour_portable = {
    .name = "portable", .usable = always, .row = compare_row, .columns = list_columns};

const dv_contour_kernel *dv_contour_kernel_at(size_t i) {
    static const dv_contour_kernel *const kernels[] = {
#if defined(__x86_64__)
        &dv_contour_avx512,
        &dv_contour_avx2,
#endif
        &dv_contour_portable,
        NULL
    };
    size_t n = 0;
    while (n < i && kernels[n]) n++;
    return kernels[n];
}

const dv_contour_kernel *dv_contour_kernel_best(void) {
    size_t i = 0;
    while (!dv_contour_kernel_at(i)->usable()) i++;
    return dv_contour_kernel_at(i);
}
