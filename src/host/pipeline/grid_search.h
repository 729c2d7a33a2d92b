/* grid_search.h: one search of every row of a grid, from which each configuration gets the neighbours that a search of
 * its own bank would give. */
#ifndef DV_PIPELINE_GRID_SEARCH_H
#define DV_PIPELINE_GRID_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/parallel.h"
#include "denseval/bank.h"
#include "denseval/device.h"
#include "denseval/features.h"
#include "denseval/search.h"
#include "pipeline/grid.h"

/* All borrowed until dv_grid_search_close. */
typedef struct dv_grid_search_spec {
    dv_bank *bank; /* the union bank of the grid; read here alone */
    const dv_grid *grid;
    const dv_feature_info *queries;
    const size_t *images; /* [n_images], query images that are searched for */
    size_t n_images;
    const dv_search_options *options; /* n_shards and force_mixed have no meaning here; ranks and split have */
    dv_pool *pool;
} dv_grid_search_spec;

typedef struct dv_grid_search dv_grid_search;

/* Opens the device and loads what stays resident. Where the rows take more than half of the memory limit, segments are
 * read again, one after the other, for every block.
 * Fails with DV_E_DATA where a query image sees fewer than k rows of a configuration (*config is its index then, else
 * SIZE_MAX), DV_E_NOMEM, DV_E_BACKEND, as dv_bank_read. */
DV_MUST_USE dv_status dv_grid_search_open(const dv_grid_search_spec *spec, size_t *config, dv_grid_search **out);
void dv_grid_search_close(dv_grid_search *search); /* NULL is allowed */

dv_device *dv_grid_search_device(const dv_grid_search *search);

/* As dv_retriever_block_images. */
DV_MUST_USE dv_status dv_grid_search_block_images(const dv_grid_search *search, size_t extra_bytes, size_t *n_images);

/* As dv_check_interrupted; ranks, which wait for each other, stop between blocks alone. */
DV_MUST_USE dv_status dv_grid_search_check(const dv_grid_search *search);

/* Searches for every patch of a block, at most `most_images` images; the same number in every call. */
DV_MUST_USE dv_status dv_grid_search_run(dv_grid_search *search, const dv_feature_block *block, size_t most_images);

/* Do ranks share the bank, so that all search for the same blocks? */
bool dv_grid_search_bank_is_split(const dv_grid_search *search);

/* The part of a block whose lists this rank gets: see dv_retriever_own. */
dv_feature_block dv_grid_search_own(const dv_grid_search *search, const dv_feature_block *block);

/* Of the own part of the last block: i64 and f64 [n_images * P, k] of one configuration, in host memory, borrowed until
 * the next call. Ids are rows of the union bank; n_rows and above: unfilled rows, at most k of them. Where the bank is
 * split all ranks ask for the same. */
DV_MUST_USE dv_status dv_grid_search_lists(dv_grid_search *search, size_t config, const int64_t **ids,
                                           const double **cosines);

/* Of all blocks, a row and query counted once however many configurations hold the row. */
void dv_grid_search_summary(const dv_grid_search *search, dv_search_summary *summary);

/* Adds what was read and scanned to the account of this rank: once, in the end. */
void dv_grid_search_account(const dv_grid_search *search);

#endif
