#include "device/cuda/cuda_block.h"

#include <cuda_runtime_api.h>

#include "core/check.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_sizes.h"

static size_t block_length(const dv_cuda_index *index, const dv_queries *queries, size_t first) {
    const size_t left = queries->rows.n_rows - first;
    return left < index->plan.block_queries ? left : index->plan.block_queries;
}

static void *memory_of(const dv_cuda_index *index, enum dv_cuda_search_part part) {
    return index->parts.buffers[part].memory;
}

dv_status dv_cuda_block_send(dv_cuda_index *index, const dv_queries *queries, size_t first) {
    const dv_rows *const rows = &queries->rows;
    const size_t n = block_length(index, queries, first), row_bytes = rows->dim * dv_dtype_size(rows->dtype);
    const unsigned char *const data = rows->data;
    dv_cuda_upload *const upload = &index->upload;
    DV_TRY(dv_cuda_upload_after(upload, index->consumed));
    DV_TRY(dv_cuda_upload_send(upload, memory_of(index, DV_CUDA_QUERIES), data + first * row_bytes, n * row_bytes,
                               "queries"));
    if (queries->least)
        DV_TRY(dv_cuda_upload_send(upload, memory_of(index, DV_CUDA_STAGED_LEAST), queries->least + first,
                                   n * sizeof *queries->least, "bounds of queries"));
    if (!queries->group) return DV_OK;
    return dv_cuda_upload_send(upload, memory_of(index, DV_CUDA_STAGED_HIDDEN), queries->group + first,
                               n * sizeof *queries->group, "groups of queries");
}

static void lay_out(const dv_cuda_index *index, dv_cuda_block *block) {
    const dv_cuda_plan *const plan = &index->plan;
    const bool limited = block->queries->least, masked = block->queries->group;
    block->prepared = (dv_prepared_queries){.values = memory_of(index, DV_CUDA_VALUES),
                                            .norms = memory_of(index, DV_CUDA_QUERY_NORMS)};
    block->codes = (dv_query_codes){.codes = memory_of(index, DV_CUDA_QUERY_CODES),
                                    .scales = memory_of(index, DV_CUDA_QUERY_SCALES),
                                    .reaches = memory_of(index, DV_CUDA_REACHES),
                                    .rests = memory_of(index, DV_CUDA_RESTS),
                                    .hidden = masked ? memory_of(index, DV_CUDA_HIDDEN) : NULL,
                                    .n = (int64_t)block->n,
                                    .n_padded = (int64_t)dv_rounded_up(block->n, DV_CODED_QUERIES)};
    block->hits = (dv_hit_lists){.hits = memory_of(index, DV_CUDA_HITS),
                                 .counts = memory_of(index, DV_CUDA_COUNTS),
                                 .capacity = (int64_t)plan->capacity};
    block->lists = (dv_scored_lists){.ids = memory_of(index, DV_CUDA_IDS),
                                     .cosines = memory_of(index, DV_CUDA_COSINES),
                                     .stride = (int64_t)plan->stride};
    block->lower = memory_of(index, DV_CUDA_LOWER);
    block->least = limited ? memory_of(index, DV_CUDA_LEAST) : NULL;
    block->fates = memory_of(index, DV_CUDA_FATES);
    block->chosen = memory_of(index, DV_CUDA_CHOSEN);
    block->thresholds = memory_of(index, DV_CUDA_THRESHOLDS);
    block->maxima = memory_of(index, DV_CUDA_MAXIMA);
    block->n_scored = memory_of(index, DV_CUDA_N_SCORED);
    block->fates_here = (uint32_t *)((uint64_t *)index->counted.memory + 1);
}

static dv_status copy_there(const dv_cuda_index *index, void *to, const void *from, size_t n_bytes) {
    return dv_cuda_check(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToDevice, index->stream), "queries");
}

static dv_status fill(const dv_cuda_index *index, void *there, int byte, size_t n_bytes) {
    return dv_cuda_check(cudaMemsetAsync(there, byte, n_bytes, index->stream), "a search");
}

