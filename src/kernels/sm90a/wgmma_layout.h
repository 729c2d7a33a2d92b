/* wgmma_layout.h: where wgmma m64n256k32 finds its operands and leaves its sums. Plain arithmetic in C, so that a test
 * on any machine can hold it against the documents: tests/unit/kernels/test_wgmma_layout.c.
 *
 * Operands lie in shared memory in rows of 128 bytes, K-major, as TMA writes them with CU_TENSOR_MAP_SWIZZLE_128B: a
 * chunk of 16 bytes changes places with others of its row, by the row modulo 8. The swizzle is one of address bits, so
 * blocks of 8 rows begin at multiples of 1024, and the second, third and fourth run of 32 columns begin 32, 64 and 96
 * bytes after the first. Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout" and "Matrix
 * Descriptor Format"; register fragments: "wgmma.mma_async.m64nNk32". */
#ifndef DV_KERNELS_SM90A_WGMMA_LAYOUT_H
#define DV_KERNELS_SM90A_WGMMA_LAYOUT_H

#include <stdint.h>

#ifdef __CUDACC__
#define DV_ON_BOTH __host__ __device__
#else
#define DV_ON_BOTH
#endif

enum {
    DV_WGMMA_QUERIES = 64, /* rows of A */
    DV_WGMMA_ROWS = 256,   /* rows of B, columns of the product */
    DV_WGMMA_COLUMNS = 32, /* of both, bytes */
    DV_WGMMA_THREADS = 128,
    DV_WGMMA_SUMS = 128,         /* of a thread */
    DV_SWIZZLED_ROW_BYTES = 128, /* also the columns of a stage */
    DV_SWIZZLED_BLOCK_BYTES = 8 * DV_SWIZZLED_ROW_BYTES
};

/* Descriptor of an operand whose first row begins at `address` in shared memory, below 256 KiB: a multiple of 1024, or
 * that and a multiple of 32 columns. Fields count in 16 bytes: bits 0 to 13 the address, 16 to 29 a distance that this
 * layout does not use (1), 32 to 45 the distance of blocks of 8 rows, 62 and 63 the layout, 1: 128-byte swizzle. */
DV_ON_BOTH static inline uint64_t dv_wgmma_descriptor(uint32_t address) {
    return (uint64_t)(address >> 4 & 0x3fffu) | (uint64_t)1 << 16 | (uint64_t)(DV_SWIZZLED_BLOCK_BYTES >> 4) << 32 |
           (uint64_t)1 << 62;
}

/* Which query and row of the product sum i of a thread of the warpgroup belongs to. A thread has two queries: that of
 * sum 0, and the one 8 after it, of sum 2. */
DV_ON_BOTH static inline int dv_wgmma_query(int thread, int i) {
    return thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
}
DV_ON_BOTH static inline int dv_wgmma_row(int thread, int i) {
    return i / 4 * 8 + thread % 4 * 2 + i % 2;
}

#endif
