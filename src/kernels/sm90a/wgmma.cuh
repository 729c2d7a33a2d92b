/* wgmma.cuh: what the filter takes of compute capability 9.0a: barriers in shared memory that copies and threads arrive
 * at (mbarrier), copies of boxes of a matrix by the copy engine (TMA), products of a warpgroup (wgmma), and launches in
 * clusters. Compiled for sm_90a alone; nothing here has run on a GPU yet. Where nvcc does not compile it, a model takes
 * its place (tests/unit/kernels/hopper). Source: PTX ISA 9.0, sections "mbarrier", "cp.async.bulk.tensor",
 * "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions" and "setmaxnreg". */
#ifndef DV_KERNELS_SM90A_WGMMA_CUH
#define DV_KERNELS_SM90A_WGMMA_CUH

#include "kernels/launch.cuh"
#include "kernels/sm90a/wgmma_layout.h"

#ifdef __CUDACC__

#include <cudaTypedefs.h>

/* Address of the shared memory that the launch asked for: a multiple of 1024, as the swizzle takes address bits. */
extern __shared__ __align__(1024) unsigned char dv_stages_of_block[];
__device__ inline uint32_t dv_stages() {
    return static_cast<uint32_t>(__cvta_generic_to_shared(dv_stages_of_block));
}

/* How a matrix of codes is cut in boxes; an argument of a kernel, of which the copy engine takes the address. */
typedef CUtensorMap dv_box_map;

/* A barrier has phases 0, 1, 0, ... of which the first is under way after init. A phase ends when n_arrivals threads
 * have arrived and all bytes that they expect are there. Barriers are addresses in shared memory. */
__device__ inline void dv_barrier_init(uint32_t barrier, uint32_t n_arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(n_arrivals) : "memory");
}
/* Before others, the copy engine and other blocks of the cluster use what this thread has made; a barrier of all
 * threads must follow. */
__device__ inline void dv_barriers_made() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/* Returns when the phase of that parity is over. */
__device__ inline void dv_barrier_wait(uint32_t barrier, uint32_t parity) {
    uint32_t is_over;
    do {
        asm volatile("{\n"
                     ".reg .pred over;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
                     "selp.b32 %0, 1, 0, over;\n"
                     "}"
                     : "=r"(is_over)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    } while (!is_over);
}
__device__ inline void dv_barrier_arrive_and_expect(uint32_t barrier, uint32_t n_bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(n_bytes) : "memory");
}
/* Arrives at the barrier in the same place of a block of the cluster. */
__device__ inline void dv_barrier_arrive(uint32_t barrier, uint32_t block) {
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(barrier),
                 "r"(block)
                 : "memory");
}

__device__ inline uint32_t dv_block_of_cluster() {
    uint32_t block;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
    return block;
}
/* All threads of all blocks of the cluster; each warp as a whole. */
__device__ inline void dv_sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Starts a copy of the map's box from (column, row) to shared memory, whose bytes arrive at the barrier. To all: to the
 * same place, and barrier, of each of the `blocks` (a mask) of the cluster. */
__device__ inline void dv_copy_box(uint32_t to, const dv_box_map *map, int column, int row, uint32_t barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
                 "[%4];" ::"r"(to),
                 "l"(map), "r"(column), "r"(row), "r"(barrier)
                 : "memory");
}
__device__ inline void dv_copy_box_to_all(uint32_t to, const dv_box_map *map, int column, int row, uint32_t barrier,
                                          uint16_t blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%2, %3}], [%4], %5;" ::"r"(to),
                 "l"(map), "r"(column), "r"(row), "r"(barrier), "h"(blocks)
                 : "memory");
}

/* Registers of each thread of this warpgroup from here on; all of its threads. */
template <int N> __device__ inline void dv_give_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}
template <int N> __device__ inline void dv_take_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/* For the compiler: sums are not read or moved across this line, which products in flight would not survive. */
__device__ inline void dv_wgmma_hold(int32_t (&sums)[DV_WGMMA_SUMS]) {
    DV_UNROLL
    for (int i = 0; i < DV_WGMMA_SUMS; i++) asm volatile("" : "+r"(sums[i])::"memory");
}

/* begin: before the first product after sums were touched. close: ends a group of products. wait<N> returns when all
 * groups but the N last are done; sums may be read after wait<0>. All threads of a warpgroup together. */
