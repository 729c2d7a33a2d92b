#include "pipeline/grid.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

/* A grid in the making. */
typedef struct making {
    const dv_bank_info *bank;
    const dv_bank_plan *plans;
    dv_grid *grid;
    size_t capacity;      /* of the segments */
    size_t *next_image;   /* [n_configs], the first image of each plan that is not below the one at work */
    size_t *members;      /* [n_configs], of the rows at work; the first n_members */
    uint32_t *segment_of; /* [bank rows] */
} making;

static dv_status add_segment(making *m, size_t n_members, size_t *index) {
    dv_grid *grid = m->grid;
    if (grid->n_segments == m->capacity) {
        dv_grid_segment *grown;
        const size_t capacity = m->capacity ? 2 * m->capacity : 16;
        DV_TRY(dv_alloc(capacity, sizeof *grown, "the segments of a bank", &grown));
        if (grid->n_segments) memcpy(grown, grid->segments, grid->n_segments * sizeof *grown);
        free(grid->segments);
        grid->segments = grown;
        m->capacity = capacity;
    }
    dv_grid_segment *segment = &grid->segments[grid->n_segments];
    DV_TRY(dv_alloc(n_members, sizeof *segment->configs, "the configurations of a segment", &segment->configs));
    memcpy(segment->configs, m->members, n_members * sizeof *segment->configs);
    segment->n_configs = n_members;
    *index = grid->n_segments++;
    return DV_OK;
}

/* The segment of rows that belong to the first n_members of m->members. */
static dv_status find_segment(making *m, size_t n_members, size_t *index) {
    for (size_t i = 0; i < m->grid->n_segments; i++) {
        const dv_grid_segment *segment = &m->grid->segments[i];
        if (segment->n_configs != n_members ||
            memcmp(segment->configs, m->members, n_members * sizeof *m->members) != 0)
            continue;
        *index = i;
        return DV_OK;
    }
    return add_segment(m, n_members, index);
}

/* Which configurations hold row `rank` of an image; *end: the first rank for which it may be others. */
static size_t find_members(making *m, size_t image, size_t rank, size_t *end) {
    size_t n = 0;
    *end = SIZE_MAX;
    for (size_t c = 0; c < m->grid->n_configs; c++) {
        const dv_bank_plan *plan = &m->plans[c];
        if (m->next_image[c] == plan->n_images || plan->images[m->next_image[c]] != image) continue;
        if (plan->per_image <= rank) continue;
        m->members[n++] = c;
        if (plan->per_image < *end) *end = plan->per_image;
    }
    return n;
}

/* Rows first .. first + n - 1, all of one image, by rising rank. */
static dv_status place_image(making *m, size_t first, size_t n) {
    const size_t image = (size_t)m->bank->image[first];
    for (size_t c = 0; c < m->grid->n_configs; c++)
        while (m->next_image[c] < m->plans[c].n_images && m->plans[c].images[m->next_image[c]] < image)
            m->next_image[c]++;
    for (size_t rank = 0, end; rank < n; rank = end) {
        const size_t n_members = find_members(m, image, rank, &end);
        size_t index;
        DV_TRY(find_segment(m, n_members, &index));
        if (end > n) end = n;
        for (size_t i = rank; i < end; i++) m->segment_of[first + i] = (uint32_t)index;
        m->grid->segments[index].n_rows += end - rank;
        for (size_t i = 0; i < n_members; i++) {
            dv_grid_config *config = &m->grid->configs[m->members[i]];
            config->n_images += rank == 0;
            config->n_rows += end - rank;
        }
    }
    return DV_OK;
}

static dv_status place_rows(making *m) {
    const size_t n_rows = m->bank->n_rows;
    for (size_t first = 0, end; first < n_rows; first = end) {
        for (end = first + 1; end < n_rows && m->bank->image[end] == m->bank->image[first];) end++;
        DV_TRY(place_image(m, first, end - first));
    }
    return DV_OK;
}

static dv_status list_rows(making *m) {
    dv_grid *grid = m->grid;
    for (size_t i = 0; i < grid->n_segments; i++) {
        dv_grid_segment *segment = &grid->segments[i];
        DV_TRY(dv_alloc(segment->n_rows, sizeof *segment->rows, "the rows of a segment", &segment->rows));
        segment->n_rows = 0;
    }
    for (size_t row = 0; row < m->bank->n_rows; row++) {
        dv_grid_segment *segment = &grid->segments[m->segment_of[row]];
        segment->rows[segment->n_rows++] = row;
    }
    return DV_OK;
}

static int compare_segments(const void *left, const void *right) {
    const dv_grid_segment *a = left, *b = right;
    if (a->n_configs != b->n_configs) return a->n_configs > b->n_configs ? -1 : 1;
    if (a->n_rows != b->n_rows) return a->n_rows > b->n_rows ? -1 : 1;
    return a->rows[0] < b->rows[0] ? -1 : 1; /* no row is in two segments */
}

static dv_status make(making *m) {
    dv_grid *grid = m->grid;
    DV_TRY(dv_alloc(grid->n_configs, sizeof *grid->configs, "the configurations", &grid->configs));
    DV_TRY(dv_alloc(grid->n_configs, sizeof *m->next_image, "the configurations", &m->next_image));
    DV_TRY(dv_alloc(grid->n_configs, sizeof *m->members, "the configurations", &m->members));
    DV_TRY(dv_alloc(m->bank->n_rows, sizeof *m->segment_of, "the segments of the rows", &m->segment_of));
    DV_TRY(place_rows(m));
    DV_TRY(list_rows(m));
    qsort(grid->segments, grid->n_segments, sizeof *grid->segments, compare_segments);
    for (size_t c = 0; c < grid->n_configs; c++) {
        const size_t n_fixed = m->plans[c].n_rows_fixed;
        if (n_fixed == 0) continue;
        grid->configs[c].n_unfilled = n_fixed - grid->configs[c].n_rows;
        grid->configs[c].n_rows = n_fixed;
    }
    return DV_OK;
}

dv_status dv_grid_make(const dv_bank_info *bank, const dv_bank_plan *plans, size_t n_configs, dv_grid *grid) {
    *grid = (dv_grid){.n_configs = n_configs};
    making m = {.bank = bank, .plans = plans, .grid = grid};
    const dv_status status = make(&m);
    free(m.next_image);
    free(m.members);
    free(m.segment_of);
    return status;
}

void dv_grid_clear(dv_grid *grid) {
    for (size_t i = 0; grid->segments && i < grid->n_segments; i++) {
        free(grid->segments[i].rows);
        free(grid->segments[i].configs);
    }
    free(grid->segments);
    free(grid->configs);
    *grid = (dv_grid){0};
}
