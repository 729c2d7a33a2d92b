/* contour_disk.c: setting up disks, drawing and wiping. The search is in contour_search.c. */
#include "metrics/contour_disk.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { WORD_BITS = 64 };

/* Beyond the diagonal of the frame a radius changes nothing. */
static void set_squares(dv_contour_disk *disk, const uint32_t *radii_px, size_t n_radii) {
    const uint64_t high = disk->height - 1, wide = disk->width - 1, diagonal = high * high + wide * wide;
    disk->n_radii = n_radii;
    disk->least = diagonal;
    disk->most = 0;
    for (size_t i = 0; i < n_radii; i++) {
        const uint64_t square = (uint64_t)radii_px[i] * radii_px[i];
        disk->squares[i] = square < diagonal ? square : diagonal;
        if (disk->squares[i] < disk->least) disk->least = disk->squares[i];
        if (disk->squares[i] > disk->most) disk->most = disk->squares[i];
    }
    const uint64_t longer = high > wide ? high : wide;
    uint64_t reach = 0;
    while (reach < longer && (reach + 1) * (reach + 1) <= disk->most) reach++;
    disk->reach = (uint32_t)reach;
    disk->small = n_radii == 1 && reach <= DV_CONTOUR_SMALL_REACH;
}

static dv_status set_half_widths(dv_contour_disk *disk) {
    const size_t n = (size_t)disk->reach + 1;
    if (disk->half_widths_capacity < n) {
        free(disk->half_widths);
        disk->half_widths_capacity = 0;
        DV_TRY(dv_alloc(n, sizeof *disk->half_widths, "disk", &disk->half_widths));
        disk->half_widths_capacity = n;
    }
    uint64_t half = disk->reach;
    for (uint64_t dy = 0; dy < n; dy++) { /* the widths fall with dy */
        const uint64_t rest = disk->most > dy * dy ? disk->most - dy * dy : 0;
        while (half * half > rest) half--;
        disk->half_widths[dy] = (uint32_t)half;
        if (disk->small) disk->windows[dy] = ((UINT64_C(2) << 2 * half) - 1) << (disk->reach - half);
    }
    return DV_OK;
}

dv_status dv_contour_disk_set(dv_contour_disk *disk, size_t height, size_t width, const uint32_t *radii_px,
                              size_t n_radii) {
    disk->height = height;
    disk->width = width;
    set_squares(disk, radii_px, n_radii);
    return set_half_widths(disk);
}

/* Where the bitmap lies. The windows of a small disk start `reach` left of a pixel that is `reach` left of what is
 * drawn, and their last byte ends up to a word behind it. Elsewhere searches end at the frame and need no margin. */
static void place(dv_contour_disk *disk, const uint32_t *contour, size_t n) {
    const int64_t reach = disk->reach, top = contour[0] >> 16, bottom = contour[n - 1] >> 16;
    int64_t first = 0xffff, last = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t x = contour[i] & 0xffff;
        first = x < first ? x : first;
        last = x > last ? x : last;
    }
    disk->near_top = top - reach;
    disk->near_rows = (uint64_t)(bottom - top + 2 * reach + 1);
    disk->near_left = first - reach;
    int64_t end = last + reach + 1; /* of the columns near the contour */
    if (!disk->small && disk->near_left < 0) disk->near_left = 0;
    if (!disk->small && end > (int64_t)disk->width) end = (int64_t)disk->width;
    disk->near_columns = (uint64_t)(end - disk->near_left);
    disk->top = disk->small ? disk->near_top - reach : top;
    disk->left = disk->small ? disk->near_left - reach : disk->near_left;
    if (disk->small) end += WORD_BITS;
    disk->rows = (size_t)(disk->small ? bottom - top + 4 * reach + 1 : bottom - top + 1);
    disk->stride = (size_t)(end - disk->left + WORD_BITS - 1) / WORD_BITS;
}

dv_status dv_contour_disk_draw(dv_contour_disk *disk, const uint32_t *contour, size_t n) {
    place(disk, contour, n);
    size_t n_words;
    DV_TRY(dv_mul_size(disk->rows, disk->stride, "bitmap of a contour", &n_words));
    if (disk->words_capacity < n_words) {
        free(disk->words);
        disk->words_capacity = 0;
        DV_TRY(dv_alloc(n_words, sizeof *disk->words, "bitmap of a contour", &disk->words));
        disk->words_capacity = n_words;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t row = (size_t)((int64_t)(contour[i] >> 16) - disk->top);
        const size_t column = (size_t)((int64_t)(contour[i] & 0xffff) - disk->left);
        disk->words[row * disk->stride + column / WORD_BITS] |= UINT64_C(1) << column % WORD_BITS;
    }
    return DV_OK;
}

void dv_contour_disk_wipe(dv_contour_disk *disk, const uint32_t *contour, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const size_t row = (size_t)((int64_t)(contour[i] >> 16) - disk->top);
        const size_t column = (size_t)((int64_t)(contour[i] & 0xffff) - disk->left);
        disk->words[row * disk->stride + column / WORD_BITS] = 0;
    }
}

void dv_contour_disk_free(dv_contour_disk *disk) {
    free(disk->half_widths);
    free(disk->words);
    memset(disk, 0, sizeof *disk);
}
