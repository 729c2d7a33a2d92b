#include "search/slices.h"

/* Makes room for the hits of one more tile. */
static void make_room(dv_filter *slice, size_t slot, const dv_filter_bank *bank, const dv_queries *queries,
                      size_t query) {
    const size_t wanted = bank->coded->codes.tile_rows;
    if (slice->hits.counts[slot] + wanted <= slice->hits.capacity) return;
    (void)dv_filter_tighten(slice, slot, bank->coded); /* true: it never overflows here */
    if (slice->hits.counts[slot] + wanted > slice->hits.capacity) dv_filter_absorb(slice, slot, bank, queries, query);
}

static void scan_few(dv_filter *filter, const size_t *flagged, size_t n, const dv_filter_bank *bank,
                     const dv_tile_order *order, size_t begin, size_t end, const dv_queries *queries, size_t first,
                     dv_filter *slice) {
    dv_filter_clear(slice, n);
    for (size_t slot = 0; slot < n; slot++) dv_filter_copy_query(filter, flagged[slot], slice, slot);
    for (size_t i = begin; i < end; i++) {
        for (size_t slot = 0; slot < n; slot++) make_room(slice, slot, bank, queries, first + flagged[slot]);
        const dv_scan_block block = dv_filter_block(slice);
        const dv_code_tile tile = dv_codes_tile(&bank->coded->codes, dv_tile_order_at(order, i));
        bank->kernel->scan(&block, &tile);
    }
    for (size_t slot = 0; slot < n; slot++) {
        (void)dv_filter_tighten(slice, slot, bank->coded);
        slice->overflowed[slot] = true;
        dv_filter_copy_query(slice, slot, filter, flagged[slot]);
    }
}

void dv_scan_in_slices(dv_filter *filter, const size_t *flagged, size_t n_flagged, const dv_filter_bank *bank,
                       const dv_tile_order *order, size_t begin, size_t end, const dv_queries *queries, size_t first,
                       dv_filter *slice) {
    for (size_t i = 0; i < n_flagged; i += slice->most) {
        const size_t n = n_flagged - i < slice->most ? n_flagged - i : slice->most;
        scan_few(filter, flagged + i, n, bank, order, begin, end, queries, first, slice);
    }
}
