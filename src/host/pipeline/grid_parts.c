#include "pipeline/grid_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"

enum { CHUNK_ROWS = 4096 };

static size_t row_bytes(const dv_grid_parts *s) {
    return s->info->dim * (dv_dtype_size(s->info->dtype) + sizeof(float)); /* as stored, and the device's own copy */
}

static size_t min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

/* How many of a segment's rows, which rise, are below `row`. */
static size_t rows_below(const dv_grid_segment *segment, size_t row) {
    size_t low = 0, high = segment->n_rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (segment->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rows of a segment that are this rank's. */
static dv_share own_rows(const dv_grid_parts *s, const dv_grid_segment *segment) {
    const size_t first = rows_below(segment, s->rows.first);
    return (dv_share){.first = first, .n = rows_below(segment, s->rows.first + s->rows.n) - first};
}

/* Cuts each segment into runs of at most `most` rows. */
static dv_status cut_segments(dv_grid_parts *s, size_t most) {
    const dv_grid *grid = s->grid;
    size_t n = 0;
    for (size_t i = 0; i < grid->n_segments; i++) n += (own_rows(s, &grid->segments[i]).n + most - 1) / most;
    DV_TRY(dv_alloc(n, sizeof *s->parts, "the parts of the bank", &s->parts));
    for (size_t i = 0; i < grid->n_segments; i++) {
        const dv_grid_segment *segment = &grid->segments[i];
        const dv_share own = own_rows(s, segment);
        for (size_t done = 0; done < own.n; done += most)
            s->parts[s->n_parts++] = (dv_grid_part){
                .segment = segment, .rows = segment->rows + own.first + done, .n_rows = min_size(most, own.n - done)};
    }
    return DV_OK;
}

static dv_status plan_parts(dv_grid_parts *s) {
    const size_t limit = s->memory_limit / 2;
    size_t bank_bytes;
    DV_TRY(dv_mul_size(s->rows.n, row_bytes(s), "the bank", &bank_bytes));
    s->resident = limit == 0 || bank_bytes <= limit;
    if (s->resident) return cut_segments(s, INT32_MAX);
    const size_t most = limit / row_bytes(s);
    if (most == 0)
        return dv_fail(DV_E_NOMEM, "a bank row takes %zu bytes, half of the memory limit is %zu", row_bytes(s), limit);
    DV_TRY(cut_segments(s, min_size(most, INT32_MAX)));
    dv_log(DV_LOG_INFO, "the bank is scanned in %zu slabs for every block of queries", s->n_parts);
    return DV_OK;
}

static void unload_part(dv_grid_parts *s, dv_grid_part *p) {
    const dv_device_ops *ops = s->device->ops;
    if (p->index && ops->search_stats) {
        dv_search_stats stats;
        ops->search_stats(s->device, p->index, &stats);
        s->finished.n_candidates += stats.n_candidates;
        s->finished.n_uncertified += stats.n_uncertified;
    }
    if (p->index) ops->bank_free(s->device, p->index);
    free(p->host_rows);
    free(p->groups);
    p->index = NULL;
    p->host_rows = NULL;
    p->groups = NULL;
}

/* Runs of neighbouring rows are read together; the bank keeps the images that it read last. */
static dv_status read_rows(const dv_grid_parts *s, const dv_grid_part *p) {
    const size_t stored_bytes = s->info->dim * dv_dtype_size(s->info->dtype);
    for (size_t first = 0, end; first < p->n_rows; first = end) {
        for (end = first + 1; end < p->n_rows && p->rows[end] == p->rows[end - 1] + 1;) end++;
        DV_TRY(dv_bank_read(s->bank, p->rows[first], end - first, p->host_rows + first * stored_bytes));
    }
    return DV_OK;
}

static dv_status alloc_part(dv_grid_parts *s, dv_grid_part *p) {
    size_t n_values;
    DV_TRY(dv_mul_size(p->n_rows, s->info->dim, "bank rows", &n_values));
    DV_TRY(dv_alloc(n_values, dv_dtype_size(s->info->dtype), "bank rows", &p->host_rows));
    if (!s->row_groups) return DV_OK;
    DV_TRY(dv_alloc(p->n_rows, sizeof *p->groups, "groups of bank rows", &p->groups));
    for (size_t i = 0; i < p->n_rows; i++) p->groups[i] = s->row_groups[p->rows[i]];
    return DV_OK;
}

static dv_status load_index(dv_grid_parts *s, dv_grid_part *p) {
    const dv_bank_rows rows = {
        .rows = {.data = p->host_rows, .dtype = s->info->dtype, .n_rows = p->n_rows, .dim = s->info->dim},
        .group = p->groups,
    };
    return s->device->ops->bank_load(s->device, &rows, &p->index);
}

static dv_status load_part(dv_grid_parts *s, dv_grid_part *p) {
    DV_TRY(alloc_part(s, p));
    DV_TRY(read_rows(s, p));
    s->n_rows_read += p->n_rows;
    return load_index(s, p);
}

/* Deals rows first .. first + n - 1 of the bank out to the parts; next [n_parts]: how many rows each has got. */
static void deal_rows(const dv_grid_parts *s, size_t first, size_t n, const unsigned char *rows, size_t *next) {
    const size_t stored_bytes = s->info->dim * dv_dtype_size(s->info->dtype);
    for (size_t i = 0; i < s->n_parts; i++) {
        dv_grid_part *p = &s->parts[i];
        for (; next[i] < p->n_rows && p->rows[next[i]] < first + n; next[i]++)
            memcpy(p->host_rows + next[i] * stored_bytes, rows + (p->rows[next[i]] - first) * stored_bytes,
                   stored_bytes);
    }
}

/* Reads the bank once, in its own order. */
static dv_status read_all(dv_grid_parts *s) {
    unsigned char *chunk;
    size_t *next = NULL, n_values;
    DV_TRY(dv_mul_size(CHUNK_ROWS, s->info->dim, "bank rows", &n_values));
    DV_TRY(dv_alloc(n_values, dv_dtype_size(s->info->dtype), "bank rows", &chunk));
    dv_status status = dv_alloc(s->n_parts, sizeof *next, "the parts of the bank", &next);
    const size_t end = s->rows.first + s->rows.n;
    for (size_t first = s->rows.first; status == DV_OK && first < end; first += CHUNK_ROWS) {
        const size_t n = min_size(CHUNK_ROWS, end - first);
        s->n_rows_read += n;
        status = dv_bank_read(s->bank, first, n, chunk);
        if (status == DV_OK) deal_rows(s, first, n, chunk, next);
    }
    free(chunk);
    free(next);
    return status;
}

static dv_status load_all(dv_grid_parts *s) {
    for (size_t i = 0; i < s->n_parts; i++) DV_TRY(alloc_part(s, &s->parts[i]));
    DV_TRY(read_all(s));
    for (size_t i = 0; i < s->n_parts; i++) {
        DV_TRY(dv_check_interrupted());
        DV_TRY(load_index(s, &s->parts[i]));
    }
    return DV_OK;
}

dv_status dv_grid_parts_make(dv_grid_parts *s) {
    s->info = dv_bank_get_info(s->bank);
    DV_TRY(plan_parts(s));
    return s->resident ? load_all(s) : DV_OK;
}

void dv_grid_parts_clear(dv_grid_parts *s) {
    for (size_t i = 0; s->parts && i < s->n_parts; i++) unload_part(s, &s->parts[i]);
    free(s->parts);
    *s = (dv_grid_parts){0};
}

dv_status dv_grid_parts_load(dv_grid_parts *s, dv_grid_part *p) {
    return s->resident ? DV_OK : load_part(s, p);
}

void dv_grid_parts_unload(dv_grid_parts *s, dv_grid_part *p) {
    if (!s->resident) unload_part(s, p);
}

void dv_grid_parts_stats(const dv_grid_parts *s, dv_search_stats *stats) {
    *stats = s->finished;
    for (size_t i = 0; s->device->ops->search_stats && i < s->n_parts; i++) {
        if (!s->parts[i].index) continue;
        dv_search_stats part;
        s->device->ops->search_stats(s->device, s->parts[i].index, &part);
        stats->n_candidates += part.n_candidates;
        stats->n_uncertified += part.n_uncertified;
    }
}