/* What kernels read until the end of the block moves out of the way of the next one. */
static dv_status take_limits(const dv_cuda_index *index, const dv_cuda_block *block) {
    const size_t n = block->n;
    if (block->least)
        DV_TRY(copy_there(index, memory_of(index, DV_CUDA_LEAST), memory_of(index, DV_CUDA_STAGED_LEAST),
                          n * sizeof *block->least));
    if (!block->codes.hidden) return DV_OK;
    DV_TRY(fill(index, block->codes.hidden, 0xff, (size_t)block->codes.n_padded * sizeof *block->codes.hidden));
    return copy_there(index, block->codes.hidden, memory_of(index, DV_CUDA_STAGED_HIDDEN),
                      n * sizeof *block->codes.hidden);
}

static dv_status encode(const dv_cuda_index *index, const dv_cuda_block *block) {
    const dv_rows *const all = &block->queries->rows;
    dv_measured_rows rows = {.norms = block->prepared.norms};
    rows.rows = (dv_rows){memory_of(index, DV_CUDA_QUERIES), all->dtype, block->n, all->dim};
    if (all->dtype == DV_F64) rows.exponents = memory_of(index, DV_CUDA_QUERY_EXPONENTS);
    float *const peaks = memory_of(index, DV_CUDA_QUERY_PEAKS);
    DV_CUDA_TRY(dv_launch_measure(&rows, peaks, index->stream), "measuring queries");
    return dv_cuda_check(
        dv_launch_encode_queries(&rows, peaks, index->codes.dim_padded, &block->prepared, &block->codes, index->stream),
        "coding queries");
}

dv_status dv_cuda_block_prepare(dv_cuda_index *index, const dv_queries *queries, size_t first, dv_cuda_block *block) {
    const size_t n = block_length(index, queries, first);
    *block = (dv_cuda_block){.queries = queries, .first = first, .n = n};
    lay_out(index, block);
    DV_TRY(dv_cuda_upload_before(&index->upload, index->stream));
    DV_TRY(take_limits(index, block));
    DV_TRY(encode(index, block));
    DV_CUDA_TRY(cudaEventRecord(index->consumed, index->stream), "queries");
    DV_CUDA_TRY(dv_launch_first_bounds(block->prepared.norms, block->least, NULL, (int64_t)n, block->lower,
                                       block->fates, index->stream),
                "first bounds");
    if (index->codes.n_tiles == 0) return DV_OK;
    return fill(index, block->hits.counts, 0, n * sizeof *block->hits.counts);
}

dv_status dv_cuda_block_fetch(dv_cuda_index *index, const dv_cuda_block *block) {
    return dv_cuda_check(cudaMemcpyAsync(block->fates_here, block->fates, block->n * sizeof *block->fates_here,
                                         cudaMemcpyDeviceToHost, index->stream),
                         "counts of a search");
}

dv_status dv_cuda_block_choose(dv_cuda_index *index, const dv_cuda_block *block, const uint32_t *chosen, size_t n,
                               dv_query_codes *codes, dv_prepared_queries *prepared, double **lower) {
    *codes = (dv_query_codes){.codes = memory_of(index, DV_CUDA_CHOSEN_CODES),
                              .scales = memory_of(index, DV_CUDA_CHOSEN_SCALES),
                              .reaches = memory_of(index, DV_CUDA_CHOSEN_REACHES),
                              .rests = memory_of(index, DV_CUDA_CHOSEN_RESTS),
                              .hidden = block->codes.hidden ? memory_of(index, DV_CUDA_CHOSEN_HIDDEN) : NULL,
                              .n = (int64_t)n,
                              .n_padded = (int64_t)dv_rounded_up(n, DV_CODED_QUERIES)};
    *prepared = (dv_prepared_queries){.values = memory_of(index, DV_CUDA_CHOSEN_VALUES),
                                      .norms = memory_of(index, DV_CUDA_CHOSEN_NORMS)};
    *lower = memory_of(index, DV_CUDA_CHOSEN_LOWER);
    DV_TRY(dv_cuda_upload_send(&index->upload, block->chosen, chosen, n * sizeof *chosen, "queries"));
    DV_TRY(dv_cuda_upload_before(&index->upload, index->stream));
    DV_TRY(fill(index, block->hits.counts, 0, n * sizeof *block->hits.counts));
    DV_CUDA_TRY(dv_launch_first_bounds(block->prepared.norms, block->least, block->chosen, (int64_t)n, *lower, NULL,
                                       index->stream),
                "first bounds");
    return dv_cuda_check(dv_launch_gather(block->chosen, &block->codes, &block->prepared, (int64_t)index->bank.rows.dim,
                                          index->codes.dim_padded, codes, prepared, index->stream),
                         "gathering");
}
