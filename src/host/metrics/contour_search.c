/* contour_search.c: the rows of a disk are searched from its middle outwards, which ends at the first hit that settles
 * every radius: where contours follow each other that is after a row or two. */
#include <string.h>

#include "metrics/contour_disk.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "windows start at any byte of a row");

enum { WORD_BITS = 64, BYTE_BITS = 8 };

static inline uint64_t load_window(const unsigned char *bytes, size_t shift) {
    uint64_t bits;
    memcpy(&bits, bytes, sizeof bits);
    return bits >> shift;
}

static uint64_t count_small(const dv_contour_disk *disk, const uint32_t *contour, size_t n) {
    const size_t stride = disk->stride * sizeof *disk->words, reach = disk->reach;
    const unsigned char *bitmap = (const unsigned char *)disk->words;
    uint64_t matched = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t row = (uint64_t)((int64_t)(contour[i] >> 16) - disk->near_top);
        const uint64_t column = (uint64_t)((int64_t)(contour[i] & 0xffff) - disk->near_left);
        if (row >= disk->near_rows || column >= disk->near_columns) continue;
        /* The disk begins `reach` left of the pixel, as the bitmap does left of what is near. */
        const unsigned char *middle = bitmap + (row + reach) * stride + column / BYTE_BITS;
        const size_t shift = column % BYTE_BITS;
        if (load_window(middle, shift) & disk->windows[0]) {
            matched++;
            continue;
        }
        for (size_t dy = 1; dy <= reach; dy++) {
            const uint64_t bits = load_window(middle - dy * stride, shift) | load_window(middle + dy * stride, shift);
            if (bits & disk->windows[dy]) {
                matched++;
                break;
            }
        }
    }
    return matched;
}

/* Columns from `column` to the nearest bit of a row, at most `limit` away; else more than that. */
static int64_t gap(const uint64_t *row, size_t stride, size_t column, int64_t limit) {
    const size_t word = column / WORD_BITS, bit = column % WORD_BITS;
    int64_t nearest = limit + 1;
    uint64_t bits = row[word] >> bit;
    if (bits) {
        const int64_t found = __builtin_ctzll(bits);
        if (found < nearest) nearest = found;
    }
    for (size_t i = word + 1; !bits && i < stride; i++) {
        const int64_t begin = (int64_t)(i * WORD_BITS - column);
        if (begin >= nearest) break;
        bits = row[i];
        if (bits && begin + __builtin_ctzll(bits) < nearest) nearest = begin + __builtin_ctzll(bits);
    }
    bits = row[word] << (WORD_BITS - 1 - bit);
    if (bits) {
        const int64_t found = __builtin_clzll(bits);
        if (found < nearest) nearest = found;
    }
    for (size_t i = word; !bits && i > 0; i--) {
        const int64_t begin = (int64_t)(column - (i * WORD_BITS - 1)); /* to the last bit of word i - 1 */
        if (begin >= nearest) break;
        bits = row[i - 1];
        if (bits && begin + __builtin_clzll(bits) < nearest) nearest = begin + __builtin_clzll(bits);
    }
    return nearest;
}

/* Squared distance to the nearest bit, or to one that lies in the smallest disk; above `most` where there is none. */
static uint64_t search(const dv_contour_disk *disk, int64_t row, size_t column) {
    const int64_t last = (int64_t)disk->rows - 1, reach = disk->reach;
    const int64_t outside = row < 0 ? -row : row > last ? row - last : 0;
    const int64_t farthest = row > last - row ? row : last - row, end = farthest < reach ? farthest : reach;
    uint64_t best = disk->most + 1;
    int64_t cap = reach;
    for (int64_t dy = outside; dy <= end && (uint64_t)(dy * dy) < best && cap >= 0; dy++) {
        for (int64_t y = row - dy; y <= row + dy; y += dy ? 2 * dy : 1) {
            if (y < 0 || y > last) continue;
            const int64_t half = disk->half_widths[dy], limit = half < cap ? half : cap;
            const int64_t dx = gap(disk->words + (size_t)y * disk->stride, disk->stride, column, limit);
            if (dx > limit) continue;
            const uint64_t square = (uint64_t)(dx * dx + dy * dy);
            if (square < best) best = square;
            if (best <= disk->least) return best;
            cap = dx - 1; /* rows farther off must do better than that */
        }
    }
    return best;
}

static void count_wide(const dv_contour_disk *disk, const uint32_t *contour, size_t n, uint64_t *matched) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t row = (uint64_t)((int64_t)(contour[i] >> 16) - disk->near_top);
        const uint64_t column = (uint64_t)((int64_t)(contour[i] & 0xffff) - disk->near_left);
        if (row >= disk->near_rows || column >= disk->near_columns) continue;
        const uint64_t best = search(disk, (int64_t)(contour[i] >> 16) - disk->top, (size_t)column);
        for (size_t r = 0; r < disk->n_radii; r++) matched[r] += best <= disk->squares[r];
    }
}

void dv_contour_disk_count(const dv_contour_disk *disk, const uint32_t *contour, size_t n, uint64_t *matched) {
    memset(matched, 0, disk->n_radii * sizeof *matched);
    if (disk->small)
        matched[0] = count_small(disk, contour, n);
    else
        count_wide(disk, contour, n, matched);
}
