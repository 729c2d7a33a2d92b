/* codes_parts.h: what coding whole rows (codes.c) and coding heads (codes_head.c) share. */
#ifndef DV_SEARCH_CODES_PARTS_H
#define DV_SEARCH_CODES_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"
#include "search/codes.h"

/* Sets tile_rows, tile_shift and n_tiles of n_rows; tile_rows as of dv_codes_create. */
void dv_codes_cut(dv_codes *codes, size_t tile_rows);

/* Room for what was cut, dim_padded known. Fails with DV_E_NOMEM; release with dv_codes_free in every case. */
DV_MUST_USE dv_status dv_codes_allocate(dv_codes *codes, bool with_group);

/* 16 rows of codes, i8 [16, dim_padded], to [dim_padded / 4, 16, 4]. */
void dv_codes_interleave(const int8_t *rows, size_t dim_padded, int8_t *out);

/* -128 times the sum of n codes. */
int32_t dv_codes_offset(const int8_t *codes, size_t n);

#endif