__device__ inline void dv_wgmma_begin() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void dv_wgmma_close() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> __device__ inline void dv_wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* sums = A B^T, added to what sums hold where `add`; exact in int32. Queries and rows: dv_wgmma_descriptor. */
__device__ inline void dv_wgmma_s8(int32_t (&sums)[DV_WGMMA_SUMS], uint64_t queries, uint64_t rows, bool add) {
    const int32_t add_word = add;
    asm volatile("{\n"
                 ".reg .pred add;\n"
                 "setp.ne.b32 add, %130, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
                 "%128, %129, add;\n"
                 "}"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]), "+r"(sums[4]), "+r"(sums[5]),
                   "+r"(sums[6]), "+r"(sums[7]), "+r"(sums[8]), "+r"(sums[9]), "+r"(sums[10]), "+r"(sums[11]),
                   "+r"(sums[12]), "+r"(sums[13]), "+r"(sums[14]), "+r"(sums[15]), "+r"(sums[16]), "+r"(sums[17]),
                   "+r"(sums[18]), "+r"(sums[19]), "+r"(sums[20]), "+r"(sums[21]), "+r"(sums[22]), "+r"(sums[23]),
                   "+r"(sums[24]), "+r"(sums[25]), "+r"(sums[26]), "+r"(sums[27]), "+r"(sums[28]), "+r"(sums[29]),
                   "+r"(sums[30]), "+r"(sums[31]), "+r"(sums[32]), "+r"(sums[33]), "+r"(sums[34]), "+r"(sums[35]),
                   "+r"(sums[36]), "+r"(sums[37]), "+r"(sums[38]), "+r"(sums[39]), "+r"(sums[40]), "+r"(sums[41]),
                   "+r"(sums[42]), "+r"(sums[43]), "+r"(sums[44]), "+r"(sums[45]), "+r"(sums[46]), "+r"(sums[47]),
                   "+r"(sums[48]), "+r"(sums[49]), "+r"(sums[50]), "+r"(sums[51]), "+r"(sums[52]), "+r"(sums[53]),
                   "+r"(sums[54]), "+r"(sums[55]), "+r"(sums[56]), "+r"(sums[57]), "+r"(sums[58]), "+r"(sums[59]),
                   "+r"(sums[60]), "+r"(sums[61]), "+r"(sums[62]), "+r"(sums[63]), "+r"(sums[64]), "+r"(sums[65]),
                   "+r"(sums[66]), "+r"(sums[67]), "+r"(sums[68]), "+r"(sums[69]), "+r"(sums[70]), "+r"(sums[71]),
                   "+r"(sums[72]), "+r"(sums[73]), "+r"(sums[74]), "+r"(sums[75]), "+r"(sums[76]), "+r"(sums[77]),
                   "+r"(sums[78]), "+r"(sums[79]), "+r"(sums[80]), "+r"(sums[81]), "+r"(sums[82]), "+r"(sums[83]),
                   "+r"(sums[84]), "+r"(sums[85]), "+r"(sums[86]), "+r"(sums[87]), "+r"(sums[88]), "+r"(sums[89]),
                   "+r"(sums[90]), "+r"(sums[91]), "+r"(sums[92]), "+r"(sums[93]), "+r"(sums[94]), "+r"(sums[95]),
                   "+r"(sums[96]), "+r"(sums[97]), "+r"(sums[98]), "+r"(sums[99]), "+r"(sums[100]), "+r"(sums[101]),
                   "+r"(sums[102]), "+r"(sums[103]), "+r"(sums[104]), "+r"(sums[105]), "+r"(sums[106]), "+r"(sums[107]),
                   "+r"(sums[108]), "+r"(sums[109]), "+r"(sums[110]), "+r"(sums[111]), "+r"(sums[112]), "+r"(sums[113]),
                   "+r"(sums[114]), "+r"(sums[115]), "+r"(sums[116]), "+r"(sums[117]), "+r"(sums[118]), "+r"(sums[119]),
                   "+r"(sums[120]), "+r"(sums[121]), "+r"(sums[122]), "+r"(sums[123]), "+r"(sums[124]), "+r"(sums[125]),
                   "+r"(sums[126]), "+r"(sums[127])
                 : "l"(queries), "l"(rows), "r"(add_word));
}

/* The map of codes [n_rows, width] in boxes of 128 columns. 0 or a cudaError_t. The driver is not linked: the runtime
 * knows where its function is. */
inline int dv_describe_boxes(const int8_t *codes, int64_t n_rows, int64_t width, int box_rows, dv_box_map *out) {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    const cudaError_t asked =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
    if (asked != cudaSuccess) return asked;
    if (found != cudaDriverEntryPointSuccess) return cudaErrorNotSupported;
    const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(width), static_cast<cuuint64_t>(n_rows)};
    const cuuint64_t row_bytes[1] = {static_cast<cuuint64_t>(width)};
    const cuuint32_t box[2] = {DV_SWIZZLED_ROW_BYTES, static_cast<cuuint32_t>(box_rows)}, every[2] = {1, 1};
    const CUresult made = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function)(
        out, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, const_cast<int8_t *>(codes), sizes, row_bytes, box, every,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return made == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

/* Queues a kernel of n_clusters * cluster blocks. 0 or the cudaError_t of the launch. */
template <class KERNEL, class... ARGUMENTS>
int dv_launch_clusters(KERNEL kernel, int64_t n_clusters, int cluster, int threads, int shared_bytes,
                       cudaStream_t stream, const ARGUMENTS &...arguments) {
    const int allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    if (allowed != cudaSuccess) return allowed;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(cluster);
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(static_cast<unsigned>(n_clusters * cluster));
    how.blockDim = dim3(static_cast<unsigned>(threads));
    how.dynamicSmemBytes = static_cast<size_t>(shared_bytes);
    how.stream = stream;
    how.attrs = &attribute;
    how.numAttrs = 1;
    return cudaLaunchKernelEx(&how, kernel, arguments...);
}

#else
#include <simt_wgmma.h>
#endif

#endif
