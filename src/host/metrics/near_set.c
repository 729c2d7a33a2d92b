#include "metrics/near_set.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

dv_status dv_disk_create(uint32_t radius, dv_disk *out) {
    *out = (dv_disk){0};
    DV_TRY(dv_alloc((size_t)radius + 1, sizeof *out->half, "rows of a disk", &out->half));
    dv_disk_resize(out, radius);
    return DV_OK;
}

void dv_disk_resize(dv_disk *disk, uint32_t radius) {
    const uint64_t square = (uint64_t)radius * radius;
    uint64_t half = radius;
    disk->radius = radius;
    for (uint64_t dy = 0; dy <= radius; dy++) {
        while (half * half + dy * dy > square) half--;
        disk->half[dy] = (uint32_t)half;
    }
}

void dv_disk_clear(dv_disk *disk) {
    free(disk->half);
    *disk = (dv_disk){0};
}

void dv_near_set_fill(dv_near_set *set, const uint64_t *keys, size_t n, uint32_t *next) {
    *set = (dv_near_set){.keys = keys, .next = next};
    for (size_t i = 0; i <= n; i++) next[i] = (uint32_t)i;
}

/* The first place from `place` on that is not taken. */
static size_t left_from(uint32_t *next, size_t place) {
    while (next[place] != place) {
        next[place] = next[next[place]];
        place = next[place];
    }
    return place;
}

/* The first place in from..end-1 whose key is at least `key`, or `end`; it is looked for nearby first. */
static size_t seek(const uint64_t *keys, size_t from, size_t end, uint64_t key) {
    size_t step = 1, low = from;
    if (from >= end || keys[from] >= key) return from;
    while (step < end - low && keys[low + step] < key) { /* keys[low] < key throughout */
        low += step;
        step *= 2;
    }
    size_t high = step < end - low ? low + step : end; /* the answer is in low + 1..high */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle;
        else
            high = middle;
    }
    return high;
}

size_t dv_near_set_find(dv_near_set *set, size_t from, size_t end, uint64_t key, const dv_disk *disk) {
    const uint64_t y = key >> 32, x = key & UINT32_MAX, radius = disk->radius;
    const uint64_t top = y > radius ? y - radius : 0;
    size_t place = from;
    while ((place = left_from(set->next, place)) < end) {
        const uint64_t row = set->keys[place] >> 32, column = set->keys[place] & UINT32_MAX;
        if (row > y + radius) return end;
        if (row < top) {
            place = seek(set->keys, place, end, top << 32);
            continue;
        }
        const uint64_t half = disk->half[row > y ? row - y : y - row];
        if (column + half < x)
            place = seek(set->keys, place, end, row << 32 | (x - half));
        else if (column > x + half)
            place = seek(set->keys, place, end, (row + 1) << 32);
        else
            return place;
    }
    return end;
}
