#include "search/coded_bank.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/sample.h"

/* Every query is multiplied by all of them. */
enum { LEAST_SEED_ROWS = 4096, MOST_SEED_ROWS = 16384, ROWS_A_SEED_ROW = 32 };

size_t dv_seed_rows(size_t n_rows) {
    const size_t wanted = n_rows / ROWS_A_SEED_ROW;
    const size_t n = wanted < LEAST_SEED_ROWS ? LEAST_SEED_ROWS : wanted < MOST_SEED_ROWS ? wanted : MOST_SEED_ROWS;
    return n < n_rows ? n : n_rows;
}

/* Codes a copy of a sample of the rows; of the copy nothing but codes stays. */
static dv_status create_seeds(dv_row_source source, const int32_t *group, size_t tile_rows, dv_pool *pool,
                              dv_codes *out) {
    const dv_rows *rows = &source.scored->rows;
    const size_t n = dv_seed_rows(rows->n_rows), row_bytes = rows->dim * dv_dtype_size(rows->dtype);
    char *copies = NULL;
    float *peaks = NULL;
    int32_t *groups = NULL;
    dv_scored_rows sample = {0};
    dv_status status = dv_alloc(n, row_bytes, "a sample of the bank", &copies);
    if (status == DV_OK) status = dv_alloc(n, sizeof *peaks, "a sample of the bank", &peaks);
    if (status == DV_OK && group) status = dv_alloc(n, sizeof *groups, "a sample of the bank", &groups);
    for (size_t i = 0; status == DV_OK && i < n; i++) {
        const size_t row = dv_sample_row(rows->n_rows, n, i);
        memcpy(copies + i * row_bytes, dv_row_at(rows, row), row_bytes);
        if (groups) groups[i] = group[row];
    }
    const dv_rows copied = {.data = copies, .dtype = rows->dtype, .n_rows = n, .dim = rows->dim};
    if (status == DV_OK) status = dv_scored_rows_create(&copied, dv_simd_best(), pool, peaks, &sample);
    if (status == DV_OK)
        status = dv_codes_create((dv_row_source){&sample, source.turn}, (dv_row_set){0}, groups, peaks, (dv_centre){0},
                                 tile_rows, pool, out);
    dv_scored_rows_free(&sample);
    free(copies);
    free(peaks);
    free(groups);
    return status;
}

static dv_status create_stages(dv_row_source source, const int32_t *group, size_t tile_rows, dv_pool *pool,
                               dv_coded_bank *bank) {
    DV_TRY(dv_codes_create_heads(source.scored, group, &bank->head, tile_rows, pool, &bank->codes));
    DV_TRY(dv_fine_codes_create(source, pool, &bank->fine));
    return create_seeds(source, group, tile_rows, pool, &bank->seeds);
}

dv_status dv_coded_bank_create(dv_row_source source, const int32_t *group, const float *peaks, const dv_head_wish *wish,
                               size_t tile_rows, dv_pool *pool, dv_coded_bank *out) {
    dv_centre centre;
    *out = (dv_coded_bank){.turn = source.turn};
    DV_TRY(dv_centre_create(source, &centre));
    dv_status status = centre.mu ? DV_OK : dv_head_choose(source.scored, wish, &out->head);
    if (status == DV_OK)
        status = dv_has_heads(out)
                     ? create_stages(source, group, tile_rows, pool, out)
                     : dv_codes_create(source, (dv_row_set){0}, group, peaks, centre, tile_rows, pool, &out->codes);
    if (status != DV_OK) dv_coded_bank_free(out);
    return status;
}

void dv_coded_bank_free(dv_coded_bank *bank) {
    dv_codes_free(&bank->codes);
    dv_codes_free(&bank->seeds);
    dv_fine_codes_free(&bank->fine);
    dv_head_free(&bank->head);
    *bank = (dv_coded_bank){0};
}
