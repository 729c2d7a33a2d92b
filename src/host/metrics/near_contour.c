#include "metrics/near_contour.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { WORD_BITS = 64 };

static dv_status make_room(dv_near_contour *contour, size_t height, size_t width) {
    size_t n_words;
    contour->stride = (width + WORD_BITS - 1) / WORD_BITS;
    DV_TRY(dv_mul_size(height, contour->stride, "bits of a label map", &n_words));
    if (n_words <= contour->capacity) return DV_OK;
    free(contour->near);
    free(contour->changes);
    contour->near = contour->changes = NULL;
    contour->capacity = 0;
    DV_TRY(dv_alloc_unset(n_words, sizeof *contour->near, "bits of a label map", &contour->near));
    DV_TRY(dv_alloc_unset(n_words, sizeof *contour->changes, "bits of a label map", &contour->changes));
    contour->capacity = n_words;
    return DV_OK;
}

/* ---- A row ---------------------------------------------------------------------------------------------------------
 */

/* Bit x |= bit x + shift. */
static void or_later(uint64_t *row, size_t n_words, size_t shift) {
    const size_t words = shift / WORD_BITS, bits = shift % WORD_BITS;
    for (size_t i = 0; i + words < n_words; i++) {
        uint64_t later = row[i + words] >> bits;
        if (bits && i + words + 1 < n_words) later |= row[i + words + 1] << (WORD_BITS - bits);
        row[i] |= later;
    }
}

/* Bit x = bit x - shift. */
static void move_later(uint64_t *row, size_t n_words, size_t shift) {
    const size_t words = shift / WORD_BITS, bits = shift % WORD_BITS;
    for (size_t i = n_words; i-- > 0;) {
        uint64_t earlier = i >= words ? row[i - words] << bits : 0;
        if (bits && i > words) earlier |= row[i - words - 1] >> (WORD_BITS - bits);
        row[i] = earlier;
    }
}

/* Bit x = any of the bits x - distance .. x + distance - 1: those changes to the right that lie in a square about x.
 * Windows of twice the length are two of the length. */
static void spread_row(uint64_t *row, size_t n_words, size_t distance_px) {
    size_t length = 1;
    for (; 2 * length <= 2 * distance_px; length *= 2) or_later(row, n_words, length);
    or_later(row, n_words, 2 * distance_px - length);
    move_later(row, n_words, distance_px);
}

static void set_bits(uint64_t *row, size_t begin, size_t end) {
    for (size_t x = begin; x < end; x++) row[x / WORD_BITS] |= UINT64_C(1) << (x % WORD_BITS);
}

/* ---- A map ---------------------------------------------------------------------------------------------------------
 */

/* near: pixels with a change along their row in the square about them; changes: the same, and those that differ from
 * the pixel above. */
static void scan_rows(dv_near_contour *contour, const uint16_t *labels, size_t height, size_t width,
                      size_t distance_px) {
    const size_t n_words = contour->stride;
    for (size_t y = 0; y < height; y++) {
        const uint16_t *const row = labels + y * width;
        uint64_t *const along = contour->near + y * n_words, *const any = contour->changes + y * n_words;
        contour->kernel->row(row, y ? row - width : row, width, along, any);
        spread_row(along, n_words, distance_px);
        for (size_t i = 0; i < n_words; i++) any[i] |= along[i];
    }
}

/* Row y of changes = any of the rows y .. y + length - 1 that there are. */
static void join_rows(dv_near_contour *contour, size_t height, size_t length) {
    const size_t n_words = contour->stride;
    uint64_t *const rows = contour->changes;
    for (size_t have = 1; have < length;) {
        const size_t step = have <= length - have ? have : length - have;
        for (size_t i = 0; i + step * n_words < height * n_words; i++) rows[i] |= rows[i + step * n_words];
        have += step;
    }
}

/* A change between a row and the one above counts where both lie in the square: not that of its first row. From the
 * last row up, so that no row is written before it was used. */
static void fill_inside(dv_near_contour *contour, size_t height, size_t distance_px) {
    const size_t n_words = contour->stride;
    for (size_t y = height - distance_px; y-- > distance_px;) {
        const uint64_t *const first = contour->near + (y - distance_px) * n_words;
        const uint64_t *const others = contour->changes + (y - distance_px + 1) * n_words;
        for (size_t i = 0; i < n_words; i++) contour->near[y * n_words + i] = first[i] | others[i];
    }
}

/* Squares that leave the map. */
static void fill_border(dv_near_contour *contour, size_t height, size_t width, size_t distance_px) {
    const size_t n_words = contour->stride;
    for (size_t y = 0; y < height; y++) {
        uint64_t *const row = contour->near + y * n_words;
        if (y < distance_px || y >= height - distance_px) {
            memset(row, 0, n_words * sizeof *row);
            set_bits(row, 0, width);
            continue;
        }
        if (width % WORD_BITS) row[n_words - 1] &= (UINT64_C(1) << (width % WORD_BITS)) - 1;
        set_bits(row, 0, distance_px);
        set_bits(row, width - distance_px, width);
    }
}

dv_status dv_near_contour_find(dv_near_contour *contour, const uint16_t *labels, size_t height, size_t width,
                               size_t distance_px) {
    const size_t shorter = height < width ? height : width, half = shorter / 2 + 1;
    const size_t reach = distance_px < half ? distance_px : half; /* farther is no difference: all is near */
    DV_TRY(make_room(contour, height, width));
    if (!contour->kernel) contour->kernel = dv_contour_kernel_best();
    if (2 * reach >= shorter) {
        memset(contour->near, 0, height * contour->stride * sizeof *contour->near);
        for (size_t y = 0; y < height; y++) set_bits(contour->near + y * contour->stride, 0, width);
        return DV_OK;
    }
    scan_rows(contour, labels, height, width, reach);
    join_rows(contour, height, 2 * reach);
    fill_inside(contour, height, reach);
    fill_border(contour, height, width, reach);
    return DV_OK;
}

void dv_near_contour_free(dv_near_contour *contour) {
    free(contour->near);
    free(contour->changes);
    *contour = (dv_near_contour){0};
}
