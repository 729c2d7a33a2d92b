/* parts.h: the bank on a device: parts of rising rows that stay, or slabs that follow each other through one place. */
#ifndef DV_PIPELINE_PARTS_H
#define DV_PIPELINE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/exchange.h"
#include "denseval/bank.h"
#include "denseval/device.h"

typedef struct dv_parts dv_parts;

/* A part on the device; borrowed until the next one is asked for. */
typedef struct dv_part {
    size_t first_row, n_rows;
    void *index;
} dv_part;

/* Cuts rows of the bank into n contiguous parts, n <= rows->n, the remainder to the first ones. Resident: loads all;
 * else one is loaded when it is asked for. All is borrowed until dv_parts_free. groups  i32 [rows of the bank] or NULL
 * rows    borrowed for the call */
DV_MUST_USE dv_status dv_parts_create(dv_device *device, dv_bank *bank, const int32_t *groups, const dv_share *rows,
                                      size_t n, bool resident, dv_parts **out);
void dv_parts_free(dv_parts *parts); /* NULL is allowed */

size_t dv_parts_count(const dv_parts *parts);

/* Part i. Fails as dv_bank_read and the slot bank_load do. */
DV_MUST_USE dv_status dv_parts_get(dv_parts *parts, size_t i, const dv_part **part);

/* Bank rows read from files since the creation, and what the searches of all parts, those gone too, have counted. */
uint64_t dv_parts_rows_read(const dv_parts *parts);
void dv_parts_stats(const dv_parts *parts, dv_search_stats *stats);

#endif
