/* mma.cuh: products of 8-bit integer tiles by a whole warp, m16n8k32, and how their operands come from shared memory.
 *
 * With g = lane / 4 and t = lane % 4, register r of a lane holds
 *   A [16, 32]  row g + 8 (r & 1), columns 4t + 16 (r >> 1) and the three after it, lowest byte first
 *   B [8, 32]   row g, columns 4t + 16 r and the three after it (a row of B is a column of the product)
 *   C [16, 8]   row g + 8 (r >> 1), column 2t + (r & 1)
 * Source: PTX ISA, "Matrix Fragments for mma.m16n8k32" and "ldmatrix". */
#ifndef DV_KERNELS_MMA_CUH
#define DV_KERNELS_MMA_CUH

#include "kernels/launch.cuh"

/* Four matrices of 8 rows of 16 bytes: row r of matrix m is read from the address that lane 8m + r gives (shared
 * memory, a multiple of 16). Register m of lane i gets bytes 4 (i % 4) to 4 (i % 4) + 3 of row i / 4 of matrix m. For A
 * let lane i address row i % 16, half i / 16; for 16 rows of B row (i >> 4) * 8 + (i & 7), half (i >> 3) & 1: then
 * registers 0 and 1 are B of rows 0 to 7, registers 2 and 3 of rows 8 to 15. dv_mma_s8: C += A B^T, exact in int32. All
 * lanes of the warp call both together. */
#ifdef __CUDACC__

__device__ inline void dv_ldmatrix_x4(uint32_t (&registers)[4], const void *row) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(address)
                 : "memory");
}

__device__ inline void dv_mma_s8(int32_t (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#else

inline void dv_ldmatrix_x4(uint32_t (&registers)[4], const void *row, const char *file = __builtin_FILE(),
                           int line = __builtin_LINE()) {
    simt_ldmatrix_x4(registers, row, file, line);
}
inline void dv_mma_s8(int32_t (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1,
                      const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    simt_mma_s8(c, a, b0, b1, file, line);
}

#endif

#endif
