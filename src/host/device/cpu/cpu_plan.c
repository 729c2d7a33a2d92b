#include "device/cpu/cpu_plan.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

/* Query codes and a tile share a second-level cache; the more queries a block has, the more often what was read of the
 * bank is used. */
enum {
    MOST_QUERIES = 512,
    CODES_BYTES = 1 << 20,  /* of one block's queries */
    LISTS_BYTES = 1 << 26,  /* of one block's candidates and neighbours; fewer queries a block where k is large */
    LEAST_TILES_A_PART = 4, /* a part has thresholds to find for each tile, so it should be worth it */
    FIRST_TILES = 4,
    FIRST_ROWS_A_NEIGHBOUR = 2,
    LEAST_SEED_TILES = 16,
    MOST_SEED_TILES = 64,
    TILES_A_SEED_TILE = 32, /* seeds are looked at twice, so they are few */
    SEEDS_A_NEIGHBOUR = 4,
    MOST_SLICE_QUERIES = DV_BLOCK_QUERIES
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t divide_up(size_t a, size_t b) {
    return a / b + (a % b != 0);
}

/* Blocks of one size, as many for each thread, so that none waits for the last one; whole groups for the kernels. */
static size_t choose_block_queries(size_t n_threads, size_t n_queries, const dv_coded_bank *bank, size_t k) {
    const size_t list_bytes =
        dv_filter_capacity(k, &bank->codes) * (sizeof(uint32_t) + sizeof(int32_t)) + k * sizeof(dv_neighbour);
    const size_t fit = least(CODES_BYTES / bank->codes.dim_padded, LISTS_BYTES / list_bytes);
    const size_t limit = most(least(MOST_QUERIES, fit), 1), rounds = divide_up(divide_up(n_queries, limit), n_threads);
    const size_t n = divide_up(divide_up(n_queries, most(rounds, 1)), n_threads);
    return least(divide_up(most(n, 1), DV_BLOCK_QUERIES) * DV_BLOCK_QUERIES, limit);
}

/* Heads have a sample of whole rows beside them, which was chosen with the bank. */
static size_t choose_seed_tiles(const dv_coded_bank *bank, size_t k) {
    const size_t n_tiles = bank->codes.n_tiles;
    if (dv_has_heads(bank)) return bank->seeds.n_tiles * DV_GROUP_ROWS >= k ? bank->seeds.n_tiles : 0;
    const size_t n = most(least(n_tiles / TILES_A_SEED_TILE, MOST_SEED_TILES), LEAST_SEED_TILES);
    const size_t wanted = most(n, divide_up(k, DV_GROUP_ROWS) * SEEDS_A_NEIGHBOUR);
    return wanted <= n_tiles / SEEDS_A_NEIGHBOUR ? wanted : 0;
}

void dv_cpu_plan_make(const dv_device_options *options, size_t n_threads, size_t n_queries, const dv_coded_bank *bank,
                      size_t k, bool biased, dv_cpu_plan *plan) {
    const dv_codes *codes = &bank->codes;
    n_threads = most(n_threads, 1);
    *plan = (dv_cpu_plan){.n_queries = n_queries, .k = k, .biased = biased, .n_parts = 1, .n_tiles = codes->n_tiles};
    plan->block_queries =
        options->tile_queries ? options->tile_queries : choose_block_queries(n_threads, n_queries, bank, k);
    plan->block_queries = most(least(plan->block_queries, n_queries), 1);
    plan->n_blocks = divide_up(n_queries, plan->block_queries);
    plan->n_seed_tiles = choose_seed_tiles(bank, k);
    const size_t wanted =
        plan->n_seed_tiles ? plan->n_seed_tiles : divide_up(k, codes->tile_rows) * FIRST_ROWS_A_NEIGHBOUR;
    plan->first_tiles = least(most(FIRST_TILES, wanted), codes->n_tiles);
    if (plan->n_blocks > 0 && plan->n_blocks < n_threads)
        plan->n_parts = most(least(divide_up(n_threads, plan->n_blocks), codes->n_tiles / LEAST_TILES_A_PART), 1);
}

size_t dv_cpu_plan_chunk_end(const dv_cpu_plan *plan, size_t begin) {
    return begin == 0 ? plan->first_tiles : least(begin + (begin + 1) / 2, plan->n_tiles);
}

static dv_status create_part(const dv_filter *filter, dv_cpu_part *part) {
    const size_t n = divide_up(filter->most, DV_BLOCK_QUERIES) * DV_BLOCK_QUERIES;
    size_t n_hits;
    part->hits = (dv_hits){.capacity = filter->hits.capacity, .stride = filter->hits.stride};
    DV_TRY(dv_mul_size(filter->most, part->hits.stride, "candidates", &n_hits));
    DV_TRY(dv_alloc(n_hits, sizeof *part->hits.positions, "candidates", &part->hits.positions));
    DV_TRY(dv_alloc(n_hits, sizeof *part->hits.sums, "candidates", &part->hits.sums));
    DV_TRY(dv_alloc(n, sizeof *part->hits.counts, "query block", &part->hits.counts));
    return dv_alloc(n, sizeof *part->thresholds, "query block", &part->thresholds);
}

static dv_status create_filter(const dv_cpu_plan *plan, const dv_coded_bank *bank, dv_cpu_memory *m, size_t i) {
    DV_TRY(dv_filter_create(plan->block_queries, plan->k, bank, plan->biased, plan->n_seed_tiles, &m->filters[i]));
    DV_TRY(dv_alloc(plan->block_queries, sizeof **m->flagged, "query block", &m->flagged[i]));
    if (m->filters[i].hits.capacity == bank->codes.n_tiles * bank->codes.tile_rows)
        return DV_OK; /* room for every row */
    return dv_filter_create(least(plan->block_queries, MOST_SLICE_QUERIES), plan->k, bank, plan->biased, 0,
                            &m->slices[i]);
}

dv_status dv_cpu_memory_create(const dv_cpu_plan *plan, const dv_coded_bank *bank, size_t n_threads,
                               dv_cpu_memory *out) {
    *out = (dv_cpu_memory){0};
    const size_t n = plan->n_parts > 1 ? plan->n_blocks : n_threads; /* any worker may take a block */
    const size_t n_parts = plan->n_parts > 1 ? plan->n_blocks * plan->n_parts : 0;
    DV_TRY(dv_alloc(n, sizeof *out->filters, "query blocks", &out->filters));
    DV_TRY(dv_alloc(n, sizeof *out->slices, "query blocks", &out->slices));
    DV_TRY(dv_alloc(n, sizeof *out->flagged, "query blocks", &out->flagged));
    DV_TRY(dv_alloc(n_parts, sizeof *out->parts, "query blocks", &out->parts));
    out->n_filters = n;
    for (size_t i = 0; i < n; i++) DV_TRY(create_filter(plan, bank, out, i));
    out->n_parts = n_parts;
    for (size_t i = 0; i < n_parts; i++) DV_TRY(create_part(&out->filters[i / plan->n_parts], &out->parts[i]));
    return DV_OK;
}

void dv_cpu_memory_free(dv_cpu_memory *m) {
    for (size_t i = 0; i < m->n_filters; i++) {
        dv_filter_free(&m->filters[i]);
        dv_filter_free(&m->slices[i]);
        free(m->flagged[i]);
    }
    for (size_t i = 0; i < m->n_parts; i++) {
        free(m->parts[i].hits.positions);
        free(m->parts[i].hits.sums);
        free(m->parts[i].hits.counts);
        free(m->parts[i].thresholds);
    }
    free(m->filters);
    free(m->slices);
    free(m->flagged);
    free(m->parts);
    *m = (dv_cpu_memory){0};
}
