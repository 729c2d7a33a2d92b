#include "device/cpu/cpu_plan.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "search/score.h"

/* A tile of scores (2 MiB) stays in a second-level cache between the product and the scan, and both sides are long
 * enough that packing them costs the product little. */
enum {
    TILE_QUERIES = 512,
    TILE_ROWS = 1024,
    LEAST_QUERIES = 32,     /* a product with fewer is slow */
    LEAST_TILES_A_PART = 8, /* each part finds its k best anew, so it should be worth it */
    LISTS_BYTES = 1 << 24   /* of one tile's candidates; fewer queries a tile where k is large */
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t divide_up(size_t a, size_t b) {
    return (a + b - 1) / b;
}

/* Tiles of one size, as many for each thread, so that none waits for the last one. */
static size_t choose_tile_queries(const dv_cpu_plan *plan, size_t n_threads) {
    const size_t fit = LISTS_BYTES / (plan->capacity * (sizeof(float) + sizeof(int32_t)));
    const size_t most = least(TILE_QUERIES, fit > 1 ? fit : 1);
    const size_t rounds = divide_up(plan->n_queries, most * n_threads);
    const size_t n = divide_up(plan->n_queries, (rounds ? rounds : 1) * n_threads);
    return n < LEAST_QUERIES ? least(LEAST_QUERIES, most) : n;
}

void dv_cpu_plan_make(const dv_device_options *options, size_t n_threads, size_t n_queries, size_t n_rows, size_t dim,
                      size_t k, dv_cpu_plan *plan) {
    *plan = (dv_cpu_plan){.n_queries = n_queries, .n_rows = n_rows, .dim = dim, .k = k};
    plan->capacity = dv_candidates_capacity(k, n_rows);
    plan->tile_rows = least(options->tile_rows ? options->tile_rows : TILE_ROWS, n_rows);
    plan->tile_queries = options->tile_queries ? options->tile_queries : choose_tile_queries(plan, n_threads);
    plan->tile_queries = least(plan->tile_queries, n_queries > 0 ? n_queries : 1);
    plan->n_tiles = divide_up(n_queries, plan->tile_queries);
    const size_t row_tiles = divide_up(n_rows, plan->tile_rows);
    size_t n_parts = 1;
    if (plan->n_tiles > 0 && plan->n_tiles < n_threads)
        n_parts = least(divide_up(n_threads, plan->n_tiles), divide_up(row_tiles, LEAST_TILES_A_PART));
    plan->part_rows = divide_up(row_tiles, n_parts) * plan->tile_rows;
    plan->n_parts = divide_up(n_rows, plan->part_rows);
}

static dv_status create_scratch(const dv_cpu_plan *plan, dv_cpu_scratch *s) {
    size_t n_queries, n_scores, n_gathered;
    DV_TRY(dv_mul_size(plan->tile_queries, plan->dim, "query tile", &n_queries));
    DV_TRY(dv_mul_size(plan->tile_queries, plan->tile_rows, "score tile", &n_scores));
    DV_TRY(dv_mul_size(plan->n_parts, plan->capacity, "candidates", &n_gathered));
    DV_TRY(dv_alloc(n_queries, sizeof *s->queries, "query tile", &s->queries));
    DV_TRY(dv_alloc(n_scores, sizeof *s->scores, "score tile", &s->scores));
    DV_TRY(dv_alloc(plan->tile_rows, sizeof *s->maxima, "score maxima", &s->maxima));
    if (plan->n_parts > 1) DV_TRY(dv_alloc(n_gathered, sizeof *s->gathered, "candidates", &s->gathered));
    DV_TRY(dv_alloc(dv_prepared_size(plan->dim), sizeof *s->values, "query", &s->values));
    return dv_alloc(plan->k, sizeof *s->heap, "neighbours", &s->heap);
}

static dv_status create_lists(const dv_cpu_plan *plan, dv_cpu_lists *l) {
    size_t n;
    DV_TRY(dv_mul_size(plan->tile_queries, plan->capacity, "candidates", &n));
    DV_TRY(dv_alloc(plan->tile_queries, sizeof *l->lists, "candidate lists", &l->lists));
    DV_TRY(dv_alloc(n, sizeof *l->scores, "candidate scores", &l->scores));
    return dv_alloc(n, sizeof *l->rows, "candidate rows", &l->rows);
}

dv_status dv_cpu_memory_create(const dv_cpu_plan *plan, size_t n_threads, dv_cpu_memory *out) {
    *out = (dv_cpu_memory){0};
    DV_TRY(dv_alloc(n_threads, sizeof *out->workers, "workers", &out->workers));
    out->n_workers = n_threads;
    for (size_t i = 0; i < n_threads; i++) DV_TRY(create_scratch(plan, &out->workers[i]));
    const size_t n_lists = plan->n_parts > 1 ? plan->n_tiles * plan->n_parts : n_threads;
    DV_TRY(dv_alloc(n_lists, sizeof *out->lists, "candidate lists", &out->lists));
    out->n_lists = n_lists;
    for (size_t i = 0; i < n_lists; i++) DV_TRY(create_lists(plan, &out->lists[i]));
    return DV_OK;
}

void dv_cpu_memory_free(dv_cpu_memory *memory) {
    for (size_t i = 0; i < memory->n_workers; i++) {
        dv_cpu_scratch *s = &memory->workers[i];
        free(s->queries);
        free(s->scores);
        free(s->maxima);
        free(s->gathered);
        free(s->values);
        free(s->heap);
    }
    for (size_t i = 0; i < memory->n_lists; i++) {
        free(memory->lists[i].lists);
        free(memory->lists[i].scores);
        free(memory->lists[i].rows);
    }
    free(memory->workers);
    free(memory->lists);
    *memory = (dv_cpu_memory){0};
}
