/* simt_wgmma.h: a model of what wgmma.cuh takes of compute capability 9.0a. It repeats a reading of the documents, so
 * it proves nothing about the hardware; it shows that barriers, stages, clusters and sums fit together.
 *
 * Copies are done by threads of their own, in random order. Products are done at once, or as late as they may, by
 * turns: a stage that is filled again too early changes them. A phase that never ends stops the test. */
#ifndef HOPPER_SIMT_WGMMA_H
#define HOPPER_SIMT_WGMMA_H

#include <functional>
#include <stdint.h>

#include "kernels/sm90a/wgmma_layout.h"

struct dv_box_map {
    const int8_t *codes;
    int64_t n_rows, width;
    int box_rows;
};
inline int dv_describe_boxes(const int8_t *codes, int64_t n_rows, int64_t width, int box_rows, dv_box_map *out) {
    *out = dv_box_map{codes, n_rows, width, box_rows};
    return width % 16 == 0 && box_rows <= 256 ? 0 : 1;
}

uint32_t dv_stages();
uint32_t dv_block_of_cluster();
void dv_sync_cluster();

void dv_barrier_init(uint32_t barrier, uint32_t n_arrivals);
inline void dv_barriers_made() {}
void dv_barrier_wait(uint32_t barrier, uint32_t parity);
void dv_barrier_arrive_and_expect(uint32_t barrier, uint32_t n_bytes);
void dv_barrier_arrive(uint32_t barrier, uint32_t block);

void dv_copy_box(uint32_t to, const dv_box_map *map, int column, int row, uint32_t barrier);
void dv_copy_box_to_all(uint32_t to, const dv_box_map *map, int column, int row, uint32_t barrier, uint16_t blocks);

template <int N> void dv_give_registers() {}
template <int N> void dv_take_registers() {}

void dv_wgmma_begin();
void dv_wgmma_close();
void hopper_wait(int n_groups);
template <int N> void dv_wgmma_wait() {
    hopper_wait(N);
}
inline void dv_wgmma_hold(int32_t (&)[DV_WGMMA_SUMS]) {}
void dv_wgmma_s8(int32_t (&sums)[DV_WGMMA_SUMS], uint64_t queries, uint64_t rows, bool add);

/* Runs a cluster after the other. */
int hopper_launch(int64_t n_clusters, int cluster, int threads, int shared_bytes, const std::function<void()> &body);
template <class KERNEL, class... ARGUMENTS>
int dv_launch_clusters(KERNEL kernel, int64_t n_clusters, int cluster, int threads, int shared_bytes, cudaStream_t,
                       const ARGUMENTS &...arguments) {
    return hopper_launch(n_clusters, cluster, threads, shared_bytes, [&] { kernel(arguments...); });
}

#endif
