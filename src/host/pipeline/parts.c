#include "pipeline/parts.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

struct dv_parts {
    dv_device *device;
    dv_bank *bank;
    const dv_bank_info *info;
    const int32_t *groups;
    bool resident;
    size_t n;
    dv_part *parts;
    void **rows;     /* [n] of the resident, each dtype [rows of the part, dim]; else [1], for the largest part */
    size_t n_places; /* n or 1 */
    uint64_t n_rows_read;
    dv_search_stats finished; /* of indexes that were freed */
};

static void add_stats(const dv_device *device, const void *index, dv_search_stats *sum) {
    dv_search_stats stats;
    if (!index || !device->ops->search_stats) return;
    device->ops->search_stats(device, index, &stats);
    dv_search_stats_add(sum, &stats);
}

static void unload(dv_parts *p, dv_part *part) {
    add_stats(p->device, part->index, &p->finished);
    if (part->index) p->device->ops->bank_free(p->device, part->index);
    part->index = NULL;
}

static dv_status load(dv_parts *p, dv_part *part, void *rows) {
    DV_TRY(dv_bank_read(p->bank, part->first_row, part->n_rows, rows));
    p->n_rows_read += part->n_rows;
    const dv_bank_rows view = {
        .rows = {.data = rows, .dtype = p->info->dtype, .n_rows = part->n_rows, .dim = p->info->dim},
        .group = p->groups ? p->groups + part->first_row : NULL,
    };
    return p->device->ops->bank_load(p->device, &view, &part->index);
}

static dv_status create(dv_parts *p, const dv_share *rows) {
    DV_TRY(dv_alloc(p->n, sizeof *p->parts, "the parts of the bank", &p->parts));
    DV_TRY(dv_alloc(p->n_places, sizeof *p->rows, "the parts of the bank", &p->rows));
    for (size_t i = 0; i < p->n; i++) {
        dv_part *part = &p->parts[i];
        const dv_share share = dv_share_of(rows->n, p->n, i);
        *part = (dv_part){.first_row = rows->first + share.first, .n_rows = share.n};
        if (i >= p->n_places) continue;
        size_t n_values;
        DV_TRY(dv_mul_size(part->n_rows, p->info->dim, "bank rows", &n_values));
        DV_TRY(dv_alloc(n_values, dv_dtype_size(p->info->dtype), "bank rows", &p->rows[i]));
        if (p->resident) DV_TRY(load(p, part, p->rows[i]));
    }
    return DV_OK;
}

dv_status dv_parts_create(dv_device *device, dv_bank *bank, const int32_t *groups, const dv_share *rows, size_t n,
                          bool resident, dv_parts **out) {
    *out = NULL;
    dv_parts *made;
    DV_TRY(dv_alloc(1, sizeof *made, "the parts of the bank", &made));
    *made = (dv_parts){.device = device,
                       .bank = bank,
                       .info = dv_bank_get_info(bank),
                       .groups = groups,
                       .resident = resident,
                       .n = n,
                       .n_places = resident || n == 0 ? n : 1};
    const dv_status status = create(made, rows);
    if (status != DV_OK) {
        dv_parts_free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

void dv_parts_free(dv_parts *p) {
    if (!p) return;
    for (size_t i = 0; p->parts && i < p->n; i++) unload(p, &p->parts[i]);
    for (size_t i = 0; p->rows && i < p->n_places; i++) free(p->rows[i]);
    free(p->rows);
    free(p->parts);
    free(p);
}

size_t dv_parts_count(const dv_parts *p) {
    return p->n;
}

dv_status dv_parts_get(dv_parts *p, size_t i, const dv_part **part) {
    *part = &p->parts[i];
    if (p->parts[i].index) return DV_OK;
    for (size_t other = 0; other < p->n; other++) unload(p, &p->parts[other]); /* at most one is there */
    return load(p, &p->parts[i], p->rows[0]);
}

uint64_t dv_parts_rows_read(const dv_parts *p) {
    return p->n_rows_read;
}

void dv_parts_stats(const dv_parts *p, dv_search_stats *stats) {
    *stats = p->finished;
    for (size_t i = 0; i < p->n; i++) add_stats(p->device, p->parts[i].index, stats);
}
